"""Trainings whose releases have another shape on a neighbour: that is a witness, and no error."""

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
    RATE,
    STEPS,
    clipped_sum,
    consistent,
    drawn,
    examined,
    labelled,
    refuted,
)

from dpaudit.adapters.release import Release
from dpaudit.adapters.torch_training import TorchTraining
from dpaudit.adapters.training import Training
from dpaudit.audit import tiers
from dpaudit.content.audits import audit_of
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.context import Context, Level
from dpaudit.records.privacy import Neighbours, claim
from dpaudit.records.target import TrialPlan
from dpaudit.records.verdict import Outcome, Verdict

pytestmark = pytest.mark.usefixtures("torch_is_loaded", "one_torch_thread")
TRIALS = TrialPlan(100, 100, 100)


def verdict_on(audit: Any) -> Verdict:
    return tiers.audit(audit_of(audit), Context(1, Level.SMOKE, 1e-6))


def refuting(verdict: Verdict) -> dict[str, str]:
    """Details of what refutes, by structural check, or of the game."""
    wrong = [e.detail for e in verdict.evidence if e.outcome is Outcome.REFUTED and e.engine == "structural"]
    found = {detail.partition(":")[0]: detail for detail in wrong}
    return found | {e.engine: e.detail for e in verdict.evidence if e.outcome is Outcome.REFUTED and e.engine == "game"}


def sums_by_label(records: Any, recorder: Any, classes: int | None) -> None:
    """Clipped sums of each label; without `classes`, of each one that occurs in the data."""
    features, labels = records
    known = np.unique(labels) if classes is None else np.arange(classes)
    rng, means = np.random.default_rng(recorder.seed), np.zeros((len(known), 5))
    for _ in range(STEPS):
        members = recorder.batch(np.flatnonzero(rng.random(len(features)) < RATE))
        own = np.nan_to_num(features[members], nan=0.0, posinf=0.0, neginf=0.0)
        own = own / np.maximum(np.linalg.norm(own, axis=1, keepdims=True), 1.0)
        total, noise = np.zeros_like(means), NOISE * rng.normal(size=means.shape)
        for place, label in enumerate(known):
            total[place] = own[labels[members] == label].sum(axis=0)
        if classes is not None and labels[members].max(initial=0) >= classes:
            raise IndexError("a label that this training does not know")
        means += recorder.release("sums", total, noise, sensitivity=1.0, noise_scale=NOISE)
    recorder.output("means", means)


def adapted(classes: int | None, **options: Any) -> Training:
    given = {"claim": CLAIM, "mechanism": MECHANISM, "records": labelled(), "trials": TRIALS, **options}
    return Training("mine/sums", lambda records, recorder: sums_by_label(records, recorder, classes), **given)


@pytest.mark.deep
def test_a_release_for_each_label_of_the_data_is_refuted() -> None:
    audit = adapted(None)
    verdict = verdict_on(audit)
    assert "sums (2, 5)" in refuting(verdict)["noisy calls"]
    assert "on the neighbour sums (1, 5)" in refuting(verdict)["noisy calls"]
    assert "game" in refuting(verdict), "each trial shows its shape"
    assert audit.notes()[-1] == (
        "neighbours differ in the only record of its label: release sums is (2, 5), on the neighbour (1, 5)"
    )


@pytest.mark.deep
def test_a_release_for_each_label_that_is_known_beforehand_is_not() -> None:
    audit = adapted(2, trials=None)
    assert refuting(verdict_on(audit)) == {}
    assert audit.notes()[-1] == "a record with a label that no other has is refused (IndexError), and not tried"
    audit = adapted(3, trials=None)
    assert refuting(verdict_on(audit)) == {}
    assert "refused" not in " ".join(audit.notes())


@pytest.mark.deep
def test_a_pair_of_other_shapes_is_refuted_from_either_side() -> None:
    features, labels = labelled()
    data = (np.vstack([features, features[:1]]), np.append(labels, 2))
    neighbour = (features, labels)
    for pair in ((data, neighbour), (neighbour, data)):
        found = refuting(verdict_on(adapted(None, records=None, pair=pair)))
        assert {"noisy calls", "game"} <= set(found)


@pytest.mark.deep
@pytest.mark.parametrize("relation", [Neighbours.REPLACE_ONE, Neighbours.ADD_OR_REMOVE])
def test_a_torch_model_with_an_output_for_each_label_is_refuted(relation: Neighbours) -> None:
    def train(records: Any, watch: Any) -> Any:
        classes = len(records.tensors()[1].unique())
        weights = torch.nn.Parameter(torch.zeros(5, classes))
        optimizer = torch.optim.SGD([weights], lr=0.5)
        watch(optimizer, clip_norm=CLIP, noise_multiplier=NOISE, batch_size=BATCH)
        for _ in range(STEPS):
            inputs, _ = records.tensors(drawn(records))
            own = inputs / inputs.norm(dim=1, keepdim=True).clamp(min=1.0)
            total = own.sum(dim=0)[:, None].expand(5, classes) / max(classes, 1) ** 0.5
            weights.grad = (total + torch.normal(0.0, NOISE, (5, classes))) / BATCH
            optimizer.step()
        return {"weights": weights}

    promised = claim(epsilon=2.3, delta=1e-5, neighbours=relation)
    audit = TorchTraining(
        "mine/outputs",
        train,
        records=labelled(),
        claim=promised,
        trials=None,
        assumptions=Assumptions(shared_generators=True, random_batches=True, checked_records=True),
    )
    found = refuting(verdict_on(audit))
    assert "on the neighbour" in found["noisy calls"]
    assert "(10,)" in found["noisy calls"]
    assert "(5,)" in found["noisy calls"]


def one_output_each(records: Any, watch: Any, classes: int | None) -> Any:
    """Opacus; without `classes`, an output for each label that occurs in the data."""
    outputs = len(records.tensors()[1].unique()) if classes is None else classes
    model, optimizer, loader = private(records, outputs=outputs)
    watch(optimizer)
    for inputs, labels in loader:
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(inputs), labels).backward()
        optimizer.step()
    return model


@pytest.mark.deep
@needs_opacus
def test_an_opacus_model_with_an_output_for_each_label_is_refuted() -> None:
    found = refuted(examined(partial(one_output_each, classes=None), ZERO_OUT, records=labelled()))
    assert "(10,)" in found["noisy calls"]
    assert "on the neighbour gradient of parameter 0 (5,)" in found["noisy calls"]


@pytest.mark.deep
@needs_opacus
@pytest.mark.parametrize("classes", [2, 3])
def test_an_opacus_model_with_outputs_that_are_known_beforehand_is_not(classes: int) -> None:
    findings = examined(partial(one_output_each, classes=classes), ZERO_OUT, records=labelled())
    assert refuted(findings) == {}
    assert {"noisy calls", "sensitivity", "accountant"} <= consistent(findings)


def entries(records: Any, watch: Any, labels: Any) -> Any:
    """Noisy steps; the answer has one entry for each of the labels."""
    weights = torch.nn.Parameter(torch.zeros(5))
    optimizer = torch.optim.SGD([weights], lr=0.5)
    watch(optimizer, clip_norm=CLIP, noise_multiplier=NOISE, batch_size=BATCH)
    for _ in range(STEPS):
        batch = records.tensors(drawn(records))
        weights.grad = (clipped_sum(*batch, weights.detach()) + torch.normal(0.0, NOISE, (5,))) / BATCH
        optimizer.step()
    return {f"label {label}": weights for label in labels}


@pytest.mark.deep
def test_an_entry_for_each_label_of_the_data_is_refuted() -> None:
    def train(records: Any, watch: Any) -> Any:
        return entries(records, watch, sorted(set(records.tensors()[1].tolist())))

    found = {f.check: f.detail for f in examined(train, records=labelled()) if f.outcome is Outcome.REFUTED}
    assert "is output label 1, on the neighbour missing" in found["noisy calls"]


@pytest.mark.deep
def test_an_entry_for_each_label_that_is_known_is_not() -> None:
    found = examined(lambda records, watch: entries(records, watch, (0, 1)), records=labelled())
    assert [f for f in found if f.outcome is Outcome.REFUTED] == []


def test_a_histogram_of_the_values_that_occur_is_refuted_by_its_shape() -> None:
    def histogram(values: Any, seed: int) -> Any:
        counts = np.bincount(values)
        return counts + np.random.default_rng(seed).laplace(size=len(counts))

    pair = (np.array([0, 0, 1, 1, 2]), np.array([0, 0, 1, 1]))
    found = refuting(verdict_on(Release("mine/histogram", histogram, pair=pair, claim=claim(epsilon=1.0))))
    assert "trials on D gives shape (3,), each of " in found["game"]
    assert " on D' (2,): whoever sees one knows the data set" in found["game"]
