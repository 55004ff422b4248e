"""Intervals with exact Arb end points and their arithmetic, rounded outwards.

Every operation evaluates the end points in Arb, which on wide boxes is far tighter than
arithmetic on balls. What has no value somewhere on its arguments is enclosed by all reals.
A comparison answers True, False or None: None is *not certain*, never False.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, ctx, fmpq

INFINITY = arb.pos_inf()
PRECISION = 128


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Work with `bits` bits inside the block; the setting is global to the process."""
    before = ctx.prec
    ctx.prec = bits
    try:
        yield
    finally:
        ctx.prec = before


@dataclass(frozen=True)
class Interval:
    """All reals between `low` and `high`; end points may be infinite."""

    low: arb
    high: arb

    def __str__(self) -> str:
        def text(x: arb) -> str:
            return ("-oo" if x < 0 else "oo") if x in (INFINITY, -INFINITY) else str(x.str(12, radius=False))

        return f"[{text(self.low)}, {text(self.high)}]"


REALS = Interval(-INFINITY, INFINITY)


def exact(value: Fraction | int) -> Interval:
    """The tightest interval around a rational number."""
    value = Fraction(value)
    return hull(arb(fmpq(value.numerator, value.denominator)))


def between(low: Fraction | None, high: Fraction | None) -> Interval:
    """The interval from `low` to `high`; None stands for minus or plus infinity."""
    return Interval(
        -INFINITY if low is None else exact(low).low,
        INFINITY if high is None else exact(high).high,
    )


def at_most(left: Interval, right: Interval) -> bool | None:
    """Is left <= right? True and False are certain, None is undecided."""
    if left.high <= right.low:
        return True
    return False if left.low > right.high else None


def below(left: Interval, right: Interval) -> bool | None:
    """Is left < right? True and False are certain, None is undecided."""
    if left.high < right.low:
        return True
    return False if left.low >= right.high else None


def hull(*values: arb) -> Interval:
    """The smallest interval around the balls; a ball that is not a number gives all reals."""
    if any(value.is_nan() for value in values):
        return REALS
    low, high = values[0].lower(), values[0].upper()
    for value in values[1:]:
        lower, upper = value.lower(), value.upper()
        low = lower if lower < low else low
        high = upper if upper > high else high
    return Interval(low, high)


def add(a: Interval, b: Interval) -> Interval:
    """a + b; where -oo meets oo the sum is unbounded on that side."""
    low, high = (a.low + b.low), (a.high + b.high)
    return Interval(
        -INFINITY if low.is_nan() else low.lower(),
        INFINITY if high.is_nan() else high.upper(),
    )


def negate(a: Interval) -> Interval:
    """-a."""
    return Interval(-a.high, -a.low)


def subtract(a: Interval, b: Interval) -> Interval:
    """a - b."""
    return add(a, negate(b))


def _product(x: arb, y: arb) -> arb:
    """x * y with 0 * oo = 0, the right convention for end points."""
    return arb(0) if x == 0 or y == 0 else x * y


def multiply(a: Interval, b: Interval) -> Interval:
    """a * b."""
    return hull(*(_product(x, y) for x in (a.low, a.high) for y in (b.low, b.high)))


def divide(a: Interval, b: Interval) -> Interval:
    """a / b; exact where the quotient of the end points is."""
    if (b.low > 0 or b.high < 0) and finite(a) and finite(b):
        return hull(*(x / y for x in (a.low, a.high) for y in (b.low, b.high)))
    return multiply(a, _reciprocal(b))


def finite(a: Interval) -> bool:
    """True if both end points are real numbers."""
    return bool(a.low > -INFINITY and a.high < INFINITY)


def _reciprocal(a: Interval) -> Interval:
    if a.low > 0 or a.high < 0:
        return hull(_invert(a.low), _invert(a.high))
    if a.low == 0 and a.high > 0:
        return Interval(_invert(a.high).lower(), INFINITY)
    if a.high == 0 and a.low < 0:
        return Interval(-INFINITY, _invert(a.low).upper())
    return REALS


def _invert(x: arb) -> arb:
    return arb(0) if x == INFINITY or x == -INFINITY else 1 / x


def increasing(low: arb, high: arb) -> Interval:
    """From the balls of an increasing function at both ends; a ball that is not a number says nothing."""
    return Interval(
        -INFINITY if low.is_nan() else low.lower(),
        INFINITY if high.is_nan() else high.upper(),
    )


def exp(a: Interval) -> Interval:
    """e^a."""
    low = arb(0) if a.low == -INFINITY else a.low.exp()
    high = INFINITY if a.high == INFINITY else a.high.exp()
    return increasing(low, high)


def log(a: Interval) -> Interval:
    """The natural logarithm of a >= 0."""
    if not (a.low >= 0 and a.high > 0):
        return REALS
    low, high = (x if x == INFINITY else -INFINITY if x == 0 else x.log() for x in (a.low, a.high))
    return increasing(low, high)


def sqrt(a: Interval) -> Interval:
    """The square root of a >= 0."""
    if not a.low >= 0:
        return REALS
    low, high = (x if x == INFINITY else x.sqrt() for x in (a.low, a.high))
    return increasing(low, high)


def absolute(a: Interval) -> Interval:
    """|a|."""
    if a.low >= 0:
        return a
    if a.high <= 0:
        return negate(a)
    return Interval(arb(0), a.high if a.high > -a.low else -a.low)


def extreme(pick: Callable[[arb, arb], bool]) -> Callable[..., Interval]:
    """The minimum or maximum of intervals, by what `pick` prefers."""

    def apply(*items: Interval) -> Interval:
        low, high = items[0].low, items[0].high
        for item in items[1:]:
            low = item.low if pick(item.low, low) else low
            high = item.high if pick(item.high, high) else high
        return Interval(low, high)

    return apply


def power(base: Interval, exponent: Interval) -> Interval:
    """base ** exponent, for an integer exponent also of a negative base."""
    if exponent.low == exponent.high and exponent.low.is_integer():
        return _integer_power(base, int(exponent.low.unique_fmpz()))
    if not base.low >= 0:
        return REALS
    if base.high == 0:
        return exact(0) if exponent.low > 0 else Interval(arb(0), arb(1)) if exponent.low >= 0 else REALS
    # x**y = exp(y log x) is monotone in each variable, so the corners decide. An infinite end
    # stands for an unbounded side and is never attained, which is why 0 * oo = 0 is right here.
    return exp(multiply(log(base), exponent))


def _integer_power(base: Interval, n: int) -> Interval:
    if n < 0:
        return _reciprocal(_integer_power(base, -n))
    if n == 0:
        return exact(1)
    low, high = _whole_power(base.low, n), _whole_power(base.high, n)
    if n % 2 or base.low >= 0:
        return increasing(low, high)
    if base.high <= 0:
        return increasing(high, low)
    return Interval(arb(0), hull(low, high).high)


def _whole_power(x: arb, n: int) -> arb:
    """x**n for n >= 1; Arb itself gives no sign to a power of an infinity."""
    if x == INFINITY or x == -INFINITY:
        return INFINITY if x > 0 or n % 2 == 0 else -INFINITY
    return x**n
