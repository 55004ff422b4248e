"""Schedules of the learning rate, of the noise and of clipping, made before and after `watch`; optimisers and models
as people use them."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
import torch
from torch.optim import lr_scheduler
from torch_trainings import BATCH, CLIP, MECHANISM, NOISE, STEPS, clipped_sum, consistent, drawn, examined, refuted

from dpaudit.adapters.torch_records import Records
from dpaudit.adapters.torch_watch import Watch
from dpaudit.records.privacy import Neighbours, claim

pytestmark = pytest.mark.usefixtures("torch_is_loaded", "one_torch_thread")

SCHEDULES: dict[str, Callable[[Any], Any]] = {
    "LambdaLR": lambda made: lr_scheduler.LambdaLR(made, lambda t: min(1.0, t / 2)),  # the first step moves nothing
    "MultiplicativeLR": lambda made: lr_scheduler.MultiplicativeLR(made, lambda t: 0.9),
    "StepLR": lambda made: lr_scheduler.StepLR(made, 2),
    "MultiStepLR": lambda made: lr_scheduler.MultiStepLR(made, [1, 3]),
    "ConstantLR": lr_scheduler.ConstantLR,
    "LinearLR": lr_scheduler.LinearLR,
    "ExponentialLR": lambda made: lr_scheduler.ExponentialLR(made, 0.9),
    "PolynomialLR": lambda made: lr_scheduler.PolynomialLR(made, 8),
    "CosineAnnealingLR": lambda made: lr_scheduler.CosineAnnealingLR(made, 8),
    "CosineAnnealingWarmRestarts": lambda made: lr_scheduler.CosineAnnealingWarmRestarts(made, 3),
    "CyclicLR": lambda made: lr_scheduler.CyclicLR(made, 0.01, 0.5, cycle_momentum=False),
    "OneCycleLR": lambda made: lr_scheduler.OneCycleLR(made, 0.5, total_steps=STEPS + 1, cycle_momentum=False),
    "ChainedScheduler": lambda made: lr_scheduler.ChainedScheduler([lr_scheduler.ExponentialLR(made, 0.9)]),
    "SequentialLR": lambda made: lr_scheduler.SequentialLR(
        made, [lr_scheduler.ConstantLR(made), lr_scheduler.ExponentialLR(made, 0.9)], [3]
    ),
    "ReduceLROnPlateau": lambda made: lr_scheduler.ReduceLROnPlateau(made, patience=0),
}


class Noisy(torch.optim.SGD):
    """The step adds the noise."""

    def step(self, closure: Any = None) -> Any:
        for group in self.param_groups:
            for p in group["params"]:
                p.grad = (p.grad + NOISE * CLIP * torch.randn_like(p)) / BATCH
        return super().step(closure)


def scheduled(records: Records, watch: Watch, make: Any, after: bool = True, private: bool = False) -> Any:
    """private: the schedule is fed with a number from the records."""
    weights = torch.nn.Parameter(torch.zeros(5))
    optimizer = Noisy([weights], lr=0.5)
    schedule = None if after else make(optimizer)
    watch(optimizer, clip_norm=CLIP, noise_multiplier=NOISE, batch_size=BATCH)
    schedule = schedule or make(optimizer)
    for number in range(STEPS):
        inputs, labels = records.tensors(drawn(records))
        weights.grad = clipped_sum(inputs, labels, weights.detach())
        optimizer.step()
        if isinstance(schedule, lr_scheduler.ReduceLROnPlateau):
            far = bool((inputs.norm(dim=1) > 15).any())
            schedule.step((number if far else -number) if private else 1.0)
        else:
            schedule.step()
    return {"weights": weights}


def test_every_schedule_of_torch_is_tried() -> None:
    known = {name for name, kind in vars(lr_scheduler).items() if isinstance(kind, type) and not name.startswith("_")}
    kinds = {name for name in known if issubclass(vars(lr_scheduler)[name], lr_scheduler.LRScheduler)}
    assert kinds - {"LRScheduler"} == set(SCHEDULES)


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("name", SCHEDULES)
def test_a_schedule_is_no_leak(name: str) -> None:
    """The learning rate moves sensitivity and noise alike."""
    findings = examined(partial(scheduled, make=SCHEDULES[name], after=len(name) % 2 == 0))
    assert refuted(findings) == {}
    assert {"sensitivity", "accountant", "noise scale", "sampler"} <= consistent(findings)


@pytest.mark.deep
def test_a_schedule_that_follows_the_records_is_refuted() -> None:
    """It was fed with a public number before; where its number is private, the neighbour goes on with another rate."""
    found = refuted(examined(partial(scheduled, make=SCHEDULES["ReduceLROnPlateau"], private=True)))
    assert {"sensitivity", "noisy calls"} <= set(found)


# Opacus. ------------------------------------------------------------------------------------------

needs_opacus = pytest.mark.skipif(importlib.util.find_spec("opacus") is None, reason="Opacus is not installed")
ZERO_OUT = claim(epsilon=2.3, delta=1e-5, neighbours=Neighbours.ZERO_OUT)


def scheduled_opacus(records: Records, watch: Watch, kind: str, settings: dict[str, float], after: bool = True) -> Any:
    from opacus import PrivacyEngine, schedulers

    model = torch.nn.Linear(5, 2)
    loader = torch.utils.data.DataLoader(records, batch_size=int(BATCH))
    model, optimizer, loader = PrivacyEngine().make_private(
        module=model, optimizer=torch.optim.SGD(model.parameters(), lr=0.1), data_loader=loader,
        noise_multiplier=NOISE, max_grad_norm=CLIP,
    )  # fmt: skip
    if after:
        watch(optimizer)
    schedule = getattr(schedulers, kind)(optimizer, **settings)
    if not after:
        watch(optimizer)
    for inputs, labels in loader:
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(inputs), labels).backward()
        optimizer.step()
        schedule.step()
    return model


GROWS, DECAYS = {"gamma": 1.2}, {"gamma": 0.8}


@pytest.mark.deep
@needs_opacus
@pytest.mark.parametrize(
    ("kind", "settings"),
    [
        ("ExponentialNoise", GROWS),
        ("StepNoise", {"step_size": 2, **GROWS}),
        ("LambdaNoise", {"noise_lambda": lambda t: 1 + 0.1 * t}),
        ("ExponentialGradClip", DECAYS),
        ("StepGradClip", {"step_size": 2, **DECAYS}),
        ("LambdaGradClip", {"scheduler_function": lambda t: 1 / (1 + t)}),
    ],
)
def test_schedules_of_opacus_that_keep_the_promise_are_consistent(kind: str, settings: dict[str, Any]) -> None:
    findings = examined(
        partial(scheduled_opacus, kind=kind, settings=settings, after="Grad" in kind), ZERO_OUT, MECHANISM
    )
    assert refuted(findings) == {}
    assert {"sensitivity", "accountant", "noise scale"} <= consistent(findings)


@pytest.mark.deep
@needs_opacus
def test_noise_that_decays_below_what_is_accounted_for_is_refuted() -> None:
    found = refuted(examined(partial(scheduled_opacus, kind="ExponentialNoise", settings=DECAYS), ZERO_OUT, MECHANISM))
    assert set(found) == {"accountant"}
