"""Branch and bound: an inequality over a box of reals and integers, possibly unbounded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product

from dpaudit import ball
from dpaudit.claim import Statement, Symbol, SymbolKind
from dpaudit.errors import ContentError
from dpaudit.expression import Expr, Relation, bound, names, parse_statement
from dpaudit.gram import scalar_expr

Side = tuple[Fraction | None, Fraction | None]
Box = dict[str, Side]
CORNER_LIMIT = 3
"""Most variables for which all corners of a leaf are looked at."""


@dataclass
class BoxProof:
    """The result of a search. proved: every leaf is certain; boxes: how many were examined;
    splits: the split tree, depth first (`.` a leaf that holds, `-` a leaf outside the
    conditions, a digit the position of the variable that was split); ratio: the largest left/right seen,
    at `worst`; reason: why the search stopped without a proof."""

    proved: bool = False
    boxes: int = 0
    splits: list[str] = field(default_factory=list)
    ratio: float = 0.0
    worst: str = ""
    reason: str = ""


def prove(statement: Statement, budget: int) -> BoxProof:
    """Prove `left <= right` over the closed box of the symbols, restricted to the conditions.

    statement: scalar symbols only; budget: boxes to examine at most. Open ends are
    closed first, which proves slightly more than is claimed.
    """
    goal, conditions = parse_statement(statement)
    if goal.sign == "==":
        raise ContentError("Boxes() proves <= or <, not an identity")
    for s in statement.symbols:
        if s.kind not in (SymbolKind.REAL, SymbolKind.INTEGER):
            raise ContentError(f"{s.name} is a {s.kind}: substitute scalars before Boxes()")
    goal = _scalar(goal, statement.symbols)
    used = names(goal.left) | names(goal.right)
    # A condition on other symbols is dropped: the domain only grows.
    conditions = tuple(c for c in conditions if names(c.left) | names(c.right) <= used)
    domain: Box = {s.name: (bound(s.lower), bound(s.upper)) for s in statement.symbols if s.name in used}
    search = _Search(goal, conditions, {s.name: s for s in statement.symbols}, domain)
    with ball.precision(ball.PRECISION):
        return search.run(budget)


def _scalar(goal: Relation, symbols: tuple[Symbol, ...]) -> Relation:
    return Relation(scalar_expr(goal.left, symbols), goal.sign, scalar_expr(goal.right, symbols))


class _Search:
    def __init__(
        self, goal: Relation, conditions: tuple[Relation, ...], symbols: Mapping[str, Symbol], domain: Box
    ) -> None:
        self.goal, self.conditions, self.symbols, self.domain = goal, conditions, symbols, domain
        self.difference = Expr("-", (goal.right, goal.left))
        self.result = BoxProof()

    def run(self, budget: int) -> BoxProof:
        result = self.result
        stack = [self.domain]
        while stack:
            if result.boxes >= budget:
                result.reason = f"budget of {budget} boxes spent, {len(stack)} left; next: {show(stack[-1])}"
                return result
            box = stack.pop()
            result.boxes += 1
            leaf = self._leaf(box)
            if leaf:
                result.splits.append(leaf)
                continue
            name = self._widest(box)
            if name is None:
                result.reason = f"not certain at the single point {show(box)} (equality there, or false)"
                return result
            result.splits.append(str(list(self.domain).index(name)))
            stack.extend(reversed(self._halves(box, name)))
        result.proved = True
        return result

    def _leaf(self, box: Box) -> str:
        """`.` if the goal is certain on `box`, `-` if no point of it meets the conditions, else ''."""
        values = {name: ball.between(*side) for name, side in box.items()}
        for condition in self.conditions:
            if _decide(condition, values) is False:
                return "-"
        left, right = ball.evaluate(self.goal.left, values), ball.evaluate(self.goal.right, values)
        compare = ball.below if self.goal.sign == "<" else ball.at_most
        certain = compare(left, right) is True
        if not certain:
            certain = compare(ball.exact(0), ball.evaluate(self.difference, values)) is True
        if certain:
            self._note(box)
        return "." if certain else ""

    def _note(self, box: Box) -> None:
        """Remember the largest ratio left/right at the finite corners of a leaf (information only)."""
        ends = [[value for value in set(side) if value is not None] for side in box.values()]
        for corner in product(*ends) if len(ends) <= CORNER_LIMIT else ():
            values = {n: ball.between(v, v) for n, v in zip(box, corner, strict=True)}
            if any(_decide(c, values) is not True for c in self.conditions):
                continue
            left = float(ball.evaluate(self.goal.left, values).high)
            right = float(ball.evaluate(self.goal.right, values).low)
            if right > 0 and left / right > self.result.ratio:
                self.result.ratio = left / right
                self.result.worst = ", ".join(f"{n} = {v}" for n, v in zip(box, corner, strict=True))

    def _widest(self, box: Box) -> str | None:
        """The variable that is widest relative to its domain; None if the box is a point."""
        widths = {name: self._relative_width(name, side) for name, side in box.items()}
        name = max(widths, key=lambda n: widths[n], default=None)
        return name if name is not None and widths[name] > 0 else None

    def _relative_width(self, name: str, side: Side) -> float:
        low, high = side
        first, last = self.domain[name]
        if low == high:
            return 0.0
        if first is None or last is None or low is None or high is None:
            # Unbounded: measured in x/(1 + |x|), so that outward steps count less and less.
            return _compact(high, 1) - _compact(low, -1)
        return float((high - low) / (last - first))

    def _halves(self, box: Box, name: str) -> list[Box]:
        low, high = box[name]
        cut = _cut(low, high)
        if self.symbols[name].kind is SymbolKind.INTEGER:
            cut = Fraction(cut.numerator // cut.denominator)
            upper = cut + 1
        else:
            upper = cut
        return [{**box, name: (low, cut)}, {**box, name: (upper, high)}]


def _cut(low: Fraction | None, high: Fraction | None) -> Fraction:
    """Where to split: the middle, or geometrically outwards on an unbounded side."""
    if low is None and high is None:
        return Fraction(0)
    if high is None:
        assert low is not None
        return 2 * low if low >= 1 else low + 1
    if low is None:
        return 2 * high if high <= -1 else high - 1
    return (low + high) / 2


def _compact(value: Fraction | None, infinite: int) -> float:
    return float(infinite) if value is None else float(value / (1 + abs(value)))


def _decide(relation: Relation, values: Mapping[str, ball.Interval]) -> bool | None:
    left, right = ball.evaluate(relation.left, values), ball.evaluate(relation.right, values)
    if relation.sign == "==":
        if left.high < right.low or right.high < left.low:
            return False
        return True if left.low == left.high == right.low == right.high else None
    return (ball.below if relation.sign == "<" else ball.at_most)(left, right)


def show(box: Box) -> str:
    """The box in words: `q in [0, 1/4], r in [1/2, oo]`."""

    def end(value: Fraction | None, sign: str) -> str:
        return f"{sign}oo" if value is None else str(value)

    return ", ".join(f"{n} in [{end(a, '-')}, {end(b, '')}]" for n, (a, b) in box.items())
