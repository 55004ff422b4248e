"""Noisy numbers beside the steps: declared with watch.release they are checked, undeclared they are told of."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
import torch
from torch_trainings import BATCH, CHECKED, CLIP, NOISE, STEPS, clipped_sum, drawn, examined, labelled, refuted

from dpaudit.accounting.epsilon import epsilon_upper
from dpaudit.adapters.torch_beside import beside, tensors
from dpaudit.adapters.torch_training import TorchTraining
from dpaudit.adapters.torch_watch import Light
from dpaudit.audit import tiers
from dpaudit.audit.structural.recording import Recorder
from dpaudit.content.audits import audit_of
from dpaudit.records.context import Context, Level
from dpaudit.records.errors import ContentError
from dpaudit.records.mechanism import Gaussian, PoissonSampled, SelfComposed
from dpaudit.records.privacy import Neighbours, claim
from dpaudit.records.target import TrialPlan
from dpaudit.records.verdict import Outcome

pytestmark = pytest.mark.usefixtures("torch_is_loaded", "one_torch_thread")

SPREAD = 6.0
"""Of the noise of a count, which one record moves by 1."""
JOINT = (NOISE**-2 + SPREAD**-2) ** -0.5
"""The noise multiplier of a step that releases a count too."""
ONCE, EACH = (SelfComposed(PoissonSampled(0.2, Gaussian(JOINT)), STEPS), SelfComposed(Gaussian(NOISE), STEPS + 1))


class Noisy(torch.optim.SGD):
    """Draws the noise of the gradient in its step."""

    def step(self, closure: Any = None) -> Any:
        for p in self.param_groups[0]["params"]:
            p.grad = p.grad + torch.normal(0.0, NOISE, p.shape) / BATCH
        return super().step(closure)


def counted(watch: Any, name: str, count: Any, told: str, spread: float = SPREAD) -> Any:
    """The count with noise, as `told`: "declared", "half" of its noise, "clean", or "" of which nobody is told."""
    noise = spread * torch.randn(count.shape)
    if not told:
        return count + noise
    given = {"declared": noise, "half": noise / 2, "clean": None}[told]
    return watch.release(name, count, given, sensitivity=1.0, noise_scale=spread)


def in_each_step(records: Any, watch: Any, told: str, inside: bool, rate: bool = True) -> Any:
    """Counts of the records of each batch by their label; the rate of the step follows them."""
    weights = torch.nn.Parameter(torch.zeros(5))
    optimizer = (Noisy if inside else torch.optim.SGD)([weights], lr=0.5)
    watch(optimizer, clip_norm=CLIP, noise_multiplier=NOISE, batch_size=BATCH, release="gradient")
    counts = []
    for _ in range(STEPS):
        inputs, labels = records.tensors(drawn(records))
        count = torch.stack([(labels == 1).sum(), (labels == 0).sum()])
        counts.append(counted(watch, "labels", count, told))
        total = clipped_sum(inputs, labels, weights.detach())
        weights.grad = (total if inside else total + torch.normal(0.0, NOISE, (5,))) / BATCH
        if rate:
            optimizer.param_groups[0]["lr"] = 0.5 / (1 + abs(float(counts[-1][0])))
        optimizer.step()
    return {"weights": weights, "labels": torch.stack(counts)}


def at_the_end(records: Any, watch: Any, told: str, inside: bool) -> Any:
    """Steps on all records, and counts of the records whose features are positive, and negative."""
    weights = torch.nn.Parameter(torch.zeros(5))
    optimizer = (Noisy if inside else torch.optim.SGD)([weights], lr=0.5)
    watch(optimizer, clip_norm=CLIP, noise_multiplier=NOISE, batch_size=BATCH, release="gradient")
    for _ in range(STEPS):
        total = clipped_sum(*records.tensors(), weights.detach())
        weights.grad = (total if inside else total + torch.normal(0.0, NOISE, (5,))) / BATCH
        optimizer.step()
    inputs, _ = records.tensors()
    marks = torch.cat([inputs > 0, inputs < 0], dim=1).float()
    counts = (marks / marks.sum(dim=1, keepdim=True).clamp(min=1.0).sqrt()).sum(dim=0)
    return {"weights": weights, "counts": counted(watch, "counts", counts, told, NOISE)}


TRAININGS = [(in_each_step, ONCE), (at_the_end, EACH)]


def found(train: Any, mechanism: Any, told: str, inside: bool) -> Any:
    epsilon = 1.01 * epsilon_upper(mechanism, 1e-5, Neighbours.ADD_OR_REMOVE)
    given = partial(train, told=told, inside=inside)
    return examined(given, claim(epsilon=epsilon, delta=1e-5), mechanism)


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("inside", [True, False], ids=["noise in the step", "noise before the step"])
@pytest.mark.parametrize(("train", "mechanism"), TRAININGS)
def test_a_declared_count_is_consistent(train: Any, mechanism: Any, inside: bool) -> None:
    findings = found(train, mechanism, "declared", inside)
    ran = {one.check: one.outcome for one in findings if one.outcome is not Outcome.NOT_RUN}
    assert set(ran.values()) == {Outcome.CONSISTENT}
    assert {"sensitivity", "noise scale", "accountant", "un-noised outputs"} <= set(ran)


@pytest.mark.deep
@pytest.mark.parametrize("inside", [True, False], ids=["noise in the step", "noise before the step"])
@pytest.mark.parametrize(("train", "mechanism"), TRAININGS)
def test_half_of_its_noise_and_none_are_refuted(train: Any, mechanism: Any, inside: bool) -> None:
    half = refuted(found(train, mechanism, "half", inside))
    assert set(half) == {"noise scale"}
    assert "labels" in half["noise scale"] or "counts" in half["noise scale"]
    clean = refuted(found(train, mechanism, "clean", inside))
    assert "is released without noise" in clean["un-noised outputs"]


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("inside", [True, False], ids=["noise in the step", "noise before the step"])
@pytest.mark.parametrize(("train", "mechanism"), TRAININGS)
def test_a_count_of_which_nobody_is_told_is_no_verdict(train: Any, mechanism: Any, inside: bool) -> None:
    findings = found(train, mechanism, "", inside)
    assert not refuted(findings)
    [told] = [one.detail for one in findings if one.check == "un-noised outputs"]
    assert "watch.release" in told
    assert "output counts changes" in told or "output weights changes" in told, "the rate follows the count"


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("of_gradient", ["torch", "numpy"])
@pytest.mark.parametrize("of_count", ["torch", "numpy"])
def test_the_noise_of_a_count_is_not_taken_for_that_of_the_gradient(of_gradient: str, of_count: str) -> None:
    """Drawn by NumPy, that of the gradient is out of sight: it is not said to be without noise."""

    def normal(kind: str, scale: float, size: int) -> Any:
        drawn = torch.randn(size) if kind == "torch" else torch.tensor(np.random.normal(size=size), dtype=torch.float32)
        return scale * drawn

    def train(records: Any, watch: Any) -> Any:
        weights = torch.nn.Parameter(torch.zeros(5))
        optimizer = torch.optim.SGD([weights], lr=0.5)
        watch(optimizer, clip_norm=CLIP, noise_multiplier=NOISE, batch_size=BATCH, release="gradient")
        for _ in range(STEPS):
            inputs, labels = records.tensors(drawn(records))
            count = (labels == 1).sum().reshape(1)
            watch.release("label", count, normal(of_count, SPREAD, 1), sensitivity=1.0, noise_scale=SPREAD)
            total = clipped_sum(inputs, labels, weights.detach())
            weights.grad = (total + normal(of_gradient, NOISE, 5)) / BATCH
            optimizer.step()
        return {"weights": weights}

    epsilon = 1.01 * epsilon_upper(ONCE, 1e-5, Neighbours.ADD_OR_REMOVE)
    findings = examined(train, claim(epsilon=epsilon, delta=1e-5), ONCE)
    assert not refuted(findings)
    ran = {one.check for one in findings if one.outcome is Outcome.CONSISTENT}
    assert ("noise scale" in ran) == (of_gradient == "torch")


@pytest.mark.deep
def test_a_mechanism_that_leaves_the_counts_out_is_refuted() -> None:
    without = SelfComposed(PoissonSampled(0.2, Gaussian(NOISE)), STEPS)
    assert set(refuted(found(in_each_step, without, "declared", True))) == {"accountant"}
    fewer = SelfComposed(Gaussian(NOISE), 1)
    assert set(refuted(found(at_the_end, fewer, "declared", True))) == {"accountant"}


def test_a_count_in_some_steps_belongs_to_them() -> None:
    """Counts of every other step are no steps of their own."""

    def train(records: Any, watch: Any) -> Any:
        weights = torch.nn.Parameter(torch.zeros(5))
        optimizer = torch.optim.SGD([weights], lr=0.5)
        watch(optimizer, clip_norm=CLIP, noise_multiplier=NOISE, batch_size=BATCH)
        for number in range(STEPS):
            inputs, labels = records.tensors(drawn(records))
            if number % 2:
                counted(watch, "positive", (labels == 1).sum(), "declared")
            weights.grad = (clipped_sum(inputs, labels, weights.detach()) + torch.normal(0.0, NOISE, (5,))) / BATCH
            optimizer.step()

    assert not refuted(examined(train, claim(epsilon=2.6, delta=1e-5), ONCE))


@pytest.mark.deep(keep=1)
def test_the_game_sees_the_count() -> None:
    """Gradients drown in their noise, and the count has a tenth of what a record does."""

    def train(records: Any, watch: Any) -> Any:
        weights = torch.nn.Parameter(torch.zeros(5))
        optimizer = torch.optim.SGD([weights], lr=0.5)
        watch(optimizer, clip_norm=CLIP, noise_multiplier=90.0, batch_size=BATCH)
        inputs, labels = records.tensors()
        weights.grad = (clipped_sum(inputs, labels, weights.detach()) + torch.normal(0.0, 90.0, (5,))) / BATCH
        optimizer.step()
        watch.release("records", torch.tensor(float(len(labels))), 0.1 * torch.randn(()))

    audit = TorchTraining(
        "mine/training", train, claim=claim(epsilon=0.5, delta=1e-5), records=labelled(), assumptions=CHECKED,
        trials=TrialPlan(400, 400, 400),
    )  # fmt: skip
    verdict = tiers.audit(audit_of(audit), Context(1, Level.SMOKE, 1e-6))
    assert {one.engine for one in verdict.evidence if one.outcome is Outcome.REFUTED} == {"game"}


def test_it_returns_a_tensor_of_the_type_of_the_statistic() -> None:
    watch = Light(lambda *_: None)
    weights = torch.nn.Parameter(torch.zeros(2, dtype=torch.float64))
    watch(torch.optim.SGD([weights], lr=0.1))
    for statistic, noise, kind in (
        (torch.ones(2, dtype=torch.float64), torch.ones(2), torch.float64),
        (torch.tensor(3), torch.tensor(1.0), torch.float32),
        (3, 1.0, torch.float32),
        (torch.ones((2, 1)), None, torch.float32),
    ):
        value = watch.release("count", statistic, noise)
        assert value.dtype is kind
        assert value.shape == torch.as_tensor(statistic).shape
        assert float(value.flatten()[0]) == float(torch.as_tensor(statistic).flatten()[0]) + float(noise is not None)


def test_names_of_steps_and_two_shapes_are_refused() -> None:
    for name, noise, said in (("gradient", 1.0, "those of the steps"), ("count", torch.ones(2), "need one shape")):
        with pytest.raises(ContentError, match=said):
            beside(name, 0, *tensors(torch.tensor(1.0), noise), {})


def test_a_release_beside_is_a_part_of_the_step_whose_batch_was_read() -> None:
    recorder = Recorder()
    recorder.batch(np.arange(3))
    recorder.beside("count", 3.0, 0.5)
    recorder.step()
    recorder.release("gradient", np.zeros(2), np.ones(2))
    recorder.beside("loss", 1.0, 0.5)
    done = recorder.recording()
    assert [one.at for one in done.releases] == [1, 1, 1]
    assert done.pieces == (1,)
