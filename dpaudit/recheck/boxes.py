"""Box proofs: every box of a split tree is enclosed again.

`splits` is the tree, depth first, parents before children, the lower half first: `.` a box on which the goal holds, `-`
a box on which some condition fails everywhere, a number the place of the symbol that is split. A range is cut in the
middle; without a high end at max(2 low, low + 1), without a low end at min(2 high, high - 1), without both at 0; of an
integer the ends are rounded inwards first, the lower half ends at the whole number at or below the cut, and the upper
one begins behind it. The domain is closed, and the boxes cover it by construction.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from dpaudit.recheck import special
from dpaudit.recheck.evaluate import enclose
from dpaudit.recheck.interval import INFINITY, METER, Interval
from dpaudit.recheck.interval import enclose as around
from dpaudit.recheck.symbols import Symbol
from dpaudit.recheck.terms import Refused, Relation, free

MOST_BOXES = 2_000_000
MOST_BITS = 4_096
"""Longest end of a box: every cut may double it."""
DEPTH = 6
"""How often the checker halves a box itself, where its own enclosure is a little wider than the prover's."""
Side = tuple[Fraction | None, Fraction | None]
Box = tuple[Side, ...]


@dataclass(frozen=True)
class Boxes:
    """One box proof. symbols: those of the goal, in the order of the places; panels: pieces of each integral."""

    goal: Relation
    conditions: tuple[Relation, ...]
    symbols: tuple[Symbol, ...]
    panels: int

    @property
    def domain(self) -> Box:
        """The closed range of every symbol; of an integer, with its ends rounded inwards."""
        return tuple(map(whole_range, self.symbols))

    def check(self, splits: list[str]) -> int:
        """The number of boxes that were checked; raises Refused where the tree is no proof."""
        if len(splits) > MOST_BOXES:
            raise Refused(f"more than {MOST_BOXES} boxes")
        stack = [self.domain]
        for token in splits:
            if not stack:
                raise Refused("there are tokens behind the end of the tree")
            box = stack.pop()
            if token == ".":
                if not self._holds(box, DEPTH):
                    raise Refused(f"the goal is not certain on the box {self._show(box)}")
            elif token == "-":
                if not any(self._fails(c, box) for c in self.conditions):
                    raise Refused(f"no condition fails for certain on the box {self._show(box)}")
            elif token.isdigit() and len(token) < 4 and int(token) < len(box):
                stack.extend(reversed(self._halves(box, int(token))))
            else:
                raise Refused(f"the token {token[:20]!r} has no meaning")
        if stack:
            raise Refused(f"the tree ends with {len(stack)} boxes left, the next: {self._show(stack[-1])}")
        return len(splits)

    def _halves(self, box: Box, place: int) -> list[Box]:
        low, high = box[place]
        if low is not None and low == high:
            raise Refused("a single point is split")
        cut = upper = _cut(low, high)
        if max(cut.numerator.bit_length(), cut.denominator.bit_length()) > MOST_BITS:
            raise Refused(f"an end of a box has more than {MOST_BITS} bits")
        if self.symbols[place].kind == "integer":
            cut = Fraction(cut.numerator // cut.denominator)
            upper = cut + 1
        return [(*box[:place], side, *box[place + 1 :]) for side in ((low, cut), (upper, high))]

    def _values(self, box: Box) -> dict[str, Interval]:
        return {s.name: _interval(side) for s, side in zip(self.symbols, box, strict=True)}

    def _holds(self, box: Box, depth: int) -> bool:
        """Is the goal certain on the whole box? Boxes without a point (an integer range that is empty) hold nothing."""
        METER.spend(1)
        if any(low is not None and high is not None and low > high for low, high in box):
            return True
        values, strict = self._values(box), self.goal.sign == "<"
        a, b = (enclose(side, values, self.panels) for side in (self.goal.left, self.goal.right))
        slack = special.minus(b, a)[0]
        if (a[1] < b[0] or slack > 0) if strict else (a[1] <= b[0] or slack >= 0):
            return True
        wide = [i for i, (low, high) in enumerate(box) if low is None or low != high]
        if depth == 0 or not wide:
            return False
        domain = self.domain
        place = max(wide, key=lambda i: _width(box[i], domain[i]))
        return all(self._holds(half, depth - 1) for half in self._halves(box, place))

    def _fails(self, condition: Relation, box: Box) -> bool:
        """Does the condition fail at every point of the box?"""
        METER.spend(1)
        if not free(condition.left) | free(condition.right) <= {s.name for s in self.symbols}:
            return False
        a, b = (enclose(side, self._values(box), self.panels) for side in (condition.left, condition.right))
        if condition.sign == "==":
            return a[1] < b[0] or b[1] < a[0]
        return a[0] >= b[1] if condition.sign == "<" else a[0] > b[1]

    def _show(self, box: Box) -> str:
        ends = [("-oo" if low is None else str(low), "oo" if high is None else str(high)) for low, high in box]
        return ", ".join(f"{s.name} in [{low}, {high}]" for s, (low, high) in zip(self.symbols, ends, strict=True))


def whole_range(s: Symbol) -> Side:
    """The closed range of a symbol; of an integer, with its ends rounded inwards."""
    if s.kind != "integer":
        return s.low, s.high
    low = None if s.low is None else Fraction(math.ceil(s.low))
    return low, None if s.high is None else Fraction(math.floor(s.high))


def _cut(low: Fraction | None, high: Fraction | None) -> Fraction:
    if low is None:
        return Fraction(0) if high is None else min(2 * high, high - 1)
    return max(2 * low, low + 1) if high is None else (low + high) / 2


def _interval(side: Side) -> Interval:
    low, high = side
    return -INFINITY if low is None else around(low)[0], INFINITY if high is None else around(high)[1]


def _width(side: Side, domain: Side) -> Fraction:
    if None in side or None in domain:
        return Fraction(1)
    return (side[1] - side[0]) / (domain[1] - domain[0])  # type: ignore[operator]
