"""The hockey-stick bound: its evidence has expectation at most 1, its bounds cover, it sees what is there."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binom

from dpaudit.arithmetic.arrays import Array
from dpaudit.estimators import hockey_stick
from dpaudit.estimators.held_out_threshold import split
from dpaudit.estimators.hockey_stick import Passed, divergence_lower, log_evidence, lower_bound
from dpaudit.records.errors import ContentError

FALSE_ALARM = 1e-7


def laplace(rng: np.random.Generator, trials: int, scale: float) -> tuple[Array, Array]:
    return rng.laplace(1, scale, trials), rng.laplace(0, scale, trials)


@pytest.mark.parametrize(("slope", "intercept", "other"), [(1.0, 0.1, 0.2), (math.e, 0.0, 0.2), (8.0, 0.05, 0.1)])
def test_expected_evidence_is_at_most_one_on_the_edge(slope: float, intercept: float, other: float) -> None:
    """Summed exactly over both binomial laws, for several predictions and unequal sides."""
    chance, trials, others = slope * other + intercept, 12, 7
    for rate, other_rate in ((chance, other), (0.9, 0.05), (0.5, 0.5)):
        expected = 0.0
        for passed in range(trials + 1):
            for other_passed in range(others + 1):
                counted = Passed(passed, trials, other_passed, others, rate, other_rate)
                evidence = math.exp(log_evidence(counted, np.array([slope]), np.array([intercept]))[0])
                expected += binom.pmf(passed, trials, chance) * binom.pmf(other_passed, others, other) * evidence
        assert 0 < expected <= 1 + 1e-9


def test_the_evidence_at_the_bound_reaches_one_over_alpha() -> None:
    """What Markov's inequality needs, on stored scores; the next value of the grid does not reach it."""
    epsilon, alpha, found = 0.7, 0.05, 0

    def shown(false_rate: Array, true_rate: Array) -> Array:
        slope = math.exp(epsilon)
        return np.maximum(true_rate - slope * false_rate, 1 - false_rate - slope * (1 - true_rate))

    for seed in range(40):
        scores = laplace(np.random.default_rng(seed), 400, 0.5)
        place = int(np.searchsorted(hockey_stick._DELTAS, divergence_lower(*scores, epsilon, alpha)))
        counted, deltas = hockey_stick._count(split(*scores), shown, alpha), hockey_stick._DELTAS[place : place + 2]
        evidence = log_evidence(counted, np.full(2, math.exp(epsilon)), deltas)
        assert evidence[1] < math.log(1 / alpha)
        assert evidence[0] >= math.log(1 / alpha) or place == 0
        found += place > 0
    assert found > 30


def test_it_assumes_independent_sides() -> None:
    assert "independent across the two sides" in hockey_stick.ASSUMES


@pytest.mark.parametrize("epsilon", [0.0, 0.7, 1.0])
def test_the_divergence_is_covered_and_seen(epsilon: float) -> None:
    """Laplace, scale 1/2: delta(epsilon) = 1 - e^((epsilon - 2)/2). False alarm of this test: 1e-7."""
    truth, above, found = 1 - math.exp((epsilon - 2) / 2), 0, []
    for seed in range(200):
        found.append(divergence_lower(*laplace(np.random.default_rng(seed), 400, 0.5), epsilon, 0.05))
        above += found[-1] > truth
    assert above <= binom.isf(FALSE_ALARM, 200, 0.05)
    assert np.mean(found) > 0.35 * truth


def test_bounds_on_epsilon_and_mu_cover_a_tight_mechanism() -> None:
    above = above_mu = 0
    keep = math.e / (1 + math.e)
    for seed in range(400):
        rng = np.random.default_rng(seed)
        x, y = (rng.random(300) < keep).astype(float), (rng.random(300) > keep).astype(float)
        bound = lower_bound(x, y, 1e-9, 0.05, rng)
        above += bound.epsilon_lower > 1.0
        above_mu += bound.mu_lower > 1.2321  # 2 Phi^-1(keep)
    assert max(above, above_mu) <= binom.isf(FALSE_ALARM, 400, 0.05)


def test_exchanged_sides_are_seen_too() -> None:
    """The rare event that tells may lie on either side."""
    rng = np.random.default_rng(0)
    x = np.where(rng.random(4000) < 0.3, 1.0, 0.0)
    assert divergence_lower(x, np.zeros(4000), 3.0, 0.05) > 0.2
    assert divergence_lower(np.zeros(4000), -x, 3.0, 0.05) > 0.2


def test_nothing_can_be_said_of_few_or_equal_scores() -> None:
    rng = np.random.default_rng(0)
    for x, y in (([], [1.0]), ([1.0], [0.0]), ([2.0] * 500, [2.0] * 500)):
        bound = lower_bound(x, y, 1e-5, 0.05, rng)
        assert (bound.epsilon_lower, bound.mu_lower) == (0.0, 0.0)
        assert divergence_lower(x, y, 0.5, 0.05) == 0.0


def test_perfectly_separated_scores_show_nearly_everything() -> None:
    x, y = np.full(1000, math.inf), np.full(1000, -math.inf)
    assert divergence_lower(x, y, 0.0, 0.05) > 0.95
    assert lower_bound(x, y, 1e-5, 0.05, np.random.default_rng(0)).epsilon_lower > 4


def test_wrong_epsilon_is_refused() -> None:
    for epsilon in (-0.1, math.inf, math.nan):
        with pytest.raises(ContentError, match="epsilon"):
            divergence_lower([1.0], [0.0], epsilon, 0.05)
