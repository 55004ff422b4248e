"""From scores to statements: which guarantee is decided on, what is printed, what the attachment holds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpaudit import findings
from dpaudit.accounting import epsilon_bounds
from dpaudit.estimators.held_out_threshold import Scores, split
from dpaudit.mechanism import Gaussian, PoissonSampled, SelfComposed
from dpaudit.privacy import ApproximateDP, GaussianDP, Neighbours, PrivacyClaim, PrivacyProfile, View
from dpaudit.target import Target, TrialPlan
from dpaudit.tradeoff import largest_true_positive_rate
from dpaudit.verdict import Outcome

SAMPLED = SelfComposed(PoissonSampled(0.2, Gaussian(1.5)), 30)


def make_target(guarantee: Any, **changes: Any) -> Target:
    claim = PrivacyClaim(guarantee, Neighbours.ADD_OR_REMOVE, delta=1e-5, source="the test")
    plan = TrialPlan(1000, 1000, 1000)
    return replace(Target("test/shift", "A shifted normal", View.TRANSCRIPT, claim, plan), **changes)


def gaussian_scores(mu: float, trials: int = 50_000) -> Scores:
    rng = np.random.default_rng(3)
    return split(rng.normal(mu / 2, 1, trials), rng.normal(-mu / 2, 1, trials))


def judged(target: Target, scores: Scores, alpha: float = 1e-6) -> findings.Findings:
    return findings.judge(target, scores, findings.decided_guarantee(target), alpha, np.random.default_rng(1))


def test_a_claimed_mechanism_is_decided_on_as_a_whole_curve() -> None:
    epsilon = epsilon_bounds(SAMPLED, 1e-5, Neighbours.ADD_OR_REMOVE).upper
    point = make_target(ApproximateDP(epsilon, 1e-5))
    whole = replace(point, claimed_mechanism=SAMPLED)
    assert findings.decided_guarantee(point) == point.claim.guarantee
    curve = findings.decided_guarantee(whole)
    assert isinstance(curve, PrivacyProfile)
    rates = np.linspace(0.01, 0.9, 30)
    assert np.all(
        largest_true_positive_rate(rates, curve) < largest_true_positive_rate(rates, point.claim.guarantee) - 0.01
    )
    assert findings.decided_guarantee(replace(point, claimed_mechanism=SelfComposed(Gaussian(2.0), 4))) == GaussianDP(
        1.0
    )


def test_the_whole_curve_catches_what_the_point_lets_pass() -> None:
    epsilon = epsilon_bounds(SAMPLED, 1e-5, Neighbours.ADD_OR_REMOVE).upper
    point = make_target(ApproximateDP(epsilon, 1e-5))
    scores = gaussian_scores(1.6)
    assert findings.decide(judged(point, scores))[0] is Outcome.CONSISTENT
    assert findings.decide(judged(replace(point, claimed_mechanism=SAMPLED), scores))[0] is Outcome.REFUTED


def test_the_bounds_of_a_gaussian_pair_hold_and_are_tight() -> None:
    target = make_target(GaussianDP(1.0), truth=Gaussian(1.0))
    found = judged(target, gaussian_scores(1.0, 200_000))
    assert found.epsilon_exact is not None
    assert 0.6 * found.epsilon_exact < found.epsilon_lower < found.epsilon_exact
    assert found.tightness == pytest.approx(found.epsilon_lower / found.epsilon_exact)
    assert dict(findings.as_numbers(target, gaussian_scores(1.0), found))["alpha_decision"] == 1e-6
