"""DP-CD: the forms, proximal steps, the exact law on linear losses, sensitivity.

Statistical tests: false alarm at most 1e-6 each.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from laws import assert_gaussian
from scipy import stats

from dpaudit.algorithms.rbcd import dp_cd
from dpaudit.algorithms.rbcd.dp_cd import Draws, Params
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems import losses
from dpaudit.problems.prox import NOTHING, Regulariser
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import Gaussian, SelfComposed

STREAM = Stream(22, "tests/dp_cd")
FEATURES = np.random.default_rng(10).normal(size=(6, 3))
LOGISTIC = losses.logistic(FEATURES, np.array([1.0, -1, 1, -1, -1, 1]))
BASE = Params((0.5, -0.25, 0.0), (0.5, 0.4, 0.3), 2, 5, (0.1, 0.2, 0.3), (3.0, 2.0, 1.0), 6)
KINDS = [NOTHING, Regulariser("l1", 0.4), Regulariser("ridge", 0.7), Regulariser("box", 0.2)]


@pytest.mark.deep
def test_the_final_iterate_given_the_coordinates_is_gaussian() -> None:
    """Linear losses, one epoch: coordinate j moves by -g_j (mean_j + sigma_j z) at each of its draws, averaged."""
    linear, params = losses.linear(FEATURES), replace(BASE, epochs=1)
    mean, trials = FEATURES.mean(axis=0), np.arange(30_000)
    finals = {"numba": dp_cd.cpu(params, linear, Trials(STREAM, trials), "final")}
    finals["torch"] = dp_cd.gpu(params, linear, Trials(STREAM, trials), "final").numpy()
    drawn = np.column_stack([STREAM.part("sets").uniforms(trials, t, 1)[:, 0] * 3 for t in range(5)]).astype(int)
    sequence = (0, 2, 0, 1, 2)
    rows = (drawn == sequence).all(axis=1)
    weights = np.array([(5 - t) / 5 for t in range(5)])  # theta^1, ..., theta^5 that contain move t, over K
    center, covariance = np.array(params.start), np.zeros((3, 3))
    for weight, j in zip(weights, sequence, strict=True):
        center[j] -= weight * params.step_sizes[j] * mean[j]
        covariance[j, j] += (weight * params.step_sizes[j] * params.noise_scales[j]) ** 2
    assert rows.sum() > 60
    for found in finals.values():
        assert_gaussian(found[rows], center, covariance)


def test_coordinates_are_uniform() -> None:
    sets = dp_cd.cpu(BASE, LOGISTIC, Trials(STREAM, np.arange(3_000)))[:, :, 0].astype(int)
    assert stats.chisquare(np.bincount(sets.ravel(), minlength=3)).pvalue >= 1e-6


def test_replacing_a_record_moves_a_partial_derivative_by_at_most_its_sensitivity() -> None:
    """Opposite records attain 2 L_j/n."""
    here, there = (losses.linear(np.vstack([sign * FEATURES[:1], FEATURES[1:]])) for sign in (1, -1))
    draws = Draws(np.zeros(10), np.arange(10) % 3)
    change = dp_cd.reference(BASE, here, draws).transcript - dp_cd.reference(BASE, there, draws).transcript
    assert np.abs(change[:3, 1]) == pytest.approx(2 * np.abs(FEATURES[0]) / 6)
    promise = dp_cd.promise(BASE).mechanism
    assert promise == SelfComposed(Gaussian(min(0.1 * 6 / 6.0, 0.2 * 6 / 4.0, 0.3 * 6 / 2.0)), 10)


def test_wrong_parameters_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="noise_scales must have 3 numbers"):
        replace(BASE, noise_scales=(0.1,))
    with pytest.raises(ConfigurationError, match="regulariser must be one of"):
        Regulariser("l2")
    with pytest.raises(ConfigurationError, match="strength"):
        Regulariser("l1", float("nan"))
    with pytest.raises(ConfigurationError, match="6 records of 3 coordinates, the parameters say 7 of 3"):
        dp_cd.cpu(replace(BASE, records=7), LOGISTIC, Trials(STREAM, np.arange(1)))
