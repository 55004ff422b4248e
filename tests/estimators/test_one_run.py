"""One-run audits: the theorem's bound is exact where it is tight, covers, and guesses are fixed without their coins."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binom

from dpaudit.arithmetic.arrays import Array, Flags
from dpaudit.estimators.clopper_pearson import witnessed_epsilon
from dpaudit.estimators.one_run import Guesses, best_guesses, one_run_bound, p_value
from dpaudit.records.errors import ContentError

FALSE_ALARM = 1e-7


def randomised_response(seed: int, canaries: int, epsilon: float) -> tuple[Array, Flags]:
    rng = np.random.default_rng(seed)
    included = rng.random(canaries) < 0.5
    kept = rng.random(canaries) < 1 / (1 + math.exp(-epsilon))
    return np.where(kept == included, 1.0, 0.0) + 1e-3 * rng.random(canaries), included


def objective(wrong: Array, right: Array) -> Array:
    return witnessed_epsilon(wrong, right, 1e-5)


def test_without_delta_the_p_value_is_the_binomial_tail() -> None:
    for correct in (0, 60, 75, 100):
        expected = binom.sf(correct - 1, 100, 1 / (1 + math.exp(-1)))
        assert p_value(Guesses(correct, 100, 300), 1.0, 0.0) == pytest.approx(expected, rel=1e-9)


def test_delta_adds_the_worst_share_of_the_mass_below() -> None:
    """The formula of theorem 5.2, written out."""
    share = 1 / (1 + math.exp(-0.5))
    tail = [binom.sf(count - 1, 40, share) for count in range(42)]
    worst = max((tail[30 - i] - tail[30]) / i for i in range(1, 31))
    assert p_value(Guesses(30, 40, 200), 0.5, 1e-4) == pytest.approx(tail[30] + 2 * 200 * 1e-4 * worst, rel=1e-9)


@pytest.mark.parametrize("epsilon", [0.0, 1.0, 3.0])
@pytest.mark.parametrize("canaries", [60, 500])
def test_randomised_response_is_covered(epsilon: float, canaries: int) -> None:
    """The tight case of the theorem. False alarm of this test: 1e-7 a case."""
    above = sum(
        one_run_bound(*randomised_response(s, canaries, epsilon), 1e-9, 0.05).epsilon_lower > epsilon
        for s in range(400)
    )
    assert above <= binom.isf(FALSE_ALARM, 400, 0.05)


def test_canaries_that_move_together_are_covered() -> None:
    """One coin for all canaries' noise: no independence of scores is assumed. False alarm: 1e-7."""
    above = 0
    for seed in range(400):
        rng = np.random.default_rng(seed)
        included = rng.random(200) < 0.5
        scores = np.where(rng.random() < 0.04, included, rng.random(200))  # all told, rarely: (0, 0.04)-DP
        above += one_run_bound(scores, included, 0.04, 0.05).epsilon_lower > 1e-3
    assert above <= binom.isf(FALSE_ALARM, 400, 0.05)


def test_the_counted_coins_have_no_say_in_the_number_of_guesses() -> None:
    scores, included = randomised_response(0, 1000, 2.0)
    made = best_guesses(scores, included, objective, 0.05).made
    for seed in range(5):
        included[100:] = np.random.default_rng(seed).random(900) < 0.5
        assert best_guesses(scores, included, objective, 0.05).made == made


def test_guesses_are_counted_from_both_ends() -> None:
    included = np.arange(1000) % 2 == 0
    found = best_guesses(included.astype(float), included, objective, 0.05)
    assert found.correct == found.made > 0
    assert found.canaries == 900
    found = best_guesses(-included.astype(float), included, objective, 0.05)
    assert found.correct <= found.made / 10


def test_told_coins_show_the_most_that_can_be_shown() -> None:
    rng = np.random.default_rng(0)
    included = rng.random(2000) < 0.5
    for scores in (included.astype(float), np.where(included, math.inf, -math.inf)):
        assert one_run_bound(scores, included, 1e-5, 0.05).epsilon_lower > 5


def test_few_canaries_equal_scores_and_wrong_arguments() -> None:
    for scores, included in (([], np.zeros(0, bool)), ([1.0], np.ones(1, bool)), (np.ones(300), np.ones(300, bool))):
        assert one_run_bound(scores, included, 1e-5, 0.05).epsilon_lower == 0.0
    with pytest.raises(ContentError, match="NaN"):
        one_run_bound([math.nan, 1.0], np.array([True, False]), 1e-5, 0.05)
    with pytest.raises(ContentError, match="shapes"):
        one_run_bound([1.0], np.array([True, False]), 1e-5, 0.05)
    with pytest.raises(ContentError, match="booleans"):
        one_run_bound([1.0], np.array([1.0]), 1e-5, 0.05)
