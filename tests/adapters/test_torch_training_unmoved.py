"""Torch trainings in which no record moves a recorded step: what is wrong with them is said where it is sure."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
import torch
from torch_trainings import BATCH, CLAIM, CLIP, NOISE, STEPS, clipped_sum, drawn, labelled

from dpaudit.adapters.torch_training import TorchTraining
from dpaudit.audit import tiers
from dpaudit.content.audits import audit_of
from dpaudit.records.context import Context, Level
from dpaudit.records.target import TrialPlan
from dpaudit.records.verdict import Outcome, Verdict

pytestmark = pytest.mark.usefixtures("torch_is_loaded", "one_torch_thread")


def audited(train: Any, played: bool = True) -> Verdict:
    trials = TrialPlan(200, 200, 200) if played else None
    audit = TorchTraining("test/unmoved", train, records=labelled(), claim=CLAIM, trials=trials)
    return tiers.audit(audit_of(audit), Context(seed=5, level=Level.SMOKE, alpha=1e-6))


def refuting(verdict: Verdict) -> set[str]:
    return {one.detail.partition(":")[0] for one in verdict.evidence if one.outcome is Outcome.REFUTED}


def seeded(records: Any, watch: Any) -> None:
    """Sets the generator to a number of its own before every step, so that batches and noise are the same each time."""
    weights = torch.nn.Parameter(torch.zeros(5))
    optimizer = torch.optim.SGD([weights], lr=0.5)
    watch(optimizer, clip_norm=CLIP, noise_multiplier=NOISE, batch_size=BATCH)
    for _ in range(STEPS):
        torch.manual_seed(7)
        chosen = drawn(records)
        total = clipped_sum(*records.tensors(chosen[chosen < 30]), weights.detach())
        weights.grad = (total + torch.normal(0.0, NOISE, (5,))) / BATCH
        optimizer.step()


@pytest.mark.deep
@pytest.mark.parametrize("played", [True, False])
def test_a_seed_of_its_own_is_found_although_no_record_is_ever_drawn(played: bool) -> None:
    verdict = audited(seeded, played)
    assert verdict.outcome is Outcome.REFUTED
    assert {"fresh noise", "global random state"} <= refuting(verdict)


def elsewhere(records: Any, watch: Any, noise: float = 0.0, random_start: bool = False) -> Any:
    """Watches one optimiser and steps another one on the same weights."""
    weights = torch.nn.Parameter(torch.randn(5) if random_start else torch.zeros(5))
    watched, stepped = (torch.optim.SGD([weights], lr=0.5) for _ in range(2))
    watch(watched, clip_norm=CLIP, noise_multiplier=NOISE, batch_size=BATCH)
    for _ in range(STEPS):
        total = clipped_sum(*records.tensors(drawn(records)), weights.detach())
        weights.grad = (total + noise * torch.randn(5)) / BATCH
        stepped.step()
    return {"weights": weights}


@pytest.mark.deep
def test_steps_around_the_one_that_is_watched_are_refuted_where_nothing_is_noisy() -> None:
    verdict = audited(partial(elsewhere, random_start=False))
    assert verdict.outcome is Outcome.REFUTED
    assert refuting(verdict) == {"un-noised outputs"}


@pytest.mark.deep
def test_where_the_start_is_random_they_may_have_noise_and_nothing_is_accused() -> None:
    verdict = audited(partial(elsewhere, random_start=True))
    assert verdict.outcome is Outcome.ERROR
    assert "no record moves any recorded statistic" in verdict.evidence[-1].detail


@pytest.mark.parametrize("played", [True, False])
def test_noise_around_the_step_that_is_watched_is_an_error_and_no_refutation(played: bool) -> None:
    verdict = audited(partial(elsewhere, noise=NOISE), played)
    assert verdict.outcome is Outcome.ERROR
    assert "the optimiser that is watched made no step: give watch() the one" in verdict.evidence[-1].detail
