"""Gradient accumulation: what is read between two steps is one batch, in however many pieces it is read."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
import torch
from opacus_trainings import ZERO_OUT, needs_opacus, private
from torch_trainings import (
    BATCH,
    CLAIM,
    CLIP,
    MECHANISM,
    NOISE,
    STEPS,
    clipped_sum,
    consistent,
    drawn,
    examined,
    labelled,
    refuted,
)

from dpaudit.adapters.torch_training import TorchTraining
from dpaudit.audit.structural.recording import Recorder
from dpaudit.records.privacy import Neighbours, claim

pytestmark = pytest.mark.usefixtures("torch_is_loaded", "one_torch_thread")
JUDGED = {"sensitivity", "accountant", "noise scale", "sampler", "noisy calls"}


def accumulating(records: Any, watch: Any, bug: str = "", pieces: int | None = 4) -> Any:
    """Clipped gradients of the pieces of one Poisson batch are summed, and noise is added once."""
    weights = torch.nn.Parameter(torch.zeros(5))
    optimizer = torch.optim.SGD([weights], lr=0.5)
    watch(optimizer, clip_norm=CLIP, noise_multiplier=NOISE, batch_size=BATCH)
    for _ in range(STEPS):
        ids, total = drawn(records), torch.zeros(5)
        for part in ids.split(3) if pieces is None else ids.tensor_split(pieces):
            inputs, labels = records.tensors(part)
            if bug == "mean":
                mean = ((torch.sigmoid(inputs @ weights.detach()) - labels)[:, None] * inputs).sum(dim=0)
                total += mean * (CLIP / mean.norm().clamp(min=CLIP)) * len(inputs)
            else:
                total += clipped_sum(inputs, labels, weights.detach())
        noise = torch.normal(0.0, NOISE * CLIP, (5,)) / (4 if bug == "noise" else 1)
        weights.grad = (total + noise) / (max(len(ids), 1) if bug == "divisor" else BATCH)
        optimizer.step()
    return {"weights": weights}


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("relation", [Neighbours.ADD_OR_REMOVE, Neighbours.ZERO_OUT])
@pytest.mark.parametrize("pieces", [4, None], ids=["four pieces", "pieces of three records"])
def test_pieces_of_a_batch_are_judged_as_the_batch(relation: Neighbours, pieces: int | None) -> None:
    promised = claim(epsilon=2.3, delta=1e-5, neighbours=relation)
    findings = examined(partial(accumulating, pieces=pieces), promised)
    assert refuted(findings) == {}
    assert consistent(findings) >= JUDGED


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize(
    ("bug", "causes"),
    [
        ("noise", {"noise scale", "noise law"}),
        ("mean", {"sensitivity", "accountant"}),
        ("divisor", {"sensitivity", "accountant"}),
    ],
)
def test_accumulation_with_a_bug_is_refuted(bug: str, causes: set[str]) -> None:
    assert set(refuted(examined(partial(accumulating, bug=bug)))) >= causes


@pytest.mark.deep
def test_pieces_that_are_batches_of_their_own_are_refuted() -> None:
    """Four Poisson batches for one step: a record may be in all of them."""

    def four(records: Any, watch: Any) -> None:
        weights = torch.nn.Parameter(torch.zeros(5))
        optimizer = torch.optim.SGD([weights], lr=0.5)
        watch(optimizer, clip_norm=CLIP, noise_multiplier=NOISE, batch_size=BATCH)
        for _ in range(STEPS):
            parts = [records.tensors(drawn(records)) for _ in range(4)]
            total = sum(clipped_sum(*part, weights.detach()) for part in parts)
            weights.grad = (total + torch.normal(0.0, NOISE * CLIP, (5,))) / BATCH
            optimizer.step()

    assert "never Poisson" in refuted(examined(four))["sampler"]


@pytest.mark.deep
def test_what_is_read_before_watch_is_no_batch() -> None:
    """Where each step reads its own."""

    def first_looked_at(records: Any, watch: Any) -> Any:
        assert records.tensors()[0].shape[1] == 5
        return accumulating(records, watch)

    findings = examined(first_looked_at)
    assert refuted(findings) == {}
    assert consistent(findings) >= JUDGED


def test_without_a_release_that_is_seen_steps_cut_the_batches_too() -> None:
    def hidden(records: Any, watch: Any) -> None:
        weights, rng = torch.nn.Parameter(torch.zeros(5)), np.random.default_rng(3)
        optimizer = torch.optim.SGD([weights], lr=0.5)
        watch(optimizer)
        for _ in range(STEPS):
            parts = [records.tensors(part) for part in drawn(records).tensor_split(2)]
            noise = torch.as_tensor(rng.normal(size=5) + torch.rand(1).item(), dtype=torch.float32)
            weights.grad = sum(clipped_sum(*part, weights.detach()) for part in parts) + noise
            optimizer.step()

    audit = TorchTraining("mine/hidden", hidden, records=labelled(), claim=CLAIM, trials=None)
    recorder = Recorder(seed=1)
    audit.instrument(labelled(), recorder)
    assert recorder.recording().pieces == (2,) * STEPS
    assert recorder.recording().releases == ()


# Opacus. ------------------------------------------------------------------------------------------


def with_manager(records: Any, watch: Any, noise_multiplier: float = NOISE) -> Any:
    """Opacus cuts Poisson batches into pieces of four records."""
    from opacus.utils.batch_memory_manager import BatchMemoryManager

    model, optimizer, loader = private(records, noise_multiplier)
    watch(optimizer)
    with BatchMemoryManager(data_loader=loader, max_physical_batch_size=4, optimizer=optimizer) as pieces:
        for inputs, labels in pieces:
            optimizer.zero_grad()
            torch.nn.functional.cross_entropy(model(inputs), labels).backward()
            optimizer.step()
    return model


def with_virtual_steps(records: Any, watch: Any, kept: bool = True) -> Any:
    """Steps are skipped until the batch is done; not `kept`: noise is added to every piece."""
    model, optimizer, loader = private(records)
    watch(optimizer)
    for inputs, labels in loader:
        pieces = list(zip(inputs.split(8), labels.split(8), strict=True))
        for number, (some, named) in enumerate(pieces):
            optimizer.signal_skip_step(do_skip=kept and number < len(pieces) - 1)
            optimizer.zero_grad()
            torch.nn.functional.cross_entropy(model(some), named).backward()
            optimizer.step()
    return model


@pytest.mark.deep
@needs_opacus
@pytest.mark.parametrize("train", [with_manager, with_virtual_steps], ids=["BatchMemoryManager", "virtual steps"])
def test_virtual_batches_of_opacus_are_consistent(train: Any) -> None:
    findings = examined(train, ZERO_OUT)
    assert refuted(findings) == {}
    assert consistent(findings) >= JUDGED


@pytest.mark.deep
@needs_opacus
def test_pieces_with_less_noise_than_accounted_for_are_refuted() -> None:
    assert "accountant" in refuted(examined(partial(with_manager, noise_multiplier=NOISE / 2), ZERO_OUT))


@pytest.mark.deep
@needs_opacus
def test_steps_on_pieces_are_more_compositions_than_accounted_for() -> None:
    found = refuted(examined(partial(with_virtual_steps, kept=False), ZERO_OUT))
    assert f"{STEPS} compositions are accounted for" in found["accountant"]


@pytest.mark.deep
@needs_opacus
def test_the_record_in_question_joins_each_batch_once() -> None:
    """Else its gradient would count once for every piece."""
    record = (np.full(5, -10.0), 1)
    audit = TorchTraining(
        "mine/manager", with_manager, records=labelled(), canary=record, claim=ZERO_OUT, mechanism=MECHANISM
    )
    audit.neighbours(np.random.default_rng(1))
    [note] = [one for one in audit.notes() if "noise scales" in one]
    moved = float(note.partition("moves the steps by ")[2].split()[0])
    assert moved == pytest.approx(np.sqrt(STEPS) / NOISE, rel=0.01)
