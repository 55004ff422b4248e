"""DP-SVRG: the forms, the exact law on linear losses, unbiasedness, and the sensitivity behind its promise.

Statistical tests: false alarm at most 1e-6 each.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from laws import assert_gaussian
from three_forms import fast_forms

from dpaudit.accounting.epsilon import promised_epsilon
from dpaudit.algorithms.rbcd import dp_gd, dp_svrg
from dpaudit.algorithms.rbcd.dp_svrg import Draws, Params
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems import losses
from dpaudit.records.mechanism import Composed, Gaussian, SelfComposed, WithReplacementSampled
from dpaudit.records.privacy import Neighbours

STREAM = Stream(24, "tests/dp_svrg")
FEATURES = np.random.default_rng(12).normal(size=(6, 3))
LOGISTIC = losses.logistic(FEATURES, np.array([1.0, -1, 1, -1, -1, 1]))
BASE = Params((0.5, -0.25, 0.0), 0.4, 2, 4, 0.3, 2.0, 6)


def test_on_linear_losses_the_variance_is_reduced_to_that_of_the_noise() -> None:
    """grad f_i does not depend on the point, so y = mean + noise, whatever was drawn."""
    linear, trials = losses.linear(FEATURES), Trials(STREAM, np.arange(20_000))
    k = BASE.inner_steps
    mean = np.array(BASE.start) - BASE.epochs * (k + 1) / 2 * 0.4 * FEATURES.mean(axis=0)
    covariance = BASE.epochs * (0.4 * 0.3) ** 2 * (k + 1) * (2 * k + 1) / (6 * k) * np.eye(3)
    for found in fast_forms(dp_svrg, BASE, linear, trials, "final"):
        assert_gaussian(found, mean, covariance)


def test_the_estimate_is_unbiased_over_the_drawn_record() -> None:
    """The mean of y over all records is the full gradient at x, exactly."""
    state = np.concatenate(
        [[0.3, 0.1, -0.4], [0.5, -0.2, 0.0], LOGISTIC.gradient(np.array([0.5, -0.2, 0.0])), [0.0] * 3]
    )
    zero = np.zeros(3)
    found = [dp_svrg.step(BASE, LOGISTIC, state, 1, Draws(zero, np.int64(i))).released for i in range(6)]
    assert np.mean(found, axis=0) == pytest.approx(LOGISTIC.gradient(state[:3]), abs=1e-15)


def test_with_one_record_it_is_gradient_descent() -> None:
    one = losses.logistic(FEATURES[:1], np.array([1.0]))
    params = replace(BASE, records=1)
    draws = dp_svrg.draw_inputs(params, STREAM, 1)
    other = dp_gd.Params(BASE.start, (0.4,) * 3, 2, 4, 0.3, 2.0, 1)
    right = dp_gd.reference(other, one, dp_gd.Draws(draws.noise)).final
    assert dp_svrg.reference(params, one, draws).final == pytest.approx(right, abs=1e-14)


def test_one_replaced_record_moves_the_two_parts_by_no_more_than_the_promise_says() -> None:
    """2 L/n through v; 4 L more where the record is drawn, nearly attained by Huber losses whose slope goes from -1 to
    1 between the two points in directions that are all but opposite."""
    x, anchor = np.array([900.0, 0.0, 0.0]), np.array([-900.0, 0.0, 0.0])
    others = np.zeros((5, 3))
    pair = [losses.huber(np.vstack([[[0.02, sign * 2.0, 0.0]], others]), np.zeros(6), 1.0) for sign in (1.0, -1.0)]
    found = []
    for record in (0, 1):
        zero = np.zeros(3)
        released = [
            dp_svrg.step(
                BASE, p, np.concatenate([x, anchor, p.gradient(anchor), zero]), 1, Draws(zero, np.int64(record))
            ).released
            for p in pair
        ]
        found.append(float(np.linalg.norm(released[0] - released[1])))
    assert found[1] <= 2 * 2.0 / 6 + 1e-12
    assert found[0] == pytest.approx((4 - 2 / 6) * 2.0, rel=1e-9), "v moves against the change here"
    promise, half = dp_svrg.promise(BASE), 0.3 / math.sqrt(2)
    assert isinstance(promise.mechanism, SelfComposed)
    assert isinstance(promise.mechanism.mechanism, Composed)
    full, drawn = promise.mechanism.mechanism.mechanisms
    assert isinstance(full, Gaussian)
    assert isinstance(drawn, WithReplacementSampled)
    assert isinstance(drawn.mechanism, Gaussian)
    assert full.noise_multiplier == pytest.approx(half / (2 * 2.0 / 6))
    assert drawn.mechanism.noise_multiplier == pytest.approx(half / (4 * 2.0))
    assert (drawn.draws, drawn.records, promise.mechanism.count) == (1, 6, 8)
    assert promise.neighbours is Neighbours.REPLACE_ONE
    bounds = promised_epsilon(dp_svrg.promise(replace(BASE, noise=20.0)), 1e-5)
    assert 0 <= bounds.lower <= bounds.upper < np.inf
