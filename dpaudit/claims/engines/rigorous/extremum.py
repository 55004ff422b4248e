"""The best constant of an inequality: the largest ratio left/right over a box, enclosed.

Best-first branch and bound: the box whose ratio may be largest is split first, and exact
points of the domain give ratios that are attained.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import count, product

from flint import arb

from dpaudit.claims.engines.rigorous.boxes import CORNER_LIMIT, Problem, Seen, halves, look, problem
from dpaudit.claims.engines.rigorous.domain import Box, middle, relative_width
from dpaudit.claims.engines.rigorous.witness import inside, met
from dpaudit.claims.language import enclosures
from dpaudit.claims.language.expression import bound
from dpaudit.records.claim import Point, Statement

DIGITS, LARGEST = 12, 1e300


@dataclass(frozen=True)
class Extremum:
    """upper: proved to be at least left/right everywhere (None if no bound was found); lower: a ratio that is
    attained, at `point`, rounded downwards (None if no point was found); boxes: how many were examined."""

    upper: Fraction | None
    lower: Fraction | None
    point: Point
    boxes: int


def worst_point(statement: Statement, budget: int, gap: Fraction = Fraction(1, 1000)) -> Extremum:
    """Enclose the supremum of left/right for `left <= right` with a right side that is positive.

    statement: as for `boxes.prove`; budget: boxes to examine at most; gap: relative distance
    of `upper` and `lower` at which the search ends. With a constant c as a pure factor of the
    right side, c * upper is proved to do and anything below c * lower fails at `point`.
    """
    task = problem(statement)
    search = _Search(task, statement)
    with enclosures.precision(enclosures.PRECISION):
        return search.run(budget, gap)


class _Search:
    def __init__(self, task: Problem, statement: Statement) -> None:
        self.task, self.statement = task, statement
        self.lower: Fraction | None = None
        self.point: Point = ()
        self.order = count()
        self.rest = {
            s.name: str(middle(s.kind, (bound(s.lower), bound(s.upper))))
            for s in statement.symbols
            if s.name not in task.domain
        }
        self.hopeless = not met(statement, tuple(self.rest.items()))

    def run(self, budget: int, gap: Fraction) -> Extremum:
        queue: list[tuple[float, int, Seen]] = []
        self._push(queue, look(self.task, self.task.domain))
        boxes = 0
        while queue and boxes < budget:
            boxes += 1
            seen = queue[0][2]
            self._improve(seen.box)
            upper = _ratio(seen)
            if upper is not None and self.lower is not None and upper <= self.lower * (1 + gap):
                break
            name = self._widest(seen.box)
            if name is None:
                break
            heapq.heappop(queue)
            for half in halves(self.task, seen.box, name):
                self._push(queue, look(self.task, half))
        return Extremum(self._upper(queue), self.lower, self.point, boxes)

    def _push(self, queue: list[tuple[float, int, Seen]], seen: Seen) -> None:
        """Keep the box unless no point of it meets the conditions; those without a bound come first."""
        if seen.leaf != "-":
            ratio = _ratio(seen)
            key = -math.inf if ratio is None else -float(ratio)
            heapq.heappush(queue, (key, next(self.order), seen))

    def _upper(self, queue: list[tuple[float, int, Seen]]) -> Fraction | None:
        ratios = [_ratio(seen) for _, _, seen in queue]
        known = [ratio for ratio in ratios if ratio is not None]
        return max(known, default=Fraction(0)) if len(known) == len(ratios) else None

    def _widest(self, box: Box) -> str | None:
        widths = {name: relative_width(side, self.task.domain[name]) for name, side in box.items()}
        name = max(widths, key=lambda n: widths[n], default=None)
        return name if name is not None and widths[name] > 0 else None

    def _improve(self, box: Box) -> None:
        """Try the middle of the box, and its corners where they are few."""
        if self.hopeless:
            return
        points = [tuple(middle(self.task.symbols[name].kind, side) for name, side in box.items())]
        ends = [[value for value in side if value is not None] for side in box.values()]
        points += list(product(*ends)) if len(box) <= CORNER_LIMIT else []
        for values in points:
            at = look(self.task, {name: (value, value) for name, value in zip(box, values, strict=True)})
            if at.leaf == "-" or not (at.right.low > 0 and enclosures.finite(at.left)):
                continue
            ratio = _rounded(enclosures.divide(at.left, at.right).low, -1)
            if ratio is None or (self.lower is not None and ratio <= self.lower):
                continue
            point = self._complete(dict(zip(box, values, strict=True)))
            if inside(self.statement, point):
                self.lower, self.point = ratio, point

    def _complete(self, values: dict[str, Fraction]) -> Point:
        """The point, with a value for the symbols that do not occur in the goal, too."""
        given = self.rest | {name: str(value) for name, value in values.items()}
        return tuple((s.name, given[s.name]) for s in self.statement.symbols)


def _ratio(seen: Seen) -> Fraction | None:
    """A number that left/right does not exceed on the box, rounded upwards."""
    if not (seen.right.low > 0 and enclosures.finite(seen.left)):
        return None
    return _rounded(max(enclosures.divide(seen.left, seen.right).high, arb(0)), 1)


def _rounded(x: arb, direction: int) -> Fraction | None:
    """An end point with DIGITS digits after the point, rounded upwards (1) or downwards (-1)."""
    if not abs(x) < LARGEST:
        return None
    scaled = x * 10**DIGITS
    whole = scaled.upper().ceil().upper() if direction > 0 else scaled.lower().floor().lower()
    return Fraction(int(whole.unique_fmpz()), 10**DIGITS)
