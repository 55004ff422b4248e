"""The trials that the rank test is said to need, against audits that are really run."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from dpaudit.estimators import rank_power
from dpaudit.estimators.held_out_threshold import split
from dpaudit.estimators.rank_test import split_p_value
from dpaudit.records.errors import ContentError
from dpaudit.records.privacy import ApproximateDP, GaussianDP, Guarantee

ALPHA = 5e-5
NORMAL = lambda rng, number: rng.normal(size=number)  # noqa: E731
LAPLACE = lambda rng, number: rng.laplace(size=number)  # noqa: E731


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize(
    ("law", "noise", "guarantee"),
    [
        (rank_power.laplace_law(1.25), LAPLACE, ApproximateDP(1.0, 0.0)),
        (rank_power.gaussian_law(1.25), NORMAL, GaussianDP(1.0)),
        (rank_power.gaussian_law(6.0), NORMAL, GaussianDP(3.0)),
    ],
)
def test_the_stated_trials_catch_the_mechanism(law: rank_power.Law, noise: Any, guarantee: Guarantee) -> None:
    """20 audits, of which 0.9 are said to be caught: fewer than 9 have probability below 1e-6. With a quarter of the
    trials not even half are, by these fixed seeds."""
    assert binom.cdf(8, 20, 0.9) < 1e-6
    trials = rank_power.trials_needed(law, guarantee, ALPHA)
    caught = {trials: 0, trials // 4: 0}
    for seed in range(20):
        rng = np.random.default_rng([seed, 9])
        for number in caught:
            scores = split(noise(rng, number) + law.shift, noise(rng, number))
            caught[number] += split_p_value(scores, guarantee, rng) <= ALPHA
    assert caught[trials] >= 15
    assert caught[trials // 4] < 10


def test_more_trials_show_no_less_near_the_corners_of_a_pure_claim() -> None:
    """Ranks move against the corners of the claim as trials grow. By the spread of the shape alone, 9,000 trials a side
    were 2 deviations short of 5,800."""
    claim, law = ApproximateDP(4.0, 0.0), rank_power.laplace_law(5.0)
    shown = [rank_power.deviations(law, claim, trials, 0.9, 40) for trials in (4_000, 5_800, 9_000)]
    assert shown == sorted(shown)
    assert shown[0] > 3.9  # what 1e-4 takes


def test_smaller_violations_and_alphas_need_more_trials_and_at_least_those_asked_for() -> None:
    claim, law = GaussianDP(0.2), rank_power.gaussian_law(0.24)
    trials = rank_power.trials_needed(law, claim, ALPHA)
    assert rank_power.trials_needed(rank_power.gaussian_law(0.22), claim, ALPHA) > trials
    assert rank_power.trials_needed(law, claim, ALPHA / 100) > trials
    assert rank_power.trials_needed(law, claim, ALPHA, least=10**6) == 10**6


@pytest.mark.deep
def test_a_chance_near_1_is_tried_in_as_many_audits_as_can_show_it() -> None:
    """With the trials that are caught 9 times in 10, about 1 audit in 10 learns a wrong shape: too many for 0.99."""
    claim, law = ApproximateDP(1.0, 0.0), rank_power.laplace_law(2.0)
    few = rank_power.trials_needed(law, claim, ALPHA, 0.9, least=400)
    many = rank_power.trials_needed(law, claim, ALPHA, 0.99, least=400)
    assert few < many < 2 * few
    assert rank_power.caught(law, claim, few, ALPHA, 0.9)
    assert not rank_power.caught(law, claim, few, ALPHA, 0.99)


@pytest.mark.deep
def test_what_is_no_violation_has_no_number_of_trials() -> None:
    with pytest.raises(ContentError, match="no number of trials up to 1e12"):
        rank_power.trials_needed(rank_power.gaussian_law(1.0), GaussianDP(1.0), ALPHA)
    with pytest.raises(ContentError, match="the ranks of so few trials"):
        rank_power.trials_needed(rank_power.gaussian_law(3.0), ApproximateDP(5.0, 1e-5), ALPHA)
