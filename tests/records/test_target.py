"""Targets refuse plans and claims that no audit could use."""

from __future__ import annotations

import pytest

from dpaudit.records.errors import ContentError
from dpaudit.records.privacy import ApproximateDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan


def test_a_plan_needs_two_trials_a_side() -> None:
    with pytest.raises(ContentError, match="at least 2 trials per side"):
        TrialPlan(1, 100, 1000)


@pytest.mark.parametrize("delta", [0.0, 1.0, float("nan")])
def test_the_delta_of_a_claim_is_inside(delta: float) -> None:
    claim = PrivacyClaim(ApproximateDP(1.0, 0.0), Neighbours.REPLACE_ONE, delta, "here")
    with pytest.raises(ContentError, match=r"toy/t: the delta of a claim must be in \(0, 1\)"):
        Target("toy/t", "title", View.FINAL_MODEL, claim, TrialPlan(2, 2, 2))
