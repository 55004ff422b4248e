"""Intervals enclose what they stand for; a comparison is certain or None."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from dpaudit.arithmetic import intervals
from dpaudit.arithmetic.intervals import INFINITY, REALS, Interval, between, exact

NUMBERS = st.fractions(min_value=-9, max_value=9, max_denominator=12)
PAIRS = st.tuples(NUMBERS, NUMBERS).map(sorted)


def holds(found: Interval, value: Fraction) -> bool:
    point = arb(fmpq(value.numerator, value.denominator))
    return not (found.low > point or found.high < point)


@given(PAIRS, PAIRS, st.fractions(0, 1, max_denominator=5), st.fractions(0, 1, max_denominator=5))
def test_operations_enclose_every_value(a: list[Fraction], b: list[Fraction], s: Fraction, t: Fraction) -> None:
    x, y = a[0] + s * (a[1] - a[0]), b[0] + t * (b[1] - b[0])
    one, other = between(*a), between(*b)
    assert holds(intervals.add(one, other), x + y)
    assert holds(intervals.subtract(one, other), x - y)
    assert holds(intervals.multiply(one, other), x * y)
    assert holds(intervals.absolute(one), abs(x))
    assert holds(intervals.power(one, exact(2)), x * x)
    assert holds(intervals.power(one, exact(3)), x**3)
    if y:
        assert holds(intervals.divide(one, other), x / y)


def test_ends_are_tight_where_they_are_rational() -> None:
    found = intervals.multiply(between(Fraction(-1), Fraction(2)), between(Fraction(3), Fraction(4)))
    assert (found.low, found.high) == (-4, 8)
    assert intervals.power(between(Fraction(-3), Fraction(2)), exact(2)).low == 0
    assert str(between(None, Fraction(5, 2))) == "[-oo, 2.50000000000]"


def test_powers_of_an_infinite_end_have_their_sign() -> None:
    below = between(None, Fraction(-2))
    for n in (1, 3, 5, 9):
        assert (intervals.power(below, exact(n)).low, intervals.power(below, exact(n)).high) == (-INFINITY, -(2**n))
    for n in (2, 4, 6):
        assert (intervals.power(below, exact(n)).low, intervals.power(below, exact(n)).high) == (2**n, INFINITY)


@pytest.mark.parametrize("function", [intervals.log, intervals.sqrt])
def test_what_has_no_value_somewhere_is_any_number(function: Callable[[Interval], Interval]) -> None:
    assert function(between(Fraction(-1), Fraction(1))) == REALS
    assert intervals.divide(exact(1), between(Fraction(-1), Fraction(1))) == REALS


def test_inverses_give_the_interval_back() -> None:
    with intervals.precision(intervals.PRECISION):
        start = between(Fraction(1, 3), Fraction(7, 2))
        for found in (intervals.exp(intervals.log(start)), intervals.power(intervals.sqrt(start), exact(2))):
            assert found.low <= start.low
            assert found.high >= start.high
            assert found.high - found.low < start.high - start.low + arb("1e-20")


def test_a_comparison_is_certain_or_open() -> None:
    low, high, across = between(Fraction(0), Fraction(1)), between(Fraction(1), Fraction(2)), between(None, None)
    assert (intervals.at_most(low, high), intervals.at_most(high, low)) == (True, None)
    assert (intervals.below(low, high), intervals.below(high, low)) == (None, False)
    assert (intervals.at_most(low, across), intervals.below(across, low)) == (None, None)
    assert intervals.at_most(exact(3), exact(2)) is False


def test_extremes_are_taken_end_by_end() -> None:
    least = intervals.extreme(lambda one, other: one < other)
    found = least(between(Fraction(0), Fraction(5)), between(Fraction(1), Fraction(2)))
    assert (found.low, found.high) == (0, 2)


def test_the_precision_is_set_inside_the_block_alone() -> None:
    before = ctx.prec
    with intervals.precision(before + 17):
        assert ctx.prec == before + 17
    assert ctx.prec == before
