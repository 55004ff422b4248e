"""Record and replay of torch optimisers: one that is written by hand, with planted bugs, and Opacus."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
import torch

from dpaudit.audit.structural.checks import (
    accountant,
    bad_records,
    calls,
    freshness,
    noise_law,
    noise_scale,
    outputs,
    public_values,
    released_values,
    sensitivity,
)
from dpaudit.audit.structural.optimisers import observe
from dpaudit.audit.structural.recording import OPTIMISER_STATE, Recorder, Recording
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import Gaussian, SelfComposed
from dpaudit.records.verdict import Outcome

ALPHA = 1e-6
"""False-alarm probability of each statistical check below."""

SIZE, STEPS, RATE, CLIP, NOISE = 4, 40, 0.1, 1.0, 0.5
"""Records of a batch, steps, learning rate, clipping norm, noise multiplier."""


class NoisySGD(torch.optim.Optimizer):
    """DP-SGD as people write it: per-example gradients in `p.grad_sample`, one clipping norm for all parameters."""

    def __init__(self, parameters: Any, generator: torch.Generator, momentum: float = 0.0, bug: str = "") -> None:
        super().__init__(parameters, {"lr": RATE})
        self.generator, self.momentum, self.bug, self.kept = generator, momentum, bug, {}

    @torch.no_grad()
    def step(self) -> None:
        parameters = [p for group in self.param_groups for p in group["params"]]
        norms = torch.stack([p.grad_sample.flatten(1).norm(dim=1) for p in parameters]).norm(dim=0)
        factors = torch.ones_like(norms) if self.bug == "no clipping" else CLIP / norms.clamp(min=CLIP)
        if self.bug == "each parameter on its own":  # far records: both norms are the same, below their root sum
            factors = factors * len(parameters) ** 0.5
        state = self.generator.get_state()
        for place, p in enumerate(parameters):
            if self.bug == "same noise for two parameters":
                self.generator.set_state(state)
            total = torch.einsum("i,i...->...", factors, p.grad_sample) + self.noise(place, p)
            self.move(p, total / (len(norms) if self.bug == "divides by the batch" else SIZE))

    def noise(self, place: int, p: torch.Tensor) -> Any:
        if self.bug == "left out of a parameter" and place == 1:
            return 0.0
        if self.bug == "reused":
            self.generator.manual_seed(place)
        if self.bug == "kept from the first step" and place in self.kept:
            return self.kept[place]
        scale = NOISE * CLIP * (0.5 if self.bug == "halved" else 1.0)
        self.kept[place] = torch.normal(0.0, scale, size=p.shape, generator=self.generator)
        return self.kept[place]

    def move(self, p: torch.Tensor, gradient: torch.Tensor) -> None:
        if self.momentum:
            state = self.state[p]
            gradient = state["momentum"] = self.momentum * state.get("momentum", torch.zeros_like(p)) + gradient
        p.sub_(RATE * gradient)


def train(
    data: np.ndarray,
    recorder: Recorder,
    momentum: float = 0.0,
    bug: str = "",
    joint: bool = True,
    state: str = "released",
) -> None:
    """Two weight matrices of one shape; the gradient of a record is about its features."""
    first, second = (torch.nn.Parameter(torch.zeros(2, 5)) for _ in range(2))
    generator = torch.Generator().manual_seed(recorder.seed)
    optimizer = NoisySGD([first, second], generator, momentum, bug)
    unit = RATE * CLIP / SIZE
    names = [("first", first), ("second", second)]
    declared = {"sensitivity": unit, "noise_scale": NOISE * unit, "joint": joint, "state": state}
    with observe(optimizer, recorder, **declared, named_parameters=names):
        for _ in range(recorder.public("steps", STEPS)):
            rows = torch.tensor(data[recorder.batch(np.arange(SIZE))], dtype=torch.float32)
            for p in (first, second):
                p.grad_sample = 3 * torch.tanh(rows[:, None, :] + 0.1 * p.detach())
            optimizer.step()
    recorder.output("first", first.detach().numpy().copy())


def records() -> np.ndarray:
    """Three records that pull one way, and a far one that pulls the other way."""
    data = -np.abs(np.random.default_rng(0).normal(size=(SIZE, 5)))
    data[-1] = 10.0
    return data


def removed(momentum: float = 0.0, bug: str = "", joint: bool = True) -> tuple[str, Recording, Recording]:
    """A run, and its replay without the last record."""
    first = Recorder(seed=1)
    train(records(), first, momentum, bug, joint)
    again = Recorder(first.recording(), np.arange(SIZE - 1), seed=1)
    train(records(), again, momentum, bug, joint)
    return "removed", first.recording(), again.recording()


pytestmark = pytest.mark.usefixtures("torch_is_loaded", "one_torch_thread")


# A correct optimiser. -----------------------------------------------------------------------------


@pytest.mark.parametrize("joint", [False, True])
@pytest.mark.parametrize("momentum", [0.0, 0.9])
def test_a_correct_optimiser_raises_nothing(momentum: float, joint: bool) -> None:
    pair = removed(momentum, joint=joint)
    for finding in (
        *(check.check([pair]) for check in (sensitivity, outputs, calls, public_values)),
        released_values.check(pair[1]),
        noise_scale.check(pair[1], ALPHA),
        noise_law.check(pair[1], ALPHA),
        freshness.check(pair[1], ALPHA),
    ):
        assert finding.outcome is Outcome.CONSISTENT, finding.detail


@pytest.mark.parametrize(("state", "kept"), [("released", {"first", "second"}), ("withheld", set())])
def test_what_the_optimiser_keeps_is_an_output_where_it_is_released(state: str, kept: set[str]) -> None:
    recorder = Recorder(seed=1)
    train(records(), recorder, momentum=0.9, state=state)
    names = {name for name, _ in recorder.recording().outputs}
    assert names == {"first", *(f"{OPTIMISER_STATE} momentum of {name}" for name in kept)}


def test_the_statistic_is_the_clipped_mean_times_the_rate() -> None:
    recorded = removed()[1]
    gradients = 3 * np.tanh(records())[:, None, None, :] * np.ones((SIZE, 2, 2, 5))
    norms = np.sqrt((gradients**2).sum(axis=(1, 2, 3)))
    expected = -RATE / SIZE * (gradients * (CLIP / np.maximum(norms, CLIP))[:, None, None, None]).sum(axis=0)
    assert recorded.releases[0].statistic == pytest.approx(expected.reshape(-1), rel=1e-5)


def test_the_noise_is_what_the_generator_gave() -> None:
    recorded = removed()[1]
    generator = torch.Generator().manual_seed(1)
    for release in recorded.releases[:3]:
        drawn = np.concatenate([torch.randn(2, 5, generator=generator).numpy().ravel() for _ in range(2)])
        assert release.noise == pytest.approx(-RATE / SIZE * NOISE * CLIP * drawn, rel=1e-3, abs=1e-6)


def test_a_training_that_is_observed_ends_where_it_ends_unobserved() -> None:
    first, second = Recorder(seed=1), (torch.nn.Parameter(torch.zeros(2, 5)) for _ in range(2))
    train(records(), first, momentum=0.9)
    parameters = list(second)
    optimizer = NoisySGD(parameters, torch.Generator().manual_seed(1), momentum=0.9)
    for _ in range(STEPS):
        for p in parameters:
            p.grad_sample = 3 * torch.tanh(torch.tensor(records(), dtype=torch.float32)[:, None, :] + 0.1 * p.detach())
        optimizer.step()
    watched = dict(first.recording().outputs)["first"]
    assert np.array_equal(watched, parameters[0].detach().numpy())


@pytest.mark.parametrize("momentum", [0.0, 0.9])
def test_a_replay_follows_the_recorded_path(momentum: float) -> None:
    """Parameters to the bit; momenta up to rounding."""
    _, recorded, replayed = removed(momentum)
    assert np.array_equal(recorded.outputs[-1][1], replayed.outputs[-1][1])
    for one, other in zip(recorded.outputs[:-1], replayed.outputs[:-1], strict=True):
        assert one[0] == other[0]
        assert other[1] == pytest.approx(one[1], abs=1e-4)


class Dithered(torch.optim.SGD):
    """Adds uniform dither of the global generator and normal noise."""

    @torch.no_grad()
    def step(self) -> None:
        for p in self.param_groups[0]["params"]:
            p.grad = torch.rand(p.shape) + torch.randn(p.shape)
        super().step()


def test_other_draws_are_the_same_in_both_passes() -> None:
    """Only normal draws are noise; the dither is a part of the statistic, and the generator ends where it would."""
    p, recorder = torch.nn.Parameter(torch.zeros(4)), Recorder()
    torch.manual_seed(3)
    dither, noise, after = torch.rand(4), torch.randn(4), torch.rand(1)
    torch.manual_seed(3)
    optimizer = Dithered([p], lr=1.0)
    with observe(optimizer, recorder):
        optimizer.step()
    [release] = recorder.recording().releases
    assert release.statistic == pytest.approx(-dither.numpy())
    assert release.noise == pytest.approx(-noise.numpy(), abs=1e-6)
    assert torch.equal(torch.rand(1), after)


def test_step_is_restored_also_after_an_error() -> None:
    p = torch.nn.Parameter(torch.zeros(1))
    optimizer = torch.optim.SGD([p], lr=1.0)
    with pytest.raises(ValueError, match="stop"), observe(optimizer, Recorder()):
        raise ValueError("stop")
    assert "step" not in vars(optimizer)
    step = optimizer.step
    optimizer.step = step
    with observe(optimizer, Recorder()):
        assert optimizer.step is not step
    assert optimizer.step is step


def test_a_step_that_moves_nothing_releases_nothing() -> None:
    p = torch.nn.Parameter(torch.zeros(3))
    optimizer, recorder = torch.optim.SGD([p], lr=1.0), Recorder()
    with observe(optimizer, recorder):
        optimizer.step()
    assert recorder.recording().releases == ()


def test_another_release_is_refused() -> None:
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=1.0)
    with pytest.raises(ConfigurationError, match="release"), observe(optimizer, Recorder(), release="weights"):
        pass


# Planted bugs. ------------------------------------------------------------------------------------


@pytest.mark.parametrize("momentum", [0.0, 0.9])
@pytest.mark.parametrize("bug", ["no clipping", "divides by the batch", "each parameter on its own"])
def test_statistics_that_move_too_far_are_seen(bug: str, momentum: float) -> None:
    assert sensitivity.check([removed(momentum, bug)]).outcome is Outcome.REFUTED


def test_halved_noise_is_seen() -> None:
    finding = noise_scale.check(removed(bug="halved")[1], ALPHA)
    assert finding.outcome is Outcome.REFUTED
    assert dict(finding.numbers)["measured_over_declared"] == pytest.approx(0.5, abs=0.05)


def test_clipping_of_each_parameter_shows_to_the_accountant_only_where_they_are_not_joined() -> None:
    pair = removed(bug="each parameter on its own", joint=False)
    assert sensitivity.check([pair]).outcome is Outcome.CONSISTENT
    finding = accountant.check(pair[1], [pair], SelfComposed(Gaussian(NOISE), STEPS))
    assert finding.outcome is Outcome.REFUTED
    assert dict(finding.numbers)["move"] == pytest.approx(2**0.5 / NOISE, rel=1e-3)  # less roundings of float32


@pytest.mark.parametrize("joint", [False, True])
@pytest.mark.parametrize("bug", ["reused", "same noise for two parameters"])
def test_noise_that_repeats_is_seen(bug: str, joint: bool) -> None:
    assert freshness.check(removed(bug=bug, joint=joint)[1], ALPHA).outcome is Outcome.REFUTED


@pytest.mark.parametrize("bug", ["left out of a parameter", "kept from the first step"])
def test_an_update_without_fresh_noise_is_seen(bug: str) -> None:
    finding = outputs.check([removed(bug=bug)])
    assert finding.outcome is Outcome.REFUTED
    assert "released without noise" in finding.detail


def test_a_parameter_without_noise_is_named() -> None:
    recorded = removed(bug="left out of a parameter")[1]
    assert [release.name for release in recorded.releases[:2]] == ["update", "update of second"]
    assert recorded.releases[1].noise is None


def test_a_record_that_is_not_a_number_is_seen() -> None:
    first = Recorder(seed=1)
    train(records(), first)
    broken = records()
    broken[-1] = np.nan
    again = Recorder(first.recording(), seed=1)
    train(broken, again)
    finding = bad_records.check([("NaN record", first.recording(), again.recording())])
    assert finding.outcome is Outcome.REFUTED
    assert "not finite" in finding.detail


# Optimisers whose replay cannot be steered. -------------------------------------------------------


class OneDraw(torch.optim.SGD):
    """Draws the noise of all parameters at once, in one flat vector."""

    @torch.no_grad()
    def step(self) -> None:
        parameters = [p for group in self.param_groups for p in group["params"]]
        flat = torch.randn(sum(p.numel() for p in parameters))
        for p, noise in zip(parameters, flat.split([p.numel() for p in parameters]), strict=True):
            p.grad = p.grad_sample.sum(dim=0) + noise.reshape(p.shape)
        super().step()


def flat_run(recorder: Recorder, value: float, momentum: float) -> None:
    torch.manual_seed(recorder.seed)
    parameters = [torch.nn.Parameter(torch.zeros(2, 3)), torch.nn.Parameter(torch.zeros(3))]
    optimizer = OneDraw(parameters, lr=0.5, momentum=momentum)
    with observe(optimizer, recorder, sensitivity=1.0, noise_scale=0.5):
        for _ in range(3):
            for p in parameters:
                p.grad_sample = torch.full((2, *p.shape), value)
            optimizer.step()
    recorder.output("parameters", parameters[0].detach().numpy().copy())


def test_without_memory_the_parameters_are_put_on_the_recorded_path() -> None:
    first = Recorder(seed=1)
    flat_run(first, 0.1, momentum=0.0)
    again = Recorder(first.recording(), seed=1)
    flat_run(again, 0.2, momentum=0.0)
    pairs = [("other", first.recording(), again.recording())]
    assert outputs.check(pairs).outcome is Outcome.CONSISTENT
    assert sensitivity.check(pairs).outcome is Outcome.CONSISTENT


def test_with_memory_such_a_replay_is_refused() -> None:
    first = Recorder(seed=1)
    flat_run(first, 0.1, momentum=0.9)
    with pytest.raises(ConfigurationError, match="cannot be led back to draws"):
        flat_run(Recorder(first.recording(), seed=1), 0.2, momentum=0.9)


# Opacus. ------------------------------------------------------------------------------------------


def opacus_run(recorder: Recorder, rows: np.ndarray, base: str, release: str, secure: bool = False) -> Any:
    """Ten steps of softmax regression; returns the engine."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        opacus = pytest.importorskip("opacus")
    torch.manual_seed(recorder.seed)
    features, labels = torch.tensor(rows, dtype=torch.float32), torch.arange(len(rows)) % 3
    plain = torch.nn.Linear(4, 3)
    made: Any = {
        "SGD": lambda: torch.optim.SGD(plain.parameters(), lr=RATE, momentum=0.9),
        "Adam": lambda: torch.optim.Adam(plain.parameters(), lr=RATE),
    }[base]()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        engine = opacus.PrivacyEngine()
        model, optimizer, _ = engine.make_private(
            module=plain,
            optimizer=made,
            data_loader=torch.utils.data.DataLoader(
                torch.utils.data.TensorDataset(features, labels), batch_size=len(rows)
            ),
            noise_multiplier=1.5,
            max_grad_norm=1.0,
            noise_generator=torch.Generator().manual_seed(recorder.seed),
            poisson_sampling=False,
        )
        optimizer.secure_mode = secure
        unit = (RATE if release == "update" else 1.0) / len(rows)
        names = list(plain.named_parameters())
        with observe(
            optimizer,
            recorder,
            sensitivity=2 * unit,
            noise_scale=1.5 * unit,
            release=release,
            named_parameters=names,
        ):
            for _ in range(10):
                optimizer.zero_grad()
                torch.nn.functional.cross_entropy(model(features), labels).backward()
                optimizer.step()
    recorder.output("weight", plain.weight.detach().numpy().copy())
    return engine


@pytest.mark.parametrize(
    ("base", "release", "secure"),
    [("SGD", "update", False), ("SGD", "gradient", False), ("Adam", "gradient", False), ("SGD", "update", True)],
)
def test_opacus_keeps_to_its_sensitivity(base: str, release: str, secure: bool) -> None:
    rows = np.random.default_rng(0).normal(size=(5, 4))
    rows[-1] = 20.0
    first = Recorder(seed=1)
    engine = opacus_run(first, rows, base, release, secure)
    assert sum(steps for *_, steps in engine.accountant.history) == 10, "steps that are taken back do not count"
    again = Recorder(first.recording(), seed=1)
    opacus_run(again, rows * np.array([1, 1, 1, 1, -1])[:, None], base, release, secure)
    pairs = [("replaced", first.recording(), again.recording())]
    for check in (sensitivity, outputs, calls):
        finding = check.check(pairs)
        assert finding.outcome is Outcome.CONSISTENT, finding.detail
    assert dict(sensitivity.check(pairs).numbers)["distance"] > 0
    assert noise_scale.check(first.recording(), ALPHA).outcome is Outcome.CONSISTENT
    assert freshness.check(first.recording(), ALPHA).outcome is Outcome.CONSISTENT


def test_declared_numbers_are_read_at_every_step_and_skipped_steps_release_no_gradient() -> None:
    """Gradients that are accumulated sit in p.grad, and have not left; clipping norms may move, as tensors do."""
    weights = torch.nn.Parameter(torch.zeros(2))

    class Accumulating(torch.optim.SGD):
        def step(self, closure: Any = None) -> None:
            if weights.grad is not None and weights.grad[0] > 1:
                weights.grad += torch.randn(2)
                super().step()
                self.norm *= 0.5

    optimizer, recorder = Accumulating([weights], lr=1.0), Recorder()
    optimizer.norm = torch.tensor(4.0)
    with observe(
        optimizer, recorder, sensitivity=lambda: float(optimizer.norm), noise_scale=lambda: 1.0, release="gradient"
    ):
        for first in (1.0, 2.0, 1.0, 2.0):
            weights.grad = torch.tensor([first, 0.0])
            optimizer.step()
    released = recorder.recording().releases
    assert [(r.statistic[0], r.noise_scale) for r in released] == [(2.0, 1.0), (2.0, 1.0)]
    assert [r.sensitivity for r in released] == [4.0, 2.0]
