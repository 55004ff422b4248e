"""Normal draws between the steps: noise, public values, and what cannot be told apart."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
import torch
from opacus_trainings import ZERO_OUT, needs_opacus, private
from torch_trainings import (
    ALPHA,
    BATCH,
    CHECKED,
    CLAIM,
    CLIP,
    MECHANISM,
    NOISE,
    STEPS,
    consistent,
    drawn,
    examined,
    labelled,
    refuted,
)

from dpaudit.adapters.torch_noise import Division
from dpaudit.adapters.torch_training import TorchTraining
from dpaudit.audit.structural.examine import examine
from dpaudit.audit.structural.finding import Finding
from dpaudit.audit.structural.recording import Recorder
from dpaudit.records.verdict import Outcome

pytestmark = pytest.mark.usefixtures("torch_is_loaded", "one_torch_thread")

Gradient = Callable[[Any, Any], Any]
"""From the gradients of single records and the weights to what the optimiser is handed, times BATCH."""


def gaussian(*shape: int) -> Any:
    """One helper for all that is normal."""
    return torch.randn(*shape)


def total(own: Any) -> Any:
    """The sum of the clipped gradients."""
    return (own * (CLIP / own.norm(dim=1, keepdim=True).clamp(min=CLIP))).sum(dim=0)


def sketched(own: Any, weights: Any, noise: float = NOISE, first: bool = False, unit: bool = False) -> Any:
    """A public projection of the gradient of each record, which is clipped after it."""
    added = noise * CLIP * torch.randn(5) if first else 0.0
    projection = torch.randn(3, 5)
    projection = projection / projection.norm(dim=1, keepdim=True) if unit else projection
    summed = total(own @ projection.T @ projection)
    return summed + (added if first else noise * CLIP * torch.randn(5))


def sketched_by_a_helper(own: Any, weights: Any) -> Any:
    projection = gaussian(3, 5)
    summed = total(own @ projection.T @ projection)
    return summed + NOISE * CLIP * gaussian(5)


def augmented(own: Any, weights: Any, divide: bool = False) -> Any:
    """Each record is changed by a row of its own."""
    summed = total(own + 0.1 * torch.randn_like(own)) + NOISE * CLIP * torch.randn(5)
    return summed * BATCH / max(len(own), 1) if divide else summed


def leaking_beside_noise(own: Any, weights: Any) -> Any:
    return total(own) + NOISE * CLIP * torch.randn(5) + own.norm(dim=1).sum() * torch.randn(5)


def leaking_alone(own: Any, weights: Any) -> Any:
    return own.norm(dim=1).sum() * torch.randn(5)


def leaking_in_the_place_of_noise(own: Any, weights: Any) -> Any:
    return total(own) + (1 + own.norm(dim=1).sum()) * torch.randn(5)


def clipped_after_the_noise(own: Any, weights: Any) -> Any:
    noisy = total(own) + NOISE * CLIP * torch.randn(5)
    return noisy / noisy.norm().clamp(min=1.0)


def signs(own: Any, weights: Any) -> Any:
    """Post-processing whose values come again and again."""
    return torch.sign(total(own) + NOISE * CLIP * torch.randn(5))


def along_a_direction(own: Any, weights: Any) -> Any:
    """A number with noise, times a public direction: the noise of a coordinate is not what is declared of it."""
    direction = torch.randn(5)
    return (total(own) @ torch.ones(5) + NOISE * CLIP * torch.randn(1)) * direction


def through(*shape: int) -> Any:
    return again(*shape)


def again(*shape: int) -> Any:
    return gaussian(*shape)


def sketched_by_deep_helpers(own: Any, weights: Any) -> Any:
    """Three frames do not tell the two draws apart."""
    projection, noise = (through(*shape) for shape in ((3, 5), (1, 5)))
    return total(own @ projection.T @ projection) + NOISE * CLIP * noise[0]


def clipped_in_part(own: Any, weights: Any) -> Any:
    """Of two parameters one is clipped after its noise, which leaves that noise to nobody."""
    summed = total(own)
    first = summed[:2] + NOISE * CLIP * torch.randn(2)
    second = summed[2:] + NOISE * CLIP * torch.randn(3)
    return first / first.norm().clamp(min=1.0), second


def seeded_anew(own: Any, weights: Any) -> Any:
    """The noise cannot be aligned: its generator hangs on the size of the batch."""
    torch.manual_seed(len(own))
    return plain(own, weights)


def plain(own: Any, weights: Any) -> Any:
    return total(own) + NOISE * CLIP * torch.randn(5)


def added_first(own: Any, weights: Any) -> Any:
    """Float32 rounds otherwise than where the noise is added last."""
    summed = NOISE * CLIP * torch.randn(5)
    for one in own:
        summed = summed + total(one[None])
    return summed


class Audited:
    """A training with these gradients, under the structural tier."""

    def __init__(self, gradient: Gradient, **options: Any) -> None:
        self.gradient, self.trainings = gradient, 0
        options = {"records": labelled(), "canary": (np.full(5, -10.0), 1), **options}
        self.audit = TorchTraining(
            "mine/training", self.train, claim=CLAIM, mechanism=MECHANISM, trials=None, assumptions=CHECKED, **options
        )
        self.data, self.neighbour = self.audit.neighbours(np.random.default_rng(1))

    def train(self, records: Any, watch: Any) -> Any:
        self.trainings += 1
        weights = torch.nn.Parameter(torch.zeros(5))
        optimizer = torch.optim.SGD([weights], lr=0.5)
        watch(optimizer, clip_norm=CLIP, noise_multiplier=NOISE, batch_size=BATCH)
        for _ in range(STEPS):
            inputs, labels = records.tensors(drawn(records))
            own = (torch.sigmoid(inputs @ weights.detach()) - labels)[:, None] * inputs
            weights.grad = self.gradient(own, weights) / BATCH
            optimizer.step()
        return {"weights": weights}

    def findings(self) -> dict[str, Finding]:
        """By the name of the check."""
        found = examine(
            self.audit.instrument,
            self.data,
            [(CLAIM.neighbours, self.neighbour)],
            CLAIM,
            MECHANISM,
            seed=1,
            alpha=ALPHA,
            assumptions=CHECKED,
        )
        return {one.check: one for one in found}

    def outcome(self, outcome: Outcome) -> set[str]:
        """The checks with this outcome."""
        return {one.check for one in self.findings().values() if one.outcome is outcome}


def line(function: Callable[..., object], text: str) -> str:
    """File and line of this text in the function, as notes and findings name it."""
    lines, start = inspect.getsourcelines(function)
    return f"test_torch_noise.py:{start + next(n for n, one in enumerate(lines) if text in one)}"


# Public draws beside the noise. -------------------------------------------------------------------


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize(
    "gradient",
    [
        sketched,
        partial(sketched, first=True),
        partial(sketched, unit=True),
        sketched_by_a_helper,
        augmented,
    ],
    ids=["sketch", "noise before the sketch", "0/0 without the sketch", "one helper for both", "augmentation"],
)
def test_public_draws_beside_the_noise_are_consistent(gradient: Gradient) -> None:
    findings = Audited(gradient).findings()
    assert [one for one in findings.values() if one.outcome in (Outcome.REFUTED, Outcome.INCONCLUSIVE)] == []
    assert {findings[name].outcome for name in ("sensitivity", "noise scale", "accountant")} == {Outcome.CONSISTENT}
    assert 0 < dict(findings["sensitivity"].numbers)["distance"] <= CLIP / BATCH * (1 + 1e-5)
    scale = dict(findings["noise scale"].numbers)["measured_over_declared"]
    assert scale == pytest.approx(1, abs=0.25)  # of hundreds of coordinates


def test_the_lines_of_public_draws_are_said() -> None:
    helper = line(gaussian, "torch.randn")
    notes = Audited(sketched_by_a_helper).audit.notes()
    assert any(f"{helper} (called at {line(sketched_by_a_helper, 'gaussian(3, 5)')})" in note for note in notes)
    assert not any(line(sketched_by_a_helper, "NOISE * CLIP") in note for note in notes)


def test_a_sketch_with_little_noise_is_refuted_by_its_scale() -> None:
    assert Audited(partial(sketched, noise=0.3 * NOISE)).outcome(Outcome.REFUTED) == {"noise scale", "noise law"}


def test_a_leak_times_a_normal_draw_is_refuted_beside_true_noise() -> None:
    assert Audited(leaking_beside_noise).outcome(Outcome.REFUTED) == {"sensitivity", "accountant"}


# What no division explains. -----------------------------------------------------------------------


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize(
    ("gradient", "text"),
    [
        (leaking_alone, "torch.randn"),
        (clipped_after_the_noise, "torch.randn"),
        (signs, "torch.randn"),
        (along_a_direction, "direction = "),
        (sketched_by_deep_helpers, ""),
    ],
)
def test_what_cannot_be_told_apart_is_inconclusive_and_named(gradient: Gradient, text: str) -> None:
    audited = Audited(gradient)
    findings = audited.findings()
    assert {name for name, one in findings.items() if one.outcome is Outcome.REFUTED} == set()
    unclear = [one for one in findings.values() if one.outcome is Outcome.INCONCLUSIVE]
    assert [one.check for one in unclear] == ["released values"]
    named = line(gradient, text) if text else f"{line(gaussian, 'torch.randn')} (called at {line(again, 'gaussian')})"
    assert named in unclear[0].detail
    assert "gradient = gradient + torch.normal(...)" in unclear[0].detail
    assert findings["sensitivity"].outcome is findings["noise scale"].outcome is Outcome.NOT_RUN


def test_a_parameter_without_any_noise_left_leaves_the_rest_unclear() -> None:
    class TwoParameters(Audited):
        def train(self, records: Any, watch: Any) -> Any:
            weights = [torch.nn.Parameter(torch.zeros(size)) for size in (2, 3)]
            optimizer = torch.optim.SGD(weights, lr=0.5)
            watch(optimizer, clip_norm=CLIP, noise_multiplier=NOISE, batch_size=BATCH)
            for _ in range(STEPS):
                inputs, labels = records.tensors(drawn(records))
                own = (torch.sigmoid(inputs @ torch.cat([p.detach() for p in weights])) - labels)[:, None] * inputs
                for p, gradient in zip(weights, clipped_in_part(own, weights), strict=True):
                    p.grad = gradient / BATCH
                optimizer.step()

    audited = TwoParameters(clipped_in_part)
    assert audited.outcome(Outcome.REFUTED) == set()
    assert audited.outcome(Outcome.INCONCLUSIVE) == {"released values"}


@pytest.mark.deep
def test_a_model_that_lacks_the_noise_is_refuted_all_the_same() -> None:
    """What leaves beside the gradients needs no division."""

    class Exact(Audited):
        def train(self, records: Any, watch: Any) -> Any:
            return {name: p + records.tensors()[0].sum() for name, p in super().train(records, watch).items()}

    found = Exact(clipped_after_the_noise).outcome(Outcome.REFUTED)
    assert found == {"un-noised outputs", "records outside the batch"}


def test_gradients_that_are_not_taken_apart_are_judged_where_no_noise_matters() -> None:
    class Divided(Audited):
        def train(self, records: Any, watch: Any) -> Any:
            self.gradient = lambda own, weights: clipped_after_the_noise(own, weights) / len(records)
            return super().train(records, watch)

    audited = Divided(clipped_after_the_noise)
    assert audited.outcome(Outcome.REFUTED) == {"records outside the batch"}


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize(
    ("gradient", "refuting"),
    [
        (partial(augmented, divide=True), {"sensitivity", "accountant"}),
        (leaking_in_the_place_of_noise, {"noise scale", "noise law"}),
    ],
    ids=["size of the batch", "leak"],
)
def test_noise_scaled_by_a_private_number_is_refuted_as_before_and_never_consistent(
    gradient: Gradient, refuting: set[str]
) -> None:
    findings = Audited(gradient).findings()
    # Draws hang on their lines in this file, and with them whether a changing scale shows in so few steps.
    found = {name for name, one in findings.items() if one.outcome is Outcome.REFUTED}
    assert refuting <= found <= refuting | {"noise scale"}
    assert findings["released values"].outcome is Outcome.INCONCLUSIVE
    assert "is scaled by a number that differs on a neighbour" in findings["released values"].detail


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize(
    ("after", "refuting", "perhaps"),
    [
        (lambda noisy, own: noisy / max(len(own), 1), {"sensitivity"}, {"noise law", "noise scale"}),
        (lambda noisy, own: noisy.clamp(-1, 1), set(), set()),
    ],
    ids=["size of the batch", "clipped after the noise"],
)
def test_one_coordinate_is_a_multiple_of_any_other(
    after: Callable[..., Any], refuting: set[str], perhaps: set[str]
) -> None:
    """What is linear in its draws is noise with a private scale; what is clipped is not taken apart. Whether such noise
    is refuted by its law or its scale too hangs on the draws.
    """

    def train(records: Any, watch: Any) -> None:
        mean = torch.nn.Parameter(torch.zeros(1))
        optimizer = torch.optim.SGD([mean], lr=0.5)
        watch(optimizer, clip_norm=CLIP, noise_multiplier=NOISE, batch_size=BATCH)
        for _ in range(STEPS):
            own = records.tensors(drawn(records)).clamp(-CLIP, CLIP)
            mean.grad = after(own.sum(dim=0) + NOISE * CLIP * torch.randn(1), own)
            optimizer.step()

    values = np.random.default_rng(0).normal(size=(60, 1))
    findings = examined(train, mechanism=None, records=values, canary=np.array([1.0]))
    assert refuting <= set(refuted(findings)) <= refuting | perhaps
    assert [one.check for one in findings if one.outcome is Outcome.INCONCLUSIVE] == ["released values"]


def test_directions_where_nothing_is_told_apart_are_those_of_the_gradients() -> None:
    """The game is played all the same; without a normal draw that matters, moves are counted in declared noise."""
    told = [note for note in Audited(clipped_after_the_noise).audit.notes() if "which moves the steps by" in note]
    moved = float(told[0].partition("moves the steps by ")[2].split()[0])
    most = 2 * np.sqrt(STEPS) / NOISE  # the clipped gradients of two data sets are within 2 of each other
    assert most / BATCH < moved < most


# What noise alone costs. --------------------------------------------------------------------------


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("gradient", [plain, added_first])
def test_noise_alone_takes_no_further_training(gradient: Gradient, monkeypatch: pytest.MonkeyPatch) -> None:
    divided = Audited(gradient)
    monkeypatch.setattr("dpaudit.adapters.torch_training.Trainings", None)
    assert divided.trainings == Audited(gradient).trainings == 9
    assert divided.outcome(Outcome.INCONCLUSIVE) | divided.outcome(Outcome.REFUTED) == set()


@pytest.mark.deep
def test_draws_are_divided_once_for_a_target(monkeypatch: pytest.MonkeyPatch) -> None:
    """A replay makes two trainings, with draws that are divided or without. Where statistics hang on draws no record is
    removed but the last one: here it is not in the other training either."""
    monkeypatch.setattr("dpaudit.audit.structural.training.unlike", lambda data: [])
    divided, alone = Audited(sketched), Audited(plain)
    assert divided.trainings == 9 + 8 + 6
    before = divided.trainings, alone.trainings
    divided.findings(), alone.findings()
    assert divided.trainings - before[0] == alone.trainings - before[1]


def test_noise_that_no_replay_aligns_is_noise() -> None:
    """With equal draws it does the same to both data sets."""
    audited, recorder = Audited(seeded_anew), Recorder(seed=1)
    assert audited.trainings == 9 + 4
    audited.audit.instrument(labelled(), recorder)
    assert recorder.recording().unclear == ""
    assert all(np.any(release.noise) for release in recorder.recording().releases)


def test_what_a_division_silences() -> None:
    division = Division()
    assert torch.equal(division.changed(torch.ones(2)), torch.zeros(2))
    assert division.note() == ""


# Opacus adds its noise in the step. ---------------------------------------------------------------


def compressed(records: Any, watch: Any, leak: str = "", noise_multiplier: float = NOISE) -> Any:
    """The gradient of each record goes through a public sketch; then Opacus clips it and adds noise."""
    model, optimizer, loader = private(records, noise_multiplier)
    if leak == "before the noise":
        optimizer.clip_and_accumulate = partial(clipped_with_a_leak, optimizer, optimizer.clip_and_accumulate)
    if leak == "after the noise":
        optimizer.attach_step_hook(lambda done: [add_leak(p, p.grad) for p in done.params])
    watch(optimizer)
    for inputs, labels in loader:
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(inputs), labels).backward()
        for p in model.parameters():
            own = p.grad_sample.flatten(1)
            sketch = torch.randn(3, own.shape[1])
            p.grad_sample = (own @ sketch.T @ sketch).view_as(p.grad_sample)
        optimizer.step()
    return model


def clipped_with_a_leak(optimizer: Any, clip: Any) -> None:
    clip()
    for p in optimizer.params:
        add_leak(p, p.summed_grad)


def add_leak(p: Any, gradient: Any) -> None:
    """A private number times a normal draw, which looks like noise and is none that anybody declared."""
    gradient += p.grad_sample.flatten(1).norm(dim=1).sum() * torch.randn(p.shape)


@needs_opacus
def test_a_public_sketch_under_opacus_is_consistent() -> None:
    findings = examined(compressed, ZERO_OUT)
    assert [one for one in findings if one.outcome in (Outcome.REFUTED, Outcome.INCONCLUSIVE)] == []
    assert consistent(findings) >= {"sensitivity", "noise scale", "noise law", "accountant", "released values"}


@needs_opacus
def test_a_public_sketch_under_opacus_with_little_noise_is_refuted() -> None:
    assert set(refuted(examined(partial(compressed, noise_multiplier=0.3 * NOISE), ZERO_OUT))) == {"accountant"}


@pytest.mark.deep
@needs_opacus
def test_a_leak_under_opacus_before_its_noise_is_refuted() -> None:
    found = refuted(examined(partial(compressed, leak="before the noise"), ZERO_OUT))
    assert {"sensitivity", "accountant"} <= set(found)


@needs_opacus
def test_a_leak_in_a_hook_after_the_noise_of_opacus_is_refuted() -> None:
    found = refuted(examined(partial(compressed, leak="after the noise"), ZERO_OUT))
    assert "noise scale" in found  # what leaves hangs on draws that may be noise of its own
