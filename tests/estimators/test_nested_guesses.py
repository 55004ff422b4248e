"""Guesses at fixed ranks: exact tails, valid bounds, and more than the rank test sees with few trials."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest

from dpaudit.estimators import nested_guesses
from dpaudit.estimators.bound import Bound
from dpaudit.estimators.clopper_pearson import rate_lower
from dpaudit.records.errors import ContentError


def test_the_tail_is_that_of_every_outcome_counted_by_hand() -> None:
    guesses, needed, epsilon = [2, 4, 8], [2, 4, 6], 0.7
    chance = math.exp(epsilon) / (1 + math.exp(epsilon))
    by_hand = sum(
        chance ** sum(outcome) * (1 - chance) ** (8 - sum(outcome))
        for outcome in product((0, 1), repeat=8)
        if any(sum(outcome[:size]) >= number for size, number in zip(guesses, needed, strict=True))
    )
    assert nested_guesses.tail(needed, guesses, 100, epsilon, 0.0) == pytest.approx(by_hand, abs=1e-12)


def test_thresholds_are_the_least_counts_that_are_as_good() -> None:
    right, guesses = [19, 33, 60], [20, 40, 80]
    needed = nested_guesses.thresholds(right, guesses, 0.025)
    best = max(float(rate_lower(r, g, 0.025)) for r, g in zip(right, guesses, strict=True))
    assert any(r == number for r, number in zip(right, needed, strict=True))
    for number, size in zip(needed, guesses, strict=True):
        assert float(rate_lower(number, size, 0.025)) >= best > float(rate_lower(number - 1, size, 0.025))


def test_the_tail_rises_with_epsilon_and_with_delta() -> None:
    tails = [nested_guesses.tail([40, 90, 170], [44, 100, 240], 900, e, 1e-5) for e in np.linspace(0, 6, 40)]
    assert np.all(np.diff(tails) >= -1e-12)
    deltas = [nested_guesses.tail([40, 90, 170], [44, 100, 240], 900, 1.0, d) for d in (0, 1e-6, 1e-4, 1e-2)]
    assert np.all(np.diff(deltas) > 0)


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("epsilon", [0.0, 0.5, 2.0])
def test_the_bound_covers_where_it_is_hardest(epsilon: float) -> None:
    """Randomised response attains (epsilon, 0)-DP; at alpha = 0.05, 500 audits, more than 48 failures: below 10^-5."""
    rng, chance = np.random.default_rng(1), math.exp(epsilon) / (1 + math.exp(epsilon))
    above = 0
    for _ in range(500):
        sides = (rng.normal(0, 1e-3, 80) + np.where(rng.random(80) < q, 1.0, -1.0) for q in (chance, 1 - chance))
        above += nested_guesses.lower_bound(*sides, 1e-9, 0.05, rng).epsilon_lower > epsilon + 1e-9
    assert above <= 52


def test_few_trials_of_a_gaussian_mechanism_show_more_than_one() -> None:
    """mu = 1.2 has epsilon 5.0 at 1e-5; the mean of 20 bounds has a standard error of 0.07."""
    rng = np.random.default_rng(2)
    found = [nested_guesses.lower_bound(rng.normal(1.2, 1, 1000), rng.normal(0, 1, 1000), 1e-5, 0.05, rng).epsilon_lower
             for _ in range(20)]  # fmt: skip
    assert 1.3 < float(np.mean(found)) < 2.5


def test_too_few_trials_show_nothing() -> None:
    rng = np.random.default_rng(3)
    assert nested_guesses.lower_bound([], [1.0], 1e-5, 0.05, rng) == Bound(0.0, 0.0, (), 0.05)
    assert nested_guesses.lower_bound(np.ones(50), np.ones(50), 1e-5, 0.05, rng).epsilon_lower < 1.5


def test_nan_is_refused() -> None:
    with pytest.raises(ContentError):
        nested_guesses.lower_bound([math.nan], [1.0], 1e-5, 0.05, np.random.default_rng(0))
