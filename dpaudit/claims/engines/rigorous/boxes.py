"""Branch and bound: an inequality over a box of reals and integers, possibly unbounded.

The search may choose its splits as it likes. What it leaves behind is a split tree whose
leaves hold by plain interval evaluation of both sides at a stated precision, so that a
checker which knows nothing of the search can repeat every step.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product

from dpaudit.claims.engines.rigorous.domain import Box, cut, middle, relative_width, show, whole
from dpaudit.claims.language import enclosures
from dpaudit.claims.language.expression import (
    Relation,
    bound,
    names,
    walk,
)
from dpaudit.claims.language.gram import scalar_expr
from dpaudit.claims.language.statements import parse_statement
from dpaudit.records.claim import Statement, Symbol, SymbolKind
from dpaudit.records.errors import ContentError

CORNER_LIMIT = 3
"""Most variables for which all corners of a leaf are looked at."""
CANDIDATES = 4
"""Most variables for which both halves are tried before one is split."""
SKEW = 1 / 64
"""A variable is not split while it is that much narrower than the widest one, relative to the domain."""
FLOOR = 2.0**-100
"""Relative width at which a box is given up."""
TINY = 2.0**-30
"""Relative width below which it may be rounding that keeps a box undecided."""
PRECISIONS = (256, 512, 1024)
PANELS = (64, 512, 4096)
"""Panels of an integral, tried in turn."""


@dataclass
class BoxProof:
    """The result of a search. proved: every leaf is certain; boxes: how many were examined;
    splits: the split tree, depth first (`.` a leaf that holds, `-` a leaf outside the
    conditions, a digit the position of the variable that was split); precision: bits at which
    plain interval evaluation decides every leaf; panels: equal panels of each integral that are
    enough for that; ratio: the largest left/right seen, at `worst`; reason: why the search
    stopped without a proof; fails: whether the goal is certain to fail at some point of the closed box."""

    proved: bool = False
    boxes: int = 0
    splits: list[str] = field(default_factory=list)
    precision: int = enclosures.PRECISION
    panels: int = PANELS[0]
    ratio: float = 0.0
    worst: str = ""
    reason: str = ""
    fails: bool = False


@dataclass(frozen=True)
class Problem:
    """A goal in scalars over the closed box of the symbols that occur in it."""

    goal: Relation
    conditions: tuple[Relation, ...]
    symbols: Mapping[str, Symbol]
    domain: Box


def problem(statement: Statement) -> Problem:
    """The box problem of `left <= right` or `left < right`.

    Open ends are closed, and conditions on other symbols dropped: that proves slightly more.
    """
    goal, conditions = parse_statement(statement)
    if goal.sign == "==" or statement.exists:
        raise ContentError("Boxes() proves <= or < for all values, not an identity and not existence")
    for s in statement.symbols:
        if s.kind not in (SymbolKind.REAL, SymbolKind.INTEGER):
            raise ContentError(f"{s.name} is a {s.kind}: substitute scalars before Boxes()")
    left, right = (scalar_expr(side, statement.symbols) for side in (goal.left, goal.right))
    used = names(left) | names(right)
    kept = tuple(c for c in conditions if names(c.left) | names(c.right) <= used)
    symbols = {s.name: s for s in statement.symbols if s.name in used}
    domain = {name: whole(s.kind, (bound(s.lower), bound(s.upper))) for name, s in symbols.items()}
    for name, (low, high) in domain.items():
        if low is not None and high is not None and low > high:
            raise ContentError(f"no integer lies in the range of {name}")
    return Problem(Relation(left, goal.sign, right), kept, symbols, domain)


def prove(statement: Statement, budget: int) -> BoxProof:
    """Prove `left <= right` over the closed box of the symbols, restricted to the conditions.

    statement: scalar symbols only; budget: boxes to examine at most, fewer with more panels
    for each integral.
    """
    task = problem(statement)
    integrals = any(node.head == "integral" for side in (task.goal.left, task.goal.right) for node in walk(side))
    for number in PANELS if integrals else PANELS[:1]:
        with enclosures.precision(enclosures.PRECISION), enclosures.panels(number, plain=True):
            result = _Search(task).run(max(1, budget * PANELS[0] // number))
        result.panels = number
        if result.proved and result.precision > enclosures.PRECISION and not replay(statement, result):
            result = replace(result, proved=False, reason=f"not certain everywhere with {result.precision} bits")
        if result.proved or result.fails:
            break
    return result


def replay(statement: Statement, proof: BoxProof) -> bool:
    """Walk the split tree again: is every leaf certain by plain evaluation, and is the tree complete?"""
    task, splits = problem(statement), iter(proof.splits)
    stack = [task.domain]
    with enclosures.precision(proof.precision), enclosures.panels(proof.panels, plain=True):
        while stack:
            box, mark = stack.pop(), next(splits, "")
            if mark.isdigit():
                stack.extend(reversed(halves(task, box, list(task.domain)[int(mark)])))
            elif not mark or look(task, box).leaf != mark:
                return False
    return next(splits, None) is None


@dataclass(frozen=True)
class Seen:
    """A box as plain evaluation sees it. leaf: `.` holds, `-` outside the conditions, `!` fails
    everywhere, empty if undecided; overlap: how far left reaches over right, relative to both."""

    box: Box
    leaf: str
    overlap: float = 0.0
    left: enclosures.Interval = enclosures.REALS
    right: enclosures.Interval = enclosures.REALS


def look(task: Problem, box: Box) -> Seen:
    """Evaluate conditions and both sides over the box."""
    values = {name: enclosures.between(*side) for name, side in box.items()}
    met = [_decide(condition, values) for condition in task.conditions]
    if False in met:
        return Seen(box, "-")
    left, right = enclosures.evaluate(task.goal.left, values), enclosures.evaluate(task.goal.right, values)
    certain = (enclosures.below if task.goal.sign == "<" else enclosures.at_most)(left, right)
    if certain:
        return Seen(box, ".", 0.0, left, right)
    size = abs(left.high) + abs(right.low)
    overlap = 2.0 if not size < enclosures.INFINITY else float((left.high - right.low) / size) if size > 0 else 0.0
    return Seen(box, "!" if certain is False and all(met) else "", overlap, left, right)


def halves(task: Problem, box: Box, name: str) -> list[Box]:
    """The two parts of a split; integers part between two neighbours."""
    low, high = box[name]
    at = cut(low, high)
    if task.symbols[name].kind is SymbolKind.INTEGER:
        at = Fraction(at.numerator // at.denominator)
        return [{**box, name: (low, at)}, {**box, name: (at + 1, high)}]
    return [{**box, name: (low, at)}, {**box, name: (at, high)}]


class _Search:
    def __init__(self, task: Problem) -> None:
        self.task, self.result = task, BoxProof()

    def run(self, budget: int) -> BoxProof:
        result, stack = self.result, [look(self.task, self.task.domain)]
        while stack:
            if result.boxes >= budget:
                result.reason = self._spent(budget, stack)
                return result
            seen = stack.pop()
            result.boxes += 1
            leaf = seen.leaf or self._sharper(seen)
            if leaf == "!":
                result.reason = self._fails(seen)
                return result
            if leaf:
                result.splits.append(leaf)
                self._note(seen)
                continue
            split = self._split(seen)
            if split is None:
                result.reason = self._why(seen.box)
                return result
            result.splits.append(str(list(self.task.domain).index(split[0])))
            stack.extend(reversed(split[1]))
        result.proved = True
        return result

    def _widths(self, box: Box) -> dict[str, float]:
        return {name: relative_width(side, self.task.domain[name]) for name, side in box.items()}

    def _sharper(self, seen: Seen) -> str:
        """The leaf at a higher precision, if it is rounding that keeps a small box undecided."""
        tiny = all(width < TINY for width in self._widths(seen.box).values())
        if not (tiny or seen.overlap < 2.0 ** (-enclosures.PRECISION / 2)):
            return ""
        before = seen.overlap
        for bits in PRECISIONS:
            with enclosures.precision(bits):
                now = look(self.task, seen.box)
            if now.leaf:
                self.result.precision = max(self.result.precision, bits)
                return now.leaf
            if not now.overlap < before / 2:
                break
            before = now.overlap
        return ""

    def _split(self, seen: Seen) -> tuple[str, list[Seen]] | None:
        """The variable whose halves are least undecided, and these halves; None for a box that is given up."""
        widths = self._widths(seen.box)
        widest = max(widths.values(), default=0.0)
        if widest <= FLOOR:
            return None
        wide = sorted((n for n in widths if widths[n] >= SKEW * widest), key=lambda n: -widths[n])[:CANDIDATES]
        tried = {name: [look(self.task, half) for half in halves(self.task, seen.box, name)] for name in wide}
        best = min(wide, key=lambda name: sum(half.overlap for half in tried[name]))
        return best, tried[best]

    def _note(self, seen: Seen) -> None:
        """Remember the largest ratio left/right at the finite corners of a leaf (information only)."""
        if not (seen.right.low > 0 and float(seen.left.high / seen.right.low) > self.result.ratio):
            return
        ends = [[value for value in set(side) if value is not None] for side in seen.box.values()]
        for corner in product(*ends) if len(ends) <= CORNER_LIMIT else ():
            values = {n: enclosures.between(v, v) for n, v in zip(seen.box, corner, strict=True)}
            if any(_decide(c, values) is not True for c in self.task.conditions):
                continue
            left = float(enclosures.evaluate(self.task.goal.left, values).high)
            right = float(enclosures.evaluate(self.task.goal.right, values).low)
            if right > 0 and left / right > self.result.ratio:
                self.result.ratio = left / right
                self.result.worst = ", ".join(f"{n} = {v}" for n, v in zip(seen.box, corner, strict=True))

    def _spent(self, budget: int, stack: list[Seen]) -> str:
        for seen in reversed(stack):
            point = self._point(seen.box)
            if point.leaf == "!":
                return self._fails(point)
        return f"budget of {budget} boxes spent, {len(stack)} left; next: {show(stack[-1].box)}"

    def _fails(self, seen: Seen) -> str:
        self.result.fails = True
        symbols = self.task.symbols.items()
        low = (seen.box[n][0] == bound(s.lower) for n, s in symbols if s.lower_open and s.lower != "-oo")
        high = (seen.box[n][1] == bound(s.upper) for n, s in symbols if s.upper_open and s.upper != "oo")
        note = " (an open end of the range, which Boxes() closes)" if any((*low, *high)) else ""
        return f"the goal fails at {show(seen.box)}{note}: left {seen.left}, right {seen.right}"

    def _point(self, box: Box) -> Seen:
        at = {name: middle(self.task.symbols[name].kind, side) for name, side in box.items()}
        return look(self.task, {name: (value, value) for name, value in at.items()})

    def _why(self, box: Box) -> str:
        """Why a box of no width to speak of is undecided."""
        if any(None in side for side in box.values()):
            return f"undecided far out, {show(box)}: unbounded domain, change variables to make it finite (q = 1/x)"
        with enclosures.precision(PRECISIONS[-1]):
            seen = self._point(box)
            ends = product(*(set(side) for side in box.values())) if len(box) <= CORNER_LIMIT else ()
            corners = [look(self.task, dict(zip(box, zip(at, at, strict=True), strict=True))) for at in ends]
        for point in (seen, *corners):
            if point.leaf == "!":
                return self._fails(point)
        where = show(seen.box)
        if seen.leaf:
            return (
                f"holds at {where} but not certainly in a small box around it: equality nearby, or a term like 0/0; "
                "Tangent() or Taylor() there, or Scale() by a denominator, may close it"
            )
        if not (enclosures.finite(seen.left) and enclosures.finite(seen.right)):
            return f"no enclosure at {where}: a term is undefined there, or a floor of the relaxation"
        return f"boundary equality: both sides agree to {PRECISIONS[-1]} bits or nearly so at {where}"


def _decide(relation: Relation, values: Mapping[str, enclosures.Interval]) -> bool | None:
    left, right = enclosures.evaluate(relation.left, values), enclosures.evaluate(relation.right, values)
    if relation.sign == "==":
        if left.high < right.low or right.high < left.low:
            return False
        return True if left.low == left.high == right.low == right.high else None
    return (enclosures.below if relation.sign == "<" else enclosures.at_most)(left, right)
