"""Correct trainings with public randomness inside their statistics are not refuted; their twins with a bug are."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from types import MethodType
from typing import Any

import numpy as np
import pytest
import torch
from depth import pairs
from opacus import PrivacyEngine
from torch.nn import functional
from torch.utils.data import DataLoader

from dpaudit.adapters.torch_training import TorchTraining
from dpaudit.adapters.training import Training
from dpaudit.audit.structural.examine import examine
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.privacy import Neighbours, claim
from dpaudit.records.verdict import Outcome

RECORDS, FEATURES, RATE, STEPS, CLIP, NOISE = 24, 6, 0.4, 5, 1.0, 1.5
BATCH = RATE * RECORDS
STATED = claim(epsilon=6.0, delta=1e-5)


def labelled() -> tuple[np.ndarray, np.ndarray]:
    """Features and labels 0, 1 that follow the first one."""
    inputs = np.random.default_rng(0).normal(size=(RECORDS, FEATURES))
    return inputs, (inputs[:, 0] > 0).astype(np.int64)


def plain(inputs: torch.Tensor, weights: torch.Tensor) -> tuple[torch.Tensor, Any]:
    """No randomness in the statistic."""
    return inputs, 1.0


def dropped(inputs: torch.Tensor, weights: torch.Tensor) -> tuple[torch.Tensor, Any]:
    """Dropout of the features."""
    return functional.dropout(inputs, 0.5), 1.0


def flipped(inputs: torch.Tensor, weights: torch.Tensor) -> tuple[torch.Tensor, Any]:
    """Random flips of whole records."""
    mirrored = torch.rand(len(inputs)) < 0.5
    return torch.where(mirrored[:, None], inputs.flip(1), inputs), 1.0


def jittered(inputs: torch.Tensor, weights: torch.Tensor) -> tuple[torch.Tensor, Any]:
    """Uniform jitter."""
    return inputs + torch.rand_like(inputs), 1.0


def frozen_layer(inputs: torch.Tensor, weights: torch.Tensor) -> tuple[torch.Tensor, Any]:
    """Some coordinates are not trained in this step: one draw after as many as there are records."""
    return inputs, (torch.rand(FEATURES) < 0.5).float()


def frozen_by_python(inputs: torch.Tensor, weights: torch.Tensor) -> tuple[torch.Tensor, Any]:
    """One coin of Python's, after one for each record."""
    scales = torch.tensor([[random.choice((-1.0, 1.0))] for _ in range(len(inputs))]).reshape(-1, 1)
    return inputs * scales, float(random.random() < 0.5)


def one_by_one(inputs: torch.Tensor, weights: torch.Tensor) -> tuple[torch.Tensor, Any]:
    """Every record in turn is dropped out and flipped with a coin."""
    dropped_out = (functional.dropout(row, 0.3) for row in inputs)
    rows = [row.flip(0) if random.random() < 0.5 else row for row in dropped_out]
    return torch.stack(rows) if rows else inputs, 1.0


def by_numpy(inputs: torch.Tensor, weights: torch.Tensor) -> tuple[torch.Tensor, Any]:
    """The legacy functions of NumPy."""
    kept = np.random.binomial(1, 0.9, size=(len(inputs), 1))
    return inputs * torch.as_tensor(kept, dtype=inputs.dtype), float(np.random.rand() < 0.9)


WAYS = (dropped, flipped, jittered, frozen_layer, frozen_by_python, one_by_one, by_numpy)


def by_hand(records: Any, watch: Any, way: Any = plain, bug: str = "", rate: float = RATE) -> Any:
    """The loop clips the gradients of single records and adds noise."""
    weights = torch.nn.Parameter(torch.zeros(FEATURES))
    optimizer = torch.optim.SGD([weights], lr=0.5)
    watch(optimizer, clip_norm=CLIP, noise_multiplier=NOISE, batch_size=BATCH)
    for step in range(STEPS):
        inputs, labels = records.tensors(torch.nonzero(torch.rand(len(records)) < rate)[:, 0])
        inputs, trained = way(inputs, weights)
        own = (torch.sigmoid(inputs @ weights.detach()) - labels)[:, None] * inputs * trained
        own = torch.where(own.isfinite().all(dim=1, keepdim=True), own, torch.zeros_like(own))
        if bug != "no clipping":
            own = own * (CLIP / own.norm(dim=1, keepdim=True).clamp(min=CLIP))
        if bug == "noise again" and step % 3 == 0:
            torch.manual_seed(5)
        noise = torch.normal(0.0, NOISE * CLIP * (0.2 if bug == "less noise" else 1.0), (FEATURES,))
        weights.grad = (own.sum(dim=0) + noise) / BATCH
        optimizer.step()
    return {"weights": weights}


def through_opacus(records: Any, watch: Any, bug: str = "") -> Any:
    """Poisson batches, gradients of single records and noise are those of Opacus; the model has dropout."""
    model = torch.nn.Sequential(torch.nn.Linear(FEATURES, 8), torch.nn.Dropout(0.5), torch.nn.Linear(8, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model, optimizer, loader = PrivacyEngine().make_private(
        module=model,
        optimizer=optimizer,
        data_loader=DataLoader(records, batch_size=8),
        noise_multiplier=NOISE,
        max_grad_norm=CLIP,
    )
    if bug == "no clipping":
        optimizer.clip_and_accumulate = MethodType(summed, optimizer)
    if bug == "less noise":
        optimizer.add_noise = MethodType(less, optimizer)
    watch(optimizer)
    for inputs, targets in loader:
        optimizer.zero_grad()
        functional.cross_entropy(model(inputs), targets).backward()
        optimizer.step()
    return model


def summed(optimizer: Any) -> None:
    """Gradients of single records, added up as they are."""
    for p in optimizer.params:
        p.summed_grad = optimizer._get_flat_grad_sample(p).sum(dim=0)


def less(optimizer: Any) -> None:
    """A fifth of the noise that the optimiser states."""
    for p in optimizer.params:
        p.grad = p.summed_grad + 0.2 * NOISE * CLIP * torch.randn_like(p)


def unused(inputs: torch.Tensor, weights: torch.Tensor) -> tuple[torch.Tensor, Any]:
    """The order of a list, which nothing hangs on."""
    random.shuffle(list(range(len(inputs))))
    return inputs, 1.0


def balanced(inputs: torch.Tensor, weights: torch.Tensor) -> tuple[torch.Tensor, Any]:
    """As many signs of each kind, in a random order: which sign a record gets hangs on how many there are."""
    signs = np.where(np.arange(len(inputs)) % 2, 1.0, -1.0)
    return inputs * torch.as_tensor(np.random.permutation(signs), dtype=inputs.dtype)[:, None], 1.0


def in_numpy(records: Any, recorder: Any, bug: str = "") -> None:
    """One generator for batches, dropout, the noise and a coin, in NumPy."""
    rng, weights = np.random.default_rng(recorder.seed), np.zeros(FEATURES)
    features, labels = records
    kept = None
    for _ in range(STEPS):
        members = recorder.batch(np.flatnonzero(rng.random(len(features)) < RATE))
        inputs = features[members] * rng.binomial(1, 0.5, size=(len(members), FEATURES))
        signs = [1.0 if rng.random() < 0.5 else -1.0 for _ in members]
        inputs = inputs * np.array(signs).reshape(-1, 1) + rng.random((len(members), 1)) / 10
        errors = 1 / (1 + np.exp(-np.clip(inputs @ weights, -50, 50))) - labels[members]
        own = np.nan_to_num(errors[:, None] * inputs, nan=0.0, posinf=0.0, neginf=0.0) * float(rng.random() < 0.8)
        if bug != "no clipping":
            own = own / np.maximum(np.linalg.norm(own, axis=1, keepdims=True), CLIP)
        noise = NOISE * CLIP * (0.2 if bug == "less noise" else 1.0) * rng.normal(size=FEATURES)
        noise = kept = noise if kept is None or bug != "noise again" else kept
        total = recorder.release("gradient", own.sum(axis=0), noise, sensitivity=CLIP, noise_scale=NOISE)
        weights = weights - 0.5 * total / BATCH
    recorder.output("weights", weights)


def found(audit: Training, seed: int = 3) -> dict[str, tuple[Outcome, str]]:
    """The outcome and the sentence of every check."""
    data, neighbour = audit.neighbours(np.random.default_rng(seed))
    stated = audit.TARGET.claim
    pairs = [(stated.neighbours, neighbour)]
    assumed = Assumptions(shared_generators=True, random_batches=True, checked_records=audit.TARGET.name == "opacus")
    findings = examine(audit.instrument, data, pairs, stated, seed=seed, alpha=1e-6, assumptions=assumed)
    return {one.check: (one.outcome, one.detail) for one in findings}


def refuted(findings: dict[str, tuple[Outcome, str]]) -> dict[str, str]:
    """What was refuted, and its words."""
    return {name: detail for name, (outcome, detail) in findings.items() if outcome in (Outcome.REFUTED, Outcome.ERROR)}


def of_torch(way: Any, bug: str = "", rate: float = RATE) -> TorchTraining:
    """The loop written by hand; the record that goes is one that the model gets wrong."""
    inputs, labels = labelled()
    inputs[-1], labels[-1] = 3.0, 0
    pair = ((inputs, labels), (inputs[:-1], labels[:-1]))
    return TorchTraining("by hand", partial(by_hand, way=way, bug=bug, rate=rate), pair=pair, claim=STATED)


def of_opacus(bug: str = "") -> TorchTraining:
    """Opacus; the record that goes leaves the empty one."""
    inputs, labels = labelled()
    inputs[-1], labels[-1] = 3.0, 0
    empty = inputs.copy()
    empty[-1] = TorchTraining.empty
    pair = ((inputs, labels), (empty, labels))
    relation = claim(epsilon=6.0, delta=1e-5, neighbours=Neighbours.ZERO_OUT)
    return TorchTraining("opacus", partial(through_opacus, bug=bug), pair=pair, claim=relation)


def of_numpy(bug: str = "") -> Training:
    """The training in NumPy."""
    inputs, labels = labelled()
    inputs[-1], labels[-1] = 3.0, 0
    pair = ((inputs, labels), (inputs[:-1], labels[:-1]))
    return Training("in numpy", partial(in_numpy, bug=bug), pair=pair, claim=STATED)


TRAININGS: dict[str, Callable[..., Training]] = {way.__name__: partial(of_torch, way) for way in WAYS}
TRAININGS |= {"opacus": of_opacus, "numpy": of_numpy}
BUGS = {"no clipping": "sensitivity", "less noise": "noise scale", "noise again": "fresh noise"}


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("name", TRAININGS)
def test_public_randomness_is_not_refuted(name: str) -> None:
    findings = found(TRAININGS[name]())
    assert refuted(findings) == {}
    assert findings["sensitivity"][0] is Outcome.CONSISTENT
    assert not [detail for outcome, detail in findings.values() if outcome is Outcome.INCONCLUSIVE]


@pytest.mark.deep
@pytest.mark.parametrize("way", WAYS)
def test_public_randomness_of_batches_with_all_records_is_not_refuted(way: Any) -> None:
    """One row for each record of the batch looks like one for each record of the data set."""
    findings = found(of_torch(way, rate=1.0))
    assert refuted(findings) == {}
    assert findings["sensitivity"][0] is Outcome.CONSISTENT


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize(("name", "bug"), pairs(["dropped", "frozen_by_python", "one_by_one", "numpy"], BUGS))
def test_its_twin_with_a_bug_is_refuted_for_its_bug(name: str, bug: str) -> None:
    assert BUGS[bug] in refuted(found(TRAININGS[name](bug)))


@pytest.mark.deep
@pytest.mark.parametrize("bug", ["no clipping", "less noise"])
def test_opacus_with_a_bug_is_refuted_for_its_bug(bug: str) -> None:
    wrong = refuted(found(of_opacus(bug)))
    assert BUGS[bug] in wrong
    assert ("sensitivity" in wrong) == (bug == "no clipping")


@pytest.mark.deep
def test_draws_that_cannot_be_aligned_are_inconclusive_and_said() -> None:
    findings = found(of_torch(balanced))
    assert refuted(findings) == {}
    outcome, detail = findings["sensitivity"]
    assert outcome is Outcome.INCONCLUSIVE
    assert "test_public_randomness.py:" in detail
    assert "to settle it: " in detail


@pytest.mark.deep
def test_a_bug_that_such_draws_do_not_reach_is_refuted() -> None:
    assert "sensitivity" in refuted(found(of_torch(unused, "no clipping")))
