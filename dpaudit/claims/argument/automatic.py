"""Proofs that are found without a hint: the shape of both sides, combinations of what is known, powers of both sides,
cases for absolute values, minima and maxima."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from dpaudit.claims.engines import linear, semidefinite
from dpaudit.recheck.goals import Goal
from dpaudit.recheck.proof import Proof
from dpaudit.recheck.terms import ZERO, Refused, Relation, Term, bound_names, free, number, show, walk

Node = dict[str, Any]
EXPONENTS = ("2", "1/2", "3", "1/3", "4", "4/3")
FACTORS = (100, 10_000)
"""Denominators of factors of a right side."""
NEARLY = 1e-6
MOST_CASES = 6
"""Cases inside of cases."""


def proof(goal: Goal, facts: tuple[Relation, ...], depth: int = MOST_CASES, most: int = linear.EFFORTS) -> Node | None:
    """A node that the checker accepts for the goal; None where none is found. most: the effort of combinations."""
    found = _at_sight(goal) or _combined(goal, facts, "1", 1)
    split = next(_splits(goal), None) if found is None and depth else None
    if found is None and split is None:
        found = _closed(goal, facts, most)
        split = next(_ends(goal), None) if found is None and depth else None
    if found is not None or split is None:
        return found
    parts = []
    for text, extra in ((show(split), split), ("otherwise", Relation(split.right, "<=", split.left))):
        inner = proof(goal.given(extra), facts, depth - 1, most)
        if inner is None:
            return None
        parts.append({"case": text, "proof": inner})
    return accepted(goal, {"by": "cases", "parts": parts})


def least_factor(goal: Goal, facts: tuple[Relation, ...]) -> Fraction | None:
    """A short number c with which left <= c right is shown, close to the least one; None where none is found."""
    left, _, right = goal.relation
    least = semidefinite.best(f"{show(left)} <= {{c}}*({show(right)})", goal, facts)
    if least is None or least <= 0:
        return None
    for most in FACTORS:
        factor = Fraction(math.ceil(least * most - NEARLY), most)
        scaled = goal.with_sides(left, ("*", factor, right))
        if any(accepted(scaled, node) for node in semidefinite.combinations(scaled, facts)):
            return factor
    return None


def _at_sight(goal: Goal) -> Node | None:
    return next((node for node in ({"by": "identical"}, {"by": "positive"}) if accepted(goal, node)), None)


def _closed(goal: Goal, facts: tuple[Relation, ...], most: int) -> Node | None:
    left, sign, right = goal.relation
    if sign == "==":
        return None
    if semidefinite.available():
        nodes = semidefinite.combinations(goal, facts)
        if (found := next((node for node in nodes if accepted(goal, node)), None)) is not None:
            return found
    both = all(goal.context.shown(Relation(ZERO, "<=", side)) for side in (left, right))
    most = 1 if len(goal.context.given) > linear.MOST_FACTS else most  # products of so many are too many
    tries = ((effort, e) for effort in range(1, most + 1) for e in ("1", *(EXPONENTS if both else ())))
    return next((found for effort, e in tries if (found := _combined(goal, facts, e, effort)) is not None), None)


def _combined(goal: Goal, facts: tuple[Relation, ...], exponent: str, effort: int) -> Node | None:
    """A combination that proves the goal, or the same power of its sides."""
    n = number(exponent)
    raised = goal if n == 1 else goal.with_sides(("**", goal.relation.left, n), ("**", goal.relation.right, n))
    found = linear.combination(raised, facts, effort)
    if found is None:
        return None
    return accepted(goal, found if n == 1 else {"by": "power", "exponent": exponent, "then": found})


def accepted(goal: Goal, node: Node) -> Node | None:
    """The node, with what it says of itself, where the checker accepts it."""
    try:
        Proof({}, writing=True).check(goal, node)
    except Refused:
        return None
    return node


def _splits(goal: Goal) -> Iterator[Relation]:
    """Comparisons that would decide an absolute value, a minimum or a maximum."""
    bound = set().union(*(bound_names(side) for side in (goal.relation.left, goal.relation.right)))
    for given in (goal.relation, *goal.context.given):
        for part in reversed((*walk(given.left), *walk(given.right))):  # what lies inside comes first
            if isinstance(part, tuple) and not free(part) & (bound | set(goal.context.gaussians())):
                yield from _decided(goal, part)


def _ends(goal: Goal) -> Iterator[Relation]:
    """A symbol at the low end 0 of its range, by which nothing is divided."""
    named = free(goal.relation.left) | free(goal.relation.right)
    for s in goal.context.symbols:
        closed = s.name in named and s.low == 0 and not s.low_open
        if closed and not goal.context.positive(s.name) and not goal.context.nonnegative(("neg", s.name)):
            yield Relation(ZERO, "<", s.name)


def _decided(goal: Goal, part: tuple[Any, ...]) -> Iterator[Relation]:
    """Comparisons that would make an absolute value, a minimum or a maximum one of what it is taken of."""
    context, pairs = goal.context, list[tuple[Term, Term]]()
    if part[0] == "abs":
        pairs = [(part[1], ZERO)]
    elif part[0] in ("min", "max"):
        pairs = [(a, b) for i, a in enumerate(part[1:]) for b in part[1 : i + 1]]
    known = (*part[1:], ("neg", part[1])) if part[0] == "abs" else part[1:]
    if not pairs or any(context.equal(part, one) for one in known):
        return
    for a, b in pairs:
        split = _solved(goal, Relation(a, "<=", b))
        opposite = Relation(split.right, "<=", split.left)
        if split not in context.given and opposite not in context.given and context.defined(a) and context.defined(b):
            yield split


def _solved(goal: Goal, given: Relation) -> Relation:
    """The relation as a bound of its only symbol, where it is one: such a condition narrows the range of the symbol."""
    forms = goal.context.forms
    slack = forms.form(("-", given.right, given.left))
    moved = [(mono, c) for mono, c in slack.items() if mono]
    if len(moved) == 1 and len(moved[0][0]) == 1 and moved[0][0][0][1] == 1:
        (((atom, _),), c), rest = moved[0], slack.get((), ZERO)
        if forms.atoms[atom].head == "name":
            name = forms.atoms[atom].args[0]
            return Relation(-rest / c, "<=", name) if c > 0 else Relation(name, "<=", -rest / c)
    return given
