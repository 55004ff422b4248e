"""The least favourable law: tail probabilities against exact and plain simulated ones, ties, domination, the bound on
weights.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import betabinom

from dpaudit.estimators import least_favourable
from dpaudit.estimators.curves import Curve, GaussianCurve, curve_of
from dpaudit.estimators.least_favourable import (
    StepStatistic,
    _bounded,
    _Cells,
    _tilt,
    _weights,
    counts_above,
    log_bound,
    p_value_of,
    tail_probability,
)
from dpaudit.records.errors import ContentError
from dpaudit.records.privacy import ApproximateDP, PrivacyProfile

NO_LEAK = GaussianCurve(0.0)
CURVES: tuple[Curve, ...] = (
    NO_LEAK,
    GaussianCurve(0.7),
    curve_of(ApproximateDP(1.0, 1e-2)),
    curve_of(PrivacyProfile(((2.0, 1e-3), (0.5, 0.1)), "a curve")),
)


def statistic(ranks: list[int], gains: list[float], negatives: int, positives: int) -> StepStatistic:
    return StepStatistic(np.array(ranks), np.array(gains), negatives, positives)


@pytest.mark.parametrize("count", [12, 20, 30, 45])
def test_one_threshold_and_no_leakage_is_the_beta_binomial_law(count: int) -> None:
    one = statistic([10], [1.0], 100, 100)
    exact = float(betabinom.sf(count - 1, 100, 10, 91))
    found = tail_probability(one, float(count), NO_LEAK, np.random.default_rng(1), simulations=40_000)
    assert found == pytest.approx(exact, rel=0.08)  # over six standard errors at each


@pytest.mark.parametrize("curve", CURVES)
def test_it_agrees_with_drawing_every_score(curve: Curve) -> None:
    """The definition itself: uniform levels of 40 scores on D', levels on D with the curve as distribution function."""
    rng, draws = np.random.default_rng(2), 20_000
    several = statistic([2, 8, 20, 39], [1.0, 0.5, 1.5, 2.0], 40, 30)
    grid = np.linspace(0, 1, 20_001)
    levels = np.interp(rng.random((draws, 30)), curve.value(grid), grid, left=0.0)
    thresholds = np.sort(rng.random((draws, 40)), axis=1)[:, several.ranks - 1]
    values = (levels[:, :, None] < thresholds[:, None, :]).sum(axis=1) @ several.gains
    for share in (0.9, 0.98):
        observed = float(np.quantile(values, share))
        plain = float((values >= observed).mean())
        found = tail_probability(several, observed, curve, rng, simulations=20_000)
        assert found == pytest.approx(plain, abs=6 * math.sqrt(plain / draws) + 0.08 * plain)


@pytest.mark.parametrize("curve", CURVES)
@pytest.mark.parametrize("share", [0.3, 0.55, 0.7])
def test_no_weight_exceeds_its_bound(curve: Curve, share: float) -> None:
    several = statistic([2, 30, 90], [1.0, 0.5, 2.0], 100, 80)
    mean, most = several.expected(curve), several.positives * several.gains.sum()
    observed = mean + share**4 * (most - mean)
    tilt = _tilt(several, observed, curve)
    weights = _weights(several, observed, curve, tilt, np.random.default_rng(3), 5_000)
    assert tilt.log_bound <= 0
    assert weights.max() <= 1.0
    assert weights.mean() > 1e-4


@pytest.mark.parametrize("curve", [NO_LEAK, GaussianCurve(0.7), curve_of(ApproximateDP(1.0, 1e-2))])
@pytest.mark.parametrize(("negatives", "positives", "theta"), [(30, 400, 0.05), (30, 400, 0.5), (100, 80, 0.3)])
def test_the_bound_on_weights_holds_off_the_saddle_point(
    curve: Curve, negatives: int, positives: int, theta: float
) -> None:
    """A tangent anywhere bounds the weight at T = t of 1,500 spacings everywhere; also where the rates are cut off."""
    several, rng = statistic([2, 12, 25], [1.0, 0.5, 2.0], negatives, positives), np.random.default_rng(10)
    alpha, most = several.spacings, several.positives * several.cell_scores[0]
    everywhere = np.concatenate([rng.dirichlet(parameters, 500) for parameters in (alpha, alpha / 10, np.ones(4))])
    for point in (alpha / alpha.sum(), np.array([0.1, 0.2, 0.3, 0.4]), np.array([0.6, 0.2, 0.1, 0.1])):
        observed = 0.7 * most
        tilt = _bounded(several, observed, _Cells(several, curve, point, theta), point)
        highest = max(
            alpha.sum() * math.log(tilt.rates @ spacings / alpha.sum())
            - alpha @ np.log(tilt.rates / alpha.sum())
            + positives * _Cells(several, curve, spacings, theta).log_norm
            + theta * (most - observed)
            for spacings in everywhere
        )
        assert highest <= tilt.log_bound + 1e-9


def test_the_upper_limit_is_the_empirical_bernstein_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """Maurer and Pontil, theorem 4, with log(2/e) = 10 and 1,000 weights by hand: mean 1/8, variance 46.875/999."""
    one = statistic([10], [1.0], 100, 100)
    weights = np.where(np.arange(1000) % 4 == 0, 0.5, 0.0)
    monkeypatch.setattr(least_favourable, "_weights", lambda *_: weights)
    found = tail_probability(one, 30.0, NO_LEAK, np.random.default_rng(0), error=2 * math.exp(-10.0), simulations=1000)
    by_hand = 1 / 8 + math.sqrt(2 * (46.875 / 999) * 10 / 1000) + 7 * 10 / (3 * 999)
    assert found == pytest.approx(by_hand * math.exp(log_bound(one, 30.0, NO_LEAK)), rel=1e-12)


@pytest.mark.parametrize("share", [0.0, 5e-4, 0.1])
def test_a_p_value_leaves_room_for_a_limit_that_fails(share: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """p = 1.01 max(limit, 100 e) with e = 10^-5 W, whatever the limit, here a share of W."""
    one, errors = statistic([10], [1.0], 100, 100), []
    largest = math.exp(log_bound(one, 30.0, NO_LEAK))

    def limit(*_: object, error: float) -> float:
        errors.append(error)
        return share * largest

    monkeypatch.setattr(least_favourable, "tail_probability", limit)
    found = p_value_of(one, 30.0, NO_LEAK, np.random.default_rng(0))
    assert found == pytest.approx(1.01 * max(share, 1e-3) * largest, rel=1e-12)
    assert errors == pytest.approx([1e-5 * largest], rel=1e-12)


def test_tiny_tails_have_a_relative_precision() -> None:
    one = statistic([500], [1.0], 1000, 1000)
    exact = float(betabinom.pmf(np.arange(660, 1001), 1000, 500, 501).sum())  # scipy's sf is 1 - cdf
    assert exact < 1e-11
    found = tail_probability(one, 660.0, NO_LEAK, np.random.default_rng(4))
    limit = tail_probability(one, 660.0, NO_LEAK, np.random.default_rng(4), error=1e-18)
    assert found == pytest.approx(exact, rel=0.2, abs=0)
    assert exact < limit < 2 * exact


def test_the_tail_rises_with_the_curve() -> None:
    several = statistic([20, 500], [1.0, 1.0], 1000, 1000)
    tails = [
        tail_probability(several, 950.0, GaussianCurve(mu), np.random.default_rng(5))
        for mu in (0.0, 0.1, 0.5, 0.7, 3.0)
    ]
    assert tails == sorted(tails)
    assert tails[-1] == 1.0


def test_p_values_are_at_least_uniform_at_the_edge_of_the_claim() -> None:
    """150 p-values; the share at or below each level exceeds it by less than 5 standard errors: false alarm 1e-6."""
    rng, several, curve = np.random.default_rng(6), statistic([5, 50, 95], [1.0, 1.0, 2.0], 99, 99), GaussianCurve(1.0)
    found = np.array([
        p_value_of(several, several.observed(np.sort(rng.normal(1, 1, 99)), np.sort(rng.normal(0, 1, 99)), rng), curve,
        rng) for _ in range(150)
    ])  # fmt: skip
    for level in (0.02, 0.1, 0.3):
        assert (found <= level).mean() <= level + 5 * math.sqrt(level * (1 - level) / len(found))
    assert (found <= 0.3).mean() > 0.1


def test_ties_are_broken_fairly() -> None:
    """All equal: ranks 3 of 5 with a uniform place, mean 10 * 3/6 of 10 tied scores; 4,000 draws, 6 standard errors."""
    rng = np.random.default_rng(7)
    counts = [int(counts_above(np.array([3]), np.ones(10), np.ones(5), rng)[0]) for _ in range(4000)]
    exact = betabinom(10, 3, 3)
    assert abs(np.mean(counts) - 5.0) < 6 * exact.std() / math.sqrt(4000)
    assert np.var(counts) == pytest.approx(exact.var(), rel=0.2)


def test_counts_without_ties_and_with_infinities() -> None:
    rng = np.random.default_rng(8)
    positive, negative = np.array([-math.inf, 0.5, 2.5, math.inf]), np.array([0.0, 1.0, 2.0, 3.0])
    assert counts_above(np.array([1, 2, 3, 4]), positive, negative, rng).tolist() == [1, 2, 2, 3]


@pytest.mark.parametrize(
    ("ranks", "gains"), [([], []), ([0], [1.0]), ([2, 1], [1.0, 1.0]), ([1], [0.0]), ([11], [1.0]), ([1], [1.0, 2.0])]
)
def test_what_is_no_statistic_is_refused(ranks: list[int], gains: list[float]) -> None:
    with pytest.raises(ContentError):
        statistic(ranks, gains, 10, 10)


def test_a_statistic_at_its_maximum_under_a_curve_that_allows_it_is_no_evidence() -> None:
    full = statistic([1, 450], [0.0629560531, 1.0], 900, 900)
    for epsilon in (20.0, 37.0, 60.0):
        curve = curve_of(ApproximateDP(epsilon, 1e-5))
        assert p_value_of(full, 900 * float(full.gains.sum()), curve, np.random.default_rng(9)) > 0.9
