"""Inequalities that hold for all numbers and vectors, and whether a relation is an instance of one."""

from __future__ import annotations

from dpaudit.recheck.signs import Context
from dpaudit.recheck.terms import Relation, Term, relation

VECTORS = frozenset("uvw")
"""The names that stand for vectors; x, y stand for numbers, n for the same whole-valued number wherever it occurs."""
FACTS = tuple(map(relation, (
    "norm(u + v) <= norm(u) + norm(v)",
    "norm(u - v) <= norm(u) + norm(v)",
    "dot(u, v) <= norm(u)*norm(v)",
    "0 <= norm(u)",
    "0 <= dot(u, u)",
    "0 <= x**2",
    "0 <= abs(x)",
    "x <= abs(x)",
    "-x <= abs(x)",
    "abs(x + y) <= abs(x) + abs(y)",
    "abs(x - y) <= abs(x) + abs(y)",
    "min(x, y) <= x",
    "min(x, y) <= y",
    "x <= max(x, y)",
    "y <= max(x, y)",
    "floor(x) <= x",
    "x < floor(x) + 1",
    "x <= ceil(x)",
    "ceil(x) < x + 1",
    "1 + x <= exp(x)",
    "log(x) <= x - 1",
    "0 <= Phi(x)",
    "Phi(x) <= 1",
)))  # fmt: skip


def instance(context: Context, given: Relation) -> bool:
    """Is the relation one of FACTS, between terms that have a value on the whole domain?"""
    if not (context.defined(given.left) and context.defined(given.right)):
        return False
    return any(_fits(context, fact, given) for fact in FACTS)


def _fits(context: Context, fact: Relation, given: Relation) -> bool:
    if fact.sign != given.sign and (fact.sign, given.sign) != ("<", "<="):
        return False
    found: dict[str, Term] = {}
    return all(_match(context, a, b, found) for a, b in ((fact.right, given.right), (fact.left, given.left)))


def _match(context: Context, pattern: Term, node: Term, found: dict[str, Term]) -> bool:
    """Is the term the pattern with its letters replaced, each by one term wherever it stands?"""
    if isinstance(pattern, str):
        if pattern not in found:
            found[pattern] = node
            return context.forms.is_vector(node) == (pattern in VECTORS)
        return context.equal(found[pattern], node)
    if isinstance(pattern, tuple) and isinstance(node, tuple) and pattern[0] == node[0] and len(pattern) == len(node):
        saved = dict(found)
        if all(_match(context, a, b, found) for a, b in zip(pattern[1:], node[1:], strict=True)):
            return True
        found.clear()
        found.update(saved)
    letters = _letters(pattern)
    if not letters:
        return pattern == node
    return letters <= set(found) and context.equal(_filled(pattern, found), node)


def _letters(pattern: Term) -> set[str]:
    if isinstance(pattern, str):
        return {pattern}
    return set().union(*map(_letters, pattern[1:])) if isinstance(pattern, tuple) else set()


def _filled(pattern: Term, found: dict[str, Term]) -> Term:
    if isinstance(pattern, str):
        return found[pattern]
    return (pattern[0], *(_filled(arg, found) for arg in pattern[1:])) if isinstance(pattern, tuple) else pattern
