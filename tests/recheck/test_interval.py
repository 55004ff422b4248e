"""The checker's arithmetic contains what it must: against exact fractions and against Arb."""

from decimal import Decimal
from fractions import Fraction

import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from dpaudit.recheck import interval as iv

RATIONALS = st.fractions(-1000, 1000, max_denominator=10_000)


def exact(x: Decimal) -> Fraction:
    return Fraction(x)


def holds(found, value: Fraction) -> bool:
    return exact(found[0]) <= value <= exact(found[1])


def holds_ball(found, ball: arb) -> bool:
    """Is the ball inside the interval? Both ends compared as exact rationals."""
    low, high = (fmpq(*exact(x).as_integer_ratio()) for x in found)
    return bool(arb(low) <= ball.upper()) and bool(ball.lower() <= arb(high))


@pytest.fixture(autouse=True)
def high_precision():
    before, ctx.prec = ctx.prec, 300
    yield
    ctx.prec = before


@given(RATIONALS, RATIONALS)
def test_rational_operations_contain_the_exact_value(x, y):
    a, b = iv.enclose(x), iv.enclose(y)
    assert holds(a, x)
    assert holds(iv.add(a, b), x + y)
    assert holds(iv.multiply(a, b), x * y)
    assert holds(iv.negate(a), -x)
    assert holds(iv.absolute(a), abs(x))
    if y:
        assert holds(iv.multiply(a, iv.reciprocal(b)), x / y)
    for n in (0, 1, 2, 3, 7):
        assert holds(iv.power(a, iv.enclose(Fraction(n))), x**n)
    if x:
        assert holds(iv.whole_power(a, -3), x**-3)


@given(RATIONALS, st.fractions(0, 10), RATIONALS, st.fractions(0, 10))
def test_wide_intervals_contain_all_corners_and_the_middle(x, dx, y, dy):
    a = iv.enclose(x)[0], iv.enclose(x + dx)[1]
    b = iv.enclose(y)[0], iv.enclose(y + dy)[1]
    for u in (x, x + dx / 3, x + dx):
        for v in (y, y + dy / 7, y + dy):
            assert holds(iv.multiply(a, b), u * v)
            assert holds(iv.add(a, b), u + v)
            assert holds(iv.whole_power(a, 2), u * u)
            assert holds(iv.least(a, b), min(u, v))
            assert holds(iv.largest(a, b), max(u, v))
            if y > 0:
                assert holds(iv.multiply(a, iv.reciprocal(b)), u / v)


@given(st.fractions(-300, 300, max_denominator=10_000))
def test_exp_and_log_agree_with_arb(x):
    ball = arb(fmpq(x.numerator, x.denominator))
    assert holds_ball(iv.exp(iv.enclose(x)), ball.exp())
    if x > 0:
        assert holds_ball(iv.log(iv.enclose(x)), ball.log())
        assert holds_ball(iv.sqrt(iv.enclose(x)), ball.sqrt())
        assert holds_ball(iv.power(iv.enclose(x), iv.enclose(Fraction(7, 3))), ball ** arb(fmpq(7, 3)))


def test_enclosures_are_tight():
    for found in (
        iv.exp(iv.enclose(Fraction(1, 3))),
        iv.log(iv.enclose(Fraction(10, 3))),
        iv.sqrt(iv.enclose(Fraction(2))),
    ):
        assert found[0] < found[1]
        assert found[1] - found[0] < Decimal(10) ** (3 - iv.DIGITS) * abs(found[1])


@pytest.mark.parametrize("function", [iv.log, iv.sqrt])
def test_what_is_not_real_somewhere_is_all_reals(function):
    assert function((Decimal(-1), Decimal(4))) == iv.REALS
    assert iv.reciprocal((Decimal(-1), Decimal(1))) == iv.REALS
    assert iv.power((Decimal(-1), Decimal(1)), iv.enclose(Fraction(1, 2))) == iv.REALS


def test_infinite_ends():
    inf = iv.INFINITY
    assert iv.exp((-inf, Decimal(0))) == (0, 1)
    assert iv.exp((Decimal(0), inf)) == (1, inf)
    assert iv.exp((Decimal(10**9), Decimal(10**9)))[1] == inf
    assert iv.exp((Decimal(10**9), Decimal(10**9)))[0] < inf
    assert iv.exp((Decimal(-(10**9)), Decimal(-(10**9))))[0] == 0
    assert iv.add((inf, inf), (-inf, -inf)) == iv.REALS
    assert iv.multiply((Decimal(0), inf), (Decimal(0), Decimal(0))) == (0, 0)
    assert iv.reciprocal((Decimal(0), Decimal(2)))[1] == inf
    assert iv.floor((Decimal("-1.5"), inf)) == (-2, inf)
    assert iv.ceil((Decimal("-1.5"), Decimal("1.5"))) == (-1, 2)
