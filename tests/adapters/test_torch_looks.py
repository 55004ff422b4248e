"""Trainings that look at their records beside the batches: correct code is not accused, whatever it looks at."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dpaudit import Neighbours, PoissonSampled, SelfComposed, claim
from dpaudit.accounting.epsilon import epsilon_upper
from dpaudit.adapters.torch_training import TorchTraining
from dpaudit.audit import tiers
from dpaudit.content.audits import audit_of
from dpaudit.records.context import Context, Level
from dpaudit.records.mechanism import Gaussian
from dpaudit.records.verdict import Outcome, Verdict

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.usefixtures("torch_is_loaded", "one_torch_thread")

COUNT, STEPS, RATE, CLIP, NOISE = 40, 4, 0.2, 1.0, 2.0
MECHANISM = SelfComposed(PoissonSampled(RATE, Gaussian(NOISE)), STEPS)
RECORDS = np.random.default_rng(0).normal(size=(COUNT, 5)).astype(np.float32)
Look = Callable[[Any], object]


def nothing(records: Any) -> None:
    """No look."""


def everything(records: Any) -> Any:
    return records.tensors(torch.arange(len(records)))


def five(records: Any) -> Any:
    return records.tensors(torch.arange(5)).shape


def in_pieces(records: Any) -> list[Any]:
    """As a loader that is not shuffled gives them."""
    return [records.tensors(torch.arange(i, min(i + 10, len(records)))) for i in range(0, len(records), 10)]


def trained(
    records: Any, watch: Any, before: Look, beside: Look, scale: float = 1.0, centred: bool = False, twice: bool = False
) -> Any:
    """Clipped means, noisy. scale: of the noise; centred: by all records; twice: each batch goes in two times."""
    weights = torch.nn.Parameter(torch.zeros(5))
    optimizer = torch.optim.SGD([weights], lr=0.5)
    watch(optimizer, clip_norm=CLIP, noise_multiplier=NOISE, batch_size=RATE * COUNT)
    before(records)
    middle = torch.nan_to_num(everything(records)).clamp(-10, 10).mean(dim=0) if centred else torch.zeros(5)
    for step in range(STEPS):
        members = torch.nonzero(torch.rand(len(records)) < RATE)[:, 0]
        batch = torch.cat([records.tensors(members) for _ in range(2 if twice else 1)])
        if step % 3 == 0:
            beside(records)
        own = torch.nan_to_num(batch - middle - weights.detach()).clamp(-10, 10)
        own = own * (CLIP / own.norm(dim=1, keepdim=True).clamp(min=CLIP))
        weights.grad = (own.sum(dim=0) + torch.normal(0.0, scale * NOISE * CLIP, (5,))) / (RATE * COUNT)
        optimizer.step()
    return {"weights": weights}


def audited(before: Look = nothing, beside: Look = nothing, **bug: Any) -> Verdict:
    def train(records: Any, watch: Any) -> Any:
        return trained(records, watch, before, beside, **bug)

    stated = claim(epsilon=1.01 * epsilon_upper(MECHANISM, 1e-5, Neighbours.ADD_OR_REMOVE), delta=1e-5)
    audit = TorchTraining("mine/looks", train, trials=None, records=RECORDS, claim=stated, mechanism=MECHANISM)
    return tiers.audit(audit_of(audit), Context(1, Level.SMOKE, 1e-6))


def refuting(verdict: Verdict) -> set[str]:
    return {e.detail.partition(":")[0] for e in verdict.evidence if e.outcome is Outcome.REFUTED}


@pytest.mark.deep
@pytest.mark.parametrize("place", ["", "before", "beside"])
def test_a_look_at_all_records_at_once_is_no_batch(place: str) -> None:
    looks = {place: everything} if place else {}
    assert audited(**looks).outcome is Outcome.CONSISTENT
    assert "noise scale" in refuting(audited(**looks, scale=0.5))


def test_what_a_step_takes_from_such_a_look_is_seen() -> None:
    assert "records outside the batch" in refuting(audited(centred=True))


@pytest.mark.deep
@pytest.mark.parametrize("look", [five, in_pieces])
@pytest.mark.parametrize("place", ["before", "beside"])
def test_a_look_at_a_part_leaves_open_what_the_batch_is(look: Look, place: str) -> None:
    verdict = audited(**{place: look})
    assert refuting(verdict) == set()
    assert verdict.outcome is Outcome.INCONCLUSIVE
    open_ones = [e.detail for e in verdict.evidence if e.outcome is Outcome.INCONCLUSIVE]
    assert all("to settle it: read all records at once where they are only looked at" in detail for detail in open_ones)
    assert "noise scale" in refuting(audited(**{place: look}, scale=0.5))


def test_a_batch_that_is_read_and_used_twice_is_refuted() -> None:
    assert {"sampler", "sensitivity"} <= refuting(audited(twice=True))
