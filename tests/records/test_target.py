"""Targets refuse plans and claims that no audit could use."""

from __future__ import annotations

import pytest

from dpaudit.records.errors import ContentError
from dpaudit.records.privacy import ApproximateDP, GaussianDP, Guarantee, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan


def test_a_plan_needs_two_trials_a_side() -> None:
    with pytest.raises(ContentError, match="at least 2 trials per side"):
        TrialPlan(1, 100, 1000)


@pytest.mark.parametrize("delta", [-0.1, 1.0, float("nan")])
def test_the_delta_of_a_claim_is_inside(delta: float) -> None:
    claim = PrivacyClaim(ApproximateDP(1.0, 0.0), Neighbours.REPLACE_ONE, delta, "here")
    with pytest.raises(ContentError, match=r"toy/t: the delta of a claim must be in \(0, 1\)"):
        Target("toy/t", "title", View.FINAL_MODEL, claim, TrialPlan(2, 2, 2))


@pytest.mark.parametrize(("canaries", "outside"), [(0, 10), (10, -1)])
def test_canaries_outside_stand_beside_those_of_one_training(canaries: int, outside: int) -> None:
    claim = PrivacyClaim(ApproximateDP(1.0, 1e-5), Neighbours.ADD_OR_REMOVE, 1e-5, "here")
    with pytest.raises(ContentError, match=f"toy/t: canaries_outside must be at least 0.* got {outside} beside"):
        Target("toy/t", "t", View.GRADIENTS, claim, TrialPlan(2, 2, 2), canaries=canaries, canaries_outside=outside)


def pure(guarantee: Guarantee, canaries: int = 0) -> Target:
    """A target whose epsilon is quoted at delta 0."""
    claim = PrivacyClaim(guarantee, Neighbours.REPLACE_ONE, 0.0, "here")
    return Target("toy/t", "title", View.FINAL_MODEL, claim, TrialPlan(2, 2, 2), canaries=canaries)


def test_epsilon_is_quoted_at_delta_0_for_pure_privacy_alone() -> None:
    assert pure(ApproximateDP(1.0, 0.0)).claim.delta == 0
    for guarantee in (GaussianDP(1.0), ApproximateDP(1.0, 1e-5)):
        with pytest.raises(ContentError, match=r"toy/t: only pure DP, ApproximateDP\(epsilon, 0.0\), has an"):
            pure(guarantee)
    assert pure(ApproximateDP(1.0, 0.0), canaries=100).canaries == 100
