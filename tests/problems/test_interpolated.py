"""A function through given points has the values and gradients that it was given, and is in its class."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linprog

from dpaudit.problems import interpolated
from dpaudit.problems.interpolated import Interpolated
from dpaudit.records.errors import ConfigurationError


def quadratic(seed, points=5, dimension=3):
    """Points, gradients and values of a quadratic function, and its largest curvature."""
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(dimension, dimension))
    hessian, at = root @ root.T, rng.normal(size=(points, dimension))
    return at, at @ hessian, ((at @ hessian) * at).sum(axis=1) / 2, float(np.linalg.eigvalsh(hessian).max())


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("points", [1, 2, 5, 9])
def test_values_and_gradients_are_those_that_were_given(seed, points):
    at, slopes, values, curvature = quadratic(seed, points)
    for smoothness in (curvature * 1.01, 4 * curvature, None):
        made = Interpolated(at, slopes, values, smoothness)
        for x, g, f in zip(at, slopes, values, strict=True):
            assert made.value(x) == pytest.approx(f, abs=1e-9)
            assert made.gradient(x) == pytest.approx(g, abs=1e-5)


@pytest.mark.parametrize("seed", range(8))
def test_it_is_convex_and_smooth_between_them(seed):
    at, slopes, values, curvature = quadratic(seed)
    made, rng = Interpolated(at, slopes, values, 2 * curvature), np.random.default_rng(seed + 100)
    for x, y in rng.normal(size=(40, 2, 3)) * 2:
        g, h = made.gradient(x), made.gradient(y)
        above = made.value(x) - made.value(y) - h @ (x - y)
        assert above >= (g - h) @ (g - h) / (4 * curvature) - 1e-8
        small = 1e-5 * np.eye(3)
        slope = [(made.value(x + e) - made.value(x - e)) / 2e-5 for e in small]
        assert slope == pytest.approx(g, abs=1e-4)


@pytest.mark.parametrize("seed", range(8))
def test_the_minimum_over_z_and_the_maximum_over_weights_are_one(seed):
    """Both are computed at z = x - g/L; where they differ, the weights are not those of the maximum."""
    at, slopes, values, curvature = quadratic(seed, points=7)
    made = Interpolated(at, slopes, values, 1.5 * curvature)
    for x in np.random.default_rng(seed).normal(size=(60, 3)) * 3:
        z = x - made.gradient(x) / made.smoothness
        bent = values - (slopes**2).sum(axis=1) / (2 * made.smoothness)
        pieces = bent + ((z - at + slopes / made.smoothness) * slopes).sum(axis=1)
        least = pieces.max() + made.smoothness * ((x - z) ** 2).sum() / 2
        assert made.value(x) == pytest.approx(least, abs=1e-7)


@pytest.mark.parametrize("seed", range(200))
def test_weights_are_those_of_the_maximum_over_the_simplex(seed):
    """The conditions of optimality: no weight below 0, and no slope above that of the weights in use."""
    rng = np.random.default_rng(seed)
    rows, heights = rng.normal(size=(12, 2)), rng.normal(size=12) * rng.choice([0.1, 1, 10])
    weights = interpolated._simplex(rows, heights)
    slopes = heights - rows @ (rows.T @ weights)
    assert weights.min() >= 0
    assert weights.sum() == pytest.approx(1)
    assert slopes.max() <= slopes @ weights + 1e-9


@pytest.mark.parametrize("seed", range(8))
def test_no_convex_function_with_kinks_is_lower(seed):
    """The largest of the pieces is the least convex function through the points: a linear program agrees."""
    at, slopes, values, _ = quadratic(seed)
    made = Interpolated(at, slopes, values)
    for x in np.random.default_rng(seed).normal(size=(10, 3)):
        pieces = values + ((x - at) * slopes).sum(axis=1)
        least = linprog([1.0], A_ub=-np.ones((5, 1)), b_ub=-pieces, bounds=[(None, None)]).fun
        assert made.value(x) == pytest.approx(least, abs=1e-9)


def test_what_no_function_of_the_class_has_is_refused():
    at, slopes, values, curvature = quadratic(1)
    with pytest.raises(ConfigurationError, match="no function of this class"):
        Interpolated(at, slopes, values, 0.5 * curvature)
    with pytest.raises(ConfigurationError, match="no function of this class"):
        Interpolated(at, slopes, values - np.array([1.0, 0, 0, 0, 0]))
    with pytest.raises(ConfigurationError, match=r"shape \(k, d\)"):
        Interpolated(at, slopes, values[:3])
