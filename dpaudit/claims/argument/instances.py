"""Instances of known inequalities that may help with a goal: of each function in it, at the arguments that it has."""

from __future__ import annotations

from collections.abc import Iterator

from dpaudit.recheck import facts
from dpaudit.recheck.goals import Goal
from dpaudit.recheck.terms import ONE, ZERO, Relation, Term, bound_names, free, walk

MOST = 8
"""Instances that are proposed for one goal."""
TWO = ONE + ONE


def proposed(goal: Goal) -> tuple[Relation, ...]:
    """Those that are sure on the whole domain, functions of the goal itself first."""
    context, found = goal.context, list[Relation]()
    for one in dict.fromkeys((*_single(goal), *_pairs(goal))):
        if len(found) < MOST and one not in context.given and facts.instance(context, one):
            found.append(one)
    return tuple(found)


def _parts(goal: Goal) -> list[tuple[Term, ...]]:
    """The functions in the goal and in its conditions, without those of bound variables."""
    relations = (goal.relation, *goal.context.given)
    sides = [side for given in relations for side in (given.left, given.right)]
    bound = set[str]().union(*map(bound_names, sides))
    parts = dict.fromkeys(part for side in sides for part in walk(side) if isinstance(part, tuple))
    return [part for part in parts if not free(part) & bound]


def _single(goal: Goal) -> Iterator[Relation]:
    """Of one function: its tangent, its ends, its triangle inequality."""
    parts = _parts(goal)
    for part in parts:
        match part:
            case ("log", a):
                yield from map(_logarithm, (a, ("/", ONE, a)))
                if ("sqrt", a) in parts:
                    yield _logarithm(("/", ("sqrt", a), TWO))
            case ("exp" | "**", *_) if (exponent := _exponent(part)) is not None:
                for a in (exponent, ("neg", exponent)):
                    yield Relation(("+", ONE, a), "<=", ("exp", a))
            case ("floor", a):
                yield from (Relation(part, "<=", a), Relation(a, "<", ("+", part, ONE)))
            case ("ceil", a):
                yield from (Relation(a, "<=", part), Relation(part, "<", ("+", a, ONE)))
            case ("abs", a):
                yield from (Relation(a, "<=", part), Relation(("neg", a), "<=", part))
            case ("min", *all_of) if len(all_of) == 2:
                yield from (Relation(part, "<=", a) for a in all_of)
            case ("max", *all_of) if len(all_of) == 2:
                yield from (Relation(a, "<=", part) for a in all_of)
            case ("norm", ("+" | "-", u, v)):
                yield Relation(part, "<=", ("+", ("norm", u), ("norm", v)))
            case ("dot", u, v) if u != v:
                yield Relation(part, "<=", ("*", ("norm", u), ("norm", v)))


def _exponent(node: Term) -> Term | None:
    """a where the term is exp(a), or a power of it."""
    match node:
        case ("exp", a):
            found: Term = a
            return found
        case ("**", base, n) if (inner := _exponent(base)) is not None:
            return "*", inner, n
    return None


def _logarithm(a: Term) -> Relation:
    return Relation(("log", a), "<=", ("-", a, ONE))


def _pairs(goal: Goal) -> Iterator[Relation]:
    """Of two functions: differences of logarithms, squares of differences of roots."""
    parts = _parts(goal)
    logs = [part[1] for part in parts if part[0] == "log"]
    roots = [part for part in parts if part[0] == "sqrt"]
    for i, a in enumerate(logs):
        for b in logs[:i]:
            for ratio in (("/", a, b), ("/", b, a), ("/", a, ("*", TWO, b)), ("/", b, ("*", TWO, a))):
                yield _logarithm(ratio)
    for i, a in enumerate(roots):
        for b in roots[:i]:
            yield Relation(ZERO, "<=", ("**", ("-", a, b), TWO))
