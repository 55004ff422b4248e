"""Enclosures of sums over integers and of proper integrals.

Over a box the integrand is enclosed on equal panels, the parameters as intervals. At a point
Arb's integration (Gauss-Legendre quadrature with an error bound from the size of the
integrand on complex ellipses) is used on pieces on which the integrand is certainly
analytic, or piecewise so, and the natural enclosure on what is left around singular points.
No error is ever estimated.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count

from flint import acb, arb, ctx

from dpaudit.arithmetic.intervals import INFINITY, REALS, Interval, add, exact, finite, hull, multiply, negate, subtract
from dpaudit.arithmetic.special import ceil, floor
from dpaudit.claims.language import work
from dpaudit.claims.language.complex_balls import NOTHING, complex_value
from dpaudit.claims.language.expression import Expr, names

Evaluate = Callable[[Expr, Mapping[str, Interval]], Interval]
Values = Mapping[str, Interval]
MOST_TERMS = 5_000
PIECES, EVALUATIONS, LEAST_EVALUATIONS = 160, 20_000, 200
"""Most pieces of an integral at a point, most evaluations of the integrand, and fewest that are worth a try."""


@dataclass
class _Setting:
    panels: int = 64
    plain: bool = False


_setting = _Setting()


@contextmanager
def panels(number: int, plain: bool = False) -> Iterator[None]:
    """Enclose integrals over boxes on `number` equal panels inside the block; the setting is global to the process.

    plain: only what a simple checker can repeat: panels also where all parameters are
    points, and no enclosure of a sum whose ends are not certain.
    """
    before = _setting.panels, _setting.plain
    _setting.panels, _setting.plain = number, plain
    try:
        yield
    finally:
        _setting.panels, _setting.plain = before


def total(evaluate: Evaluate, expr: Expr, ends: tuple[Interval, Interval], values: Values) -> Interval:
    """sum(k, a, b, f): every term with an exact k; the hull over the values that b may have.

    ends: enclosures of the integers a and b. All reals if a is not certain or there are too
    many terms, but terms that are left out and cannot be negative only add.
    """
    variable, _, _, body = expr.args
    (first, _), (shortest, longest) = _whole(ends[0]), _whole(ends[1])
    if first != _whole(ends[0])[1] or not (abs(first) < INFINITY and shortest <= longest):
        return REALS
    shortest = shortest if shortest >= first - 1 else first - 1
    if not shortest - first < MOST_TERMS:
        return REALS
    result = exact(0)
    for k in range(int(first.unique_fmpz()), int(shortest.unique_fmpz()) + 1):
        result = add(result, evaluate(body, {**values, variable.name: exact(k)}))
    if longest <= shortest:
        return result
    return REALS if _setting.plain else _longer(evaluate, expr, result, shortest + 1, longest, values)


def _whole(a: Interval) -> tuple[arb, arb]:
    """The first and the last integer of an interval."""
    return ceil(a).low, floor(a).high


def _longer(evaluate: Evaluate, expr: Expr, shortest: Interval, first: arb, last: arb, values: Values) -> Interval:
    """The hull of the sums that go on beyond the shortest one, up to the index `last`."""
    variable, _, _, body = expr.args
    if not last - first < MOST_TERMS:
        rest = evaluate(body, {**values, variable.name: Interval(first, last)})
        low = shortest.low if rest.low >= 0 else -INFINITY
        return Interval(low, shortest.high if rest.high <= 0 else INFINITY)
    result = running = shortest
    for k in range(int(first.unique_fmpz()), int(last.unique_fmpz()) + 1):
        running = add(running, evaluate(body, {**values, variable.name: exact(k)}))
        result = hull(result.low, result.high, running.low, running.high)
    return result


def integral(evaluate: Evaluate, expr: Expr, values: Values) -> Interval:
    """integral(z, a, b, f), also for b < a; all reals where an end is not finite or f is not bounded."""
    variable, low, high, body = expr.args
    start, end = evaluate(low, values), evaluate(high, values)
    if not (finite(start) and finite(end)):
        return REALS
    if end.high <= start.low and end.low < start.high:
        return negate(integral(evaluate, Expr("integral", (variable, high, low, body)), values))

    def over(a: arb, b: arb) -> Interval:
        return evaluate(body, {**values, variable.name: Interval(a, b)})

    if not start.high <= end.low:
        # The ends may come in either order: the mean value of f times the signed length.
        around = hull(start.low, start.high, end.low, end.high)
        return multiply(subtract(end, start), over(around.low, around.high))
    result = _inner(over, expr, start.high, end.low, values) if start.high < end.low else exact(0)
    for a, b in ((start.low, start.high), (end.low, end.high)):
        if a < b:
            part = _area(over, a, b)
            result = add(result, hull(arb(0), part.low, part.high))
    return result


Over = Callable[[arb, arb], Interval]


def _area(over: Over, a: arb, b: arb) -> Interval:
    """The natural enclosure of f on [a, b] times the width."""
    return multiply(over(a, b), subtract(Interval(b, b), Interval(a, a)))


def _inner(over: Over, expr: Expr, a: arb, b: arb, values: Values) -> Interval:
    variable, _, _, body = expr.args
    parameters = {name: values[name] for name in names(body) - {variable.name}}
    crude = _on_panels(over, a, b, _setting.panels)
    if _setting.plain or not all(_narrow(value) for value in parameters.values()):
        return crude
    balls = {name: acb(value.low.union(value.high)) for name, value in parameters.items()}
    return _meet(crude, _Precise(over, variable.name, body, balls, crude).run(a, b))


def _narrow(a: Interval) -> bool:
    """Is the interval a point, but for rounding?"""
    if not finite(a):
        return False
    largest = max(abs(a.low), abs(a.high), arb(1))
    return bool(a.high - a.low <= largest * arb(2) ** (16 - ctx.prec))


def _meet(a: Interval, b: Interval) -> Interval:
    """What lies in both of two enclosures of one number; all reals if nothing does: there is no such number."""
    low, high = a.low if a.low > b.low else b.low, a.high if a.high < b.high else b.high
    return Interval(low, high) if low <= high else REALS


def _on_panels(over: Over, a: arb, b: arb, number: int) -> Interval:
    result, left = exact(0), a
    for i in range(1, number + 1):
        right = (a + (b - a) * i / number).mid() if i < number else b
        if i < number and not (left < right and right < b):  # nothing left between a and b at this precision
            continue
        result = add(result, _area(over, left, right))
        left = right
    return result


class _Precise:
    """An integral at a point: pieces, the one with the widest enclosure halved first."""

    def __init__(self, over: Over, name: str, body: Expr, balls: dict[str, acb], crude: Interval) -> None:
        self.over, self.name, self.body, self.balls = over, name, body, balls
        self.evaluations = 0
        size = max(abs(crude.low), abs(crude.high))
        self.accuracy = arb(2) ** (-3 * ctx.prec // 4)
        self.tolerance = size * self.accuracy if size < INFINITY else self.accuracy

    def run(self, a: arb, b: arb) -> Interval:
        order, done = count(), exact(0)
        queue = [(-math.inf, next(order), _area(self.over, a, b), a, b)]
        for _ in range(PIECES):
            if not queue or -queue[0][0] * len(queue) <= float(self.tolerance):
                break
            _, _, _, left, right = heapq.heappop(queue)
            sharp = self._analytic(left, right)
            if sharp is not None:
                done = add(done, sharp)
                continue
            middle = ((left + right) / 2).mid()
            for start, end in ((left, middle), (middle, right)):
                area = _area(self.over, start, end)
                heapq.heappush(queue, (-float(area.high - area.low), next(order), area, start, end))
        for piece in queue:
            done = add(done, piece[2])
        return done

    def _analytic(self, a: arb, b: arb) -> Interval | None:
        """Arb's integral over [a, b]; None where the integrand is not certainly piecewise analytic."""
        if not self._at(acb(a.union(b)), False).is_finite():
            return None
        left = EVALUATIONS - self.evaluations
        if left < LEAST_EVALUATIONS:
            return None
        found = acb.integral(self._at, acb(a), acb(b), rel_tol=self.accuracy, abs_tol=self.tolerance, eval_limit=left)
        if not found.is_finite() or found.real.rad() > abs(found.real).upper() / 16 + self.tolerance:
            return None
        return hull(found.real)

    def _at(self, z: acb, analytic: bool) -> acb:
        self.evaluations += 1
        try:
            return complex_value(self.body, {**self.balls, self.name: z}, analytic)
        except work.TooMuchWork:  # nothing may be raised while Arb integrates; the next evaluation outside raises
            return NOTHING
