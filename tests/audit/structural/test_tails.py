"""Exact p-values against sums over all outcomes and against scipy.stats."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from dpaudit.audit.structural import tails


@pytest.mark.parametrize("rate", [0.0, 0.03, 0.5, 0.97, 1.0])
@pytest.mark.parametrize("trials", [0, 1, 7, 60])
def test_binomial_tails_are_those_of_scipy(trials: int, rate: float) -> None:
    k = np.arange(trials + 1)
    assert tails.binomial_lower(k, trials, rate) == pytest.approx(stats.binom.cdf(k, trials, rate), abs=1e-13)
    assert tails.binomial_upper(k, trials, rate) == pytest.approx(stats.binom.sf(k - 1, trials, rate), abs=1e-13)
    probabilities = tails.binomial_probabilities(trials, rate)
    assert probabilities == pytest.approx(stats.binom.pmf(k, trials, rate), abs=1e-13)
    assert tails.binomial_coincidence(trials, rate) == pytest.approx((probabilities**2).sum(), rel=1e-8)


@pytest.mark.parametrize("sizes", [(10, 3, 3), (10, 7, 7), (5, 5, 2), (50, 20, 30), (1, 1, 1)])
def test_hypergeometric_probabilities_are_those_of_scipy(sizes: tuple[int, int, int]) -> None:
    records, first, second = sizes
    k = np.arange(min(first, second) + 1)
    found = tails.hypergeometric_probabilities(records, first, second)
    assert found == pytest.approx(stats.hypergeom.pmf(k, records, first, second), abs=1e-12)
    lower, upper = tails.tails(found)
    assert lower[-1] == pytest.approx(1)
    assert upper[0] == pytest.approx(1)


@pytest.mark.parametrize("rate", [0.02, 0.3, 0.5])
def test_two_sided_p_values_are_valid_at_every_level(rate: float) -> None:
    k = np.arange(31)
    p_values, weights = tails.binomial_two_sided(k, 30, rate), stats.binom.pmf(k, 30, rate)
    for alpha in np.unique(p_values):
        assert weights[p_values <= alpha].sum() <= alpha + 1e-12


def test_gamma_is_half_a_chi_square() -> None:
    for value in (2.0, 9.0, 40.0):
        expected = 2 * min(stats.chi2.cdf(value, 10), stats.chi2.sf(value, 10))
        assert tails.gamma_two_sided(value / 2, 5.0) == pytest.approx(min(1.0, expected))
    assert tails.gamma_two_sided(np.inf, 5.0) == 0.0


@pytest.mark.parametrize("count", [2, 3, 8])
def test_correlation_p_values_are_uniform_for_gaussian_vectors(count: int) -> None:
    """At most `level` below each level, up to five standard errors of 4,000 draws: fails by chance below 1e-5 a
    level."""
    rng = np.random.default_rng(count)
    fixed = rng.normal(size=count)  # any vector may stand on the other side
    x = rng.normal(size=(4_000, count)) * 3
    cosines = x @ fixed / np.linalg.norm(x, axis=1) / np.linalg.norm(fixed)
    p_values = np.array([tails.correlation_two_sided(c, count) for c in cosines])
    for level in (0.01, 0.1, 0.5):
        assert abs((p_values <= level).mean() - level) < 5 * np.sqrt(level * (1 - level) / 4_000)
    assert tails.correlation_two_sided(1.0, count) == 0.0
