"""From the canaries of one training to a verdict."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from dpaudit.accounting.epsilon import gaussian_epsilon
from dpaudit.audit import tiers
from dpaudit.audit.game import decide_one_run
from dpaudit.content.audits import audit_of
from dpaudit.noise.stream import Trials
from dpaudit.records.context import Context, Level
from dpaudit.records.privacy import ApproximateDP, GaussianDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan
from dpaudit.records.verdict import Basis, Outcome, Verdict

CONTEXT = Context(seed=4, level=Level.SMOKE, alpha=1e-4)


def audit(mu: float, guarantee: Any, canaries: int = 3000, folder: str | None = None) -> Verdict:
    """One run of independent canaries, each released with noise of standard deviation 1 and a shift of `mu` if in."""

    def run(included: Any, trials: Trials) -> Any:
        return trials.stream.normals(trials.numbers, 0, len(included)) + mu * included

    claim = PrivacyClaim(guarantee, Neighbours.ADD_OR_REMOVE, delta=1e-5, source="the test")
    plan = TrialPlan(2, 2, 2)
    target = Target("test/one-run", "Canaries", View.GRADIENTS, claim, plan, canaries=canaries, effect="it leaks")
    return tiers.audit(audit_of(SimpleNamespace(run=run), target), replace(CONTEXT, folder=folder))


def test_canaries_that_keep_the_claim_are_consistent() -> None:
    verdict = audit(1.0, GaussianDP(1.0))
    found: dict[str, Any] = dict(verdict.numbers)
    assert (verdict.outcome, verdict.basis) == (Outcome.CONSISTENT, Basis.SAMPLING)
    assert 0.5 < found["mu_lower_95"] < 1.0
    assert 0.5 < found["epsilon_lower_95"] < found["epsilon_claimed"] == pytest.approx(gaussian_epsilon(1e-5, 1.0))
    assert found["epsilon_claimed"] < found["smallest_violation_at_90"] < 20
    assert found["limit_of_detection"] > found["epsilon_claimed"]
    assert found["canaries"] == 3000
    conditional = found["epsilon_if_canaries_are_independent_and_gaussian"]
    assert found["epsilon_lower_95"] < conditional < found["epsilon_claimed"]
    assert conditional == pytest.approx(gaussian_epsilon(1e-5, 0.9), rel=0.1)  # 3,000 canaries: mu to one part in ten


def test_a_quarter_of_the_noise_is_refuted_with_the_counts() -> None:
    verdict = audit(4.0, GaussianDP(1.0))
    witness: dict[str, Any] = dict(verdict.witness)
    assert (verdict.outcome, verdict.effect) == (Outcome.REFUTED, "it leaks")
    assert witness["correct"] / witness["guesses"] > 0.8
    assert witness["alpha"] == CONTEXT.alpha


def test_a_claim_beyond_reach_is_inconclusive() -> None:
    verdict = audit(0.0, ApproximateDP(9.0, 1e-5), canaries=100)
    assert verdict.outcome is Outcome.INCONCLUSIVE
    assert "use more canaries" in verdict.evidence[0].detail


def test_the_smallest_violation_is_caught_in_nine_of_ten() -> None:
    """100 audits at the edge; 0.9 is promised, and 75 or fewer would have probability below 1e-4 at that."""
    canaries, guarantee = 1000, GaussianDP(0.5)
    epsilon = decide_one_run.smallest_violation(guarantee, canaries, 1e-3, 1e-5)
    low, high = 0.5, 20.0
    while high - low > 1e-3:
        middle = (low + high) / 2
        low, high = (low, middle) if gaussian_epsilon(1e-5, middle) > epsilon else (middle, high)
    rng = np.random.default_rng(8)
    caught = 0
    for _ in range(100):
        included = rng.random(canaries) < 0.5
        scores = rng.normal(size=canaries) + high * included
        caught += decide_one_run._decision(scores, included, guarantee, 1e-3).refuted
    assert caught >= 76


def test_the_curve_of_the_canaries_is_kept_for_the_plots(tmp_path: Path) -> None:
    verdict = audit(1.0, GaussianDP(1.0), folder=str(tmp_path))
    data = json.loads((tmp_path / verdict.attachments[0]).read_text())
    assert data["point"] is None
    rates = np.interp(0.5, data["false_positive_rate"], data["true_positive_rate"])
    assert 0.75 < rates < 0.92  # Phi(1) = 0.84


def test_canaries_whose_scores_are_all_the_same_show_nothing() -> None:
    claim = PrivacyClaim(GaussianDP(1.0), Neighbours.ADD_OR_REMOVE, delta=1e-5, source="the test")
    target = Target("test/one-run", "Canaries", View.GRADIENTS, claim, TrialPlan(2, 2, 2), canaries=3_000)
    silent = SimpleNamespace(run=lambda included, trials: np.zeros((len(trials), len(included))))
    verdict = tiers.audit(audit_of(silent, target), CONTEXT)
    assert verdict.outcome is Outcome.INCONCLUSIVE
    assert "every trial has the same score" in verdict.evidence[0].detail
    assert audit(0.0, GaussianDP(1.0)).outcome is Outcome.CONSISTENT
