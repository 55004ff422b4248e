"""The band: coverage of each side's bounds at once, tiny levels, empty sides."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import betainc, betaincc
from scipy.stats import binom

from dpaudit.estimators import simultaneous_band
from dpaudit.estimators.shapes import geometric_ranks
from dpaudit.estimators.simultaneous_band import band, lower_bound
from dpaudit.records.errors import ContentError


@pytest.mark.parametrize("alpha", [0.2, 0.5])
def test_the_local_error_makes_the_joint_error(alpha: float) -> None:
    """All bounds of both sides on uniform scores fail together in a share alpha of 400 draws: 6 standard errors."""
    ranks, rng = geometric_ranks(200, 24), np.random.default_rng(1)
    failed = 0
    error = simultaneous_band._local_error(200, 200, ranks, ranks, alpha, rng)
    for _ in range(1000):
        below, above = (np.sort(rng.random(200))[ranks - 1] for _ in range(2))
        failed += (betainc(ranks, 201 - ranks, below).min() < error) or (
            betaincc(ranks, 201 - ranks, above).min() < error
        )
    assert abs(failed / 1000 - alpha) < 6 * np.sqrt(2 * alpha * (1 - alpha) / 1000)  # draws and calibration


def test_the_local_error_follows_its_exact_law_for_one_trial_a_side() -> None:
    """The smaller of two uniform variables is below g with probability 1 - (1 - g)^2, on average 100/2001 here.

    The draws count among the exchangeable ones, so that this mean is at most alpha, simulation included. 1,000
    calibrations, each a Beta(100, 1901) variable; 5.5 standard errors: false alarm 4e-8.
    """
    one, rng = np.array([1]), np.random.default_rng(6)
    errors = np.array([simultaneous_band._local_error(1, 1, one, one, 0.05, rng) for _ in range(1000)])
    share = 100 / 2001
    failed = np.mean(1 - (1 - errors) ** 2)
    assert abs(failed - share) < 5.5 * np.sqrt(share * (1 - share) / 2002 / 1000)


def test_rates_are_bounded_at_every_threshold_at_once() -> None:
    """12 bands at alpha 0.3 on D = D', where any pair above the diagonal is a failure; quantile of 1 - 1e-7."""
    failed = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        false_rate, true_rate = band(rng.normal(size=150), rng.normal(size=90), 0.3, rng)
        failed += bool(np.any(true_rate > false_rate))
    assert failed <= binom.isf(1e-7, 12, 0.3)


def test_it_finds_what_is_there() -> None:
    rng = np.random.default_rng(2)
    found = lower_bound(rng.normal(1, 1, 20_000), rng.normal(0, 1, 20_000), 1e-5, 0.05, rng)
    assert 1.8 < found.epsilon_lower < 4.3773
    assert 0.85 < found.mu_lower < 1.0
    assert len(found.region) > 20
    false_rate, true_rate = np.array(found.region).T
    assert np.all(np.diff(false_rate) >= 0)
    assert np.all(np.diff(true_rate) > 0)


def test_a_tiny_level_costs_no_more_than_the_union_bound() -> None:
    rng = np.random.default_rng(3)
    found = lower_bound(rng.normal(3, 1, 5000), rng.normal(0, 1, 5000), 1e-5, 1e-9, rng)
    assert 2.5 < found.mu_lower < 3.0


def test_tied_scores_do_not_mislead() -> None:
    """Scores 0 and 1 only: the rates are those of one binomial each."""
    rng = np.random.default_rng(4)
    found = lower_bound(np.repeat([0.0, 1.0], [100, 300]), np.repeat([0.0, 1.0], [300, 100]), 1e-5, 0.05, rng)
    assert 0.4 < found.epsilon_lower < np.log(3)


def test_empty_sides_and_wrong_levels() -> None:
    rng = np.random.default_rng(5)
    assert len(band([], [1.0], 0.1, rng)[0]) == 0
    with pytest.raises(ContentError):
        band([1.0], [1.0], 1.0, rng)
