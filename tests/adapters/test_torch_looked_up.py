"""Trainings that look up values of their own by the ids of a batch, which a replay hands out anew."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from torch_trainings import (
    BATCH,
    CHECKED,
    CLAIM,
    CLIP,
    MECHANISM,
    NOISE,
    RATE,
    STEPS,
    clipped_sum,
    drawn,
    examined,
    refuted,
)  # fmt: skip

from dpaudit.adapters.torch_training import TorchTraining
from dpaudit.audit.tiers import audit
from dpaudit.content.audits import audit_of
from dpaudit.records.context import Context, Level
from dpaudit.records.verdict import Outcome

pytestmark = pytest.mark.usefixtures("torch_is_loaded", "one_torch_thread")


def trained(records: Any, watch: Any, table: Any, in_numpy: bool = False) -> Any:
    """Logistic regression whose records are weighted by a table of all records, made before the first step."""
    weights = torch.nn.Parameter(torch.zeros(5))
    optimizer = torch.optim.SGD([weights], lr=0.1)
    watch(optimizer, clip_norm=CLIP, noise_multiplier=NOISE, batch_size=BATCH)
    looked_up = table(torch.nan_to_num(records.tensors()[0], nan=0.0, posinf=0.0, neginf=0.0))
    for _ in range(STEPS):
        ids = drawn(records).numpy() if in_numpy else drawn(records)
        inputs, labels = records.tensors(ids)
        inputs = looked_up[ids][:, None] * torch.nan_to_num(inputs, nan=0.0, posinf=0.0, neginf=0.0)
        total = clipped_sum(inputs, labels, weights.detach())
        noise = torch.normal(0.0, NOISE * CLIP, size=total.shape)
        weights.grad = (total + noise) / BATCH
        optimizer.step()
    return {"weights": weights}


def own(inputs: Any) -> Any:
    """Of each record its own length."""
    return 1 / (1 + inputs.norm(dim=1))


def of_all(inputs: Any) -> Any:
    """Of each record how far it is from the mean of all."""
    return 1 / (1 + (inputs - inputs.mean(dim=0)).norm(dim=1))


def test_values_of_the_record_itself_may_be_looked_up() -> None:
    assert refuted(examined(lambda records, watch: trained(records, watch, own))) == {}


@pytest.mark.deep
def test_values_of_all_records_may_not() -> None:
    assert "records outside the batch" in refuted(examined(lambda records, watch: trained(records, watch, of_all)))


def test_ids_that_cannot_follow_are_inconclusive_and_say_what_to_do() -> None:
    def train(records: Any, watch: Any) -> Any:
        return trained(records, watch, own, in_numpy=True)

    data = np.random.default_rng(0).normal(size=(60, 5)), np.arange(60) % 2
    subject = TorchTraining("mine/looked-up", train, claim=CLAIM, mechanism=MECHANISM, records=data,
                            trials=None, assumptions=CHECKED)  # fmt: skip
    verdict = audit(audit_of(subject, subject.TARGET), Context(1, Level.SMOKE, 1e-6))
    assert verdict.outcome is Outcome.INCONCLUSIVE
    assert any("leaves in ids" in one.detail for one in verdict.evidence)


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("by", ["nothing", "labels"])
def test_what_one_replay_cannot_see_others_do(by: str) -> None:
    """Probabilities of all records fail where one of them is not handed out. The check that asks for that gives up;
    the others still see that rare labels are in nearly every batch."""

    def train(records: Any, watch: Any) -> Any:
        weights = torch.nn.Parameter(torch.zeros(5))
        optimizer = torch.optim.SGD([weights], lr=0.1)
        labels = records.tensors()[1]
        chances = RATE * torch.ones(len(labels))
        if by == "labels":
            chances = (RATE * len(labels) / 2 / torch.bincount(labels)[labels]).clamp(max=1.0)
        watch(optimizer, clip_norm=CLIP, noise_multiplier=NOISE, batch_size=BATCH)
        for _ in range(STEPS):
            inputs, labels = records.tensors((torch.rand(len(records)) < chances).nonzero()[:, 0])
            total = clipped_sum(torch.nan_to_num(inputs, nan=0.0, posinf=0.0, neginf=0.0), labels, weights.detach())
            weights.grad = (total + torch.normal(0.0, NOISE * CLIP, size=total.shape)) / BATCH
            optimizer.step()
        return {"weights": weights}

    data = np.random.default_rng(0).normal(size=(60, 5)), np.repeat([0, 1], (54, 6))
    findings = examined(train, records=data)
    assert set(refuted(findings)) == ({"sampler"} if by == "labels" else set())
    outside = next(one for one in findings if one.check == "records outside the batch")
    assert outside.outcome is Outcome.INCONCLUSIVE
    assert "to settle it: look up values" in outside.detail
