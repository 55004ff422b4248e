"""DP online-to-batch: its lines, the three forms, exact laws, counts, promise, errors.

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
from dpaudit.algorithms.srgd import online_to_batch
from dpaudit.algorithms.srgd.online_to_batch import Params, power_weights
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems import losses
from dpaudit.problems.domains import EVERYTHING, ball, box
from dpaudit.records.mechanism import Gaussian
from dpaudit.sampling.batches import Batches

STREAM = Stream(61, "tests/online_to_batch")
RNG = np.random.default_rng(14)
FEATURES = RNG.normal(size=(7, 3))
LOGISTIC = losses.logistic(FEATURES, np.where(RNG.random(7) < 0.5, -1.0, 1.0))
LINEAR = losses.linear(FEATURES)
ETA = (0.5, 0.4, 0.4, 0.3, 0.3, 0.3, 0.2)
PASS = Params(3, power_weights(7), ETA, Batches("in order", 7, 1), 0.4, 3.0, 3.0, domain=ball(0.5, (0.1, 0.0, 0.0)))


@pytest.mark.parametrize("clip_norm", [None, 0.7])
def test_the_rounds_are_online_descent_on_linear_losses(clip_norm: float | None) -> None:
    """With averages over all w_i so far, and sums over all records so far, each written out."""
    params, beta = replace(PASS, clip_norm=clip_norm), np.array(PASS.weights)
    run, xi = (
        run_of(online_to_batch, params, LOGISTIC, STREAM, 1),
        online_to_batch.draw_inputs(params, STREAM, 1).noise[0],
    )
    w, x, parts = [np.zeros(3)], [], []
    for t in range(7):
        x.append(beta[: t + 1] @ np.array(w) / beta[: t + 1].sum())
        part = beta[t] * LOGISTIC.record_gradients(x[t])[t]
        if t:
            part = part - beta[t - 1] * LOGISTIC.record_gradients(x[t - 1])[t]
        parts.append(part * min(1.0, (clip_norm or math.inf) / np.linalg.norm(part)))
        hat = np.sum(parts, axis=0) + 0.4 * binary_tree(7).left[t] @ xi
        assert run.transcript[t] == pytest.approx(hat, abs=1e-12)
        w.append(PASS.domain.project(w[-1] - ETA[t] * hat))
    assert run.final == pytest.approx(x[-1], abs=1e-12)


def test_the_output_on_linear_losses_is_gaussian() -> None:
    """x_T is the average of w_{i+1} = -sum of step_j hat_j, j <= i, by beta; for beta_t = t delta_t is zeta_t."""
    params, beta = replace(PASS, domain=EVERYTHING), np.array(PASS.weights)
    later = np.cumsum(beta[::-1])[::-1] / beta.sum()  # of round j: the weight of all w_i with i > j
    weights = -np.array(ETA) * np.append(later[1:], 0.0)
    sums, spread = np.cumsum(FEATURES, axis=0), 0.16 * np.sum((weights @ binary_tree(7).left) ** 2)
    for found in fast_forms(online_to_batch, params, LINEAR, Trials(STREAM, np.arange(20_000)), "final"):
        assert_gaussian(found, weights @ sums, spread * np.eye(3))


def test_the_transcript_on_linear_losses_is_gaussian() -> None:
    params = replace(PASS, weights=power_weights(4), step_sizes=ETA[:4])
    left = binary_tree(4).left
    for found in fast_forms(online_to_batch, params, LINEAR, Trials(STREAM, np.arange(20_000)), "transcript"):
        rows, mean = found.reshape(len(found), -1), np.cumsum(FEATURES[:4], axis=0).ravel()
        assert_gaussian(rows, mean, 0.16 * np.kron(left @ left.T, np.eye(3)))


def test_it_asks_two_gradients_for_each_record_and_leaves_the_last_one_out_of_its_output() -> None:
    draws = online_to_batch.draw_inputs(PASS, STREAM, 0)
    run = run_of(online_to_batch, PASS, LOGISTIC, STREAM)
    assert run.calls == online_to_batch.calls(PASS, draws) == {"gradients": 2 * 7 - 1, "values": 0, "rounds": 7}
    changed = losses.logistic(np.vstack([FEATURES[:6], 9 * FEATURES[6:]]), LOGISTIC.labels)
    other = run_of(online_to_batch, PASS, changed, STREAM)
    assert np.array_equal(run.final, other.final)
    assert (run.transcript[6] != other.transcript[6]).all()


def test_it_promises_one_gaussian_mechanism() -> None:
    clipped = online_to_batch.promise(replace(PASS, clip_norm=0.5)).mechanism
    assert isinstance(clipped, Gaussian)
    assert clipped.noise_multiplier == pytest.approx(0.4 / (0.5 * math.sqrt(3)))
    free = online_to_batch.promise(replace(PASS, smoothness=None)).mechanism
    largest = (np.array([1, 3, 5, 7, 9, 11, 13]) * 3.0 * binary_tree(7).column_norms).max()
    assert isinstance(free, Gaussian)
    assert free.noise_multiplier == pytest.approx(0.4 / largest)


test_wrong_parameters_are_refused = refused(
    partial(replace, PASS),
    ({"step_sizes": ETA[:6]}, "step_sizes must have 7 numbers"),
    ({"batches": Batches("in order", 7, 2)}, "at most 3 steps"),
    ({"domain": box((0.1,) * 3, (0.2,) * 3)}, "the domain must contain 0"),
    ({"weights": (1.0,) * 6 + (0.0,)}, r"weights\[6\] must be above 0"),
    ({"factorisation": binary_tree(6)}, "factorisation must have 7 items"),
)
