"""Binomial bounds: exact coverage, extreme counts, and what they say about guarantees."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from dpaudit.accounting.epsilon import gaussian_epsilon
from dpaudit.accounting.tradeoff import largest_true_positive_rate
from dpaudit.estimators.clopper_pearson import (
    OperatingPoint,
    excess,
    rate_lower,
    rate_upper,
    witnessed_epsilon,
    witnessed_mu,
)
from dpaudit.records.errors import ContentError
from dpaudit.records.privacy import ApproximateDP, GaussianDP


@pytest.mark.parametrize("trials", [1, 2, 7, 40, 200])
@pytest.mark.parametrize("alpha", [0.3, 0.05, 1e-4])
def test_coverage_is_at_least_nominal_for_every_rate(trials: int, alpha: float) -> None:
    # Exact: the distribution of the count is summed, nothing is simulated.
    counts = np.arange(trials + 1)
    lower, upper = rate_lower(counts, trials, alpha), rate_upper(counts, trials, alpha)
    edges = np.concatenate([lower, upper])
    for rate in np.concatenate(
        [np.linspace(0.001, 0.999, 200), np.clip(edges + 1e-12, 0, 1), np.clip(edges - 1e-12, 0, 1)]
    ):
        chances = binom.pmf(counts, trials, rate)
        assert chances[lower > rate].sum() <= alpha * (1 + 1e-6)
        assert chances[upper < rate].sum() <= alpha * (1 + 1e-6)


def test_bounds_are_not_wasteful_at_their_own_edges() -> None:
    # A rate just below a lower bound is missed with probability alpha, not less: Clopper-Pearson is exact there.
    trials, alpha, count = 200, 0.05, 20
    rate = float(rate_lower(count, trials, alpha))
    assert binom.sf(count - 1, trials, rate) == pytest.approx(alpha, rel=1e-6)


@pytest.mark.parametrize("trials", [10**3, 10**7])
@pytest.mark.parametrize("alpha", [0.025, 1e-6])
def test_inversion_holds_in_the_extreme_tail(trials: int, alpha: float) -> None:
    for count in (1, 5, trials // 1000 + 1, trials - 1):
        assert binom.sf(count - 1, trials, float(rate_lower(count, trials, alpha))) == pytest.approx(alpha, rel=1e-3)
        assert binom.cdf(count, trials, float(rate_upper(count, trials, alpha))) == pytest.approx(alpha, rel=1e-3)


def test_extreme_counts() -> None:
    assert rate_lower(0, 100, 0.05) == 0.0
    assert rate_upper(100, 100, 0.05) == 1.0
    assert rate_upper(0, 100, 0.05) == pytest.approx(1 - 0.05**0.01)
    assert rate_lower(100, 100, 0.05) == pytest.approx(0.05**0.01)
    assert (rate_lower(0, 0, 0.05), rate_upper(0, 0, 0.05)) == (0.0, 1.0)
    assert rate_lower(1, 1, 0.05) == pytest.approx(0.05)


@pytest.mark.parametrize("alpha", [1e-150, 1e-250, 5e-324])
def test_a_level_too_small_to_compute_with_bounds_nothing(alpha: float) -> None:
    """The incomplete beta function has no inverse there that SciPy finds: it gives NaN at some counts."""
    counts = np.arange(6)
    lower, upper = rate_lower(counts, 5, alpha), rate_upper(counts, 5, alpha)
    assert np.all((lower >= 0) & (lower <= counts / 5))
    assert np.all((upper >= counts / 5) & (upper <= 1))


@pytest.mark.parametrize(("count", "trials", "alpha"), [(-1, 5, 0.1), (6, 5, 0.1), (math.nan, 5, 0.1)])
def test_impossible_counts_are_refused(count: float, trials: int, alpha: float) -> None:
    with pytest.raises(ContentError, match="a count must be between"):
        rate_lower(count, trials, alpha)


@pytest.mark.parametrize("alpha", [0.0, 1.0, math.nan])
def test_impossible_levels_are_refused(alpha: float) -> None:
    with pytest.raises(ContentError, match="alpha must be in"):
        rate_upper(1, 5, alpha)


rates = st.floats(1e-9, 1 - 1e-9)


@given(false=rates, true=rates, delta=st.floats(0.0, 0.3))
def test_witnessed_epsilon_is_the_edge_of_the_polygon(false: float, true: float, delta: float) -> None:
    epsilon = float(witnessed_epsilon(false, true, delta))
    if epsilon > 1e-6:
        allowed = largest_true_positive_rate(false, ApproximateDP(epsilon * (1 - 1e-6), delta))
        assert true > float(allowed) or true == pytest.approx(float(allowed), rel=1e-9)
    if epsilon < 20:
        assert true <= float(largest_true_positive_rate(false, ApproximateDP(max(epsilon, 0) + 1e-6, delta))) + 1e-12


@given(mu=st.floats(0.05, 5.0), cut=st.floats(-4.0, 4.0), delta=st.floats(1e-9, 0.1))
def test_no_threshold_of_a_gaussian_witnesses_more_than_its_epsilon(mu: float, cut: float, delta: float) -> None:
    from scipy.special import ndtr

    false, true = ndtr(-cut - mu / 2), ndtr(-cut + mu / 2)
    assert float(witnessed_mu(false, true)) == pytest.approx(mu, abs=1e-6)
    assert float(witnessed_epsilon(false, true, delta)) <= gaussian_epsilon(delta, mu) + 1e-6


def test_witnesses_at_the_corners() -> None:
    assert witnessed_epsilon(1.0, 0.0, 1e-5) == -math.inf
    assert witnessed_epsilon(0.0, 1.0, 1e-5) == math.inf
    assert witnessed_epsilon(1.0, 1.0, 0.0) == 0.0
    assert witnessed_mu(1.0, 0.0) == -math.inf
    assert witnessed_mu(1.0, 1.0) == -math.inf
    assert excess(1.0, 0.0, GaussianDP(1.0)) == -math.inf


def point(false_positives: int, true_positives: int, trials: int = 1000, alpha: float = 0.05) -> OperatingPoint:
    return OperatingPoint(0.0, false_positives, trials, true_positives, trials, alpha)


def test_error_is_split_over_the_two_rates() -> None:
    for share in (0.1, 0.5, 0.9):
        tested = OperatingPoint(0.0, 30, 1000, 400, 900, 0.05, share)
        assert tested.false_positive_rate_upper == float(rate_upper(30, 1000, 0.05 * (1 - share)))
        assert tested.true_positive_rate_lower == float(rate_lower(400, 900, 0.05 * share))


def test_both_directions_of_epsilon_are_used() -> None:
    # Swapping the roles of hits and misses mirrors the test: the same epsilon from the other direction.
    assert point(10, 500).epsilon_lower(1e-5) == pytest.approx(point(500, 990).epsilon_lower(1e-5))
    assert point(10, 500).epsilon_lower(1e-5) == pytest.approx(math.log((0.4686 - 1e-5) / 0.01832), rel=1e-3)
    assert point(500, 500).epsilon_lower(1e-5) == 0.0
    assert point(500, 500).mu_lower() == 0.0


def test_a_contradiction_needs_bounds_above_the_curve_not_rates() -> None:
    barely = point(500, 530)
    assert barely.true_positive_rate > barely.false_positive_rate
    assert not barely.contradicts(GaussianDP(0.0))
    assert point(500, 600).contradicts(GaussianDP(0.0))
    assert not point(500, 600).contradicts(ApproximateDP(0.0, 0.2))
    assert not point(0, 1000).contradicts(ApproximateDP(math.inf, 0.0))


def test_without_trials_nothing_is_said() -> None:
    empty = OperatingPoint(0.0, 0, 0, 0, 0, 0.05)
    assert (empty.false_positive_rate, empty.true_positive_rate) == (1.0, 0.0)
    assert (empty.epsilon_lower(1e-5), empty.mu_lower()) == (0.0, 0.0)
    assert not empty.contradicts(GaussianDP(0.0))
    one = OperatingPoint(0.0, 0, 1, 1, 1, 0.05)
    assert one.epsilon_lower(1e-5) == 0.0
