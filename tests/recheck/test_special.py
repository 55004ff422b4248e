"""The checker's special functions against Arb, at random points and on intervals."""

from decimal import Decimal
from fractions import Fraction

import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from dpaudit.recheck import special
from dpaudit.recheck.interval import REALS, enclose

POSITIVE = st.fractions(Fraction(1, 100), 60, max_denominator=1000)
REAL = st.fractions(-30, 30, max_denominator=1000)
SHARE = st.fractions(Fraction(1, 1000), Fraction(999, 1000), max_denominator=1000)


@pytest.fixture(autouse=True)
def high_precision():
    before, ctx.prec = ctx.prec, 400
    yield
    ctx.prec = before


def ball(x: Fraction) -> arb:
    return arb(fmpq(x.numerator, x.denominator))


def inside(found, value: arb, digits: int = 12) -> bool:
    """Does the interval contain the value, and is it tight to so many digits (absolutely below 1)?"""
    low, high = (ball(Fraction(x)) for x in found)
    width = Fraction(found[1]) - Fraction(found[0])
    return (
        bool(low <= value.upper())
        and bool(value.lower() <= high)
        and width <= Fraction(1, 10**digits) * max(Fraction(1), abs(Fraction(found[1])))
    )


@given(REAL)
def test_normal_cdf(x):
    assert inside(special.normal_cdf(enclose(x)), (-ball(x) / arb(2).sqrt()).erfc() / 2)


def test_normal_tail_keeps_a_relative_accuracy():
    for x in (8, 13, 20, 40):
        found = special.normal_cdf(enclose(Fraction(-x)))
        assert Fraction(found[1]) / Fraction(found[0]) - 1 < Fraction(1, 10**9)
        assert inside(found, (arb(x) / arb(2).sqrt()).erfc() / 2)


@given(REAL)
def test_exprel(x):
    value = ball(x).expm1() / ball(x) if x else arb(1)
    assert inside(special.exprel(enclose(x)), value)


@pytest.mark.deep
@given(POSITIVE)
def test_gamma(x):
    assert inside(special.gamma(enclose(x)), ball(x).gamma())
    assert inside(special.log_gamma(enclose(x)), ball(x).lgamma())


@given(POSITIVE, POSITIVE)
def test_gamma_tail(a, x):
    value = ball(x).gamma_upper(ball(a), regularized=1)
    assert inside(special.gamma_tail(enclose(a), enclose(x)), value)


@pytest.mark.deep
@given(POSITIVE, POSITIVE, SHARE)
def test_beta_tail(a, b, t):
    value = (1 - ball(t)).beta_lower(ball(b), ball(a), regularized=1)
    value = value if value.is_finite() else 1 - ball(t).beta_lower(ball(a), ball(b), regularized=1)
    assert inside(special.beta_tail(enclose(a), enclose(b), enclose(t)), value)


@given(st.integers(0, 40), st.integers(-1, 41), SHARE)
def test_binomial_cdf(n, k, q):
    value = sum((special.math.comb(n, j) * q**j * (1 - q) ** (n - j) for j in range(min(k, n) + 1)), Fraction(0))
    assert inside(special.binomial_cdf(enclose(Fraction(k)), enclose(Fraction(n)), enclose(q)), ball(value))


def test_pi_log2_and_counting():
    assert inside(special.PI, arb.pi(), 40)
    assert inside(special.log2(enclose(Fraction(8))), arb(3), 40)
    assert special.factorial(enclose(Fraction(5))) == (120, 120)
    assert special.binomial(enclose(Fraction(10)), enclose(Fraction(3))) == (120, 120)
    assert inside(special.binomial(enclose(Fraction(7, 2)), enclose(Fraction(2))), ball(Fraction(35, 8)))


@pytest.mark.deep
@given(POSITIVE, st.fractions(0, 2), POSITIVE, SHARE)
def test_intervals_contain_their_points(a, width, b, t):
    wide = enclose(a)[0], enclose(a + width)[1]
    for x in (a, a + width / 2, a + width):
        for found, value in (
            (special.gamma(wide), special.gamma(enclose(x))),
            (special.normal_cdf(wide), special.normal_cdf(enclose(x))),
            (special.beta_tail(wide, enclose(b), enclose(t)), special.beta_tail(enclose(x), enclose(b), enclose(t))),
            (special.gamma_tail(wide, enclose(b)), special.gamma_tail(enclose(x), enclose(b))),
        ):
            assert found[0] <= value[1]
            assert value[0] <= found[1]


def test_undefined_arguments_give_all_reals():
    minus, one = (Decimal(-1), Decimal(-1)), (Decimal(1), Decimal(1))
    assert special.gamma(minus) == REALS
    assert special.beta_tail(minus, one, one) == REALS
    assert special.gamma_tail((Decimal(0), Decimal(1)), one) == REALS
    assert special.binomial_cdf(one, minus, one) == REALS
    assert special.binomial(one, (Decimal("0.5"), Decimal("0.5"))) == REALS
