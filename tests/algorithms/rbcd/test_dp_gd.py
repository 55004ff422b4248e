"""DP-GD: the forms, and the exact laws of its final iterate (sections 4.4 of the spec of rbcd).

Statistical tests: false alarm at most 1e-6 each.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from laws import assert_gaussian
from three_forms import fast_forms

from dpaudit.algorithms.rbcd import dp_gd
from dpaudit.algorithms.rbcd.dp_gd import Params
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems import losses
from dpaudit.records.mechanism import Gaussian, SelfComposed

STREAM = Stream(23, "tests/dp_gd")
FEATURES = np.random.default_rng(11).normal(size=(6, 3))
LOGISTIC = losses.logistic(FEATURES, np.array([1.0, -1, 1, -1, -1, 1]))
BASE = Params((0.5, -0.25, 0.0), (0.5, 0.4, 0.3), 2, 4, 0.3, 2.0, 6)
TRIALS = Trials(STREAM, np.arange(20_000))


def test_the_final_iterate_on_linear_losses_has_the_law_of_section_4_4() -> None:
    """w^{t+1} - w^t = -Gamma sum_{i <= K} (i/K)(g + eta_i): variance T gamma_j^2 sigma^2 (K + 1)(2 K + 1)/(6 K)."""
    gamma, k = np.array(BASE.step_sizes), BASE.inner_steps
    mean = np.array(BASE.start) - BASE.epochs * (k + 1) / 2 * gamma * FEATURES.mean(axis=0)
    covariance = np.diag(BASE.epochs * gamma**2 * 0.09 * (k + 1) * (2 * k + 1) / (6 * k))
    linear = losses.linear(FEATURES)
    for found in fast_forms(dp_gd, BASE, linear, TRIALS, "final"):
        assert_gaussian(found, mean, covariance)


def test_on_diagonal_quadratics_with_the_prescribed_steps_only_the_last_epoch_matters() -> None:
    """H = Diag(M), Gamma = M^-1: theta^{k+1} = argmin - M^-1 eta, so w^T has variance sigma^2/(K M_j^2)."""
    m = np.array([2.0, 1.0, 4.0])
    problem = losses.quadratic_minus_linear(np.diag(m), FEATURES)
    params = replace(BASE, step_sizes=tuple(1 / m), inner_steps=5)
    mean, covariance = FEATURES.mean(axis=0) / m, np.diag(0.09 / (5 * m**2))
    for found in fast_forms(dp_gd, params, problem, TRIALS, "final"):
        assert_gaussian(found, mean, covariance)


def test_it_promises_the_composition_of_its_steps() -> None:
    assert dp_gd.promise(BASE).mechanism == SelfComposed(Gaussian(0.3 * 6 / 4.0), 8)
