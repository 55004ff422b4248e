"""The joint test of two counts: exact tails, the maximum over the nuisance rate, false alarms."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

from dpaudit.estimators import held_out_threshold, joint_binomial
from dpaudit.estimators.clopper_pearson import OperatingPoint, rate_lower, rate_upper, witnessed_mu
from dpaudit.estimators.curves import GaussianCurve, curve_of
from dpaudit.estimators.joint_binomial import JointTest, lower_bound, p_value
from dpaudit.records.privacy import ApproximateDP, GaussianDP

TEST = JointTest(OperatingPoint(0.0, 12, 90, 55, 80, 0.05), 1.7, 0.12)


def brute(test: JointTest, false_rate: float, true_rate: float) -> float:
    """The tail probability by adding all pairs of counts."""
    f, t = np.arange(test.point.negatives + 1), np.arange(test.point.positives + 1)
    chances = np.outer(binom.pmf(f, test.point.negatives, false_rate), binom.pmf(t, test.point.positives, true_rate))
    return float(chances[(t[None, :] - test.weight * f[:, None]) >= test.observed - 1e-9].sum())


@pytest.mark.parametrize(("false_rate", "true_rate"), [(0.12, 0.6), (0.3, 0.8), (0.0, 0.4), (1.0, 0.5), (0.2, 1.0)])
def test_tails_are_exact(false_rate: float, true_rate: float) -> None:
    assert TEST.tail(false_rate, true_rate) == pytest.approx(brute(TEST, false_rate, true_rate), rel=1e-8, abs=2e-11)


def test_the_deviate_is_that_of_the_sum_of_both_counts() -> None:
    curve = GaussianCurve(1.0)
    true_rate = float(curve.value(np.array([TEST.expected_rate]))[0])
    f, t = np.arange(TEST.point.negatives + 1), np.arange(TEST.point.positives + 1)
    chances = np.outer(binom.pmf(f, f[-1], TEST.expected_rate), binom.pmf(t, t[-1], true_rate))
    values = t[None, :] - TEST.weight * f[:, None]
    mean = float((chances * values).sum())
    deviation = float((chances * (values - mean) ** 2).sum()) ** 0.5
    assert TEST.normal_deviate(curve) == pytest.approx((TEST.observed - mean) / deviation, rel=1e-9)


def test_many_trials_are_summed_in_blocks_from_above() -> None:
    big = JointTest(OperatingPoint(0.0, 60_000, 200_000, 90_500, 200_000, 0.05), 1.4, 0.3)
    f = np.arange(200_001)
    needed = np.ceil(big.observed + 1.4 * f - 1e-9)
    exact = float(binom.pmf(f, 200_000, 0.3) @ binom.sf(needed - 1, 200_000, 0.45))
    assert exact < big.tail(0.3, 0.45) < 1.1 * exact


@pytest.mark.parametrize("curve", [curve_of(ApproximateDP(1.0, 1e-3)), GaussianCurve(1.0)])
def test_no_false_positive_rate_beats_the_maximum(curve: GaussianCurve) -> None:
    rates = np.linspace(0.001, 0.999, 400)
    worst = max(TEST.tail(float(f), float(t)) for f, t in zip(rates, curve.value(rates), strict=True))
    found = TEST.highest_tail(curve, 1e-6)
    assert worst <= found <= 1.1 * worst + 2e-6


def test_the_error_of_the_confined_rate_is_added() -> None:
    """With an interval of error 0.2 the p-value is at least 0.2 more than any tail probability inside of it."""
    low, high = (float(bound(12, 90, 0.1)) for bound in (rate_lower, rate_upper))
    rates = np.linspace(low, high, 200)
    worst = max(TEST.tail(float(f), float(t)) for f, t in zip(rates, GaussianCurve(1.0).value(rates), strict=True))
    assert worst + 0.2 <= TEST.highest_tail(GaussianCurve(1.0), 0.2) <= 1.1 * worst + 0.2


def test_the_p_value_of_the_stored_scores_at_the_bound_is_at_most_alpha() -> None:
    """At the bound every rate in the confined interval has a tail below alpha; a little above it, one does not."""
    for seed in range(4):
        rng = np.random.default_rng(seed)
        scores, alpha = (rng.normal(1, 1, 800), rng.normal(0, 1, 800)), 0.05
        found = lower_bound(*scores, 1e-5, alpha, rng).mu_lower
        test = joint_binomial._chosen(*scores, witnessed_mu, alpha, GaussianCurve)
        assert test is not None
        assert test.highest_tail(GaussianCurve(found), alpha * 1e-4) <= alpha
        assert test.highest_tail(GaussianCurve(1.02 * found), alpha * 1e-4) > alpha


def test_false_alarms_and_power() -> None:
    """60 audits at the edge at level 0.1, quantile of 1 - 1e-7; and a violation of double mu."""
    refuted = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        refuted += p_value(rng.normal(1, 1, 300), rng.normal(0, 1, 300), GaussianDP(1.0), rng) <= 0.1
    assert refuted <= binom.isf(1e-7, 60, 0.1)
    rng = np.random.default_rng(61)
    assert p_value(rng.normal(2, 1, 2000), rng.normal(0, 1, 2000), GaussianDP(1.0), rng) < 1e-7


def test_bounds_lie_below_the_truth_and_beat_separate_intervals() -> None:
    rng = np.random.default_rng(2)
    scores = rng.normal(1, 1, 10_000), rng.normal(0, 1, 10_000)
    joint, separate = (m.lower_bound(*scores, 1e-5, 0.05, rng) for m in (joint_binomial, held_out_threshold))
    assert separate.mu_lower < joint.mu_lower < 1.0
    assert 1.5 < joint.epsilon_lower < 4.3773
    assert lower_bound([], [1.0], 1e-5, 0.05, rng).mu_lower == 0.0
