"""What a watch is told, what it reads from Opacus, and the light reading of steps."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from dpaudit.adapters.torch_recording import Observed, Place, Probe
from dpaudit.adapters.torch_watch import Light, watched
from dpaudit.audit.structural.recording import Recorder
from dpaudit.records.errors import ConfigurationError


def parameter() -> torch.nn.Parameter:
    return torch.nn.Parameter(torch.zeros(2))


def light(optimizer: Any, before: bool = False, **declared: Any) -> tuple[Light, list[tuple[int, int, list[float]]]]:
    taken: list[tuple[int, int, list[float]]] = []
    watch = Light(lambda step, number, one: taken.append((step, number, one.tolist())), before)
    watch(optimizer, **declared)
    return watch, taken


def test_declared_numbers_are_in_the_unit_of_the_release() -> None:
    optimizer = torch.optim.SGD([parameter()], lr=0.5)
    update = watched(optimizer, 2.0, 3.0, 10.0, "update")
    assert (update.sensitivity(), update.noise_scale()) == (0.1, pytest.approx(0.3))
    optimizer.param_groups[0]["lr"] = 1.0  # a schedule
    assert update.sensitivity() == 0.2
    gradient = watched(optimizer, 2.0, 3.0, 10.0, "gradient")
    assert (gradient.sensitivity(), gradient.noise_scale()) == (0.2, pytest.approx(0.6))


def test_a_replaced_record_moves_twice_the_clipping_norm_and_the_noise_stays() -> None:
    update = watched(torch.optim.SGD([parameter()], lr=0.5), 2.0, 3.0, 10.0, "update", replaces=True)
    assert (update.sensitivity(), update.noise_scale()) == (0.2, pytest.approx(0.3))
    opacus = watched(opacus_like(), None, None, None, "update", replaces=True)
    assert (opacus.sensitivity(), opacus.noise_scale()) == (0.4, 0.2)


@pytest.mark.parametrize("missing", ["clip_norm", "batch_size", "noise_multiplier"])
def test_what_is_not_declared_is_none(missing: str) -> None:
    given: dict[str, Any] = {"clip_norm": 1.0, "noise_multiplier": 1.0, "batch_size": 1.0, "release": "gradient"}
    subject = watched(torch.optim.SGD([parameter()], lr=0.5), **{**given, missing: None})
    assert subject.noise_scale() is None
    assert (subject.sensitivity() is None) == (missing != "noise_multiplier")


def test_learning_rates_that_differ_declare_nothing_for_updates() -> None:
    optimizer = torch.optim.SGD([{"params": [parameter()], "lr": 0.1}, {"params": [parameter()], "lr": 0.2}])
    assert watched(optimizer, 1.0, 1.0, 1.0, "update").sensitivity() is None


class NoisyStep(torch.optim.SGD):
    """Draws its noise, of scale 2, in the step."""

    def step(self, closure: Any = None) -> Any:
        for group in self.param_groups:
            for p in group["params"]:
                p.grad = p.grad + 2.0 * torch.randn_like(p)
        return super().step(closure)


@pytest.mark.parametrize(
    ("settings", "known"),
    [
        ({}, True),
        ({"momentum": 0.9}, True),
        ({"momentum": 0.9, "nesterov": True}, True),
        ({"weight_decay": 0.1, "maximize": True}, True),
        ({"dampening": 0.5}, True),
        ({"momentum": 0.9, "dampening": 0.5}, False),
    ],
)
def test_what_is_declared_of_an_update_is_what_momentum_makes_of_it(settings: Any, known: bool) -> None:
    weights = torch.nn.Parameter(torch.zeros(5000))
    optimizer, recorder = NoisyStep([weights], lr=0.5, **settings), Recorder(seed=0)
    watch = Observed(recorder, joint=True)
    watch(optimizer, clip_norm=1.0, noise_multiplier=2.0, batch_size=1.0)
    torch.manual_seed(0)
    for _ in range(3):
        weights.grad = torch.ones(5000)
        optimizer.step()
    watch.close()
    for one in recorder.recording().releases:
        assert (one.noise_scale is not None) == (one.sensitivity is not None) == known
        assert one.noise is not None
        if known:  # five standard errors
            assert one.noise.std() == pytest.approx(one.noise_scale, rel=5 / 5000**0.5 / 2**0.5)


def opacus_like(**changed: Any) -> Any:
    given = {
        "step": lambda: None, "param_groups": [{"params": [parameter()], "lr": 1.0}], "state": {}, "max_grad_norm": 2.0,
        "noise_multiplier": 1.0, "expected_batch_size": 10, "accumulated_iterations": 1, "loss_reduction": "mean",
        "params": [SimpleNamespace(grad_sample=torch.zeros(1))],
    }  # fmt: skip
    return SimpleNamespace(**{**given, **changed})


def test_an_opacus_optimiser_speaks_for_itself() -> None:
    subject = watched(opacus_like(), None, None, None, "update")
    assert (subject.release, subject.sensitivity(), subject.noise_scale()) == ("gradient", 0.2, 0.2)
    twice = watched(opacus_like(accumulated_iterations=2), None, None, None, "update")
    assert twice.sensitivity() == 0.1
    gone = opacus_like(accumulated_iterations=2, params=[SimpleNamespace(grad_sample=None)])
    assert watched(gone, None, None, None, "update").sensitivity() == 0.2
    summed = watched(opacus_like(loss_reduction="sum"), None, None, None, "update")
    assert (summed.sensitivity(), summed.noise_scale()) == (2.0, 2.0)


def test_adaptive_clipping_spends_noise_on_its_count_and_moves_its_norm() -> None:
    optimizer = opacus_like(unclipped_num_std=1.0)
    subject = watched(optimizer, None, None, None, "update")
    assert subject.noise_scale() == pytest.approx(0.2 / math.sqrt(1 - 1 / 4))
    optimizer.max_grad_norm = torch.tensor(4.0)
    assert subject.sensitivity() == pytest.approx(0.4)


@pytest.mark.parametrize("number", [0.0, -1.0, math.inf, math.nan])
def test_numbers_that_cannot_be_are_refused(number: float) -> None:
    with pytest.raises(ConfigurationError, match=r"watch takes finite numbers above 0, or None, got clip_norm="):
        light(torch.optim.SGD([parameter()], lr=0.5), clip_norm=number)


def test_something_else_is_no_optimiser() -> None:
    with pytest.raises(ConfigurationError, match=r"takes a torch.optim style optimiser, got Linear"):
        light(torch.nn.Linear(2, 2))
    with pytest.raises(ConfigurationError, match="release"):
        light(torch.optim.SGD([parameter()], lr=0.5), release="weights")


def test_updates_are_read_and_steps_without_one_are_not_counted() -> None:
    weights = parameter()
    optimizer = torch.optim.SGD([weights], lr=0.5)
    watch, taken = light(optimizer)
    for gradient in ([2.0, 0.0], [0.0, 0.0], [0.0, 4.0]):
        weights.grad = torch.tensor(gradient)
        optimizer.step()
    watch.close()
    optimizer.step()
    assert taken == [(0, 0, [-1.0, 0.0]), (1, 0, [0.0, -2.0])]
    assert "step" not in vars(optimizer)


def test_gradients_are_read_before_the_step_or_after_it() -> None:
    class Noisy(torch.optim.SGD):
        def step(self, closure: Any = None) -> None:
            self.param_groups[0]["params"][0].grad += 1.0

    for before, expected in ((True, [2.0, 0.0]), (False, [3.0, 1.0])):
        weights = parameter()
        optimizer = Noisy([weights], lr=0.5)
        _, taken = light(optimizer, before, release="gradient")
        weights.grad = torch.tensor([2.0, 0.0])
        optimizer.step()
        assert taken == [(0, 0, expected)]


def test_a_probe_finds_where_noise_is_drawn() -> None:
    def place(inside: bool, between: bool) -> Place:
        weights = parameter()

        class Drawing(torch.optim.SGD):
            def step(self, closure: Any = None) -> None:
                weights.data += torch.randn(2) if inside else 1.0

        optimizer, probe = Drawing([weights], lr=0.5), Probe()
        probe(optimizer)
        weights.grad = torch.randn(2) if between else torch.ones(2)
        optimizer.step()
        probe.close()
        return probe.place

    assert place(True, False) is place(True, True) is Place.IN_STEP
    assert place(False, True) is Place.BEFORE_STEP
    assert place(False, False) is Place.NOWHERE


def test_a_watch_puts_a_patched_step_back() -> None:
    optimizer = torch.optim.SGD([parameter()], lr=0.5)
    patched = optimizer.step = lambda: None  # as schedulers do
    for watch in (Light(lambda *_: None), Observed(Recorder(), joint=False), Probe()):
        watch(optimizer)
        assert optimizer.step is not patched
        watch.close()
        assert optimizer.step is patched
