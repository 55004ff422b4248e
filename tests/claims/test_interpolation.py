"""Interpolation conditions hold for functions of the class, and fail for others."""

from __future__ import annotations

import numpy as np
import pytest

from dpaudit.claims.engines.rigorous.witness import certify
from dpaudit.claims.interpolation import convex_at, smooth_convex_at, smooth_strongly_convex_at
from dpaudit.claims.writing import Statement, real, vector
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
