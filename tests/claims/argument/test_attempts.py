"""What is tried where no move is given: only what fits the goal, and nothing that proves a false one."""

from __future__ import annotations

import pytest
from domains import goal

from dpaudit.claims.argument import attempts, instances
from dpaudit.claims.argument.nodes import Search
from dpaudit.claims.argument.proof import prove, tried
from dpaudit.recheck import facts
from dpaudit.recheck.terms import show
from dpaudit.records.claim import Exhibit, Have, Monotone, Nowhere, Statement, gaussian, integer, real, vector
from dpaudit.records.errors import ContentError

X, W, N = real("x", "[0, oo)"), real("w", "[-1, 1]"), integer("n", "[1, oo)")
ROWS = ("x real [0, oo)", "y real (0, 2)", "n integer [1, oo)", "u vector", "xi gaussian 1")


def names(text: str, deep: bool = True) -> list[str]:
    return [type(moves[0]).__name__ for moves in attempts.of(goal(text, *ROWS), deep)]


def test_what_costs_little_comes_first() -> None:
    assert names("x <= exp(x)", deep=False) == ["Boxes"]
    assert names("x <= exp(x)")[0] == "Boxes"
    assert names("dot(u, u)*x <= exp(x)", deep=False) == []


def test_moves_fit_the_goal() -> None:
    assert "Induct" in names("sum(k, 1, n, 1/k) <= n")
    assert "Induct" not in names("x <= n")
    assert names("sum(k, 1, n, 1/k) == n") == ["Induct"]
    assert names("E(norm(xi)) <= E(norm(xi) + 1)")[0] == "Termwise"
    assert names("E(norm(xi + u)) <= E(norm(xi)) + norm(u)")[0] == "Rewrite"
    assert {"Scale", "Power"} <= set(names("exp(-x)**(1 + x)/(1 + x) <= 1 + y"))
    assert "Logarithm" in names("exp(-x) <= 1 + y")
    assert "Logarithm" not in names("exp(-x) <= y - 1")
    assert "Scale" not in names("1/(x - 1) <= 1")


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("log(1 + x) <= x", "log((1 + x)) <= ((1 + x) - 1)"),
        ("x <= exp(x)", "(1 + x) <= exp(x)"),
        ("floor(x) <= x + 1", "floor(x) <= x"),
        ("x <= ceil(x) + 1", "x <= ceil(x)"),
        ("-1 <= abs(x - 1) + x", "(x - 1) <= abs((x - 1))"),
        ("min(x, y) <= x", "min(x, y) <= x"),
        ("norm(u - 2*u) <= 3*norm(u)", "norm((u - (2 * u))) <= (norm(u) + norm((2 * u)))"),
        ("log(1 + x) - log(2 + x) <= 0", "log(((2 + x) / (1 + x))) <= (((2 + x) / (1 + x)) - 1)"),
        ("sqrt(x)*sqrt(y) <= x + y", "0 <= ((sqrt(y) - sqrt(x))**2)"),
    ],
)
def test_instances_of_known_inequalities(text: str, fact: str) -> None:
    asked = goal(text, *ROWS)
    found = instances.proposed(asked)
    assert fact in map(show, found)
    assert all(facts.instance(asked.context, one) for one in found)
    assert len(found) <= instances.MOST


def test_no_instance_of_a_bound_variable_or_of_what_has_no_value() -> None:
    assert instances.proposed(goal("sum(k, 1, n, log(k)) <= n", *ROWS)) == ()
    assert instances.proposed(goal("log(x - 1) <= x", *ROWS)) == ()


@pytest.mark.deep(keep=3)
@pytest.mark.parametrize(
    "statement",
    [
        Statement("exp(x) <= 1 + x", (X,)),
        Statement("1 + w <= exp(w) - w**2/2", (W,)),
        Statement("n**2 <= 2**n", (N,)),
        Statement("sum(k, 1, n, k) == n**2/2", (N,)),
        Statement("E(norm(xi)**2) <= E(norm(xi))**2", (gaussian("xi"),)),
        Statement("norm(u) + norm(v) <= norm(u + v)", (vector("u"), vector("v"))),
        Statement("ceil(x) <= x + 1/2", (X,)),
        Statement("w**3 <= w", (W,)),
        Statement("0 < w**2", (W,)),
        Statement("1/w <= 1", (real("w", "(0, 1)"),)),
        Statement("0 <= exp(-x) - 1/1000", (X,)),
        Statement("(1 - 1/n)**n <= 1/3", (N,)),
    ],
    ids=str,
)
def test_what_is_false_is_not_proved(statement: Statement) -> None:
    found = tried(statement, ())
    assert not found.closed
    assert "tried by themselves" in found.evidence[-1].detail


def test_a_statement_of_existence_needs_its_point() -> None:
    there = Statement("x <= 1", (X,), exists=True)
    with pytest.raises(ContentError, match="Exhibit"):
        prove(there, (), Search())
    assert tried(there, (Exhibit((("x", "1"),)),)).closed
    assert tried(Statement("x < 0", (X,), exists=True), (Nowhere(()),)).refuted


def test_parts_without_an_argument_are_looked_for() -> None:
    assert tried(Statement("exp(-x) <= 1", (X,)), (Monotone("x", "low"),)).closed
    assert tried(Statement("log(1 + x) <= x", (X,)), (Have("0 <= log(1 + x)"),)).closed
    assert not tried(Statement("log(1 + x) <= x", (X,)), (Have("log(1 + x) <= x/2"),)).closed


@pytest.mark.deep
@pytest.mark.parametrize(
    ("text", "condition", "weaker"),
    [
        ("exp(-mu**2) <= exp(-x**2)", "mu == x + y", "mu <= x + y"),
        ("x**5/y**5 <= exp(mu**5)", "x/y == mu", "mu <= x/y"),
    ],
)
def test_a_symbol_that_a_condition_defines_is_put_away(text: str, condition: str, weaker: str) -> None:
    symbols = (X, real("y", "(0, oo)"), real("mu"))
    assert tried(Statement(text, symbols, (condition,)), ()).closed
    assert not tried(Statement(text, symbols, (weaker,)), ()).closed
