"""Interval end points evaluated in ball arithmetic: enclosures that are sure to hold.

An `Interval` keeps two exact Arb numbers. Every operation evaluates the end points in
Arb and rounds outwards, which on wide boxes is far tighter than arithmetic on balls. A
comparison answers True, False or None: None is *not certain*, never False.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, ctx, fmpq

from dpaudit.errors import ContentError
from dpaudit.expression import Expr

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
    return _hull(arb(fmpq(value.numerator, value.denominator)))


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


def evaluate(expr: Expr, values: Mapping[str, Interval]) -> Interval:
    """An interval that contains every value of `expr` when each symbol runs over its interval.

    Raises ContentError for vectors and E(...), which must be eliminated first.
    """
    if expr.head == "number":
        return exact(expr.value)
    if expr.head == "symbol":
        return values[expr.name]
    if expr.head == "pi":
        return _hull(arb.pi())
    if expr.head == "**":
        return _power(expr, values)
    if expr.head not in FUNCTIONS:
        raise ContentError(f"{expr} has no enclosure: rewrite {expr.head}(...) first")
    return FUNCTIONS[expr.head](*(evaluate(arg, values) for arg in expr.args))


def _hull(*values: arb) -> Interval:
    """The smallest interval around the balls; a ball that is not a number gives all reals."""
    if any(value.is_nan() for value in values):
        return REALS
    low, high = values[0].lower(), values[0].upper()
    for value in values[1:]:
        lower, upper = value.lower(), value.upper()
        low = lower if lower < low else low
        high = upper if upper > high else high
    return Interval(low, high)


def _add(a: Interval, b: Interval) -> Interval:
    low, high = (a.low + b.low), (a.high + b.high)
    # -oo + oo has no value: the sum is then unbounded on that side.
    return Interval(
        -INFINITY if low.is_nan() else low.lower(),
        INFINITY if high.is_nan() else high.upper(),
    )


def _negate(a: Interval) -> Interval:
    return Interval(-a.high, -a.low)


def _product(x: arb, y: arb) -> arb:
    """x * y with 0 * oo = 0, the right convention for end points."""
    return arb(0) if x == 0 or y == 0 else x * y


def _multiply(a: Interval, b: Interval) -> Interval:
    return _hull(*(_product(x, y) for x in (a.low, a.high) for y in (b.low, b.high)))


def _reciprocal(a: Interval) -> Interval:
    if a.low > 0 or a.high < 0:
        return _hull(_invert(a.low), _invert(a.high))
    if a.low == 0 and a.high > 0:
        return Interval(_invert(a.high).lower(), INFINITY)
    if a.high == 0 and a.low < 0:
        return Interval(-INFINITY, _invert(a.low).upper())
    return REALS


def _invert(x: arb) -> arb:
    return arb(0) if x == INFINITY or x == -INFINITY else 1 / x


def _exp(a: Interval) -> Interval:
    low = arb(0) if a.low == -INFINITY else a.low.exp()
    high = INFINITY if a.high == INFINITY else a.high.exp()
    return Interval(low.lower(), high.upper())


def _log(a: Interval) -> Interval:
    if not a.low >= 0:
        return REALS
    low = -INFINITY if a.low == 0 else a.low.log()
    high = a.high if a.high == INFINITY else -INFINITY if a.high == 0 else a.high.log()
    return Interval(low.lower(), high.upper())


def _sqrt(a: Interval) -> Interval:
    if not a.low >= 0:
        return REALS
    high = a.high if a.high == INFINITY else a.high.sqrt()
    return Interval(a.low.sqrt().lower(), high.upper())


def _abs(a: Interval) -> Interval:
    if a.low >= 0:
        return a
    if a.high <= 0:
        return _negate(a)
    return Interval(arb(0), a.high if a.high > -a.low else -a.low)


def _normal_cdf(a: Interval) -> Interval:
    def value(x: arb) -> arb:
        if x == INFINITY or x == -INFINITY:
            return arb(1) if x > 0 else arb(0)
        return (-x / arb(2).sqrt()).erfc() / 2  # keeps a relative error in the lower tail

    return Interval(value(a.low).lower(), value(a.high).upper())


def _beta_tail(a: Interval, b: Interval, t: Interval) -> Interval:
    """P(Beta(a, b) > t): stochastically increasing in a, decreasing in b, decreasing in t."""
    if not (a.low > 0 and b.low > 0):
        return REALS
    low = _beta_tail_at(a.low, b.high, t.high)
    high = _beta_tail_at(a.high, b.low, t.low)
    return Interval(low.lower(), high.upper()) if not (low.is_nan() or high.is_nan()) else Interval(arb(0), arb(1))


def _beta_tail_at(a: arb, b: arb, t: arb) -> arb:
    if t <= 0:
        return arb(1)
    if t >= 1:
        return arb(0)
    return (1 - t).beta_lower(b, a, regularized=1)  # relative accuracy where the tail is small


def _extreme(pick: Callable[[arb, arb], bool]) -> Callable[..., Interval]:
    def apply(*items: Interval) -> Interval:
        low, high = items[0].low, items[0].high
        for item in items[1:]:
            low = item.low if pick(item.low, low) else low
            high = item.high if pick(item.high, high) else high
        return Interval(low, high)

    return apply


def _power(expr: Expr, values: Mapping[str, Interval]) -> Interval:
    base = evaluate(expr.args[0], values)
    exponent = evaluate(expr.args[1], values)
    if exponent.low == exponent.high and exponent.low.is_integer():
        return _integer_power(base, int(exponent.low.unique_fmpz()))
    if not base.low >= 0:
        return REALS
    # x**y = exp(y log x) is monotone in each variable, so the corners decide. An infinite end
    # stands for an unbounded side and is never attained, which is why 0 * oo = 0 is right here.
    return _exp(_multiply(_log(base), exponent))


def _integer_power(base: Interval, n: int) -> Interval:
    if n < 0:
        return _reciprocal(_integer_power(base, -n))
    if n == 0:
        return exact(1)
    low, high = base.low**n, base.high**n
    if n % 2 or base.low >= 0:
        return _hull(low, high)
    if base.high <= 0:
        return _hull(high, low)
    return Interval(arb(0), _hull(low, high).high)


FUNCTIONS: dict[str, Callable[..., Interval]] = {
    "+": _add,
    "-": lambda a, b: _add(a, _negate(b)),
    "*": _multiply,
    "/": lambda a, b: _multiply(a, _reciprocal(b)),
    "neg": _negate,
    "exp": _exp,
    "log": _log,
    "sqrt": _sqrt,
    "abs": _abs,
    "Phi": _normal_cdf,
    "beta_tail": _beta_tail,
    "min": _extreme(lambda x, y: bool(x < y)),
    "max": _extreme(lambda x, y: bool(x > y)),
}
