"""Interpolation conditions hold for functions of the class, and fail for others."""

from __future__ import annotations

import numpy as np
import pytest

from dpaudit.algorithms.rbcd import dp_gd
from dpaudit.claims.engines.rigorous.witness import certify
from dpaudit.claims.interpolation import (
    convex_at,
    minimised_at,
    projected_at,
    smooth_convex_at,
    smooth_strongly_convex_at,
    worst_function,
)
from dpaudit.claims.judge import judge
from dpaudit.claims.source import Source
from dpaudit.claims.writing import Statement, Step, real, vector
from dpaudit.records.context import Context, Level
from dpaudit.records.errors import ContentError

NAMES = ("x", "g", "f"), ("y", "h", "e")
SYMBOLS = (*map(vector, ("x", "g", "y", "h")), real("f"), real("e"))


def values(hessian, x, y):
    """Two points of f(z) = z'Az/2, as a point of the statement."""
    rows = {"x": x, "g": hessian @ x, "y": y, "h": hessian @ y}
    named = [(name, f"({','.join(map(str, row))},)") for name, row in rows.items()]
    return (*named, ("f", f"{x @ hessian @ x / 2}"), ("e", f"{y @ hessian @ y / 2}"))


def broken(conditions, point):
    return [c for c in conditions if certify(Statement(c, SYMBOLS), point)]


@pytest.mark.parametrize("seed", range(5))
def test_quadratic_functions_of_the_class_meet_the_conditions(seed):
    rng = np.random.default_rng(seed)
    x, y = rng.integers(-4, 5, (2, 2)).astype(float)
    point = values(np.diag([1.0, 4.0]), x, y)
    for conditions in (
        convex_at(*NAMES), smooth_convex_at("4", *NAMES), smooth_strongly_convex_at("4", "1", *NAMES),
        smooth_strongly_convex_at("8", "1/2", *NAMES),
    ):  # fmt: skip
        assert len(conditions) == 2
        assert broken(conditions, point) == []


@pytest.mark.parametrize(
    ("conditions", "along"),
    [
        (smooth_convex_at("7/2", *NAMES), (0.0, 1.0)),  # curvature 4
        (smooth_strongly_convex_at("4", "5/4", *NAMES), (1.0, 0.0)),  # curvature 1
        (smooth_strongly_convex_at("7/2", "1", *NAMES), (0.0, 1.0)),
    ],
)
def test_a_curvature_outside_of_the_class_breaks_one(conditions, along):
    assert broken(conditions, values(np.diag([1.0, 4.0]), np.array(along), np.zeros(2)))


def test_a_concave_function_breaks_convexity():
    assert broken(convex_at(*NAMES), values(-np.eye(2), np.ones(2), np.zeros(2)))


def test_at_a_minimum_the_gradient_is_left_out():
    (below, above) = convex_at(("x", "", "f"), ("y", "h", "e"))
    assert (below, above) == ("e + dot(h, ((x) - (y))) <= f", "f <= e")


def test_one_point_is_no_interpolation():
    with pytest.raises(ContentError, match="two points or more, got 1"):
        convex_at(("x", "g", "f"))


def outcome(expression, vectors, numbers, conditions):
    """What is found of a statement without an argument."""
    statement = Statement(expression, (*map(vector, vectors.split()), *map(real, numbers.split())), conditions)
    return judge("toy/THM-1", Step("s1", "a bound", statement), Source(), Context(7, Level.SMOKE, 1e-6)).outcome


def rows(**named):
    return tuple((name, f"({','.join(map(repr, map(float, row)))},)") for name, row in named.items())


@pytest.mark.parametrize("seed", range(5))
def test_projections_onto_a_box_and_minimisers_over_it_meet_the_conditions(seed):
    rng = np.random.default_rng(seed)
    y, z = rng.integers(-8, 9, (2, 3)) / 4
    p, q, u = np.clip(y, -1, 1), np.clip(z, -1, 1), rng.integers(-4, 5, 3) / 4
    at = rows(y=y, z=z, p=p, q=q, u=u)
    symbols = tuple(map(vector, "yzpqu"))
    # p minimises |x - y|^2 over the box, with the gradient 2 (p - y).
    for conditions in (
        projected_at(("y", "p"), ("z", "q"), members=("u",)),
        minimised_at(("p", "2*(p - y)"), ("q", "2*(q - z)"), members=("u",)),
    ):
        assert len(conditions) == 4
        assert not [c for c in conditions if certify(Statement(c, symbols), at)]


def test_another_point_of_the_set_breaks_one():
    at = rows(y=(2, 0), p=(1, 0.5), u=(1, 0))  # (1, 0) is nearest to (2, 0) in the box
    for conditions in (projected_at(("y", "p"), members=("u",)), minimised_at(("p", "p - y"), members=("u",))):
        assert [bool(certify(Statement(c, tuple(map(vector, "ypu"))), at)) for c in conditions] == [True]


TWO = projected_at(("y", "p"), ("z", "q"))
STEP = (
    *smooth_convex_at("1", ("x0", "g0", "f0"), ("x1", "g1", "f1"), ("xs", "gs", "fs")),
    *projected_at(("x0 - g0", "x1"), members=("xs", "x0")),
    *minimised_at(("xs", "gs"), members=("x0", "x1")),
)
"""One step of projected gradient descent, with the minimiser xs over the set."""


@pytest.mark.parametrize(
    ("expected", "expression", "vectors", "numbers", "conditions"),
    [
        ("PROVED", "norm(p - q)**2 <= dot(p - q, y - z)", "y z p q", "", TWO),
        ("PROVED", "norm(p - q)**2 <= norm(y - z)**2", "y z p q", "", TWO),
        ("REFUTED", "norm(p - q)**2 <= 0.99*norm(y - z)**2", "y z p q", "", TWO),
        ("REFUTED", "norm(p - q)**2 <= norm(y - z)**2", "y z p q", "", TWO[:1]),
        ("PROVED", "f1 - fs <= 1/4*norm(x0 - xs)**2", "x0 x1 xs g0 g1 gs", "f0 f1 fs", STEP),
        ("REFUTED", "f1 - fs <= 0.24*norm(x0 - xs)**2", "x0 x1 xs g0 g1 gs", "f0 f1 fs", STEP),
    ],
)
def test_what_is_known_of_projections_is_proved_and_no_more(expected, expression, vectors, numbers, conditions):
    assert outcome(expression, vectors, numbers, conditions) == expected


@pytest.mark.parametrize("made", [projected_at, minimised_at])
def test_other_points_of_the_set_are_needed(made):
    with pytest.raises(ContentError, match="got 1 and 0 members"):
        made(("y", "p"))
    with pytest.raises(ContentError, match="got 0 and 2 members"):
        made(members=("u", "v"))


STEPS = 2
METHOD = (
    ("x0", "g0", "f0"), ("x0 - g0", "g1", "f1"), ("x0 - g0 - g1", "g2", "f2"), ("xs", "", "fs"),
)  # fmt: skip
"""Two steps of gradient descent on a function that is smooth with the constant 1."""


def test_the_function_of_a_witness_is_one_on_which_the_shipped_algorithm_is_as_slow():
    """The best constant of two steps is 1/10 (Drori and Teboulle 2014)."""
    names = (*map(vector, ("x0", "xs", "g0", "g1", "g2")), *map(real, ("f0", "f1", "f2", "fs")))
    said = Statement("f2 - fs <= 0.099*norm(x0 - xs)**2", names, smooth_convex_at("1", *METHOD))
    found = judge("toy/THM-1", Step("s1", "too little", said), Source(), Context(7, Level.SMOKE, 1e-6))
    at = tuple((name, value) for name, value in found.witness if name not in ("left", "right"))
    problem = worst_function(said, at, *METHOD, smoothness=1.0)
    start, best = problem.points[0], problem.points[-1]
    steps = (1.0,) * problem.dimension
    params = dp_gd.Params(tuple(start), steps, STEPS, inner_steps=1, noise=0.0, lipschitz=1.0, records=1)
    ran = dp_gd.reference(params, problem, dp_gd.Draws(np.zeros(dp_gd.noise_shape(params))))
    assert ran.final == pytest.approx(problem.points[2], abs=1e-5)
    distance = float(((start - best) ** 2).sum())
    assert problem.value(ran.final) - problem.value(best) > 0.099 * distance
    assert problem.value(ran.final) - problem.value(best) < 0.1001 * distance


def test_values_that_are_no_rational_numbers_are_refused():
    said = Statement("f <= 1", (vector("x"), vector("g"), real("f")))
    with pytest.raises(ContentError, match="rational numbers"):
        worst_function(said, (("x", "(1,)"), ("g", "(0,)"), ("f", "2")), ("x", "g", "sqrt(f)"))
