"""Accelerated descent with fresh gradients: its lines, Nesterov's rate, the three forms, laws, promises, errors.

Statistical tests: false alarm at most 1e-6 each.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest
from laws import assert_gaussian
from refusals import refused
from three_forms import fast_forms, run_of

from dpaudit.algorithms.srgd import independent_gradients as algorithm
from dpaudit.algorithms.srgd.accounting.tree_noise import output_weights
from dpaudit.algorithms.srgd.independent_gradients import Params
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems import losses
from dpaudit.problems.domains import EVERYTHING, Domain, ball, box
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import Gaussian, SelfComposed
from dpaudit.sampling.batches import Batches

STREAM = Stream(71, "tests/independent_gradients")
RNG = np.random.default_rng(15)
FEATURES = RNG.normal(size=(13, 3))
LOGISTIC = losses.logistic(FEATURES, np.where(RNG.random(13) < 0.5, -1.0, 1.0))
LINEAR = losses.linear(FEATURES)
CURVATURE = np.array([[1.0, 0.3, 0.0], [0.3, 0.8, -0.2], [0.0, -0.2, 0.5]])
QUADRATIC = losses.quadratic_minus_linear(CURVATURE, FEATURES)
SEVEN = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0)
SMALL, STRIP = ball(0.5, (0.1, 0.0, 0.0)), box((-0.3,) * 3, (0.2,) * 3)
PASS = Params(3, SEVEN, 2.0, Batches("in order", 13, 2), 0.4, 3.0, domain=SMALL)
SHIFTS = tuple(tuple(row) for row in (0.1 * RNG.normal(size=(6, 3))).tolist())


def printed(params: Params, gradient: Any, shifts: np.ndarray) -> np.ndarray:
    """y_T of the listing: gradient(t, x) is grad_t, shifts are b_t, (T, d)."""
    x = z = y = np.zeros(3)
    for t in range(params.steps):
        grad, eta = gradient(t, x), params.weights[t]
        z = params.domain.project(z - eta / params.scaling * grad + shifts[t])
        y = params.domain.project(x - grad / params.scaling + shifts[t] / eta)
        tau = params.weights[t + 1] / sum(params.weights[: t + 2])
        x = (1 - tau) * y + tau * z
    return y


@pytest.mark.parametrize("domain", [EVERYTHING, SMALL, STRIP], ids=lambda d: d.kind)
def test_the_steps_are_those_of_the_listing(domain: Domain) -> None:
    """Noise s of a gradient is b_t = -(eta_t/beta) s, beside the fixed b_t."""
    params = replace(PASS, domain=domain, offsets=SHIFTS, clip_norm=0.5)
    draws = algorithm.draw_inputs(params, STREAM, 2)
    shifts = np.array(SHIFTS) - np.array(SEVEN[:6])[:, None] / 2.0 * 0.4 * draws.noise

    def gradient(t: int, x: np.ndarray) -> Any:
        rows = LOGISTIC.record_gradients(x)[2 * t : 2 * t + 2]
        return (rows * np.minimum(1.0, 0.5 / np.linalg.norm(rows, axis=1))[:, None]).mean(axis=0)

    expected = printed(params, gradient, shifts)
    assert algorithm.reference(params, LOGISTIC, draws).final == pytest.approx(expected, abs=1e-12)


def test_nesterov_on_a_convex_function_keeps_its_bound() -> None:
    """f(y_T) - f(x*) <= 2 beta |x*|^2/eta_{0:T-1}: the potential 2 beta |z - x*|^2 + eta_{0:t-1} (f(y_t) - f(x*))."""
    matrix = np.diag([1.0, 0.01, 0.3])
    centre = np.array([0.3, 1.0, -0.7])
    problem = losses.quadratic(matrix, centre)
    for steps in (1, 3, 10, 60):
        weights = tuple(float(t) for t in range(1, steps + 2))
        params = Params(3, weights, 1.0, Batches("all records", 1, 1), 0.0, 1.0)
        final = run_of(algorithm, params, problem, STREAM).final
        assert problem.value(final) <= 2 * (centre @ centre) / sum(weights[:-1])
        plain = np.zeros(3)
        for _ in range(steps):
            plain = plain - problem.gradient(plain)
        assert steps < 10 or problem.value(final) < problem.value(plain), "acceleration pays"


def test_the_output_on_linear_losses_is_gaussian() -> None:
    """y_T = -(1/beta) sum of w_t hat_t, hat_t = eta_t (mean of the batch + s xi_t)."""
    params = replace(PASS, domain=EVERYTHING)
    weights = np.array(output_weights(6), dtype=float) * np.array(SEVEN[:6]) / 2.0
    means = FEATURES[:12].reshape(6, 2, 3).mean(axis=1)
    for found in fast_forms(algorithm, params, LINEAR, Trials(STREAM, np.arange(20_000)), "final"):
        assert_gaussian(found, -weights @ means, 0.16 * (weights @ weights) * np.eye(3))


def test_the_transcript_and_output_on_quadratics_are_gaussian() -> None:
    params = replace(PASS, domain=EVERYTHING, batches=Batches("all records", 13, 13), weights=SEVEN[:5])
    scale, mean = np.array(SEVEN[:4])[:, None] / 2.0 * 0.4, FEATURES.mean(axis=0)

    def output(xi: np.ndarray) -> np.ndarray:
        return printed(params, lambda t, x: CURVATURE @ x - mean, -scale * xi)

    origin = output(np.zeros((4, 3)))
    columns = np.array([output(unit.reshape(4, 3)) - origin for unit in np.eye(12)])
    for found in fast_forms(algorithm, params, QUADRATIC, Trials(STREAM, np.arange(20_000)), "final"):
        assert_gaussian(found, origin, columns.T @ columns)


def test_one_gradient_for_each_record_and_what_it_promises() -> None:
    assert run_of(algorithm, PASS, LOGISTIC, STREAM).calls == {"gradients": 12, "values": 0, "rounds": 6}
    assert algorithm.promise(PASS).mechanism == Gaussian(0.4 / (3.0 / 2))
    assert algorithm.promise(replace(PASS, clip_norm=0.5)).mechanism == Gaussian(0.4 / (0.5 / 2))
    whole = replace(PASS, batches=Batches("all records", 13, 13))
    assert algorithm.promise(whole).mechanism == SelfComposed(Gaussian(0.4 / (3.0 / 13)), 6)
    with pytest.raises(ConfigurationError, match="noise is 0"):
        algorithm.promise(replace(PASS, noise=0.0, offsets=SHIFTS))


def test_a_zeroed_record_moves_its_noisy_gradient_by_at_most_the_clip_norm() -> None:
    params, data = replace(PASS, clip_norm=0.5), 9 * FEATURES
    other = data.copy()
    other[4] = 0.0
    here, there = (run_of(algorithm, params, losses.linear(d), STREAM) for d in (data, other))
    moved = np.linalg.norm(here.transcript - there.transcript, axis=1) / np.array(SEVEN[:6])
    assert moved == pytest.approx([0, 0, 0.25, 0, 0, 0], abs=1e-12)
    assert here.branches.tolist() == [[2]] * 6


test_wrong_parameters_are_refused = refused(
    partial(replace, PASS),
    ({"weights": (1.0,)}, "weights"),
    ({"weights": (1.0,) * 8}, "at most 6 steps"),
    ({"offsets": SHIFTS[:2]}, "offsets must be a tuple of 6 vectors"),
    ({"couplings": (2.0,) * 6}, r"couplings\[0\] must be at most 1.0"),
    ({"domain": box((0.1,) * 3, (0.2,) * 3)}, "the domain must contain 0"),
)
