"""One-run audits: the theorem's bound is exact where it is tight, covers, and guesses are fixed without their coins."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binom

from dpaudit.arithmetic.arrays import Array, Flags
from dpaudit.estimators.one_run import Guesses, guess_numbers, guesses, one_run_bound, p_value
from dpaudit.records.errors import ContentError

FALSE_ALARM = 1e-7


def randomised_response(seed: int, canaries: int, epsilon: float) -> tuple[Array, Flags]:
    rng = np.random.default_rng(seed)
    included = rng.random(canaries) < 0.5
    kept = rng.random(canaries) < 1 / (1 + math.exp(-epsilon))
    return np.where(kept == included, 1.0, 0.0) + 1e-3 * rng.random(canaries), included


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


def test_neither_coins_nor_scores_have_a_say_in_the_number_of_guesses() -> None:
    expected = guess_numbers(1000)
    for seed in range(5):
        rng = np.random.default_rng(seed)
        found = guesses(rng.standard_cauchy(1000) * (rng.random(1000) < 0.1), rng.random(1000) < 0.3 * seed)
        assert [(each.share, each.made) for each in found] == list(expected)
        assert {each.canaries for each in found} == {1000}


@pytest.mark.parametrize("canaries", [1, 2, 7, 100, 5000])
def test_numbers_of_guesses_fit_the_canaries_and_share_alpha(canaries: int) -> None:
    shares, numbers = zip(*guess_numbers(canaries), strict=True)
    assert sum(shares) == pytest.approx(1.0)
    assert all(1 <= number <= canaries for number in numbers)
    assert numbers[0] == min(canaries, math.ceil(2.5 * math.sqrt(canaries)))


def test_a_mechanism_that_chooses_how_many_coins_it_tells_is_covered() -> None:
    """With probability 0.0444 it tells 27 coins, else all through randomised response: (1, 0.00133)-DP on 900 canaries.
    An adversary who may choose 27 guesses refutes it in 7.5 % of audits. False alarm: 1e-7."""
    above, canaries, delta = 0, 900, 0.0444 * 27 / 900
    for seed in range(400):
        rng = np.random.default_rng(seed)
        included = rng.random(canaries) < 0.5
        told = np.where(rng.random(canaries) < 1 / (1 + math.exp(-1)), included, ~included) - 0.5
        if rng.random() < 0.0444:
            told = np.where(rng.permutation(canaries) < 27, 2.0 * included - 1, 1e-3 * rng.normal(size=canaries))
        above += one_run_bound(told, included, delta, 0.05).epsilon_lower > 1.0
    assert above <= binom.isf(FALSE_ALARM, 400, 0.05)


def test_guesses_are_counted_from_both_ends() -> None:
    included = np.arange(1000) < 300
    found = guesses(included + 0.5 * (np.arange(1000) == 299), included)
    assert [(each.correct, each.made) for each in found] == [(80, 80), (250, 250), (700, 800)]
    found = guesses(-1.0 * included, included)
    assert [(each.correct, each.made) for each in found] == [(0, 80), (0, 250), (100, 800)]


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
