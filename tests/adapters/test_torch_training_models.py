"""Models, optimisers and loops as people use them: correct ones are refuted by nothing, whatever they return."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
import torch
from torch import nn
from torch.func import functional_call, grad, vmap
from torch_trainings import BATCH, CLIP, NOISE, STEPS, clipped_sum, consistent, drawn, examined, refuted

from dpaudit.adapters.torch_records import Records
from dpaudit.adapters.torch_watch import Watch
from dpaudit.records.mechanism import Gaussian, SelfComposed
from dpaudit.records.privacy import claim
from dpaudit.records.verdict import Outcome

pytestmark = pytest.mark.usefixtures("torch_is_loaded", "one_torch_thread")


class Adapted(nn.Module):
    """A frozen base and two small matrices."""

    def __init__(self) -> None:
        super().__init__()
        self.base, self.down, self.up = nn.Linear(5, 2), nn.Linear(5, 1, bias=False), nn.Linear(1, 2, bias=False)
        self.base.requires_grad_(False)

    def forward(self, inputs: Any) -> Any:
        return self.base(inputs) + self.up(self.down(inputs))


def linear() -> nn.Module:
    return nn.Linear(5, 2)


def plain(parameters: list[Any]) -> Any:
    return torch.optim.SGD(parameters, lr=0.5)


def half_frozen() -> nn.Module:
    return nn.Sequential(nn.Linear(5, 4).requires_grad_(False), nn.Tanh(), nn.Linear(4, 2))


def with_group_norm() -> nn.Module:
    return nn.Sequential(nn.Linear(5, 4), nn.GroupNorm(2, 4), nn.ReLU(), nn.Linear(4, 2))


def clipped_gradients(model: nn.Module, inputs: Any, labels: Any, by_layer: bool = False) -> dict[str, Any]:
    """The sums of the gradients of single records, clipped together; by_layer: each one alone."""
    trained = {name: p.detach() for name, p in model.named_parameters() if p.requires_grad}
    fixed = {name: p.detach() for name, p in model.named_parameters() if not p.requires_grad}
    if not len(inputs):
        return {name: torch.zeros_like(p) for name, p in trained.items()}

    def loss(own: Any, one: Any, label: Any) -> Any:
        return nn.functional.cross_entropy(functional_call(model, {**own, **fixed}, (one[None],)), label[None])

    gradients = vmap(grad(loss), in_dims=(None, 0, 0))(trained, inputs, labels)
    norms = {name: one.flatten(1).norm(dim=1) for name, one in gradients.items()}
    together = torch.stack(list(norms.values())).norm(dim=0)
    factors = {name: CLIP / (norms[name] if by_layer else together).clamp(min=CLIP) for name in gradients}
    return {name: torch.einsum("i,i...", factors[name], one) for name, one in gradients.items()}


def trained(
    records: Records,
    watch: Watch,
    build: Callable[[], nn.Module] = linear,
    kind: Callable[..., Any] = plain,
    release: str = "update",
    by_layer: bool = False,
    averaged: bool = False,
    returned: bool = True,
) -> Any:
    """DP-SGD by `vmap(grad)`; averaged: an exponential average of the parameters is returned beside the model."""
    model = build()
    optimizer = kind(list(model.parameters()))
    watch(optimizer, clip_norm=CLIP, noise_multiplier=NOISE, batch_size=BATCH, release=release)
    average = {f"average of {name}": value.clone() for name, value in model.state_dict().items()}
    for _ in range(STEPS):
        gradients = clipped_gradients(model, *records.tensors(drawn(records)), by_layer=by_layer)
        for name, one in gradients.items():
            p = model.get_parameter(name)
            p.grad = (one + torch.normal(0.0, NOISE * CLIP, p.shape)) / BATCH
        optimizer.step()
        for name, value in model.state_dict().items():
            average[f"average of {name}"].mul_(0.9).add_(0.1 * value)
    if not returned:
        return None
    return {**model.state_dict(), **average} if averaged else model


def two_rates(parameters: list[Any]) -> Any:
    return torch.optim.SGD([{"params": parameters[:1], "lr": 0.5}, {"params": parameters[1:], "lr": 0.1}])


CORRECT: dict[str, Callable[..., Any]] = {
    "vmap": trained,
    "nothing returned": partial(trained, returned=False),
    "average beside the model": partial(trained, averaged=True),
    "GroupNorm": partial(trained, build=with_group_norm),
    "frozen layer": partial(trained, build=half_frozen),
    "low-rank adapter": partial(trained, build=Adapted),
    "two rates": partial(trained, kind=two_rates),
    "momentum": partial(trained, kind=partial(torch.optim.SGD, lr=0.5, momentum=0.9)),
    "AdamW": partial(trained, kind=partial(torch.optim.AdamW, lr=0.1), release="gradient"),
    "RMSprop": partial(trained, kind=partial(torch.optim.RMSprop, lr=0.1), release="gradient"),
    "Adagrad": partial(trained, kind=partial(torch.optim.Adagrad, lr=0.1), release="gradient"),
}


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("name", CORRECT)
def test_a_correct_training_is_refuted_by_nothing(name: str) -> None:
    findings = examined(CORRECT[name])
    assert refuted(findings) == {}
    assert {"accountant", "sampler", "un-noised outputs", "noisy calls"} <= consistent(findings)


@pytest.mark.deep
@pytest.mark.parametrize("build", [with_group_norm, Adapted])
def test_layers_that_are_clipped_one_by_one_are_refuted(build: Callable[[], nn.Module]) -> None:
    found = refuted(examined(partial(trained, build=build, by_layer=True)))
    assert set(found) == {"accountant"}


def now_and_then(
    records: Records, watch: Watch, still: float | None, bias_noise: float = 1.0, private: bool = False
) -> nn.Module:
    """A coin, or a private sum, freezes the matrix for a step; its gradient then is still times the noisy one, or
    None."""
    model = linear()
    optimizer = plain(list(model.parameters()))
    watch(optimizer, clip_norm=CLIP, noise_multiplier=NOISE, batch_size=BATCH)
    for _ in range(STEPS):
        inputs, labels = records.tensors(drawn(records))
        gradients = clipped_gradients(model, inputs, labels, by_layer=False)
        frozen = inputs.sum() < 0 if private else torch.rand(()) < 0.5
        for name, p in model.named_parameters():
            scale = NOISE * CLIP * (bias_noise if name == "bias" else 1.0)
            p.grad = (gradients[name] + torch.normal(0.0, scale, p.shape)) / BATCH
            if frozen and name == "weight":
                p.grad = None if still is None else still * p.grad
        optimizer.step()
    return model


@pytest.mark.deep
def test_a_layer_that_is_frozen_in_some_steps_has_no_gradient_in_them() -> None:
    """Zeros without noise may be a leak; the finding says so, and what it says to do settles it."""
    [zeros] = [f for f in examined(partial(now_and_then, still=0.0)) if f.check == "un-noised outputs"]
    assert zeros.outcome is Outcome.INCONCLUSIVE
    assert "the gradient None" in zeros.detail
    settled = examined(partial(now_and_then, still=None))
    assert refuted(settled) == {}
    assert "un-noised outputs" in consistent(settled)
    assert "un-noised outputs" in refuted(examined(partial(now_and_then, still=None, bias_noise=0.0)))
    assert "noisy calls" in refuted(examined(partial(now_and_then, still=None, private=True)))


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("once", [True, False])
def test_all_records_in_every_step(once: bool) -> None:
    """Read at once before the steps, or anew in each; no loader."""

    def whole(records: Records, watch: Watch, norm: float = CLIP) -> Any:
        weights = nn.Parameter(torch.zeros(5))
        optimizer = torch.optim.SGD([weights], lr=0.5)
        watch(optimizer, clip_norm=CLIP, noise_multiplier=NOISE, batch_size=60)
        kept = records.tensors()
        for _ in range(STEPS):
            total = norm * clipped_sum(*(kept if once else records.tensors()), weights.detach())
            weights.grad = (total + torch.normal(0.0, NOISE, (5,))) / 60
            optimizer.step()

    mechanism = SelfComposed(Gaussian(NOISE), STEPS)
    promised = claim(mu=STEPS**0.5 / NOISE)
    assert refuted(examined(whole, promised, mechanism)) == {}
    assert {"sensitivity", "accountant"} <= set(refuted(examined(partial(whole, norm=1.5), promised, mechanism)))
