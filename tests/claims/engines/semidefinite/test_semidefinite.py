"""Bounds over classes of functions: proved at the best constant, broken below it by a rational function."""

from __future__ import annotations

from fractions import Fraction

import pytest
import worst_cases
from worst_cases import METHODS, gradient_descent, least, outcome

from dpaudit.claims.argument.nodes import as_data
from dpaudit.claims.engines import semidefinite
from dpaudit.claims.judge import judge
from dpaudit.claims.source import Source
from dpaudit.claims.writing import (
    Statement,
    Step,
    gaussian,
    integer,
    real,
    smooth_convex_at,
    smooth_strongly_convex_at,
    vector,
    vector_sequence,
)
from dpaudit.recheck.goals import read_statement
from dpaudit.records.context import Context, Level
from dpaudit.records.verdict import Outcome

CONTEXT = Context(7, Level.SMOKE, 1e-6)
pytest.importorskip("clarabel")


def goal(statement):
    return read_statement(as_data(statement))


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("name", worst_cases.CLOSED)
@pytest.mark.parametrize("steps", [1, 2, 3])
def test_the_constant_of_the_literature_is_the_best_and_proved(name, steps):
    closed = worst_cases.CLOSED[name](steps)
    assert least(METHODS[name][0], steps) == pytest.approx(closed, abs=1e-6)
    assert outcome(METHODS[name][0](steps, f"1/{round(1 / closed)}")) == "PROVED"


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("name", METHODS)
def test_a_smaller_constant_is_refuted_by_a_function_with_rational_numbers(name):
    statement = METHODS[name][0](2, f"{Fraction(least(METHODS[name][0], 2) * 0.98).limit_denominator(10**5)}")
    found = judge("toy/THM-1", Step("s1", "w", statement), Source(), CONTEXT)
    assert found.outcome is Outcome.REFUTED
    assert {name for name, _ in found.witness} >= {"x0", "xs", "g1", "f1"}


def test_smoothness_may_be_a_symbol():
    points = ("xs", "", "fs"), ("x0", "g0", "f0"), ("x0 - g0/L", "g1", "f1")
    symbols = (*map(vector, ("x0", "xs", "g0", "g1")), *map(real, ("f0", "f1", "fs")), real("L", "(0, oo)"))
    statement = Statement("f1 - fs <= L/6*norm(x0 - xs)**2", symbols, smooth_convex_at("L", *points))
    assert outcome(statement) == "PROVED"


def test_a_contraction_of_strongly_convex_functions():
    """|x_1 - x*| <= (1 - mu/L)|x_0 - x*| at the step 1/L, here with mu/L = 1/4."""
    points = ("xs", "", "fs"), ("x0", "g0", "f0")
    symbols = (*map(vector, ("x0", "xs", "g0")), *map(real, ("f0", "fs")))
    conditions = smooth_strongly_convex_at("1", "1/4", *points)
    assert outcome(Statement("norm(x0 - g0 - xs)**2 <= 9/16*norm(x0 - xs)**2", symbols, conditions)) == "PROVED"
    assert outcome(Statement("norm(x0 - g0 - xs)**2 <= 1/2*norm(x0 - xs)**2", symbols, conditions)) == "REFUTED"


def test_weights_are_exact_and_not_negative():
    node = next(semidefinite.combinations(goal(gradient_descent(2, "1/10")), ()))
    weights = [Fraction(weight) for weight, _ in node["terms"]]
    assert min(weights) > 0
    assert max(weight.denominator for weight in weights) <= 60


@pytest.mark.parametrize(
    "statement",
    [
        Statement("x <= y", (real("x"), real("y")), ("x <= y - 1",)),
        Statement("norm(u)**2 == norm(v)**2", (vector("u"), vector("v")), ("norm(u) <= 1",)),
        Statement("0 <= norm(u)**2 + 1", (vector("u"),)),
        Statement("E(dot(xi, v)) <= norm(v)**2", (vector("v"), gaussian("xi")), ("norm(v) <= 1",)),
    ],
)
def test_what_is_no_such_bound_is_left_alone(statement):
    assert list(semidefinite.combinations(goal(statement), ())) == []
    assert semidefinite.worst(goal(statement), ()) == ()


def test_a_bound_that_follows_from_nothing_has_no_weights_and_no_best_constant():
    statement = Statement("norm(u)**2 <= norm(v)**2", (vector("u"), vector("v")), ("norm(v)**2 <= 1",))
    assert list(semidefinite.combinations(goal(statement), ())) == []
    assert semidefinite.best("norm(u)**2 <= {c}*norm(v)**2", goal(statement)) is None
    point = dict(semidefinite.worst(goal(statement), ()))
    assert set(point) == {"u", "v"}


def test_without_the_solver_nothing_breaks(monkeypatch):
    monkeypatch.setattr(semidefinite, "available", lambda: False)
    symbols = (vector("u"), vector("v"))
    assert outcome(Statement("norm(u)**2 <= 2*norm(v)**2", symbols, ("norm(u) <= norm(v)",))) == "PROVED"


def test_a_bound_that_fails_is_refuted_at_once_with_the_factor_that_repairs_it():
    symbols = (*map(vector, ("x0", "xs", "g0", "g1")), *map(real, ("f0", "f1", "fs")), integer("unused", "[1, oo)"))
    points = ("xs", "", "fs"), ("x0", "g0", "f0"), ("x0 - g0", "g1", "f1")
    statement = Statement("f1 - fs <= 1/7*norm(x0 - xs)**2", symbols, smooth_convex_at("1", *points))
    found = judge("toy/THM-1", Step("s1", "w", statement), Source(), CONTEXT)
    assert found.outcome is Outcome.REFUTED
    assert dict(found.witness)["unused"] == "2"
    (repair,) = (one.detail for one in found.evidence if "times its right side" in one.detail)
    assert "with 117/100 times its right side it is proved" in repair  # 7/6 is the least


def test_a_row_of_vectors_is_not_looked_for():
    """What a matrix says of x[0] and x[1] is no sequence yet; the proof of a true bound is found all the same."""
    x, y = vector_sequence("x"), vector("y")
    false = Statement("norm(x[0])**2 <= norm(y)**2", (x, y), ("norm(x[1])**2 <= norm(y)**2",))
    assert semidefinite.worst(goal(false), ()) == ()
