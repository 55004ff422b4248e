"""Enclosures contain the true value, and comparisons never guess."""

from fractions import Fraction

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpaudit.claims.language import enclosures
from dpaudit.claims.language.expression import parse, rational
from dpaudit.records.errors import ContentError

FINITE = st.fractions(min_value=-6, max_value=6, max_denominator=64)
POSITIVE = st.fractions(min_value=Fraction(1, 64), max_value=6, max_denominator=64)


def enclose(text, **ranges):
    with enclosures.precision(enclosures.PRECISION):
        return enclosures.evaluate(parse(text), {name: enclosures.between(*ends) for name, ends in ranges.items()})


def contains(interval, value):
    with enclosures.precision(4 * enclosures.PRECISION):
        point = enclosures.exact(value)
    return interval.low <= point.low and point.high <= interval.high


TEXTS = [
    "x + y",
    "x - y",
    "x*y",
    "x/y",
    "x**3",
    "x**2*y",
    "abs(x) - max(x, y)",
    "min(x, y) - x",
    "x**-2",
    "(x - y)**2",
    "-x",
]
PLACES = st.sampled_from([Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(1)])


@settings(derandomize=True, deadline=None, database=None, max_examples=400)
@given(
    st.lists(FINITE, min_size=2, max_size=2),
    st.lists(FINITE, min_size=2, max_size=2),
    PLACES,
    PLACES,
    st.sampled_from(TEXTS),
)
def test_arithmetic_contains_the_exact_values(first, second, s, t, text):
    (a, b), (c, d) = sorted(first), sorted(second)
    try:
        value = rational(parse(text), {"x": a + s * (b - a), "y": c + t * (d - c)})
    except ContentError:
        return
    found = enclose(text, x=(a, b), y=(c, d))
    assert contains(found, value)


@given(POSITIVE, POSITIVE, FINITE)
def test_functions_contain_what_mpmath_finds(a, b, y):
    x = (a + b) / 2
    with mpmath.workdps(60):
        mx, my = (mpmath.mpf(v.numerator) / v.denominator for v in (x, y))
        values = {
            "exp(y)": mpmath.exp(my), "log(x)": mpmath.log(mx), "sqrt(x)": mpmath.sqrt(mx), "x**y": mx**my,
            "Phi(y)": mpmath.ncdf(my), "pi*x": mpmath.pi * mx,
        }  # fmt: skip
        for text, value in values.items():
            found = enclose(text, x=(min(a, b), max(a, b)), y=(y, y))
            with enclosures.precision(400):
                low, high = (mpmath.mpf(end.str(60, radius=False)) for end in (found.low, found.high))
            slack = mpmath.mpf(10) ** -50 * (1 + abs(value))  # the printed end points are rounded
            assert low - slack <= value <= high + slack, text


@given(st.integers(1, 9), st.integers(1, 9), st.fractions(min_value=0, max_value=1, max_denominator=32))
def test_beta_tail_contains_the_incomplete_beta_function(a, b, t):
    found = enclose("beta_tail(a/2, b/2, t)", a=(Fraction(a), Fraction(a)), b=(Fraction(b), Fraction(b)), t=(t, t))
    with mpmath.workdps(40):
        value = mpmath.betainc(
            mpmath.mpf(a) / 2, mpmath.mpf(b) / 2, mpmath.mpf(t.numerator) / t.denominator, 1, regularized=True
        )
    assert float(found.low) - 1e-14 <= value <= float(found.high) + 1e-14
    assert float(found.high - found.low) < 1e-14


def test_unbounded_ranges_stay_sound():
    two_up = (Fraction(2), None)
    half = enclose("1/p", p=two_up)
    assert (half.low, half.high) == (0, Fraction(1, 2).numerator / 2)
    assert enclose("exp(-p)", p=two_up).low == 0
    assert enclose("p - p", p=two_up).low == -enclosures.INFINITY  # the dependency is not seen, and not guessed
    assert enclose("x/x", x=(Fraction(0), Fraction(1))).high == enclosures.INFINITY
    assert enclose("1/x", x=(Fraction(-1), Fraction(1))) == enclosures.REALS
    assert enclose("log(x)", x=(Fraction(-1), Fraction(1))) == enclosures.REALS
    assert enclose("sqrt(x)", x=(Fraction(-1), Fraction(1))) == enclosures.REALS


def test_comparisons_have_three_answers():
    low, high, wide = enclosures.exact(1), enclosures.exact(2), enclosures.between(Fraction(0), Fraction(3))
    assert enclosures.at_most(low, high) is True
    assert enclosures.at_most(high, low) is False
    assert enclosures.at_most(wide, low) is None
    assert enclosures.at_most(low, low) is True
    assert enclosures.below(low, low) is False
    third = enclosures.exact(Fraction(1, 3))
    assert enclosures.below(third, third) is None


def test_precision_is_restored_after_an_error():
    before = enclosures.ctx.prec
    with pytest.raises(ContentError), enclosures.precision(999):
        enclosures.evaluate(parse("dot(u, v)"), {})
    assert enclosures.ctx.prec == before
