"""DP-SGD in torch as people write it, with bugs planted one at a time; optimisers of torch; Opacus in fifteen lines."""

from __future__ import annotations

import importlib.util
import inspect
import math
import warnings
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest
import torch

from dpaudit.adapters.torch_recording import Place
from dpaudit.adapters.torch_training import NOTES, TorchTraining
from dpaudit.audit import tiers
from dpaudit.audit.structural.recording import Recorder
from dpaudit.content.audits import audit_of
from dpaudit.noise.stream import Stream, Trials
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.context import Context, Level
from dpaudit.records.errors import ContentError
from dpaudit.records.mechanism import Gaussian, PoissonSampled, SelfComposed
from dpaudit.records.privacy import Neighbours, View, claim
from dpaudit.records.target import TrialPlan
from dpaudit.records.verdict import Outcome, Verdict

ALPHA = 1e-6
"""False-alarm probability of each statistical test in an audit below."""

RECORDS, RATE, STEPS, CLIP, NOISE = 100, 0.2, 4, 1.0, 1.5
BATCH = RATE * RECORDS
MECHANISM = SelfComposed(PoissonSampled(RATE, Gaussian(NOISE)), STEPS)
EPSILON = 1.78
"""Of MECHANISM at delta = 1e-5, rounded up."""


def labelled(count: int = RECORDS, features: int = 5) -> tuple[np.ndarray, np.ndarray]:
    """Features and labels 0, 1 that follow the first one."""
    rng = np.random.default_rng(0)
    inputs = rng.normal(size=(count, features))
    return inputs, (inputs[:, 0] + 0.3 * rng.normal(size=count) > 0).astype(np.int64)


def clipped_sum(inputs: Any, labels: Any, weights: Any, bug: str = "") -> Any:
    """The sum of the clipped gradients of the logistic loss; records that are not finite count as 0."""
    own = (torch.sigmoid(inputs @ weights) - labels)[:, None] * inputs
    if bug != "non-finite record":
        own = torch.where(own.isfinite().all(dim=1, keepdim=True), own, torch.zeros_like(own))
    if bug != "no clipping":
        own = own * (CLIP / own.norm(dim=1, keepdim=True).clamp(min=CLIP))
    return own.sum(dim=0)


def in_a_loop(records: Any, watch: Any, bug: str = "", kind: Any = torch.optim.SGD, **settings: Any) -> Any:
    """The loop adds noise to the gradient that a plain optimiser is handed."""
    weights = torch.nn.Parameter(torch.zeros(5))
    optimizer = kind([weights], **settings) if settings else kind([weights], lr=0.5)
    watch(optimizer, clip_norm=CLIP, noise_multiplier=NOISE, batch_size=BATCH)
    kept = None
    for _ in range(STEPS):
        inputs, labels = records.tensors(torch.nonzero(torch.rand(len(records)) < RATE)[:, 0])
        noise = torch.normal(0.0, NOISE * CLIP * (0.3 if bug == "little noise" else 1.0), (5,))
        kept = noise if kept is None or bug != "reused noise" else kept
        total = clipped_sum(inputs, labels, weights.detach(), bug) + kept
        weights.grad = total / (max(len(inputs), 1) if bug == "batch divisor" else BATCH)
        kept = kept if bug == "reused noise" else None
        optimizer.step()
    return {"weights": weights}


class NoisySGD(torch.optim.Optimizer):
    """The step adds the noise, and may keep a momentum."""

    def __init__(self, parameters: Any, lr: float, momentum: float = 0.0) -> None:
        super().__init__(parameters, {"lr": lr})
        self.momentum = momentum

    @torch.no_grad()
    def step(self) -> None:
        for p in (one for one in self.param_groups[0]["params"] if one.grad is not None):
            gradient = (p.grad + NOISE * CLIP * torch.randn_like(p)) / BATCH
            if self.momentum:
                state = self.state[p]
                gradient = state["momentum"] = self.momentum * state.get("momentum", 0.0) + gradient
            p.sub_(self.param_groups[0]["lr"] * gradient)


def in_the_step(records: Any, watch: Any, momentum: float = 0.0) -> None:
    """The optimiser adds the noise; nothing is returned."""
    weights = torch.nn.Parameter(torch.zeros(5))
    optimizer = NoisySGD([weights], 0.5, momentum)
    watch(optimizer, clip_norm=CLIP, noise_multiplier=NOISE, batch_size=BATCH)
    for _ in range(STEPS):
        inputs, labels = records.tensors(torch.nonzero(torch.rand(len(records)) < RATE)[:, 0])
        weights.grad = clipped_sum(inputs, labels, weights.detach())
        optimizer.step()


def numpy_noise(records: Any, watch: Any) -> None:
    """Noise that hooks of torch cannot see."""
    weights, rng = torch.nn.Parameter(torch.zeros(5)), np.random.default_rng()
    optimizer = torch.optim.SGD([weights], lr=0.5)
    watch(optimizer)
    for _ in range(STEPS):
        inputs, labels = records.tensors(torch.nonzero(torch.rand(len(records)) < RATE)[:, 0])
        noise = torch.as_tensor(NOISE * rng.normal(size=5), dtype=torch.float32)
        weights.grad = (clipped_sum(inputs, labels, weights.detach()) + noise) / BATCH
        optimizer.step()


def audited(train: Any, trials: int | None, **options: Any) -> tuple[Verdict, TorchTraining]:
    """The verdict at ALPHA, with so many trials a side."""
    options = {"claim": claim(epsilon=EPSILON, delta=1e-5), "mechanism": MECHANISM, **options}
    records = {} if "pair" in options else {"records": labelled()}
    plan = None if trials is None else TrialPlan(trials, trials, trials)
    audit = TorchTraining("mine/dp-sgd", train, trials=plan, **records, **options)
    return tiers.audit(audit_of(audit), Context(1, Level.SMOKE, ALPHA)), audit


def refuting(verdict: Verdict) -> set[str]:
    """What refutes: names of structural checks, and "game"."""
    wrong = [e for e in verdict.evidence if e.outcome is Outcome.REFUTED]
    return {e.detail.partition(":")[0] if e.engine == "structural" else e.engine for e in wrong}


pytestmark = pytest.mark.usefixtures("torch_is_loaded", "one_torch_thread")


# A correct training. ------------------------------------------------------------------------------


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize(
    ("train", "place"), [(in_a_loop, Place.BEFORE_STEP), (in_the_step, Place.IN_STEP)], ids=["in a loop", "in the step"]
)
def test_a_correct_training_is_consistent_in_both_tiers(train: Any, place: Place) -> None:
    verdict, audit = audited(train, 200)
    assert verdict.outcome is Outcome.CONSISTENT, [e for e in verdict.evidence if e.outcome is not Outcome.CONSISTENT]
    ran = {e.detail.partition(":")[0] for e in verdict.evidence if e.outcome is Outcome.CONSISTENT}
    assert {"sensitivity", "accountant", "noise scale", "fresh noise", "sampler", "un-noised outputs"} <= ran
    assert verdict.evidence[-1].engine == "game"
    assert NOTES[place] in audit.notes()
    assert "neighbours differ in" in verdict.statement


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize(
    "train",
    [
        partial(in_a_loop, kind=torch.optim.SGD, lr=0.5, momentum=0.9),
        partial(in_a_loop, kind=torch.optim.Adam, lr=0.1),
        partial(in_the_step, momentum=0.9),
    ],
    ids=["momentum", "Adam", "momentum of its own"],
)
def test_optimisers_with_state_are_replayed(train: Any) -> None:
    verdict, _ = audited(train, None)
    assert verdict.outcome is Outcome.CONSISTENT, refuting(verdict)
    assert verdict.evidence[0].outcome is Outcome.CONSISTENT  # the replay on the same data repeats


def later(records: Any, watch: Any, noise: float = NOISE, inside: bool = False) -> None:
    """The second parameter is frozen when `watch` is called, and trained in the second half with this much noise."""
    weights, rates = (torch.nn.Parameter(torch.zeros(5)) for _ in range(2))
    rates.requires_grad_(False)
    optimizer = NoisySGD([weights, rates], 0.5) if inside else torch.optim.SGD([weights, rates], lr=0.5)
    watch(optimizer, clip_norm=CLIP, noise_multiplier=NOISE, batch_size=BATCH)
    for number in range(STEPS):
        rates.requires_grad_(number >= STEPS // 2)
        inputs, labels = records.tensors(torch.nonzero(torch.rand(len(records)) < RATE)[:, 0])
        trained = [(weights, NOISE), (rates, noise)][: 1 + rates.requires_grad]
        total = clipped_sum(inputs, labels, (weights + rates).detach()) / len(trained) ** 0.5
        for p, scale in trained:
            p.grad = total if inside else (total + scale * CLIP * torch.randn(5)) / BATCH
        optimizer.step()


@pytest.mark.deep
@pytest.mark.parametrize("options", [{}, {"pretrain": 2}], ids=["its own start", "the worst start"])
@pytest.mark.parametrize("inside", [False, True])
def test_parts_that_are_frozen_when_it_begins_are_watched(inside: bool, options: dict[str, Any]) -> None:
    verdict, audit = audited(partial(later, inside=inside), None, **options)
    assert verdict.outcome is Outcome.CONSISTENT, [e for e in verdict.evidence if e.outcome is not Outcome.CONSISTENT]
    recorder = Recorder(seed=3)
    audit.instrument(labelled(), recorder)
    steps = [one.step for one in recorder.recording().releases if one.name.endswith("parameter 1")]
    assert steps == list(range(STEPS // 2))


@pytest.mark.deep
def test_parts_without_noise_that_are_frozen_when_it_begins_are_refuted() -> None:
    verdict, _ = audited(partial(later, noise=0.0), None)
    assert "un-noised outputs" in refuting(verdict)


# Planted bugs. ------------------------------------------------------------------------------------


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize(
    ("bug", "checks"),
    [
        ("little noise", {"noise law", "noise scale"}),
        ("reused noise", {"fresh noise", "noise law", "noise scale"}),
        ("batch divisor", {"sensitivity", "accountant", "bad records"}),
        ("non-finite record", {"bad records"}),
    ],
)
def test_a_planted_bug_is_refuted_by_the_structural_tier(bug: str, checks: set[str]) -> None:
    verdict, _ = audited(partial(in_a_loop, bug=bug), None)
    assert verdict.outcome is Outcome.REFUTED
    assert refuting(verdict) & checks
    assert refuting(verdict) <= checks


@pytest.mark.deep
def test_a_replaced_record_may_move_a_step_by_twice_the_clipping_norm() -> None:
    replaced = claim(mu=2 * math.sqrt(STEPS) / NOISE, neighbours=Neighbours.REPLACE_ONE)
    verdict, _ = audited(in_a_loop, None, claim=replaced, mechanism=None)
    assert verdict.outcome is Outcome.CONSISTENT
    verdict, _ = audited(partial(in_a_loop, bug="no clipping"), None, claim=replaced, mechanism=None)
    assert "sensitivity" in refuting(verdict)


@pytest.mark.deep
def test_no_clipping_is_refuted_by_both_tiers() -> None:
    verdict, _ = audited(partial(in_a_loop, bug="no clipping"), 400)
    assert {"sensitivity", "accountant", "game"} <= refuting(verdict)


@pytest.mark.deep
def test_the_final_model_alone_is_enough_where_it_lacks_the_noise() -> None:
    def exact(records: Any, watch: Any) -> Any:
        in_the_step(records, watch)
        inputs, labels = records.tensors()
        return {"weights": -clipped_sum(inputs, labels, torch.zeros(5))}

    verdict, _ = audited(exact, 160, view=View.FINAL_MODEL)
    assert refuting(verdict) >= {"un-noised outputs", "game"}


# What the adapter cannot see, and what it refuses. ------------------------------------------------


def test_noise_out_of_sight_is_said_and_refutes_nothing() -> None:
    verdict, audit = audited(numpy_noise, None)
    assert NOTES[Place.UNSEEN] in audit.notes()
    assert "not seen: noise" in verdict.statement
    assert verdict.outcome is not Outcome.REFUTED


@pytest.mark.deep
def test_a_training_without_noise_is_refuted() -> None:
    def bare(records: Any, watch: Any) -> None:
        weights = torch.nn.Parameter(torch.zeros(5))
        optimizer = torch.optim.SGD([weights], lr=0.5)
        watch(optimizer)
        inputs, labels = records.tensors()
        weights.grad = clipped_sum(inputs, labels, weights.detach())
        optimizer.step()

    verdict, audit = audited(bare, None)
    assert "un-noised outputs" in refuting(verdict)
    assert NOTES[Place.NOWHERE] in audit.notes()


@pytest.mark.parametrize(
    ("train", "words"),
    [
        (lambda records, watch: None, "never called watch"),
        (
            lambda records, watch: [watch(torch.optim.SGD([torch.nn.Parameter(torch.ones(1))], 1.0)) for _ in "ab"],
            "twi",
        ),
        (lambda records, watch: watch(torch.optim.SGD([torch.zeros(1)], 1.0)), "no parameters that are trained"),
        (lambda records, watch: in_the_step(records, watch) or {"epochs": 3}, "without a tensor"),
        (lambda records, watch: in_the_step(records, watch) or 3, "must return the model"),
    ],
)
def test_what_a_training_forgot_is_said(train: Any, words: str) -> None:
    audit = TorchTraining("mine/broken", train, records=labelled(), claim=claim(mu=1.0))
    with pytest.raises(ContentError, match=words):
        audit.instrument(labelled(), Recorder())


def test_batches_that_nobody_saw_are_said() -> None:
    def one_by_one(records: Any, watch: Any) -> None:
        weights = torch.nn.Parameter(torch.zeros(5))
        optimizer = NoisySGD([weights], 0.5)
        watch(optimizer)
        for record in records:
            weights.grad = clipped_sum(record[0][None], record[1][None], weights.detach())
            optimizer.step()

    inputs, labels = labelled(8)
    replaced = claim(mu=1.0, neighbours=Neighbours.REPLACE_ONE)  # an added record would be a step of its own
    audit = TorchTraining("mine/loop", one_by_one, records=(inputs, labels), claim=replaced)
    audit.neighbours(np.random.default_rng(0))
    assert any("batches: not seen" in note for note in audit.notes())


# The game. ----------------------------------------------------------------------------------------


def test_a_trial_is_the_same_again_and_hangs_on_its_own_number_alone() -> None:
    audit = TorchTraining("mine/dp-sgd", in_the_step, records=labelled(), claim=claim(mu=1.0))
    data, _ = audit.neighbours(np.random.default_rng(3))
    stream = Stream(1, "trials")
    torch.manual_seed(7)
    before = torch.get_rng_state()
    together = audit.run(data, Trials(stream, np.arange(3)))
    assert torch.equal(torch.get_rng_state(), before)
    assert together.shape == (3, STEPS + 3)
    assert np.array_equal(together[1:2], audit.run(data, Trials(stream, np.array([1]))))
    assert not together[:, -3].any(), "no value is ever 0"
    assert len(np.unique(together)) == together.size - 2


def test_a_learning_rate_schedule_does_not_warn_of_watched_steps() -> None:
    """A schedule that was made before `watch` finds a step that it did not wrap."""

    def train(records: Any, watch: Any) -> None:
        model = torch.nn.Linear(5, 1)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        schedule = torch.optim.lr_scheduler.StepLR(optimizer, 1, 0.5)
        watch(optimizer)
        inputs, _ = records.tensors()
        for p in model.parameters():
            p.grad = inputs.sum() + torch.randn_like(p)
        optimizer.step()
        schedule.step()

    audit = TorchTraining("toy/schedule", train, records=labelled(), claim=claim(mu=1.0), trials=None)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        recorder = Recorder(seed=1)
        audit.instrument(labelled(), recorder)
    assert len(recorder.recording().releases) == 1


def test_what_the_training_declares_is_said() -> None:
    """A wrong clip_norm makes the structural tier pass, so that a reader must see it."""

    def train(records: Any, watch: Any) -> None:
        model = torch.nn.Linear(5, 1)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
        watch(optimizer, clip_norm=10.0, noise_multiplier=0.25, batch_size=20, release="gradient")
        for p in model.parameters():
            p.grad = torch.randn_like(p)
        optimizer.step()

    audit = TorchTraining("toy/declared", train, records=labelled(), claim=claim(mu=1.0), trials=None)
    audit.instrument(labelled(), Recorder(seed=1))
    size = "of the sum after division by the batch size 20"
    assert f"the training says of its last gradient: sensitivity 0.5, noise scale 0.125, {size}" in audit.notes()


def test_the_final_column_is_the_sum_of_the_steps_of_plain_sgd() -> None:
    """One weight, one learning rate: the model moves by the sum of the updates along the sum of three directions."""

    def straight(records: Any, watch: Any) -> None:
        weights = torch.nn.Parameter(torch.zeros(1))
        optimizer = NoisySGD([weights], 0.5)
        watch(optimizer, clip_norm=CLIP, noise_multiplier=NOISE, batch_size=BATCH)
        for _ in range(3):
            weights.grad = records.tensors().sum(dim=0)
            optimizer.step()

    pair = (np.array([[1.0], [2.0]]), np.array([[1.0], [0.0]]))
    audit = TorchTraining("mine/sum", straight, pair=pair, claim=claim(mu=1.0, neighbours=Neighbours.REPLACE_ONE))
    outputs = audit.run(pair[0], Trials(Stream(1, "sum"), np.arange(500)))
    assert outputs[:, -2] == pytest.approx(3 * outputs[:, :-3].sum(axis=1), rel=1e-4)
    # In units of the noise one step moves by 2/NOISE between the data sets, and by 3/NOISE from zero on the first one.
    standard_error = 2 / NOISE / np.sqrt(outputs[:, 0].size)
    assert abs(outputs[:, 0].mean() - 3 * 2 / NOISE**2) < 5.1 * standard_error  # missed by chance once in 3e6


@pytest.mark.deep
def test_without_neighbours_first_the_directions_are_those_of_the_run_seed() -> None:
    first, second = (
        TorchTraining("mine/dp-sgd", in_the_step, records=labelled(), claim=claim(mu=1.0)) for _ in range(2)
    )
    from dpaudit.audit.contract import generator

    data, _ = first.neighbours(generator(5, "mine/dp-sgd", "neighbours"))
    trials = Trials(Stream(5, "mine/dp-sgd/D"), np.arange(2))
    assert np.array_equal(first.run(data, trials), second.run(data, trials))


# Opacus. ------------------------------------------------------------------------------------------


def opacus_training(records: Any, watch: Any) -> Any:
    from opacus import PrivacyEngine

    model = torch.nn.Linear(5, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = torch.utils.data.DataLoader(records, batch_size=20)
    model, optimizer, loader = PrivacyEngine().make_private(
        module=model, optimizer=optimizer, data_loader=loader, noise_multiplier=2.0, max_grad_norm=CLIP
    )
    watch(optimizer)
    for inputs, labels in loader:
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(inputs), labels).backward()
        optimizer.step()
    return model


OPACUS = SelfComposed(PoissonSampled(0.2, Gaussian(2.0)), 5)
needs_opacus = pytest.mark.skipif(importlib.util.find_spec("opacus") is None, reason="Opacus is not installed")


def test_the_opacus_training_has_fifteen_lines_at_most() -> None:
    assert len(inspect.getsource(opacus_training).replace(" ", "").strip().split("\n\n")[1].splitlines()) <= 13


@pytest.mark.deep
@needs_opacus
def test_opacus_is_consistent_in_both_tiers_under_zero_out() -> None:
    verdict, audit = audited(
        opacus_training,
        80,
        claim=claim(epsilon=1.25, delta=1e-5, neighbours=Neighbours.ZERO_OUT),
        mechanism=OPACUS,
        assumptions=Assumptions(shared_generators=True, checked_records=True),
    )
    assert verdict.outcome is Outcome.CONSISTENT, refuting(verdict)
    checked = {e.detail.partition(":")[0]: e for e in verdict.evidence if e.outcome is Outcome.CONSISTENT}
    assert {"sensitivity", "accountant", "noise scale", "un-noised outputs", "draws of the sampler"} <= set(checked)
    assert dict(checked["sensitivity"].numbers)["sensitivity"] == pytest.approx(CLIP / 20)
    assert NOTES[Place.IN_STEP] in audit.notes()


@needs_opacus
def test_opacus_lets_a_record_that_is_not_finite_through() -> None:
    verdict, _ = audited(
        opacus_training,
        None,
        claim=claim(epsilon=1.25, delta=1e-5, neighbours=Neighbours.ZERO_OUT),
        mechanism=OPACUS,
    )
    assert refuting(verdict) == {"bad records"}


@needs_opacus
def test_opacus_with_half_of_its_noise_is_refuted() -> None:
    verdict, _ = audited(
        opacus_training,
        None,
        claim=claim(epsilon=1.25, delta=1e-5, neighbours=Neighbours.ZERO_OUT),
        mechanism=SelfComposed(PoissonSampled(0.2, Gaussian(4.0)), 5),
        assumptions=Assumptions(shared_generators=True, checked_records=True),
    )
    assert {"accountant", "declared epsilon"} & refuting(verdict)


def test_the_given_target_keeps_every_option() -> None:
    audit = TorchTraining("mine/x", in_the_step, records=labelled(), claim=claim(mu=1.0), title="X", optional=True)
    assert replace(audit.TARGET, title="X", optional=True, needs=(("torch", "torch"),)) == audit.TARGET
