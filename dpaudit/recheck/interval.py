"""Interval arithmetic on decimal numbers with directed rounding.

Sums, products, quotients and square roots round as told; `exp` and `ln` of the decimal module are
correctly rounded to nearest, so one unit in the last place outwards encloses them. An
interval is a pair (low, high); an end may be infinite, and REALS stands for
whatever has no certain value, such as the logarithm of an interval that reaches below zero.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

DIGITS = 50
Interval = tuple[Decimal, Decimal]
INFINITY, ZERO, ONE, TWO = Decimal("Infinity"), Decimal(0), Decimal(1), Decimal(2)
REALS: Interval = (-INFINITY, INFINITY)
MOST_WORK = 10_000_000
"""Operations that one certificate may cost, at most some minutes: a short text can ask for sums of sums of sums."""
LARGEST_EXPONENT = Decimal(10**6)
"""Largest argument of exp that is evaluated."""
LARGEST_POWER = 10_000
"""Largest whole exponent that is multiplied out."""


class Exhausted(Exception):
    """More than MOST_WORK operations."""


@dataclass
class Meter:
    """left: operations that may still be made; no limit outside of a check."""

    left: float = math.inf

    def spend(self, operations: int) -> None:
        """Count operations; raises Exhausted."""
        self.left -= operations
        if self.left < 0:
            raise Exhausted


METER = Meter()


def whole(a: Interval, most: int) -> int | None:
    """The whole number that an interval is, if it is one of at most that size; a larger one is never written out."""
    if a[0] != a[1] or not a[0].is_finite() or a[0].copy_abs() > most or a[0] != a[0].to_integral_value():
        return None
    return int(a[0])


def _context(rounding: str) -> Context:
    return Context(prec=DIGITS, rounding=rounding, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[])


EXACT = Context(prec=2 * DIGITS + 2, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[])
"""Squares of numbers of DIGITS digits have no rounding here."""
DOWN, UP, NEAREST = _context(ROUND_FLOOR), _context(ROUND_CEILING), _context(ROUND_HALF_EVEN)


def enclose(value: Fraction) -> Interval:
    """The tightest interval around a rational number."""
    top, bottom = Decimal(value.numerator), Decimal(value.denominator)
    return DOWN.divide(top, bottom), UP.divide(top, bottom)


def hull(*ends: tuple[Decimal, Decimal]) -> Interval:
    """The smallest interval around (rounded down, rounded up) pairs; all reals if one is not a number."""
    if any(end.is_nan() for pair in ends for end in pair):
        return REALS
    return min(low for low, _ in ends), max(high for _, high in ends)


def add(a: Interval, b: Interval) -> Interval:
    """a + b; an end that is oo - oo is unbounded."""
    METER.spend(1)
    low, high = DOWN.add(a[0], b[0]), UP.add(a[1], b[1])
    return (-INFINITY if low.is_nan() else low, INFINITY if high.is_nan() else high)


def negate(a: Interval) -> Interval:
    """-a."""
    return a[1].copy_negate(), a[0].copy_negate()


def multiply(a: Interval, b: Interval) -> Interval:
    """a * b, with 0 * oo = 0 at the ends: an infinite end is never attained."""
    METER.spend(2)
    return hull(*(_product(x, y) for x in a for y in b))


def _product(x: Decimal, y: Decimal) -> tuple[Decimal, Decimal]:
    return (ZERO, ZERO) if not x or not y else (DOWN.multiply(x, y), UP.multiply(x, y))


def reciprocal(a: Interval) -> Interval:
    """1 / a; all reals if 0 is inside."""
    if a[0] > 0 or a[1] < 0:
        return DOWN.divide(ONE, a[1]), UP.divide(ONE, a[0])
    if a[0] == 0 and a[1] > 0:
        return DOWN.divide(ONE, a[1]), INFINITY
    if a[1] == 0 and a[0] < 0:
        return -INFINITY, UP.divide(ONE, a[0])
    return REALS


def sqrt(a: Interval) -> Interval:
    """The square root; all reals if the interval reaches below 0."""
    if not a[0] >= 0:
        return REALS
    # The square root of the decimal module rounds to nearest whatever the context says.
    low, high = NEAREST.sqrt(a[0]), NEAREST.sqrt(a[1])
    return (
        low if EXACT.multiply(low, low) == a[0] else _below(low),
        high if EXACT.multiply(high, high) == a[1] else _above(high),
    )


def exp(a: Interval) -> Interval:
    """e to the power a; beyond LARGEST_EXPONENT only that it is large, or small."""
    METER.spend(20)
    low = ZERO if a[0] < -LARGEST_EXPONENT else _below(NEAREST.exp(min(a[0], LARGEST_EXPONENT)))
    high = INFINITY if a[1] > LARGEST_EXPONENT else _above(NEAREST.exp(max(a[1], -LARGEST_EXPONENT)))
    return ONE if a[0] == 0 else max(low, ZERO), ONE if a[1] == 0 else high


def log(a: Interval) -> Interval:
    """The natural logarithm; all reals if the interval reaches below 0."""
    METER.spend(20)
    if not a[0] >= 0:
        return REALS
    return _below(NEAREST.ln(a[0])), _above(NEAREST.ln(a[1]))


def _below(x: Decimal) -> Decimal:
    """A number that is certainly below what was rounded to x (0 and infinities never come from rounding here)."""
    return x if x.is_infinite() or x == 0 else NEAREST.next_minus(x)


def _above(x: Decimal) -> Decimal:
    return x if x.is_infinite() or x == 0 else NEAREST.next_plus(x)


def absolute(a: Interval) -> Interval:
    """|a|."""
    if a[0] >= 0:
        return a
    return negate(a) if a[1] <= 0 else (ZERO, max(a[0].copy_negate(), a[1]))


def least(*items: Interval) -> Interval:
    """The smallest of several."""
    return min(low for low, _ in items), min(high for _, high in items)


def largest(*items: Interval) -> Interval:
    """The largest of several."""
    return max(low for low, _ in items), max(high for _, high in items)


def power(base: Interval, exponent: Interval) -> Interval:
    """base ** exponent: whole exponents by multiplication, others as exp(exponent log base) for base >= 0."""
    n = whole(exponent, LARGEST_POWER)
    if n is not None:
        return whole_power(base, n)
    if not base[0] >= 0:
        return REALS
    low, high = exp(multiply(log(base), exponent))
    if base[0] >= 1:  # increasing in the exponent, and at whole ends known without rounding
        first, last = (whole((end, end), LARGEST_POWER) for end in exponent)
        low = low if first is None else max(low, whole_power(base, first)[0])
        high = high if last is None else min(high, whole_power(base, last)[1])
    return low, high


def whole_power(base: Interval, n: int) -> Interval:
    """base ** n for a whole n."""
    if n < 0:
        return reciprocal(whole_power(base, -n))
    if n == 0:
        return ONE, ONE
    if n % 2 or base[0] >= 0:
        return _raised(base[0], n)[0], _raised(base[1], n)[1]
    if base[1] <= 0:
        return whole_power(negate(base), n)
    return ZERO, _raised(max(base[0].copy_negate(), base[1]), n)[1]


def _raised(x: Decimal, n: int) -> Interval:
    """x ** n for one number, by squaring intervals."""
    result, square = (ONE, ONE), (x, x)
    while n:
        if n & 1:
            result = multiply(result, square)
        square = multiply(square, square)
        n >>= 1
    return result


def floor(a: Interval) -> Interval:
    """The largest whole number at or below a."""
    return tuple(x if x.is_infinite() else x.to_integral_value(rounding=ROUND_FLOOR) for x in a)  # type: ignore[return-value]


def ceil(a: Interval) -> Interval:
    """The smallest whole number at or above a."""
    return negate(floor(negate(a)))


def monotone(value: Callable[[Decimal], Interval], a: Interval, at_low: Decimal, at_high: Decimal) -> Interval:
    """The image of an increasing function given at points; its limits at -oo and oo."""
    low = (at_low, at_low) if a[0].is_infinite() else value(a[0])
    high = (at_high, at_high) if a[1].is_infinite() else value(a[1])
    return hull((low[0], high[1]))
