"""The unaccelerated variant: its lines, the three forms, exact laws, counts, promise, errors.

Statistical tests: false alarm at most 1e-6 each.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from laws import assert_gaussian
from refusals import refused
from three_forms import fast_forms, run_of

from dpaudit.accounting.factorisations import binary_tree
from dpaudit.algorithms.srgd import accelerated_dp_srgd
from dpaudit.algorithms.srgd import unaccelerated_dp_srgd as algorithm
from dpaudit.algorithms.srgd.unaccelerated_dp_srgd import Params, printed_scaling
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems import losses
from dpaudit.problems.domains import EVERYTHING, ball, box
from dpaudit.records.errors import ConfigurationError
from dpaudit.sampling.batches import Batches

STREAM = Stream(51, "tests/unaccelerated_dp_srgd")
RNG = np.random.default_rng(13)
FEATURES = RNG.normal(size=(13, 3))
LOGISTIC = losses.logistic(FEATURES, np.where(RNG.random(13) < 0.5, -1.0, 1.0))
LINEAR = losses.linear(FEATURES)
GROWING = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0)
PASS = Params(3, GROWING, 2.0, Batches("in order", 13, 2), 0.4, 3.0, 3.0, domain=ball(0.5, (0.1, 0.0, 0.0)))


@pytest.mark.parametrize("clip_norm", [None, 0.7])
def test_the_steps_are_descent_on_the_mean_of_all_differences(clip_norm: float | None) -> None:
    """grad_t = (sum of delta_i, i <= t)/eta_t, written as a sum over all earlier batches."""
    params = replace(PASS, clip_norm=clip_norm)
    run, xi = run_of(algorithm, params, LOGISTIC, STREAM, 1), algorithm.draw_inputs(params, STREAM, 1).noise[0]
    points, left = [np.zeros(3)], binary_tree(6).left
    for t in range(6):
        total = np.zeros(3)
        for i in range(t + 1):
            for record in (2 * i, 2 * i + 1):
                part = GROWING[i] * LOGISTIC.record_gradients(points[i])[record]
                if i:
                    part = part - GROWING[i - 1] * LOGISTIC.record_gradients(points[i - 1])[record]
                total += part * min(1.0, (clip_norm or math.inf) / np.linalg.norm(part)) / 2
        noisy = (total + 0.4 * left[t] @ xi) / GROWING[t]
        points.append(PASS.domain.project(points[-1] - noisy / 2.0))
    assert run.states[:, :3] == pytest.approx(np.array(points), abs=1e-12)
    assert run.final == pytest.approx(points[-1], abs=1e-12)


def test_the_output_on_linear_losses_is_gaussian() -> None:
    """x_T = -sum of hat_t/(beta eta_t), hat = prefix sums of eta-weighted differences of the means + noise left xi."""
    params, weights = replace(PASS, domain=EVERYTHING), 1 / (2.0 * np.array(GROWING))
    sums = np.cumsum(FEATURES[:12].reshape(6, 2, 3).mean(axis=1), axis=0)  # eta_t - eta_{t-1} = 1
    spread = 0.16 * np.sum((weights @ binary_tree(6).left) ** 2)
    for found in fast_forms(algorithm, params, LINEAR, Trials(STREAM, np.arange(20_000)), "final"):
        assert_gaussian(found, -weights @ sums, spread * np.eye(3))


def test_the_output_on_quadratics_is_gaussian() -> None:
    """H = c I and one record a batch: x is affine in xi, with delta_t = c (eta_t x_t - eta_{t-1} x_{t-1}) - shares."""
    curve, steps, eta, left = 0.8, 4, np.array(GROWING[:4]), binary_tree(4).left
    problem = losses.quadratic_minus_linear(curve * np.eye(3), FEATURES)
    params = replace(PASS, weights=GROWING[:4], batches=Batches("in order", 13, 1), domain=EVERYTHING)
    mean, spread = [np.zeros(3)], [np.zeros(steps)]  # of x_t, and its coefficients on xi
    for t in range(steps):
        # sum of the differences up to t: c eta_t x_t - sum over i <= t of (eta_i - eta_{i-1}) zeta_i
        drift = curve * eta[t] * mean[-1] - FEATURES[: t + 1].sum(axis=0)
        mean.append(mean[-1] - drift / (2.0 * eta[t]))
        spread.append(spread[-1] - (curve * eta[t] * spread[-1] + 0.4 * left[t]) / (2.0 * eta[t]))
    for found in fast_forms(algorithm, params, problem, Trials(STREAM, np.arange(20_000)), "final"):
        assert_gaussian(found, mean[-1], np.sum(spread[-1] ** 2) * np.eye(3))


def test_counts_and_the_printed_step() -> None:
    assert run_of(algorithm, PASS, LOGISTIC, STREAM).calls == {"gradients": 22, "values": 0, "rounds": 6}
    assert algorithm.calls(PASS, algorithm.draw_inputs(PASS, STREAM, 0))["gradients"] == 2 * 12 - 2
    steps, batch = 20, 5
    assert 1 / printed_scaling(steps, batch) == pytest.approx(batch / math.sqrt(steps * batch), rel=1e-15)
    with pytest.raises(ConfigurationError, match="batch must be at least 1"):
        printed_scaling(4, 0)


def test_it_promises_what_the_accelerated_algorithm_does() -> None:
    """The released sums have the same sensitivity, whatever the points do with them."""
    for clip_norm, smoothness in ((0.5, None), (None, None), (None, 0.0), (None, 0.2)):
        params = replace(PASS, clip_norm=clip_norm, smoothness=smoothness)
        other = accelerated_dp_srgd.Params(
            3, (*GROWING, 7.0), 2.0, PASS.batches, 0.4, 3.0, smoothness, clip_norm, domain=PASS.domain
        )
        here, there = algorithm.promise(params), accelerated_dp_srgd.promise(other)
        assert (here.mechanism, here.neighbours, here.view) == (there.mechanism, there.neighbours, there.view)


test_wrong_parameters_are_refused = refused(
    partial(replace, PASS),
    ({"weights": (1.0,) * 7}, "at most 6 steps"),
    ({"domain": box((0.1,) * 3, (0.2,) * 3)}, "the domain must contain 0"),
    ({"batches": Batches("Poisson", 13, 2)}, "batches.kind must be one of"),
    ({"scaling": 0.0}, "scaling must be above 0"),
)
