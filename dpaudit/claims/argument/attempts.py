"""What is tried where an argument ends with its goal open: a few moves at a time, in a fixed order."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

from dpaudit.claims.engines import monomials
from dpaudit.claims.engines.monomials import Chain
from dpaudit.recheck.goals import Goal
from dpaudit.recheck.polynomials import as_number
from dpaudit.recheck.symbols import Symbol
from dpaudit.recheck.terms import ONE, Term, free, replaced, show, walk
from dpaudit.records.claim import (
    AtIndex,
    Boxes,
    Cases,
    Combine,
    Have,
    Induct,
    Logarithm,
    Monotone,
    Move,
    Power,
    Rewrite,
    Scale,
    Substitute,
    Tangent,
    Taylor,
    Termwise,
)

BOXES = 250
"""Boxes of one attempt."""
MOST_INDICES = 8
"""Longest range of an index of which each one is tried."""
MOST = 60
"""Attempts for one statement."""
ORDERS = (3, 4)
"""Orders of Taylor polynomials, beside the tangents."""


def of(goal: Goal, deep: bool) -> Iterator[tuple[Move, ...]]:
    """Moves that may close the goal, those that cost little first; each leaves its parts to be looked for.

    deep: also moves that leave a goal of their own."""
    scalars = [s for s in goal.context.symbols if s.kind in ("real", "integer") and s.name in _free(goal)]
    inequality = goal.relation.sign != "=="
    if inequality and all(s.kind in ("real", "integer") for s in goal.context.symbols if s.name in _free(goal)):
        yield (Boxes(BOXES),)
    if not deep:
        return
    yield from _defined(goal)
    if indices := _indices(goal):
        yield tuple(map(AtIndex, indices))
    if compared := monomials.chains(goal):
        yield (*map(_chain, compared), Combine(tuple((str(one.share), show(one.fact)) for one in compared)))
    yield from _inside(goal)
    yield from ((Induct(s.name),) for s in scalars if _inductive(goal, s))
    if not inequality:
        return
    yield from _equivalent(goal)
    yield from ((Tangent(s.name, point),) for s in scalars for point in _points(s, scalars) if s.kind == "real")
    yield from ((Monotone(s.name, at),) for s in scalars for at in ("low", "high"))
    yield from ((Taylor(s.name, str(s.low), n),) for s in scalars for n in ORDERS if s.low is not None)
    yield from ((Cases(((f"{s.name} <= 0", ()), ("otherwise", ()))),) for s in scalars if _around_zero(goal, s))


def _defined(goal: Goal) -> Iterator[tuple[Move, ...]]:
    """Without the real symbols that a condition equates with terms of others."""
    real = {s.name for s in goal.context.symbols if s.kind == "real"} & _free(goal)
    for given in goal.context.given:
        for name, other in ((given.left, given.right), (given.right, given.left)):
            if given.sign == "==" and name in real and name not in free(other) and isinstance(name, str):
                yield (Substitute((), ((name, show(other)),), ()),)


def _chain(chain: Chain) -> Have:
    """A comparison of two products as a fact."""
    raised = (Have(show(one.raised), (Power(str(1 / one.power)),)) for one in chain.links if one.power != 1)
    terms = tuple((show(one.times), show(one.raised)) for one in chain.links)
    return Have(show(chain.fact), (*raised, Combine(terms)))


def _indices(goal: Goal) -> list[str]:
    """The indices of conditions at every index of a short range between numbers, those that no condition has yet."""
    found: dict[int, None] = {}
    for one in goal.every:
        low, high = (as_number(goal.context.forms.form(end)) for end in (one.low, one.high))
        if low is None or high is None or high - low >= MOST_INDICES:
            continue
        for k in range(math.ceil(low), math.floor(high) + 1):
            if replaced(one.relation, {one.variable: Fraction(k)}) not in goal.context.given:
                found[k] = None
    return list(map(str, found))


def _free(goal: Goal) -> frozenset[str]:
    return free(goal.relation.left) | free(goal.relation.right)


def _inside(goal: Goal) -> Iterator[tuple[Move, ...]]:
    """Sums, integrals or means on both sides; a mean on the left and terms that are constant on the right."""
    left, sign, right = goal.relation
    heads = [side[0] if isinstance(side, tuple) else "" for side in (left, right)]
    if sign == "<=" and heads[0] in ("sum", "integral", "E"):
        if heads[0] == heads[1]:
            yield (Termwise(),)
        elif heads[0] == "E":
            yield (Rewrite(right=f"E({show(_without_means(right))})"), Termwise())


def _without_means(node: Term) -> Term:
    """A sum of means and constants as what the mean would be taken of."""
    match node:
        case ("E", inner):
            found: Term = inner
            return found
        case ("+" | "-" | "*" | "neg" as head, *parts):
            return head, *map(_without_means, parts)
    return node


def _inductive(goal: Goal, s: Symbol) -> bool:
    """Is it an integer from a whole end on, that a sum, a power, an index, a factorial or a binomial coefficient hangs
    on?"""
    if s.kind != "integer" or s.low is None or s.low_open or s.low.denominator != 1:
        return False
    parts = (part for side in (goal.relation.left, goal.relation.right) for part in walk(side))
    return any(
        (part[0] in ("sum", "factorial", "binomial", "at") and s.name in free(part))
        or (part[0] == "**" and s.name in free(part[2]))
        for part in parts
        if isinstance(part, tuple)
    )


def _points(s: Symbol, scalars: list[Symbol]) -> list[str]:
    """Where both sides may touch: ends, 0 and 1 in the range, other symbols."""
    ends = [
        str(end) for end, is_open in ((s.low, s.low_open), (s.high, s.high_open)) if end is not None and not is_open
    ]
    inside = [str(x) for x in (0, 1) if (s.low is None or s.low < x) and (s.high is None or x < s.high)]
    return [*ends, *inside, *(other.name for other in scalars if other is not s and other.kind == "real")]


def _around_zero(goal: Goal, s: Symbol) -> bool:
    inside = (s.low is None or s.low < 0) and (s.high is None or s.high > 0)
    return inside and not any(s.name in free(c.left) | free(c.right) for c in goal.context.given)


def _equivalent(goal: Goal) -> Iterator[tuple[Move, ...]]:
    """The goal without denominators; with a power or logarithm of both sides; in its normal form."""
    sides = (goal.relation.left, goal.relation.right)
    heads = {side[0] for side in sides if isinstance(side, tuple)}
    parts = [part for side in sides for part in _outside(side) if isinstance(part, tuple)]
    for below in dict.fromkeys(part[2] for part in parts if part[0] == "/" and free(part[2])):
        if _positive(goal, below):
            yield (Scale(show(below)), _normal(goal, *(("*", below, side) for side in sides)))
    if all(_positive(goal, side) for side in sides) and heads & {"exp", "**"}:
        yield (Logarithm(),)
    for exponent in dict.fromkeys(part[2] for part in parts if part[0] == "**" and free(part[2])):
        if _positive(goal, exponent):
            inverse = ("/", ONE, exponent)
            yield (Power(show(inverse)), _normal(goal, *(("**", side, inverse) for side in sides)))
    made = _normal(goal, *sides)
    if (made.left, made.right) != tuple(map(show, sides)):
        yield (made,)


def _positive(goal: Goal, node: Term) -> bool:
    return goal.context.defined(node) and goal.context.positive(node)


def _normal(goal: Goal, left: Term, right: Term) -> Rewrite:
    """Two new sides in their normal forms."""
    forms = goal.context.forms
    return Rewrite(left=show(forms.node(forms.form(left))), right=show(forms.node(forms.form(right))))


def _outside(node: Term) -> Iterator[Term]:
    """The parts of a term that are only added, multiplied and divided."""
    yield node
    if isinstance(node, tuple) and node[0] in ("+", "-", "*", "/", "neg"):
        for part in node[1:]:
            yield from _outside(part)
