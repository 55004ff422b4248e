"""Sums and integrals against exact values: at points closely, over boxes safely."""

from fractions import Fraction

import pytest
from enclosures import enclose, holds, true_value, width, within
from hypothesis import given, settings
from hypothesis import strategies as st

from dpaudit.claims.language import enclosures, quadrature
from dpaudit.claims.language.expression import parse, rational

SETTINGS = settings(derandomize=True, deadline=None, database=None, max_examples=12)
UNIT = st.fractions(min_value=0, max_value=1, max_denominator=32)
SIGNED = st.fractions(min_value=-2, max_value=2, max_denominator=16)


@SETTINGS
@given(st.integers(-3, 5), st.integers(-4, 9), st.integers(0, 4), UNIT, UNIT)
def test_sums_contain_every_exact_value(first, shortest, more, a, b):
    text = "sum(k, a, n, x**abs(k) - k*x)"
    x = (min(a, b), max(a, b))
    over = enclose(text, a=first, n=(shortest, shortest + more), x=x)
    for last in range(shortest, shortest + more + 1):
        for at in (*x, (a + b) / 2):
            exact = rational(parse(text), {"a": Fraction(first), "n": Fraction(last), "x": at})
            assert over.low <= enclosures.exact(exact).high
            assert enclosures.exact(exact).low <= over.high
        assert within(enclose(text, a=first, n=last, x=x), over)


def test_a_sum_that_may_be_long_keeps_its_sign():
    found = enclose("sum(k, 1, n, 1/k**2)", n=(10, None))
    assert found.high == enclosures.INFINITY
    assert 1.549 < float(found.low) < 1.55
    assert enclose("sum(k, 1, n, -1/k)", n=(0, 10**9)).high == 0
    assert enclose("sum(k, 1, n, k)", n=(None, None)).low == 0  # none, or terms that are positive
    assert enclose("sum(k, 1, n, k - 7)", n=(0, 10**9)) == enclosures.REALS


@pytest.mark.parametrize(
    ("text", "ranges"),
    [
        ("sum(k, m, 5, k)", {"m": (1, 2)}),
        ("sum(k, 1, n, k)", {"n": Fraction(5, 2)}),
        ("sum(k, 1, n, k)", {"n": (Fraction(9, 4), Fraction(5, 2))}),
        ("sum(k, 1, 5001, k)", {}),
        ("sum(k, m, 1, k)", {"m": (None, None)}),
        ("sum(k, 0, 3, 1/(k - n))", {"n": 2}),
    ],
)
def test_sums_without_a_certain_start_or_with_too_many_terms(text, ranges):
    assert enclose(text, **ranges) == enclosures.REALS


def test_plain_sums_have_certain_ends():
    with enclosures.panels(64, plain=True):
        assert enclose("sum(k, 1, n, k)", n=(2, 3)) == enclosures.REALS
        assert enclose("sum(k, 1, n, k)", n=3) == enclosures.exact(6)
        assert width(enclose("integral(z, 0, 1, z)")) > 0.001


def test_an_empty_sum_is_zero():
    assert enclose("sum(k, 3, n, 1/(k - 3))", n=(-5, 2)) == enclosures.exact(0)
    assert enclose("sum(k, 3, 2, x)", x=(0, 1)) == enclosures.exact(0)


EXACT = [
    ("integral(z, 0, 1, z**3 - z)", Fraction(-1, 4)),
    ("integral(z, 1, 0, z)", Fraction(-1, 2)),
    ("integral(z, -1, 1, z)", Fraction(0)),
    ("integral(z, 0, 1, abs(z - 1/3))", Fraction(5, 18)),
    ("integral(z, 0, 1, max(z, 1 - z))", Fraction(3, 4)),
    ("integral(z, 0, 1, floor(3*z))", Fraction(1)),
    ("integral(z, 0, 4, sqrt(z))", Fraction(16, 3)),
    ("integral(z, 0, 1, 1/(1 + z)**2)", Fraction(1, 2)),
    ("integral(z, 1/3, 1/3, 1/z)", Fraction(0)),
    ("integral(z, 0, 1, sum(k, 1, 4, k*z**(k - 1)))", Fraction(4)),
    ("integral(z, -1, 1, gamma_tail(1, z) - exp(-max(z, 0)))", Fraction(0)),
    ("integral(z, -1, 2, beta_tail(1, 1, z))", Fraction(3, 2)),
]


@pytest.mark.parametrize(("text", "expected"), EXACT)
def test_integrals_at_a_point_are_close(text, expected):
    found = enclose(text)
    assert found.low <= enclosures.exact(expected).high
    assert enclosures.exact(expected).low <= found.high
    assert width(found) < 1e-15


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("integral(z, 1/100, 4, log(z))", "4*log(4) - log(1/100)/100 - 399/100"),
        ("integral(z, 1/100, 4, log2(z))", "(4*log(4) - log(1/100)/100 - 399/100)/log(2)"),
        ("integral(z, 0, 9, z**(1/2)*exp(0*z))", "18"),
        ("integral(z, 0, 1, log(exp(40*z))**2)", "1600/3"),
        ("integral(z, 0, 1, log(exp(6*z))**2)", "12"),
        ("integral(z, 0, 1, log2(exp(40*z) + exp(40*z)))", "1 + 20/log(2)"),
        ("integral(z, 0, 1, exp(40*z)**(1/3))", "(exp(40/3) - 1)*3/40"),
        ("integral(z, 1/50, 3, z**(-3/2))", "2*50**(1/2) - 2/3**(1/2)"),
        ("integral(z, 1, 3, 1/(z**2 - 1/4))", "log(5/2/(7/2)) + log(3)"),
    ],
)
def test_integrals_next_to_a_branch_point_or_a_pole(text, expected):
    found, exact = enclose(text), enclose(expected)
    assert found.low <= exact.high
    assert exact.low <= found.high
    assert width(found) < 1e-15


@pytest.mark.deep(keep=3)
@pytest.mark.parametrize(
    "body",
    [
        "exp(-x*z**2)",
        "exprel(x*z)",
        "Phi(z - x)",
        "exp(z)/(2 + x*z)",
        "log(3 + x + z)",
        "(1 + z**2)**x",
        "Gamma(3 + x*z)",
    ],
)
@SETTINGS
@given(st.data())
def test_integrals_contain_what_mpmath_finds_and_grow_with_the_box(body, data):
    a, b, c = sorted(data.draw(st.lists(UNIT, min_size=3, max_size=3)))
    start, end = data.draw(SIGNED, label="start"), data.draw(UNIT, label="end")
    text = f"integral(z, {start}, {end}, {body})"
    exact, narrow = enclose(text, x=b), enclose(text, x=(a, c))
    assert holds(exact, true_value(text, x=b))
    assert width(exact) < 1e-12
    assert within(exact, narrow)
    assert within(narrow, enclose(text, x=(a - Fraction(1, 9), c + Fraction(1, 9))))


@SETTINGS
@given(SIGNED, SIGNED, SIGNED, SIGNED)
def test_ends_may_be_intervals_in_any_order(a, b, c, d):
    over = enclose("integral(z, s, t, 3*z**2)", s=(min(a, b), max(a, b)), t=(min(c, d), max(c, d)))
    for s in (a, b, (a + b) / 2):
        for t in (c, d, (c + d) / 2):
            value = enclosures.exact(t**3 - s**3)
            assert over.low <= value.high
            assert value.low <= over.high


def test_more_panels_are_closer():
    with enclosures.panels(8):
        coarse = enclose("integral(z, 0, 1, exp(x*z))", x=(0, 1))
    with enclosures.panels(512):
        fine = enclose("integral(z, 0, 1, exp(x*z))", x=(0, 1))
    assert within(fine, coarse)
    assert width(fine) < width(coarse)
    assert quadrature._setting.panels == 64


@pytest.mark.parametrize(
    "text",
    ["integral(z, 0, 1, 1/z)", "integral(z, -1, 1, 1/z)", "integral(z, 0, 1, log(z - 1))", "integral(z, 0, x, z)"],
)
def test_an_integrand_that_is_not_bounded_gives_no_bound(text):
    found = enclose(text, **({"x": (0, None)} if ", x," in text else {}))
    assert enclosures.INFINITY in (found.high, -found.low)


def test_integrals_nest():
    found = enclose("integral(z, 0, 1, integral(y, 0, z, y))")
    assert found.low * 6 <= 1 <= found.high * 6
    assert width(found) < 0.01


def test_disjoint_enclosures_of_one_number_say_nothing():
    assert quadrature._meet(enclosures.exact(0), enclosures.exact(1)) == enclosures.REALS
