"""Rank tests: validity at the edge of claims, power, bounds, ties. (Tightness over many repeats:
benchmarks/tightness.py.)
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from dpaudit.estimators import rank_test
from dpaudit.estimators.curves import Curve, GaussianCurve
from dpaudit.estimators.held_out_threshold import split
from dpaudit.estimators.least_favourable import StepStatistic, tail_probability
from dpaudit.estimators.rank_test import lower_bound, p_value, planned_statistic
from dpaudit.estimators.shapes import gaussian_shape
from dpaudit.records.privacy import ApproximateDP, GaussianDP, Guarantee, PrivacyProfile, RenyiDP

DELTA = 1e-5
MU = 1 / 3.7306


@pytest.mark.deep(keep=3)
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


def test_shapes_are_told_whether_the_claim_is_pure(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[bool] = []
    real = rank_test.estimate

    def estimate(*sides: Any, pure: bool = False) -> Any:
        told.append(pure)
        return real(*sides, pure=pure)

    monkeypatch.setattr(rank_test, "estimate", estimate)
    rng = np.random.default_rng(9)
    sides = rng.laplace(1, 1, 400), rng.laplace(0, 1, 400)
    for claim in (ApproximateDP(1.0, 0.0), ApproximateDP(1.0, DELTA), GaussianDP(1.0)):
        p_value(*sides, claim, rng)
    for delta in (0.0, DELTA):
        lower_bound(*sides, delta, 0.05, rng)
    assert told == [True, False, False, True, False]


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


@pytest.mark.parametrize("share", [0.998, 0.9995])
def test_a_bound_needs_a_limit_below_alpha_less_what_the_limits_spend(
    share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The limits of all candidates fail with probability alpha/1000 together; the rest is for the accepted one."""
    rng, alpha, errors = np.random.default_rng(5), 0.05, []

    def limit(*_: object, error: float, simulations: int) -> float:
        errors.append(error)
        return share * alpha

    monkeypatch.setattr(rank_test, "tail_probability", limit)
    shape = gaussian_shape(1.0)
    scores = split(rng.normal(1, 1, 2000), rng.normal(0, 1, 2000))
    found = rank_test._inverted(scores, shape, GaussianCurve, alpha, rng)
    assert (found > 0) == (share < 0.999)
    assert len(errors) == (1 if share < 0.999 else 4)
    assert 4 * errors[0] + 0.999 * alpha <= alpha * (1 + 1e-12)


def test_the_tail_probability_at_the_bound_is_at_most_alpha(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the stored scores, from 40,000 further draws; the limit that was accepted lies above by its width."""
    tried: list[tuple[StepStatistic, float, Curve]] = []

    def recorded(statistic: StepStatistic, observed: float, curve: Curve, *rest: Any, **more: Any) -> float:
        tried.append((statistic, observed, curve))
        return tail_probability(statistic, observed, curve, *rest, **more)

    monkeypatch.setattr(rank_test, "tail_probability", recorded)
    for seed in range(4):
        rng = np.random.default_rng(seed)
        found = lower_bound(rng.normal(1, 1, 1000), rng.normal(0, 1, 1000), DELTA, 0.05, rng)
        assert isinstance(tried[-1][2], GaussianCurve)
        assert tried[-1][2].mu == found.mu_lower > 0
        assert 0.01 < tail_probability(*tried[-1], rng, simulations=40_000) <= 0.05


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
