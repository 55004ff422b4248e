"""Exact values of the functions of the language, against definitions and against mpmath."""

import math
from fractions import Fraction

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpaudit.claims.language.expression import parse, rational
from dpaudit.records.errors import ContentError

SETTINGS = settings(derandomize=True, deadline=None, database=None, max_examples=150)
POSITIVE = st.fractions(min_value=Fraction(1, 64), max_value=200, max_denominator=64)


def value(text, **values):
    return rational(parse(text), {name: Fraction(v) for name, v in values.items()})


@SETTINGS
@given(POSITIVE)
def test_rounded_logarithms_and_roots(x):
    with mpmath.workdps(40):
        mx = mpmath.mpf(x.numerator) / x.denominator
        assert value("floor(log2(x))", x=x) == int(mpmath.floor(mpmath.log(mx, 2)))
        assert value("ceil(sqrt(x))", x=x) == int(mpmath.ceil(mpmath.sqrt(mx)))
    assert value("floor(sqrt(x))", x=x) ** 2 <= x < (value("floor(sqrt(x))", x=x) + 1) ** 2
    assert 2 ** (value("ceil(log2(x))", x=x) - 1) < x <= 2 ** value("ceil(log2(x))", x=x)
    assert (value("floor(x)", x=x), value("ceil(-x)", x=x)) == (math.floor(x), -math.floor(x))


@SETTINGS
@given(st.integers(0, 12), st.fractions(0, 1, max_denominator=7), st.fractions(-2, 14, max_denominator=3))
def test_the_binomial_distribution_is_the_sum_of_its_terms(n, q, k):
    terms = [math.comb(n, i) * q**i * (1 - q) ** (n - i) for i in range(n + 1) if i <= k]
    assert value("binomial_cdf(k, n, q)", k=k, n=n, q=q) == sum(terms)
    spelled = value("sum(i, 0, min(floor(k), n), binomial(n, i)*q**i*(1 - q)**(n - i))", k=k, n=n, q=q)
    assert spelled == sum(terms)


def test_exact_roots_and_powers_of_two_are_not_rounded():
    assert [value("ceil(sqrt(n))", n=n) for n in range(11)] == [0, 1, 2, 2, 2, 3, 3, 3, 3, 3, 4]
    assert [value("ceil(log2(n))", n=n) for n in range(1, 10)] == [0, 1, 2, 2, 3, 3, 3, 3, 4]
    assert [value("floor(log2(1/n))", n=n) for n in range(1, 6)] == [0, -1, -2, -2, -3]


def test_sums():
    assert value("sum(k, 1, n, k**3)", n=100) == (100 * 101 // 2) ** 2
    assert value("sum(k, 3, n, k)", n=2) == 0
    assert value("sum(k, 3, n, k)", n=-5) == 0
    assert value("sum(j, 0, n, sum(i, 0, j, binomial(j, i)))", n=9) == 2**10 - 1


def test_factorials_and_binomials():
    assert [value("factorial(n)", n=n) for n in range(6)] == [1, 1, 2, 6, 24, 120]
    assert [value("Gamma(n)", n=n) for n in range(1, 6)] == [1, 1, 2, 6, 24]
    assert [value("binomial(4, k)", k=k) for k in range(-1, 6)] == [0, 1, 4, 6, 4, 1, 0]
    assert (value("log2(x)", x=Fraction(1, 8)), value("exprel(x)", x=0), value("sqrt(x)", x=Fraction(9, 4))) == (
        -3, 1, Fraction(3, 2),
    )  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "log2(3)", "log2(0)", "log2(-2)", "sqrt(2)", "sqrt(-4)", "floor(sqrt(-1))", "floor(exp(1))", "factorial(-1)",
        "factorial(1/2)", "Gamma(0)", "binomial(3, 1/2)", "binomial(-1, 0)", "binomial(-3, -3)",
        "binomial_cdf(1, 2, 3/2)",
        "binomial_cdf(1, 5/2, 1/2)", "exprel(1)", "sum(k, 1/2, 3, k)", "sum(k, 1, 10**7, 1)", "2**(10**9)",
        "factorial(10**6)", "1/0", "0**(-1)", "4**(1/2)", "integral(z, 0, 1, z)", "beta_tail(1, 1, 1/2)",
    ],
)  # fmt: skip
def test_what_has_no_rational_value_or_too_large_a_one_is_refused(text):
    with pytest.raises(ContentError, match="no rational value"):
        rational(parse(text), {})
