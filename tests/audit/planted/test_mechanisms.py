"""The mechanisms that have been released broken: each broken form is caught, the correct one is not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from dpaudit.audit import tiers
from dpaudit.audit.planted import noisy_max, sparse_vector
from dpaudit.content.audits import Audit
from dpaudit.content.loading import load_targets
from dpaudit.records.context import Context, Level
from dpaudit.records.target import TrialPlan
from dpaudit.records.verdict import Outcome

AUDITS = Path(__file__).parents[3] / "audits"
FILES = {
    name: [item.carrier for item in load_targets([AUDITS / "mechanisms" / f"{name}.py"])]
    for name in ("histogram", "noisy_max", "sparse_vector")
}
CORRECT = [audits[0] for audits in FILES.values()]
BROKEN = [audit for audits in FILES.values() for audit in audits[1:]]


def named(audit: Audit) -> str:
    return audit.target.name


@pytest.mark.parametrize("broken", BROKEN, ids=named)
def test_every_broken_form_is_refuted_with_10_000_runs_a_side(broken: Audit) -> None:
    """At alpha 0.05; seeds are fixed."""
    target = replace(broken.target, trials=TrialPlan(10_000, 10_000, 10_000))
    assert tiers.audit(replace(broken, target=target), Context(0, Level.SMOKE, 0.05)).outcome is Outcome.REFUTED


@pytest.mark.parametrize("correct", CORRECT, ids=named)
def test_the_correct_form_is_not_refuted(correct: Audit) -> None:
    """False alarm 1e-6; for the histogram the bound must come near the true epsilon of 1/2."""
    verdict = tiers.audit(correct, Context(0, Level.SMOKE, 1e-6))
    assert verdict.outcome is Outcome.CONSISTENT
    assert 0.4 < dict(verdict.numbers)["epsilon_lower_95"] <= 0.5 or correct is not CORRECT[0]


def test_there_is_a_target_for_every_broken_form() -> None:
    forms = {"histogram": 1, "noisy_max": len(noisy_max.BROKEN), "sparse_vector": len(sparse_vector.BROKEN)}
    assert {name: len(audits) - 1 for name, audits in FILES.items()} == forms
