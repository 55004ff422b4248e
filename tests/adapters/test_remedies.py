"""What an INCONCLUSIVE finding on a correct torch training says to do settles it, and hides no bug."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
import torch
from torch_trainings import (
    ALPHA,
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
    labelled,
)

from dpaudit.adapters.torch_training import TorchTraining
from dpaudit.adapters.training import Training
from dpaudit.audit import tiers
from dpaudit.audit.structural.recording import Recorder
from dpaudit.content.audits import audit_of
from dpaudit.records.context import Context, Level
from dpaudit.records.verdict import Outcome, Verdict

pytestmark = pytest.mark.usefixtures("torch_is_loaded", "one_torch_thread")


def larger_half(gradient: Any, chosen_by: Any) -> Any:
    return gradient * (chosen_by.abs() >= chosen_by.abs().median())


def watched(records: Any, watch: Any) -> None:
    """Keeps the larger half of each noisy gradient, which is as private as the whole."""
    weights = torch.nn.Parameter(torch.zeros(5))
    optimizer = torch.optim.SGD([weights], lr=0.5)
    watch(optimizer, clip_norm=CLIP, noise_multiplier=NOISE, batch_size=BATCH)
    for _ in range(STEPS):
        total = clipped_sum(*records.tensors(drawn(records)), weights.detach())
        noisy = (total + NOISE * CLIP * torch.randn(5)) / BATCH
        weights.grad = larger_half(noisy, noisy)
        optimizer.step()


def handed_over(records: Any, recorder: Recorder, broken: bool = False) -> None:
    """The same, whose statistic and noise go to the recorder; broken: the larger half of what has no noise yet."""
    inputs, labels = (torch.as_tensor(one) for one in records)
    weights = torch.zeros(5, dtype=torch.float64)
    for _ in range(STEPS):
        members = recorder.batch(torch.nonzero(torch.rand(len(inputs)) < RATE)[:, 0].numpy())
        total = clipped_sum(inputs[members], labels[members], weights)
        noise = NOISE * CLIP * torch.randn(5)
        if broken:
            noise, total = larger_half(noise, total), larger_half(total, total)
        kept = recorder.release("gradient", total.numpy(), noise.numpy(), sensitivity=CLIP, noise_scale=NOISE * CLIP)
        noisy = torch.as_tensor(np.asarray(kept)) / BATCH
        weights = weights - 0.5 * larger_half(noisy, noisy)
    recorder.output("weights", weights.numpy())


def audited(kind: Any, train: Any) -> Verdict:
    audit = kind("test/half", train, records=labelled(), claim=CLAIM, mechanism=MECHANISM, trials=None,
                 assumptions=CHECKED)  # fmt: skip
    return tiers.audit(audit_of(audit), Context(3, Level.SMOKE, ALPHA))


@pytest.mark.deep
def test_what_is_done_after_the_noise_is_settled_by_handing_noise_and_statistic_over() -> None:
    open_one = audited(TorchTraining, watched)
    assert open_one.outcome is Outcome.INCONCLUSIVE
    said = " ".join(one.detail for one in open_one.evidence)
    assert "or audit with Training and recorder.release" in said or "audit with Training, hand statistic" in said
    assert audited(Training, handed_over).outcome is Outcome.CONSISTENT
    assert audited(Training, partial(handed_over, broken=True)).outcome is Outcome.REFUTED
