"""Betting: never wrong more often than stated, at any time; portions and interruptions do not matter; quick to stop."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from depth import repeats
from scipy.stats import binom

from dpaudit.arithmetic.arrays import Array
from dpaudit.estimators import betting
from dpaudit.estimators.betting import BettingTest, lower_bound
from dpaudit.records.errors import ContentError
from dpaudit.records.privacy import ApproximateDP, GaussianDP, Guarantee, PrivacyProfile, RenyiDP

FALSE_ALARM = 1e-7
Scores = tuple[Array, Array]


def laplace(seed: int, pairs: int, scale: float) -> Scores:
    rng = np.random.default_rng(seed)
    return rng.laplace(1, scale, pairs), rng.laplace(0, scale, pairs)


def gaussian(seed: int, pairs: int, mu: float) -> Scores:
    rng = np.random.default_rng(seed)
    return rng.normal(mu, 1, pairs), rng.normal(0, 1, pairs)


def randomised_response(seed: int, pairs: int) -> Scores:
    rng, keep = np.random.default_rng(seed), math.e / (1 + math.e)
    return (rng.random(pairs) < keep).astype(float), (rng.random(pairs) > keep).astype(float)


def stop(guarantee: Guarantee, scores: Scores, alpha: float = 0.05) -> int:
    """Pairs until the claim is refuted, 0 if it is not."""
    test = BettingTest([guarantee], alpha)
    test.update(*scores)
    return int(test.stopped[0])


@pytest.mark.deep(keep=2)
@pytest.mark.parametrize("law", ["laplace", "randomised response", "gaussian", "no signal"])
def test_a_true_claim_is_refuted_at_any_time_no_more_often_than_stated(law: str) -> None:
    """False alarm of this test: 1e-7 a law, were the error probability alpha exactly."""
    alpha, audits, refuted = 0.2, repeats(60, 120), 0  # a large alpha, so that an excess shows
    for seed in range(audits):
        if law == "laplace":
            refuted += stop(ApproximateDP(1.0, 0.0), laplace(seed, 60, 1.0), alpha) > 0
        elif law == "randomised response":
            refuted += stop(ApproximateDP(1.0, 0.0), randomised_response(seed, 60), alpha) > 0
        elif law == "gaussian":
            refuted += stop(GaussianDP(0.5), gaussian(seed, 60, 0.5), alpha) > 0
        else:
            refuted += stop(ApproximateDP(0.0, 0.01), gaussian(seed, 60, 0.0), alpha) > 0
    assert refuted <= binom.isf(FALSE_ALARM, audits, alpha)
    assert law == "no signal" or refuted > 0, "a test that never errs at alpha = 0.2 on the edge wastes its power"


@pytest.mark.parametrize(("epsilon", "delta", "other"), [(1.0, 0.0, 0.1), (0.5, 0.1, 0.2), (0.0, 0.3, 0.3)])
def test_the_expected_factor_is_at_most_one_whatever_the_bets(epsilon: float, delta: float, other: float) -> None:
    """The inequality itself, in exact expectations over bits on the edge of the claim, for the bets as learned."""
    chance = math.exp(epsilon) * other + delta
    bits, laws = np.array([0.0, 1.0]), np.array([[1 - chance, chance], [1 - other, other]])
    for seed in range(20):
        rng = np.random.default_rng(seed)
        test = BettingTest([ApproximateDP(epsilon, delta)], 1e-9)
        test.update((rng.random(40) < 0.95).astype(float), (rng.random(40) < other / 2).astype(float))
        gains = np.exp(betting._log_factors(test._bets, np.repeat(bits, 2), np.tile(bits, 2))).reshape(-1, 2, 2)
        assert len(gains) == 2  # gamblers
        assert ((laws[0] @ gains) @ laws[1] <= 1 + 1e-9).all()
        assert gains.min() > 0
        assert (gains.max(axis=(1, 2)) > 1).all()


def test_halved_laplace_noise_stops_soon() -> None:
    """Mean measured over 1,200 audits: 55 pairs, standard deviation 39. False alarm of this test below 1e-6."""
    stops = [stop(ApproximateDP(1.0, 1e-5), laplace(seed, 600, 0.5)) for seed in range(80)]
    assert min(stops) > 0
    assert np.mean(stops) < 80


def test_a_claim_that_is_a_little_wrong_is_refuted_in_the_end() -> None:
    """Of 40 audits 39 refute within 100,000 pairs, half of them within 20,000; with full stakes alone 18 did."""
    for seed in range(4):
        assert stop(GaussianDP(0.268), gaussian(seed, 100_000, 0.335), 1e-3) > 0


def test_the_second_gambler_costs_little_where_a_claim_is_far_off() -> None:
    """Of perfect scores the first gambler alone would need no more than a factor of two in the capital less."""
    test = BettingTest([ApproximateDP(1.0, 1e-5)], 1e-9)
    test.update(np.ones(30), np.zeros(30))
    assert test.log_capital[0] > test._capitals[0, 0] - math.log(2)
    assert test._capitals[0, 0] > test._capitals[1, 0] > 0


def test_portions_and_interruptions_do_not_matter() -> None:
    claims = [
        ApproximateDP(1.0, 1e-5),
        GaussianDP(0.9),
        PrivacyProfile(((1.0, 1e-5), (0.5, 0.1)), "p"),
        RenyiDP(4.0, 2.0),
    ]
    x, y = laplace(3, 700, 0.8)
    whole = BettingTest(claims, 0.05)
    whole.update(x, y)
    parts = BettingTest(claims, 0.05)
    cuts = np.sort(np.random.default_rng(0).integers(0, 700, 5))
    for i, j in zip([0, *cuts], [*cuts, 700], strict=True):
        parts.update(x[i:j], y[i:j])
        parts = BettingTest.from_json(parts.to_json())
    assert parts.to_json() == whole.to_json()
    assert whole.refuted.any()
    assert not whole.refuted.all()


def test_a_decision_stands() -> None:
    x, y = laplace(1, 300, 0.3)
    test = BettingTest([ApproximateDP(1.0, 0.0)], 0.05)
    test.update(x, y)
    before = test.stopped.copy(), test.log_capital.copy()
    assert test.refuted[0]
    assert test.log_capital[0] >= math.log(20)
    test.update(y, x)
    assert (test.stopped == before[0]).all()
    assert (test.log_capital == before[1]).all()


def test_the_state_stays_small() -> None:
    test = BettingTest([ApproximateDP(3.0, 1e-5)], 1e-9)
    test.update(*gaussian(0, 50_000, 0.1))
    assert len(test.to_json()) < 200_000
    assert len(json.loads(test.to_json())["edges"]) < 5_000


@pytest.mark.parametrize(
    "claim", [ApproximateDP(0.5, 0.0), GaussianDP(0.5), RenyiDP(8, 0.5), PrivacyProfile(((0.5, 1e-6), (0.2, 0.1)), "p")]
)
def test_every_kind_of_claim_can_be_refuted(claim: Guarantee) -> None:
    assert 0 < stop(claim, gaussian(0, 400, 3.0)) < 60
    assert stop(claim, gaussian(0, 400, 3.0)[::-1]) == 0, "scores are larger on D"


def test_void_promises_are_never_refuted() -> None:
    perfect = np.ones(500), np.zeros(500)
    for claim in (ApproximateDP(math.inf, 0.0), RenyiDP(2.0, math.inf)):
        assert stop(claim, perfect) == 0


def test_infinite_scores_are_scores_and_ties_say_nothing() -> None:
    assert stop(ApproximateDP(1.0, 0.0), (np.full(100, math.inf), np.full(100, -math.inf))) > 0
    assert stop(ApproximateDP(0.0, 1e-9), (np.ones(500), np.ones(500))) == 0
    test = BettingTest([ApproximateDP(1.0, 0.0)], 0.05)
    test.update(np.full(30, math.inf), np.full(30, -math.inf))
    assert BettingTest.from_json(test.to_json()).to_json() == test.to_json()


def test_lower_bound() -> None:
    rng = np.random.default_rng(0)
    bound = lower_bound(*laplace(5, 1000, 1.0), 1e-5, 0.05, rng)
    assert 0.5 < bound.epsilon_lower < 1.0
    assert 0.4 < bound.mu_lower < 1.03
    assert bound.region == ()
    nothing = lower_bound([], [1.0, 2.0], 1e-5, 0.05, rng)
    assert (nothing.epsilon_lower, nothing.mu_lower) == (0.0, 0.0)


def test_factors_stay_positive_at_the_largest_stakes() -> None:
    """Long separated scores drive both stakes to their limits; then the pair comes that loses both."""
    test = BettingTest([ApproximateDP(0.0, 0.3)], 1e-300)
    test.update(np.ones(300), np.zeros(300))
    factors = np.exp(betting._log_factors(test._bets, np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 1.0])))
    assert 0 < factors.min() < 0.05


def test_the_bound_ends_at_the_first_claim_that_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    """A refuted claim beyond one that stands must not count: it may be true, and then the bound would be too high."""

    def gap(test: BettingTest, positive: object, negative: object) -> None:
        test.stopped[[0, 1, 2, 5, 6]] = 1

    monkeypatch.setattr(BettingTest, "update", gap)
    bound = lower_bound([1.0], [0.0], 1e-5, 0.05, np.random.default_rng(0))
    assert (bound.epsilon_lower, bound.mu_lower) == (betting._EPSILONS[2], betting._MUS[2])


def test_sides_that_are_not_independent_are_outside_of_what_it_assumes() -> None:
    """Fair bits that leak nothing: the expected factor is at most 1 for independent sides, above it for y = 1 - x.

    Normal scores with y = -x: 16 of 120 true claims of (0, 10^-3)-DP were refuted within 400 pairs at alpha 0.05.
    """
    rng, test = np.random.default_rng(0), BettingTest([ApproximateDP(0.0, 1e-9)], 1e-9)
    test.update((rng.random(40) < 0.9).astype(float), (rng.random(40) < 0.1).astype(float))
    factors = np.exp(betting._log_factors(test._bets, np.array([0.0, 0.0, 1.0, 1.0]), np.array([0.0, 1.0, 0.0, 1.0])))
    assert factors.mean() <= 1
    assert factors[0, 1:3].mean() > 1.1
    assert "independent across the two sides" in betting.ASSUMES


def test_wrong_arguments_are_refused() -> None:
    test = BettingTest([GaussianDP(1.0)], 0.05)
    with pytest.raises(ContentError, match="as many scores"):
        test.update([1.0], [1.0, 2.0])
    with pytest.raises(ContentError, match="NaN"):
        test.update([math.nan], [1.0])
    with pytest.raises(ContentError, match="alpha"):
        BettingTest([GaussianDP(1.0)], 0.0)
