"""From scores to statements: which guarantee is decided on, what is printed, what the attachment holds."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from judged_games import gaussian_scores, judged, make_target

from dpaudit.accounting.epsilon import epsilon_bounds
from dpaudit.accounting.tradeoff import largest_true_positive_rate
from dpaudit.audit import minimum
from dpaudit.audit.game import decide
from dpaudit.estimators import power
from dpaudit.estimators.held_out_threshold import split
from dpaudit.records.mechanism import Gaussian, Laplace, PoissonSampled, SelfComposed
from dpaudit.records.privacy import ApproximateDP, GaussianDP, Neighbours, PrivacyClaim, PrivacyProfile
from dpaudit.records.target import Control
from dpaudit.records.verdict import Outcome

SAMPLED = SelfComposed(PoissonSampled(0.2, Gaussian(1.5)), 30)


def test_a_claimed_mechanism_is_decided_on_as_a_whole_curve() -> None:
    epsilon = epsilon_bounds(SAMPLED, 1e-5, Neighbours.ADD_OR_REMOVE).upper
    point = make_target(ApproximateDP(epsilon, 1e-5))
    whole = replace(point, claimed_mechanism=SAMPLED)
    assert decide.decided_guarantee(point) == point.claim.guarantee
    curve = decide.decided_guarantee(whole)
    assert isinstance(curve, PrivacyProfile)
    rates = np.linspace(0.01, 0.9, 30)
    assert np.all(
        largest_true_positive_rate(rates, curve) < largest_true_positive_rate(rates, point.claim.guarantee) - 0.01
    )
    assert decide.decided_guarantee(replace(point, claimed_mechanism=SelfComposed(Gaussian(2.0), 4))) == GaussianDP(1.0)


def test_the_whole_curve_catches_what_the_point_lets_pass() -> None:
    epsilon = epsilon_bounds(SAMPLED, 1e-5, Neighbours.ADD_OR_REMOVE).upper
    point = make_target(ApproximateDP(epsilon, 1e-5))
    scores = gaussian_scores(1.6)
    assert decide.decide(judged(point, scores))[0] is Outcome.CONSISTENT
    assert decide.decide(judged(replace(point, claimed_mechanism=SAMPLED), scores))[0] is Outcome.REFUTED


@pytest.mark.parametrize(("share", "refuted"), [(0.49, True), (0.51, False)])
def test_ranks_have_half_of_the_error_probability(share: float, refuted: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decide.rank_test, "split_p_value", lambda *_: share * 1e-6)
    target = make_target(GaussianDP(2.0), truth=Gaussian(1.0))
    assert judged(target, gaussian_scores(0.5), alpha=1e-6).decision.refuted is refuted


def test_the_bounds_of_a_gaussian_pair_hold_and_are_tight() -> None:
    target = make_target(GaussianDP(1.0), truth=Gaussian(1.0))
    found = judged(target, gaussian_scores(1.0, 200_000))
    assert found.epsilon_exact is not None
    assert 0.6 * found.epsilon_exact < found.epsilon_lower < found.epsilon_exact
    assert found.tightness == pytest.approx(found.epsilon_lower / found.epsilon_exact)
    assert dict(decide.as_numbers(target, gaussian_scores(1.0), found))["alpha_decision"] == 1e-6


@pytest.mark.parametrize("unspent", [True, False])
def test_scores_in_which_atoms_are_looked_for_are_counted_nowhere(
    unspent: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever else is held out, and fitted no attack, takes part in the guesses; each score occurs once here."""
    looked_at, counted = [], []
    has_atoms, lower_bound = decide._has_atoms, decide.nested_guesses.lower_bound
    monkeypatch.setattr(decide, "_has_atoms", lambda sides: looked_at.extend(sides) or has_atoms(sides))
    monkeypatch.setattr(
        decide.nested_guesses, "lower_bound", lambda *given: counted.extend(given[:2]) or lower_bound(*given)
    )
    scores = replace(gaussian_scores(1.0, 500), unspent=unspent)
    decide.printed_bounds(scores, 1e-5, np.random.default_rng(1), 0.05)
    held, rest = (scores.held_positive, scores.held_negative), (scores.positive, scores.negative)
    for place in (0, 1):
        assert len(looked_at[place]) == 20
        assert set(looked_at[place]) < set(held[place])
        assert looked_at[place].max() > held[place][25]  # drawn, not the lowest ones
        others = set(held[place]) - set(looked_at[place]) if unspent else set()
        assert set(counted[place]) == others | set(rest[place])


def test_the_limit_of_detection_is_of_the_counts_and_says_so() -> None:
    """Ranks of scores that never overlap refute a claim above it; scores that say nothing leave it undecided."""
    limit = power.limit_of_detection(400, 1e-4 / 2, 1e-5)
    target = make_target(ApproximateDP(limit + 0.1, 1e-5))
    apart, alike = (judged(target, gaussian_scores(mu, 400), 1e-4) for mu in (100.0, 0.0))
    assert apart.limit_of_detection == alike.limit_of_detection < apart.epsilon_claimed
    assert decide.decide(apart)[0] is Outcome.REFUTED
    assert decide.decide(alike)[0] is Outcome.INCONCLUSIVE
    assert f"the counts of so few trials can show an epsilon of at most {limit:.4g}" in decide.decide(alike)[1]


@pytest.mark.parametrize(("share", "refuted"), [(0.4989, True), (0.4995, False)])
def test_counts_ranks_and_shapes_share_the_error_probability(
    share: float, refuted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ranks refute at half of it less the thousandth of shapes; counts have their half, whose point says so."""
    monkeypatch.setattr(decide.rank_test, "split_p_value", lambda *_: share * 1e-4)
    found = judged(make_target(GaussianDP(1.0)), gaussian_scores(0.5, 500), 1e-4)
    assert found.decision.refuted is refuted
    assert found.decision_point.alpha == 0.5e-4
    assert decide.OF_SHAPES == 1e-3


def test_a_curve_that_a_violation_contradicts_elsewhere_than_at_the_quoted_delta_is_decided() -> None:
    target = make_target(GaussianDP(1.0))
    kept, violated = (judged(target, gaussian_scores(mu, 500), 1e-4) for mu in (0.5, 3.0))
    assert kept.limit_of_detection < kept.epsilon_claimed < kept.smallest_violation
    assert kept.smallest_violation < minimum.half_of_the_noise(kept.epsilon_claimed, kept.delta)
    assert decide.decide(kept)[0] is Outcome.CONSISTENT
    assert decide.decide(violated)[0] is Outcome.REFUTED


def test_a_game_that_catches_less_than_half_of_the_noise_alone_is_under_powered() -> None:
    few = judged(make_target(GaussianDP(1.0)), gaussian_scores(0.5, 60), 1e-4)
    half = minimum.half_of_the_noise(few.epsilon_claimed, few.delta)
    assert few.limit_of_detection < few.epsilon_claimed < half < few.smallest_violation < np.inf
    assert decide.decide(few)[0] is Outcome.INCONCLUSIVE


def test_a_game_that_would_catch_nothing_says_nothing_of_a_claim_that_nothing_leaks() -> None:
    nothing = PrivacyClaim(ApproximateDP(0.0, 0.01), Neighbours.ADD_OR_REMOVE, delta=0.01, source="the test")
    target = replace(make_target(nothing.guarantee), claim=nothing)
    few = judged(target, gaussian_scores(0.0, 10), 1e-4)
    assert few.smallest_violation == np.inf
    assert decide.decide(few)[0] is Outcome.INCONCLUSIVE
    assert decide.decide(judged(target, gaussian_scores(0.0, 4_000), 1e-4))[0] is Outcome.CONSISTENT


def test_the_exact_epsilon_of_a_sample_is_known_at_delta_0() -> None:
    pure = PrivacyClaim(ApproximateDP(1.0, 0.0), Neighbours.ADD_OR_REMOVE, delta=0.0, source="the test")
    target = replace(make_target(pure.guarantee), claim=pure, truth=PoissonSampled(0.5, Laplace(1.0)))
    assert decide.exact_epsilon(target) == pytest.approx(math.log((1 + math.e) / 2), rel=1e-9)


def test_a_game_whose_scores_are_all_the_same_shows_nothing() -> None:
    """Unless nothing is meant to be released, or one trial differs."""
    target, same = make_target(GaussianDP(1.0)), split(np.ones(20_000), np.ones(20_000))
    outcome, detail = decide.decide(judged(target, same))
    assert outcome is Outcome.INCONCLUSIVE
    assert "to settle it: give an attack whose score moves with what is released" in detail
    assert decide.decide(judged(replace(target, control=Control.NULL), same))[0] is Outcome.CONSISTENT
    one = split(np.ones(20_000), np.append(np.ones(19_999), 2.0))
    assert decide.decide(judged(target, one))[0] is Outcome.CONSISTENT
