"""The one-run recursion: never below what an exact adversary can do, covering, better than a point on a curve."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.special import ndtri
from scipy.stats import binom

from dpaudit.accounting.epsilon import gaussian_epsilon
from dpaudit.estimators.one_run import Guesses, guesses
from dpaudit.estimators.one_run_fdp import one_run_bound, refutes, strongest
from dpaudit.records.privacy import ApproximateDP, GaussianDP, PrivacyProfile, RenyiDP

FALSE_ALARM = 1e-7


@pytest.mark.parametrize("made", [1, 2, 7, 40, 400])
@pytest.mark.parametrize("epsilon", [0.0, 0.5, 2.0])
def test_no_level_is_below_the_chance_of_randomised_response(made: int, epsilon: float) -> None:
    """It keeps the claim and has so many right guesses with the binomial chance: below it, nothing is refuted."""
    share = 1 / (1 + math.exp(-epsilon))
    for correct in range(made + 1):
        chance = float(binom.sf(correct - 1, made, share))
        if 1e-12 < chance < 1:
            assert not refutes([Guesses(correct, made, 2 * made)], ApproximateDP(epsilon, 0.0), chance * (1 - 1e-6))
            assert not refutes([Guesses(correct, made, 2 * made)], GaussianDP(2 * float(ndtri(share))), chance * 0.999)


def test_one_guess_is_decided_exactly() -> None:
    """With one guess on one canary the recursion is the curve itself: P(right) = 1/2 + what the claim allows."""
    share = math.e / (1 + math.e)
    right = [Guesses(1, 1, 1)]
    assert refutes(right, ApproximateDP(1.0, 0.0), share * 1.001)
    assert not refutes(right, ApproximateDP(1.0, 0.0), share * 0.999)


@pytest.mark.parametrize("canaries", [60, 1000])
def test_independent_gaussian_canaries_are_covered(canaries: int) -> None:
    """False alarm of this test: 1e-7 a case."""
    mu, above, above_epsilon = 1.0, 0, 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        included = rng.random(canaries) < 0.5
        bound = one_run_bound(rng.normal(size=canaries) + mu * included, included, 1e-5, 0.05)
        above += bound.mu_lower > mu
        above_epsilon += bound.epsilon_lower > gaussian_epsilon(1e-5, mu)
    assert max(above, above_epsilon) <= binom.isf(FALSE_ALARM, 200, 0.05)


def test_a_curve_is_refuted_where_its_point_is_not() -> None:
    rng = np.random.default_rng(0)
    included = rng.random(5000) < 0.5
    scores = rng.normal(size=5000) + 2.0 * included
    claim, found = GaussianDP(0.5), guesses(scores, included)
    assert refutes(found, claim, 0.05)
    point = ApproximateDP(gaussian_epsilon(1e-5, 0.5), 1e-5)
    assert not refutes(found, point, 1e-6)
    for kept in (GaussianDP(2.0), RenyiDP(2.0, 4.0), PrivacyProfile(((9.6, 1e-5),), "p")):
        assert not refutes(found, kept, 0.05)


def test_bounds_are_the_largest_claims_that_are_refuted() -> None:
    rng = np.random.default_rng(1)
    included = rng.random(5000) < 0.5
    scores = rng.normal(size=5000) + 1.0 * included
    mu, found = one_run_bound(scores, included, 1e-5, 0.05).mu_lower, guesses(scores, included)
    assert 0.5 < mu < 1.0
    assert refutes(found, GaussianDP(mu - 1e-9), 0.05)
    assert not refutes(found, GaussianDP(mu + 0.01), 0.05)


def test_each_number_of_guesses_has_its_share_of_the_error_probability() -> None:
    """One guess on one canary, whose level is known: what 5 % refute, a tenth of it does not."""
    sure, claim = Guesses(20, 20, 20), ApproximateDP(1.0, 0.0)
    level = (math.e / (1 + math.e)) ** 20
    assert refutes([replace(sure, share=0.5)], claim, 2.001 * level)
    assert not refutes([replace(sure, share=0.5)], claim, 1.99 * level)
    wrong = replace(sure, correct=0, share=0.9)
    assert strongest([wrong, sure], claim, 0.05) == sure
    assert strongest([wrong, replace(wrong, made=19)], claim, 0.05) == wrong


def test_few_canaries_say_nothing() -> None:
    for scores, included in (([], np.zeros(0, bool)), ([1.0], np.ones(1, bool)), (np.ones(100), np.ones(100, bool))):
        bound = one_run_bound(scores, included, 1e-5, 0.05)
        assert (bound.epsilon_lower, bound.mu_lower) == (0.0, 0.0)
    assert not refutes([Guesses(0, 0, 0)], GaussianDP(0.0), 0.05)


def test_the_numbers_of_the_claim_about_the_number_of_guesses_are_those_of_the_code() -> None:
    """dpaudit/GUESS-NUMBER: few sure guesses and many unsure ones that refute at 5 %, and how often one does."""
    claim = ApproximateDP(1.0, 0.00133)
    assert refutes([Guesses(27, 27, 900)], claim, 0.05)
    assert refutes([Guesses(683, 900, 900)], claim, 0.05)
    assert not refutes([Guesses(682, 900, 900)], claim, 0.05)
    told = 11 / 250
    assert 27 * told / 900 <= 0.00133
    chance = told + (1 - told) * float(binom.sf(682, 900, math.e / (1 + math.e)))
    assert 0.074 < chance < 0.075
