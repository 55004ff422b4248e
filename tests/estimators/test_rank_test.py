"""Rank tests: validity at the edge of claims, power, bounds, ties. (Tightness over many repeats:
benchmarks/tightness.py.)
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binom

from dpaudit.estimators.rank_test import lower_bound, p_value, planned_statistic
from dpaudit.privacy import ApproximateDP, GaussianDP, Guarantee, PrivacyProfile, RenyiDP

DELTA = 1e-5
MU = 1 / 3.7306


@pytest.mark.parametrize(
    ("guarantee", "mu"), [(GaussianDP(1.0), 1.0), (ApproximateDP(0.0, 0.0), 0.0), (ApproximateDP(4.3773, DELTA), 1.0)]
)
@pytest.mark.parametrize("trials", [60, 400])
def test_false_alarms_at_the_edge_of_the_claim(guarantee: Guarantee, mu: float, trials: int) -> None:
    """40 audits at level 0.1: more refutations than the binomial quantile of 1 - 1e-7 would be a false alarm."""
    refuted = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        refuted += p_value(rng.normal(mu, 1, trials), rng.normal(0, 1, trials), guarantee, rng) <= 0.1
    assert refuted <= binom.isf(1e-7, 40, 0.1)


def test_violations_are_caught_at_one_in_ten_million() -> None:
    rng = np.random.default_rng(1)
    positive, negative = rng.normal(2 * MU, 1, 5000), rng.normal(0, 1, 5000)
    assert p_value(positive, negative, GaussianDP(MU), rng) < 1e-7
    assert p_value(positive, negative, GaussianDP(2.3 * MU), rng) > 1e-3
    assert p_value(rng.laplace(1, 0.5, 1000), rng.laplace(0, 0.5, 1000), ApproximateDP(1.0, 0.0), rng) < 1e-7


def test_every_kind_of_guarantee_can_be_refuted_and_kept() -> None:
    rng = np.random.default_rng(2)
    positive, negative = rng.normal(1.5, 1, 3000), rng.normal(0, 1, 3000)
    profile = PrivacyProfile(((1.5, 1e-3), (0.8, 0.05), (0.2, 0.25)), "a curve")
    for strict in (GaussianDP(1.0), ApproximateDP(1.0, DELTA), profile, RenyiDP(2.0, 0.5)):
        assert p_value(positive, negative, strict, rng) < 1e-3
        assert p_value(positive[:150], negative[:150], strict, rng) < 0.2
    for loose in (GaussianDP(2.0), ApproximateDP(9.0, DELTA), ApproximateDP(math.inf, 0.0), RenyiDP(2.0, 4.0)):
        assert p_value(positive, negative, loose, rng) > 0.3


def test_both_tails_count() -> None:
    """A leak in the lower tail alone is found as well as one in the upper tail."""
    rng = np.random.default_rng(3)
    common, rare = rng.normal(size=20_000), np.where(rng.random(20_000) < 0.02, 9.0, rng.normal(size=20_000))
    for positive, negative in ((rare, common), (-common, -rare)):
        assert p_value(positive, negative, ApproximateDP(1.0, DELTA), rng) < 1e-6


@pytest.mark.parametrize(("trials", "epsilon_share", "mu_share"), [(10_000, 0.45, 0.93), (100_000, 0.6, 0.97)])
def test_bounds_are_tight_and_below_the_truth(trials: int, epsilon_share: float, mu_share: float) -> None:
    """The Gaussian mechanism with mu = 1; means over 5 seeds of 0.59 and 0.975, 0.72 and 0.989 were measured."""
    found = []
    for seed in range(3):
        rng = np.random.default_rng(seed)
        found.append(lower_bound(rng.normal(1, 1, trials), rng.normal(0, 1, trials), DELTA, 0.05, rng))
    assert 4.3773 * epsilon_share < np.mean([bound.epsilon_lower for bound in found]) < 4.3773
    assert mu_share < np.mean([bound.mu_lower for bound in found]) < 1.0


def test_false_alarms_with_tied_scores() -> None:
    """60 audits of randomised response with epsilon 1 at level 0.2: binomial quantile of 1 - 1e-7."""
    keep, refuted = math.e / (1 + math.e), 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        positive, negative = rng.random(150) < keep, rng.random(150) > keep
        refuted += p_value(positive, negative, ApproximateDP(1.0, 0.0), rng) <= 0.2
    assert refuted <= binom.isf(1e-7, 60, 0.2)


def test_the_order_of_the_sides_and_empty_ones() -> None:
    rng = np.random.default_rng(4)
    assert p_value(rng.normal(-2, 1, 500), rng.normal(0, 1, 500), ApproximateDP(0.1, 0.0), rng) == 1.0
    assert p_value([], [1.0], GaussianDP(0.0), rng) == p_value([1.0], [], GaussianDP(0.0), rng) == 1.0


def test_without_held_out_trials_the_statistic_depends_on_the_claim_alone() -> None:
    planned = planned_statistic(ApproximateDP(1.0, 0.0), 80, 80)
    assert planned is planned_statistic(ApproximateDP(1.0, 0.0), 80, 80)
    assert len(planned_statistic(GaussianDP(0.3), 1, 1).ranks) == 1
