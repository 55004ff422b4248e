"""A shifted normal as a target, its scores, and the judgement of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from dpaudit.audit.game import decide
from dpaudit.estimators.held_out_threshold import Scores, split
from dpaudit.records.privacy import Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan


def make_target(guarantee: Any, **changes: Any) -> Target:
    claim = PrivacyClaim(guarantee, Neighbours.ADD_OR_REMOVE, delta=1e-5, source="the test")
    plan = TrialPlan(1000, 1000, 1000)
    return replace(Target("test/shift", "A shifted normal", View.TRANSCRIPT, claim, plan), **changes)


def gaussian_scores(mu: float, trials: int = 50_000) -> Scores:
    rng = np.random.default_rng(3)
    return split(rng.normal(mu / 2, 1, trials), rng.normal(-mu / 2, 1, trials))


def judged(target: Target, scores: Scores, alpha: float = 1e-6) -> decide.Findings:
    return decide.judge(target, scores, decide.decided_guarantee(target), alpha, np.random.default_rng(1))
