"""The credible bound is the posterior quantile that it says it is, and promises no coverage."""

from __future__ import annotations

import numpy as np
import pytest

from dpaudit.estimators import bayesian
from dpaudit.estimators.bayesian import lower_bound, posterior_probability
from dpaudit.estimators.clopper_pearson import OperatingPoint, witnessed_epsilon
from dpaudit.estimators.held_out_threshold import split
from dpaudit.records.privacy import ApproximateDP, GaussianDP


def point(wrong: int = 20, right: int = 90) -> OperatingPoint:
    return OperatingPoint(0.0, wrong, 200, right, 200, 0.05)


def test_posterior_probability_is_that_of_sampled_rates() -> None:
    """200,000 draws: five standard errors are 0.0056, false alarm below 1e-6 a claim."""
    rng = np.random.default_rng(0)
    f, t = rng.beta(20.5, 180.5, 200_000), rng.beta(90.5, 110.5, 200_000)
    for epsilon in (0.8, 1.2, 1.5, 1.8):
        inside = witnessed_epsilon(f, t, 0.01) <= epsilon
        assert posterior_probability(point(), ApproximateDP(epsilon, 0.01)) == pytest.approx(inside.mean(), abs=0.0056)


def test_pairs_below_the_diagonal_count_against_a_claim_too() -> None:
    """A test that is mostly wrong tells as much as one that is mostly right."""
    claim = ApproximateDP(0.5, 0.0)
    assert posterior_probability(point(110, 20), claim) == pytest.approx(
        posterior_probability(point(20, 110), claim), abs=1e-3
    )


def test_bounds_are_the_quantiles_of_the_posterior() -> None:
    rng = np.random.default_rng(1)
    x, y = rng.normal(1, 1, 800), rng.normal(0, 1, 800)
    bound = lower_bound(x, y, 1e-5, 0.05, rng)
    counted = split(x, y).best_point(lambda f, t: witnessed_epsilon(f, t, 1e-5), 0.05)
    assert posterior_probability(counted, ApproximateDP(bound.epsilon_lower, 1e-5)) == pytest.approx(0.05, abs=1e-4)
    assert 0.5 < bound.mu_lower < 1.2
    assert bound.epsilon_lower > counted.epsilon_lower(1e-5), "jointly tighter than two separate intervals"


def test_it_claims_no_coverage_and_says_nothing_of_nothing() -> None:
    assert not bayesian.COVERS
    bound = lower_bound([], [0.0], 1e-5, 0.05, np.random.default_rng(0))
    assert (bound.epsilon_lower, bound.mu_lower) == (0.0, 0.0)
    assert posterior_probability(point(), GaussianDP(15.0)) == pytest.approx(1.0)
