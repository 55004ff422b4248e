"""The falsification search finds points where a statement fails, and proposes only points of its domain."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from dpaudit.claims.engines import falsify
from dpaudit.claims.engines.rigorous.witness import certify, inside
from dpaudit.records.claim import Statement, gaussian, integer, real, vector

X, Y, N = real("x", "(0, oo)"), real("y", "[0, oo)"), integer("n", "[1, oo)")
FALSE = [
    Statement("x*y <= 1.99", (X, Y), ("y <= 2/x",)),
    Statement("exp(-x)*x <= 0.3678", (X,)),
    Statement("(1 + x)**n <= 1 + n*x", (X, N)),
    Statement("x**2 - 2*x + 1.0001 <= (x - 1)**2 + 0.00005", (X,)),
    Statement("abs(x - 3) == x - 3", (X,)),
    Statement("Phi(x) - log2(1 + x) + min(x, y) - max(x, y) <= floor(x) - ceil(y) - sqrt(x)*pi", (X, Y), ("y < x",)),
]
TRUE = [
    Statement("x*y <= 2", (X, Y), ("y <= 2/x",)),
    Statement("log(x) <= x - 1", (X,)),
    Statement("1 + n*x <= (1 + x)**n", (X, N)),
]


@pytest.mark.parametrize("statement", FALSE, ids=str)
def test_a_false_statement_is_refuted_at_one_of_the_first_points(statement):
    points = list(falsify.points(statement, 1))
    assert any(certify(statement, point) for point in points)
    assert len(points) <= falsify.PROPOSED + falsify.STARTS


@pytest.mark.parametrize("statement", TRUE, ids=str)
def test_a_true_statement_has_no_witness_but_points_of_its_domain(statement):
    points = list(falsify.points(statement, 1))
    assert not any(certify(statement, point) for point in points)
    assert any(inside(statement, point) for point in points)


def test_a_symbol_that_a_condition_defines_has_exactly_that_value():
    statement = Statement("z <= x", (X, Y, real("z")), ("z == x**3/7 + 1/y", "0 < y"))
    assert any(certify(statement, point) for point in falsify.points(statement, 1))


def test_a_value_that_is_too_long_to_write_is_left_out():
    """2**n has no value in floating point for such n, and an exact one of many thousand digits."""
    symbols = (integer("n", "[20000, 30000]"), real("g", "(0, oo)"))
    assert list(falsify.points(Statement("g <= n", symbols, ("g == 2**n",)), 1))


def test_limits_by_earlier_symbols_are_met():
    narrow = Statement("x <= 0", (X, Y), ("1 <= x", "x <= 1 + 1/10**6", "x <= y", "y <= x + 1/10**6"))
    points = [dict(point) for point in falsify.points(narrow, 3)]
    assert any(1 <= Fraction(p["x"]) <= Fraction(p["y"]) <= 2 for p in points)


def test_the_same_seed_gives_the_same_points():
    assert list(falsify.points(FALSE[0], 5)) == list(falsify.points(FALSE[0], 5))
    assert list(falsify.points(FALSE[0], 5)) != list(falsify.points(FALSE[0], 6))


@pytest.mark.parametrize(
    "statement",
    [
        Statement("E(norm(v)) <= 1", (gaussian("v", "1"),)),
        Statement("integral(z, 0, n, 1/(1 + z)) <= 3", (N,)),
        Statement("x <= 1", (X,), exists=True),
    ],
    ids=str,
)
def test_what_floats_cannot_say_is_left_to_others(statement):
    assert list(falsify.points(statement, 1)) == []


DIRECTION = (vector("w"), vector("v"), vector("u"), real("L", "(0, oo)"), real("rise"))
SWAPPED = Statement("L*norm(v - w) <= abs(rise)", DIRECTION, ("norm(u - (v - w)) == 0", "abs(rise) <= L*norm(u)"))


def test_vectors_are_looked_for_in_one_dimension():
    found = [point for point in falsify.points(SWAPPED, 1) if certify(SWAPPED, point)]
    assert found
    assert all(text.endswith(",)") for point in found for name, text in point if name in "uvw")


def test_equations_are_met_whatever_the_order_of_the_symbols():
    symbols = tuple(real(name, "[0, oo)") for name in ("start", "far", "moved", "gained", "less"))
    given = ("far == start - 2*less + moved", "moved == gained + less", "gained - less == 0")
    false = Statement("far <= start - 1/1000", symbols, given)
    assert any(certify(false, point) for point in falsify.points(false, 1))


def test_a_climb_keeps_to_the_equations():
    false = Statement("(x - 3)*(4 - x) <= 0.2499", (X, real("z")), ("z == 2*x", "6 <= z"))
    problem = falsify._problem(false)
    values = problem.climb({"x": np.array(3.2), "z": np.array(6.4)})
    assert values["z"] == pytest.approx(2 * values["x"], rel=1e-15)
    assert values["x"] == pytest.approx(3.5, abs=1e-3)


def test_sums_are_looked_at_term_by_term_for_small_integers():
    false = Statement("sum(k, 1, n, x/k) <= (2.08 + 1/10**6)*x", (N, X))
    found = [dict(point) for point in falsify.points(false, 1) if certify(false, point)]
    assert {p["n"] for p in found} == {"4"}  # 1 + 1/2 + 1/3 + 1/4 > 2.08


def test_points_are_drawn_within_limits_that_hang_linearly_on_a_symbol():
    given = ("2*x - 3*y <= 1", "y - 2*z <= 5 - x", "x*z <= 4*y")
    problem = falsify._problem(Statement("x <= 1", (X, Y, real("z", "[0, oo)")), given))
    values = problem.draw(np.random.default_rng(1), 1000)
    assert np.mean(np.all([holds(values) for holds in problem.met], axis=0)) > 0.7


def test_what_an_equation_has_a_root_of_is_a_square():
    false = Statement("x <= y", (X, Y, N), ("n == y/(2*sqrt(x))", "1 < x"))
    found = [dict(point) for point in falsify.points(false, 1) if inside(false, point)]
    assert any(certify(false, tuple(point.items())) for point in found)
    assert not falsify._problem(Statement("x <= y", (X, Y), ("sqrt(x) <= y",))).rooted
