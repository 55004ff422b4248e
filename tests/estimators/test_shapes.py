"""Shapes of ROC curves: values, slopes, and that the right kind is recognised."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpaudit.estimators.shapes import covariance, estimate, gaussian_shape, geometric_ranks, laplace_shape

LEVELS = np.array([1e-4, 0.01, 0.1, 0.3, 0.5, 0.7, 0.99])


def test_the_laplace_shape_is_the_laplace_roc() -> None:
    thresholds = np.where(LEVELS < 0.5, -np.log(2 * np.minimum(LEVELS, 0.5)), np.log(2 * np.minimum(1 - LEVELS, 0.5)))
    exact = np.where(thresholds > 1, np.exp(1 - thresholds) / 2, 1 - np.exp(np.minimum(thresholds, 1) - 1) / 2)
    assert laplace_shape(1.0).value(LEVELS) == pytest.approx(exact, rel=1e-4)


@pytest.mark.parametrize("shape", [gaussian_shape(0.7), laplace_shape(1.3)])
def test_slopes_are_derivatives(shape) -> None:  # type: ignore[no-untyped-def]
    step = 1e-4 * LEVELS * (1 - LEVELS)
    numeric = (shape.value(LEVELS + step) - shape.value(LEVELS - step)) / (2 * step)
    assert shape.slope(LEVELS) == pytest.approx(numeric, rel=0.02)


def test_the_right_shape_is_found() -> None:
    rng = np.random.default_rng(1)
    found = estimate(np.sort(rng.normal(1, 1, 20_000)), np.sort(rng.normal(0, 1, 20_000)), rng)
    assert found.value(LEVELS) == pytest.approx(gaussian_shape(1.0).value(LEVELS), rel=0.1)
    found = estimate(np.sort(rng.laplace(1, 1, 20_000)), np.sort(rng.laplace(0, 1, 20_000)), rng)
    assert found.value(LEVELS) == pytest.approx(laplace_shape(1.0).value(LEVELS), rel=0.1)
    rare = np.where(rng.random(20_000) < 0.1, 9.0, rng.normal(size=20_000))
    found = estimate(np.sort(rare), np.sort(rng.normal(size=20_000)), rng)
    assert found.value(np.array([1e-3]))[0] == pytest.approx(0.1, rel=0.2)


def test_scores_that_tell_little_count_for_gaussian_noise_unless_the_claim_is_pure() -> None:
    """60 samples of 1,000 scores a side at mu = 0.268; fixed seeds. The Laplace shape is straight at its end."""
    straight = {False: 0, True: 0}
    for seed in range(60):
        for pure in straight:
            rng = np.random.default_rng(seed)
            sides = np.sort(rng.normal(0.268, 1, 1_000)), np.sort(rng.normal(size=1_000))
            low, high = estimate(*sides, rng, pure=pure).value(np.array([1e-5, 1e-3]))
            straight[pure] += bool(high > 95 * low)
    assert straight[False] <= 3
    assert straight[True] >= 6


def test_a_laplace_shape_that_is_seen_is_taken_for_every_claim() -> None:
    rng = np.random.default_rng(4)
    sides = np.sort(rng.laplace(1, 1, 5_000)), np.sort(rng.laplace(0, 1, 5_000))
    for pure in (False, True):
        low, high = estimate(*sides, rng, pure=pure).value(np.array([1e-5, 1e-3]))
        assert high > 95 * low


def test_covariance_is_that_of_draws() -> None:
    """20,000 draws of two shares at mu = 1 with 50 trials a side; their covariance to 6 standard errors and
    linearisation.
    """
    rng, trials, ranks = np.random.default_rng(2), 200, np.array([60, 120])
    positive, negative = rng.normal(1, 1, (5000, trials)), np.sort(rng.normal(0, 1, (5000, trials)), axis=1)
    shares = np.stack([(positive > negative[:, [trials - r]]).mean(axis=1) for r in ranks])
    levels, shape = ranks / (trials + 1), gaussian_shape(1.0)
    predicted = covariance(shape.value(levels), shape.slope(levels), levels, trials, trials)
    assert predicted == pytest.approx(np.cov(shares), rel=0.15)


def test_ranks_reach_both_ends_once() -> None:
    for trials in (1, 2, 3, 10, 1_000_000):
        ranks = geometric_ranks(trials, 10)
        assert ranks[0] == 1
        assert ranks[-1] == trials
        assert np.all(np.diff(ranks) > 0)
        assert np.array_equal(ranks, trials + 1 - ranks[::-1])
    assert math.isclose(len(geometric_ranks(10**6, 10)), 20, abs_tol=1)


def test_scores_that_do_not_overlap_are_left_to_the_shape_whose_test_sees_them() -> None:
    rng = np.random.default_rng(5)
    sides = np.sort(rng.normal(100, 1, 40)), np.sort(rng.normal(size=40))
    both = [estimate(*sides, np.random.default_rng(1), pure=pure).value(LEVELS) for pure in (False, True)]
    assert np.array_equal(*both)
