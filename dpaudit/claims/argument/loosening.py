"""Whether a changed relation says no more than the original, so that the original's proof covers it."""

from __future__ import annotations

from dataclasses import replace

from dpaudit.claims.argument import monotone
from dpaudit.claims.argument.nodes import as_data
from dpaudit.claims.argument.proof import tried
from dpaudit.claims.language.expression import Relation, parse_condition, parse_relation
from dpaudit.recheck.goals import read_statement
from dpaudit.recheck.terms import relation, term
from dpaudit.records.claim import Boxes, Combine, Move, Positive, Solve, Statement

EFFORT = 2_000_000
"""Solver resource units for one question."""


def follows(original: Statement, changed: Statement, moves: tuple[Move, ...]) -> bool:
    """Does `changed` follow from `original`, since one side or one condition of it says no more?"""
    return weaker(original, changed, moves) or spared(original, changed)


def weaker(original: Statement, changed: Statement, moves: tuple[Move, ...]) -> bool:
    """Does `changed`, with one side changed on the same domain, follow from `original`?

    moves: the argument of the original; the inequalities that it names may help.
    """
    old, new = parse_relation(original.expression), parse_relation(changed.expression)
    if original.symbols != changed.symbols or original.conditions != changed.conditions or old.sign != new.sign:
        return False
    if old.left != new.left and old.right != new.right:
        return False
    smaller, larger = (old.right, new.right) if old.left == new.left else (new.left, old.left)
    known = read_statement(as_data(original)).context
    # Where the old side has no value the original says nothing, and a statement has one on its whole domain.
    if not all(known.defined(term(str(side))) for side in (smaller, larger)):
        return False
    if old.sign != "==" and (
        monotone.below(term(str(smaller)), term(str(larger)), known)
        or monotone.bounded(relation(original.expression), relation(changed.expression), known)
    ):
        return True
    between = replace(changed, expression=str(Relation(smaller, "==" if old.sign == "==" else "<=", larger)))
    ways: tuple[Move, ...] = (Positive(), Boxes(200), Solve(facts(moves), EFFORT))
    return any(tried(between, (way,)).closed for way in ways)


def facts(moves: tuple[Move, ...]) -> tuple[str, ...]:
    """The inequalities that an argument names."""
    named = [fact for move in moves if isinstance(move, Solve) for fact in move.facts]
    return (*named, *(text for move in moves if isinstance(move, Combine) for _, text in move.terms))


def spared(original: Statement, changed: Statement) -> bool:
    """Is `changed` the original without conditions that those which are left imply?"""
    kept, all_of_them = set(changed.conditions), set(original.conditions)
    if replace(original, conditions=changed.conditions) != changed or not kept < all_of_them:
        return False
    lost = all_of_them - kept
    implied = (replace(changed, expression=one) for one in lost if isinstance(parse_condition(one), Relation))
    ways: tuple[tuple[Move, ...], ...] = ((), (Solve((), EFFORT),))
    shown = [any(tried(one, way, quick=True).closed for way in ways) for one in implied]
    return len(shown) == len(lost) and all(shown)
