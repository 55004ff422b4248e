"""What is proved without a hint, and what is false is not."""

from __future__ import annotations

import pytest

from dpaudit.claims.argument import automatic
from dpaudit.claims.argument.nodes import as_data
from dpaudit.recheck.goals import Goal, read_statement
from dpaudit.recheck.proof import Proof
from dpaudit.recheck.terms import relation
from dpaudit.records.claim import Statement, Symbol, integer, real, vector

X, Y, P, Q, N = real("x"), real("y"), real("p", "(0, oo)"), real("q", "[0, 1]"), integer("n", "[1, oo)")
U, V = vector("u"), vector("v")


def goal(expression: str, *symbols: Symbol, given: tuple[str, ...] = ()) -> Goal:
    return read_statement(as_data(Statement(expression, symbols, given)))


@pytest.mark.parametrize(
    ("shown", "rule"),
    [
        (goal("(x + y)**2 == x**2 + 2*x*y + y**2", X, Y), "identical"),
        (goal("q*(1 - q) <= q", Q), "positive"),
        (goal("x*y <= (x**2 + y**2)/2", X, Y), "positive"),
        (goal("x <= 3", X, Y, given=("x <= y", "y <= 3")), "positive"),
        (goal("dot(u, v) <= norm(u)*norm(v)", U, V), "combine"),
        (goal("abs(x) <= abs(x - y) + abs(y)", X, Y), "cases"),
        (goal("min(x, y) <= (x + y)/2", X, Y), "cases"),
        (goal("1/(n + 1) <= 1/n", N), "positive"),
    ],
)
def test_proofs_are_found_and_accepted(shown: Goal, rule: str) -> None:
    node = automatic.proof(shown, ())
    assert node is not None
    assert node["by"] == rule
    Proof({}).check(shown, node)


def test_known_relations_are_used_where_they_are_named() -> None:
    wanted = goal("x <= 2*y", X, Y)
    assert automatic.proof(wanted, ()) is None
    fact = relation("x <= y")
    given = wanted.given(fact, relation("0 <= y"))
    node = automatic.proof(given, (fact,))
    assert node is not None
    assert "x" in str(node["terms"])


@pytest.mark.parametrize(
    "wrong",
    [
        goal("x*y <= (x**2 + y**2)/3", X, Y),
        goal("q*(1 - q) < q", Q),
        goal("dot(u, v) <= norm(u)*norm(v)/2", U, V),
        goal("abs(x) <= abs(x - y)", X, Y),
        goal("min(x, y) <= x*y", X, Y),
        goal("1/n <= 1/(n + 1)", N),
        goal("p <= p**2", P),
        goal("x <= abs(y)", X, Y),
    ],
)
def test_what_is_false_is_not_proved(wrong: Goal) -> None:
    assert automatic.proof(wrong, ()) is None
