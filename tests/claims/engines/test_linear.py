"""Combinations found by a linear program are exact, and none is found for what is false."""

from __future__ import annotations

import pytest

from dpaudit.claims.argument import automatic
from dpaudit.claims.argument.nodes import as_data
from dpaudit.claims.engines import linear
from dpaudit.recheck.goals import Goal, read_statement
from dpaudit.recheck.terms import relation
from dpaudit.records.claim import Statement, Symbol, real, vector

X, Y, Z = real("x"), real("y"), real("z", "[0, oo)")
A, B = real("a", "(0, oo)"), real("b", "[2, oo)")
U, V = vector("u"), vector("v")


def goal(expression: str, *symbols: Symbol, given: tuple[str, ...] = ()) -> Goal:
    return read_statement(as_data(Statement(expression, symbols, given)))


TRUE = [
    (goal("x <= 5/6", X, Y, given=("x <= y/3", "y <= 5/2")), 1),
    (goal("x < y", X, Y, Z, given=("x < z", "z <= y")), 1),
    (goal("x/a <= y/a", X, Y, A, given=("x <= y",)), 1),
    (goal("dot(u, v) <= norm(u)*norm(v) + a", U, V, A), 1),
    (goal("2*b - 3 <= b**2 - 2*b + 1", B), 2),
    (goal("x*y <= 1", X, Y, given=("0 <= x", "x <= 1", "0 <= y", "y <= 1")), 2),
]
FALSE = [
    (goal("x <= 4/6", X, Y, given=("x <= y/3", "y <= 5/2")), 3),
    (goal("x < z", X, Z, given=("x <= z",)), 3),
    (goal("x*z <= y", X, Y, Z, given=("x <= y",)), 3),
    (goal("norm(u)*norm(v) <= dot(u, v)", U, V), 3),
    (goal("x*y <= 1/2", X, Y, given=("0 <= x", "x <= 1", "0 <= y", "y <= 1")), 3),
]


@pytest.mark.parametrize(("shown", "effort"), TRUE)
def test_combinations_are_accepted_by_the_checker(shown: Goal, effort: int) -> None:
    node = linear.combination(shown, (), effort)
    assert node is not None
    assert node["by"] == "combine"
    assert automatic.accepted(shown, node) is not None


@pytest.mark.parametrize(("wrong", "effort"), FALSE)
def test_what_is_false_has_none(wrong: Goal, effort: int) -> None:
    assert all(linear.combination(wrong, (), e) is None for e in range(1, effort + 1))


def test_named_facts_are_used() -> None:
    shown = goal("x <= 3*y", X, Y)
    fact = relation("x <= 3*y - z**2")
    assert linear.combination(shown, (), 1) is None
    found = linear.combination(goal("x <= 3*y", X, Y, Z), (fact, relation("0 <= z**2")), 1)
    assert found is not None
    assert "3" in str(found["terms"])
