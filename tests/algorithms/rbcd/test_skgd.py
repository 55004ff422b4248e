"""SkGD: the forms, unbiased sketches, convergence without noise.

Statistical tests: false alarm at most 1e-6 each (|z| <= 4.892 after a union bound).
"""

from __future__ import annotations

import numpy as np
import pytest

from dpaudit.algorithms.rbcd import skgd
from dpaudit.algorithms.rbcd.skgd import Params
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems import losses
from dpaudit.sampling import coordinates

STREAM = Stream(25, "tests/skgd")
FEATURES = np.random.default_rng(13).normal(size=(6, 3))
LOGISTIC = losses.logistic(FEATURES, np.array([1.0, -1, 1, -1, -1, 1]))
SAMPLERS = [coordinates.full(3), coordinates.single((0.2, 0.3, 0.5)), coordinates.tau_nice(3, 2)]


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("sampler", SAMPLERS, ids=["full", "single", "tau-nice"])
def test_one_step_is_a_gradient_step_on_average(sampler: coordinates.Sampler) -> None:
    """E C = I, over 40,000 draws."""
    params = Params((0.5, -0.25, 0.0), (0.5, 0.4, 0.3), 1, sampler, 6)
    expected = -np.array(params.step_sizes) * LOGISTIC.gradient(np.array(params.start))
    moved = skgd.cpu(params, LOGISTIC, Trials(STREAM, np.arange(40_000)), "final") - np.array(params.start)
    error = moved.std(axis=0) / np.sqrt(len(moved)) + 1e-12
    assert (np.abs(moved.mean(axis=0) - expected) <= 5.2 * error).all()


def test_it_converges_with_the_prescribed_steps() -> None:
    """gamma_j = p_j/M_j on a quadratic: the gap falls to nothing."""
    curvature = np.array([[1.0, 0.3, 0.0], [0.3, 0.8, -0.2], [0.0, -0.2, 0.5]])
    problem = losses.quadratic(curvature, (1.0, -1.0, 2.0))
    smoothness = np.abs(curvature).sum(axis=1)
    sampler = coordinates.tau_nice(3, 2)
    params = Params((0.0,) * 3, tuple((sampler.inclusion / smoothness).tolist()), 400, sampler, 1)
    finals = skgd.cpu(params, problem, Trials(STREAM, np.arange(20)), "final")
    assert np.abs(finals - [1.0, -1.0, 2.0]).max() < 1e-6
    assert skgd.promise(params) is None
