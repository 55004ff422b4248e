"""Eleven trainings in torch by hand, each with one bug in how it clips or adds noise; written before any check saw one.

Each is the broken twin of a training of the other modules, where that has the right form; `broken=False` is given where
none has. Each docstring says what is broken, and why the true epsilon is above the claimed one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from _shared import CLASSES, CLIP_NORM, FEATURES, NOISE, SIZE, STEPS, broken_twin, images, twins
from torch import Tensor, nn
from torch_by_hand import (
    Gradients,
    clipped,
    drawn,
    linear,
    noisy,
    started,
    step,
    vectorised,
    watched,
)

from dpaudit import TorchTraining


def coordinates(records: Any, watch: Any) -> nn.Module:
    """Each coordinate is clipped to the norm, as by clip_grad_value_: of 21 coordinates a sum of norm 21^0.5 can come,
    so that the noise is 1.2 / 4.6 of the sensitivity."""
    model = linear()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        own = vectorised(model, *records.tensors(drawn(records)))
        total = {n: torch.nan_to_num(g, 0.0, 0.0, 0.0).clamp(-CLIP_NORM, CLIP_NORM).sum(dim=0) for n, g in own.items()}
        step(model, optimizer, noisy(total))
    return model


def noise_first(records: Any, watch: Any) -> nn.Module:
    """Noise is added to the gradient of each record, which is clipped then: no noise is left in an empty batch, and in
    others its size is at most the number of records."""
    model = linear()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        own = vectorised(model, *records.tensors(drawn(records)))
        own = {n: g + NOISE * CLIP_NORM * torch.randn_like(g) for n, g in own.items()}
        step(model, optimizer, {n: g / SIZE for n, g in clipped(own).items()})
    return model


def copies(records: Any, watch: Any) -> nn.Module:
    """The flipped images join the batch as records of their own: each is in it twice, and adds twice the norm."""
    model = nn.Sequential(nn.Flatten(), nn.Linear(36, CLASSES))
    optimizer = started(watch, model)
    for _ in range(STEPS):
        x, y = records.tensors(drawn(records))
        x, y = torch.cat([x, x.flip(-1)]), torch.cat([y, y])
        step(model, optimizer, noisy(clipped(vectorised(model, x, y))))
    return model


def overflow(records: Any, watch: Any) -> nn.Module:
    """A step is left out if a gradient in half precision overflows, as a loss scaler does: a large record stops all
    steps that it is in, which everybody sees."""
    model, scale = linear(), 1024.0
    optimizer = started(watch, model)
    for _ in range(STEPS):
        own = {n: (scale * g).half() for n, g in vectorised(model, *records.tensors(drawn(records))).items()}
        if not all(bool(g.isfinite().all()) for g in own.values()):
            scale /= 2
            continue
        step(model, optimizer, noisy(clipped({n: g.float() / scale for n, g in own.items()})))
    return model


def never_zeroed(records: Any, watch: Any) -> nn.Module:
    """The sums are not set to zero after a step, so that a record of the first batch is in all later ones too: four
    steps with noise 1.2 where those at rate 1/4 are accounted."""
    model = linear()
    optimizer = started(watch, model)
    total: Gradients = {name: torch.zeros_like(p) for name, p in model.named_parameters()}
    for _ in range(STEPS):
        for part in drawn(records).split(4):
            summed = clipped(vectorised(model, *records.tensors(part)))
            total = {name: total[name] + summed[name] for name in total}
        step(model, optimizer, noisy(total))
    return model


def rising_norm(records: Any, watch: Any) -> nn.Module:
    """The clipping norm rises by one in each step, the noise stays as it was: multipliers 1.2, 0.6, 0.4, 0.3."""
    model = linear()
    optimizer = started(watch, model)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, STEPS)
    for number in range(STEPS):
        own = vectorised(model, *records.tensors(drawn(records)))
        step(model, optimizer, noisy(clipped(own, CLIP_NORM * (1 + number))))
        schedule.step()
    return model


def trust_ratio(records: Any, watch: Any) -> nn.Module:
    """The rate of each parameter is its norm over that of its gradient before the noise (LARS): whoever sees the
    update's size learns that norm, which has no noise."""
    model = linear()
    optimizer = torch.optim.SGD([{"params": [p]} for p in model.parameters()], lr=0.5)
    watched(watch, model, optimizer, "update")
    for _ in range(STEPS):
        total = clipped(vectorised(model, *records.tensors(drawn(records))))
        for group, g in zip(optimizer.param_groups, total.values(), strict=True):
            group["lr"] = 0.5 * float(group["params"][0].norm() / (g.norm() / SIZE + 1e-3))
        step(model, optimizer, noisy(total))
    return model


def largest_half(g: Tensor) -> Tensor:
    return g * (g.abs() >= g.abs().flatten().median())


def error_feedback(records: Any, watch: Any, broken: bool) -> nn.Module:
    """The larger half of the coordinates is sent, the rest is kept for later; broken: of sums that have no noise yet,
    and what is sent gets it. A record that changes which are sent moves a coordinate by all that was kept of it."""
    model = linear()
    optimizer = started(watch, model)
    kept: Gradients = {name: torch.zeros_like(p) for name, p in model.named_parameters()}
    for _ in range(STEPS):
        total = clipped(vectorised(model, *records.tensors(drawn(records))))
        known = total if broken else noisy(total)
        known = {name: g + kept[name] for name, g in known.items()}
        sent = {name: largest_half(g) for name, g in known.items()}
        kept = {name: known[name] - sent[name] for name in sent}
        step(model, optimizer, noisy(sent) if broken else sent)
    return model


def adam_first(records: Any, watch: Any) -> nn.Module:
    """Adam sees the gradient without noise, and the noise of the gradient is added to what it makes of it: its first
    update moves each of 21 coordinates by the rate, whose noise is 0.12 of that."""
    model = linear()
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.05)
    watched(watch, model, optimizer)
    for _ in range(STEPS):
        total = clipped(vectorised(model, *records.tensors(drawn(records))))
        step(model, optimizer, {name: g / SIZE for name, g in total.items()})
        with torch.no_grad():
            for p in model.parameters():
                p += 0.05 * NOISE * CLIP_NORM / SIZE * torch.randn_like(p)
    return model


class OneNumberSGD(torch.optim.SGD):
    """Draws one normal number for all coordinates of a parameter: their differences have no noise."""

    def step(self, closure: Any = None) -> None:  # type: ignore[override]
        for group in self.param_groups:
            for p in group["params"]:
                p.grad = (p.grad + NOISE * CLIP_NORM * torch.randn(1)) / SIZE
        super().step()


def one_number(records: Any, watch: Any) -> nn.Module:
    """The noise is one number a parameter: the difference of any two coordinates tells the gradient."""
    model = linear()
    optimizer = OneNumberSGD(model.parameters(), lr=0.5)
    watched(watch, model, optimizer, "update")
    for _ in range(STEPS):
        step(model, optimizer, clipped(vectorised(model, *records.tensors(drawn(records)))))
    return model


def plain_sketch(records: Any, watch: Any) -> nn.Module:
    """The random projection has no orthonormal rows: a sum of norm 1 comes back with a norm of about
    (1 + 21/8)^0.5 = 1.9, and the noise is that of 1."""
    model, width = linear(), FEATURES * CLASSES + CLASSES
    optimizer = started(watch, model)
    for _ in range(STEPS):
        project = torch.randn(8, width) / 8**0.5
        total = clipped(vectorised(model, *records.tensors(drawn(records))))
        flat = torch.cat([total["weight"].flatten(), total["bias"]])
        flat = (project.T @ (project @ flat) + NOISE * CLIP_NORM * torch.randn(width)) / SIZE
        step(model, optimizer, {"weight": flat[:-CLASSES].reshape(CLASSES, FEATURES), "bias": flat[-CLASSES:]})
    return model


def _audits() -> Iterator[Any]:
    kind = TorchTraining
    yield broken_twin(kind, "fresh/coordinates", coordinates, "each coordinate is clipped by itself")
    yield broken_twin(kind, "fresh/noise-first", noise_first, "noise before the clipping")
    yield broken_twin(kind, "fresh/copies", copies, "flipped copies count as other records", records=images())
    yield broken_twin(kind, "fresh/overflow", overflow, "a step is left out if a gradient overflows")
    yield broken_twin(kind, "fresh/never-zeroed", never_zeroed, "sums are not set to zero after a step")
    yield broken_twin(kind, "fresh/rising-norm", rising_norm, "the clipping norm rises, the noise does not")
    yield broken_twin(kind, "fresh/trust-ratio", trust_ratio, "the rate follows the norm of the gradient without noise")
    yield from twins(kind, "fresh/error-feedback", error_feedback, "what is kept for later has no noise")
    yield broken_twin(kind, "fresh/adam-first", adam_first, "noise after the scaling of Adam")
    yield broken_twin(kind, "fresh/one-number", one_number, "one normal number for all coordinates")
    yield broken_twin(kind, "fresh/plain-sketch", plain_sketch, "a projection that makes sums longer")


AUDITS = tuple(_audits())
