"""Ten trainings in torch by hand, each with a twin that has one bug in its noise, its clipping, its batches or its
schedule.

They were written by somebody who did not know what the checks see. Each docstring gives the right form, then the bug
and what it does to epsilon, which is claimed to be 3.1 for Poisson batches and 8.0 for four steps on all records, where
nothing else is said.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from _shared import CLASSES, CLIP_NORM, FEATURES, NOISE, RECORDS, SIZE, STEPS, table, twins, whole
from torch import Tensor, nn
from torch_by_hand import Gradients, clipped, drawn, linear, noisy, perceptron, started, step, vectorised

from dpaudit import TorchTraining

WIDTH = FEATURES * CLASSES + CLASSES
"""How many parameters a linear classifier has."""


def finite(rows: Tensor) -> Tensor:
    return torch.nan_to_num(rows, 0.0, 0.0, 0.0)


def some(records: Any, ids: Tensor) -> tuple[Tensor, Tensor]:
    """Features and labels of these records; a label that is none of the classes counts as the nearest one."""
    x, y = records.tensors(ids)
    return x, y.clamp(0, CLASSES - 1)


def sample(records: Any) -> tuple[Tensor, Tensor]:
    return some(records, drawn(records))


def every(records: Any) -> tuple[Tensor, Tensor]:
    return some(records, torch.arange(len(records)))


def lengths(own: Gradients) -> Tensor:
    """The norm of the gradient of each record; numbers that are not finite count as 0."""
    return torch.cat([finite(g).flatten(1) for g in own.values()], dim=1).norm(dim=1)


def scaled(own: Gradients, norms: Tensor) -> Gradients:
    """The sum of the gradients, each multiplied by what brings its norm, said to be `norms`, down to the bound."""
    factors = (CLIP_NORM / norms.clamp(min=1e-12)).clamp(max=1.0)
    return {name: torch.einsum("i,i...->...", factors, finite(g)) for name, g in own.items()}


def parts(flat: Tensor) -> Gradients:
    """The two tensors of a linear classifier."""
    return {"weight": flat[:-CLASSES].reshape(CLASSES, FEATURES), "bias": flat[-CLASSES:]}


def declared(watch: Any, optimizer: Any, noise: float = NOISE, clip_norm: float = 1.0, size: float = SIZE) -> Any:
    watch(optimizer, clip_norm=clip_norm, noise_multiplier=noise, batch_size=size, release="gradient")
    return optimizer


def rows_apart(records: Any, watch: Any, broken: bool) -> nn.Module:
    """The gradient of a matrix is clipped by its norm over both axes.

    Broken: by the norm over the last axis, so that the row of each class has a norm of 1. A record moves the sum by
    1.4 to 1.7: epsilon is 5.6 or more.
    """
    model = nn.Linear(FEATURES, CLASSES, bias=False)
    nn.init.zeros_(model.weight)
    optimizer = started(watch, model)
    for _ in range(STEPS):
        own = finite(vectorised(model, *sample(records))["weight"])
        norms = torch.linalg.vector_norm(own, dim=-1 if broken else (1, 2), keepdim=True)
        total = (own * (CLIP_NORM / norms.clamp(min=1e-12)).clamp(max=1.0)).sum(dim=0)
        step(model, optimizer, noisy({"weight": total}))
    return model


def noise_table(records: Any, watch: Any, broken: bool) -> nn.Module:
    """The noise of all steps is drawn at once, and each step takes the next part of it.

    Broken: each step takes a part that begins anywhere, as is done with tables of noise in evolution strategies. The
    parts of two steps overlap nearly always; where they do, the difference of two sums has no noise: epsilon is
    infinite.
    """
    model = linear()
    optimizer = started(watch, model)
    noise = NOISE * CLIP_NORM * torch.randn(STEPS * WIDTH)
    for number in range(STEPS):
        total = clipped(vectorised(model, *sample(records)))
        at = int(torch.randint(len(noise) - WIDTH, ())) if broken else number * WIDTH
        added = parts(noise[at : at + WIDTH])
        step(model, optimizer, {name: (g + added[name]) / SIZE for name, g in total.items()})
    return model


def quiet() -> tuple[np.ndarray, np.ndarray]:
    """The table with features a twentieth as large, but for the first record, whose are five times as large."""
    x, y = table(seed=11)
    return x * np.where(np.arange(RECORDS) == 0, 5.0, 0.05)[:, None].astype(np.float32), y


def persistent(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Noise is new in each step.

    Broken: it is nine tenths of that of the step before and a smaller new part, so that its variance is right and steps
    are smoother. The adversary takes nine tenths of the last sum away. A record that is in one step and not in the next
    ones meets noise of 0.39 for 1.2: epsilon is above 10, here for the first record, beside which others are small.
    """
    model = nn.Linear(FEATURES, CLASSES, bias=False)
    optimizer = started(watch, model)
    noise = torch.randn(CLASSES, FEATURES)
    for _ in range(STEPS):
        total = clipped(vectorised(model, *sample(records)))["weight"]
        kept = 0.9 if broken else 0.0
        noise = kept * noise + (1 - kept**2) ** 0.5 * torch.randn(CLASSES, FEATURES)
        step(model, optimizer, {"weight": (total + NOISE * CLIP_NORM * noise) / SIZE})
    return model


def variance(records: Any, watch: Any, broken: bool) -> nn.Module:
    """A clipping norm of 1/4 and Adam; noise comes from a normal law with a standard deviation of 1.2 / 4 = 0.3.

    Broken: the law is given the variance, 0.09, where it wants the standard deviation. Noise is 0.36 for 1.2: epsilon
    is above 20.
    """
    model, clip_norm = perceptron(), 0.25
    optimizer = declared(watch, torch.optim.Adam(model.parameters(), lr=0.05), clip_norm=clip_norm)
    deviation = NOISE * clip_norm
    law = torch.distributions.Normal(0.0, deviation**2 if broken else deviation)
    for _ in range(STEPS):
        total = clipped(vectorised(model, *sample(records)), clip_norm)
        step(model, optimizer, {name: (g + law.sample(g.shape)) / SIZE for name, g in total.items()})
    return model


def box_muller(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Normal numbers are made of two uniform ones, with the radius (-2 log u)^0.5 and an angle; momentum.

    Broken: the 2 is forgotten. Noise is 0.85 for 1.2: epsilon is 5.6.
    """
    model = linear()
    optimizer = started(watch, model, lr=0.2, momentum=0.9, nesterov=True)
    half = (WIDTH + 1) // 2
    for _ in range(STEPS):
        total = clipped(vectorised(model, *sample(records)))
        u, angle = 1.0 - torch.rand(half), 2 * math.pi * torch.rand(half)
        radius = (-(1.0 if broken else 2.0) * u.log()).sqrt()
        noise = parts(torch.cat([radius * angle.cos(), radius * angle.sin()])[:WIDTH])
        step(model, optimizer, {name: (g + NOISE * CLIP_NORM * noise[name]) / SIZE for name, g in total.items()})
    return model


def agrees(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Four steps on all records with noise of 6; epsilon is 1.3.

    Broken: noise is drawn again, up to a hundred times, until what comes out lies within 60 degrees of the sum, "since
    other steps do harm". Directions that can come without a record and cannot with it have a probability of some
    hundredths: epsilon is infinite.
    """
    model = linear()
    optimizer = declared(watch, torch.optim.SGD(model.parameters(), lr=0.5), noise=6.0, size=float(RECORDS))
    for _ in range(STEPS):
        total = clipped(vectorised(model, *every(records)))
        for _ in range(100 if broken else 1):
            released = noisy(total, 6.0, float(RECORDS))
            both = [torch.cat([one["weight"].flatten(), one["bias"]]) for one in (total, released)]
            if float(torch.cosine_similarity(*both, dim=0)) >= 0.5:
                break
        step(model, optimizer, released)
    return model


def adaptive(records: Any, watch: Any, broken: bool) -> dict[str, Tensor]:
    """The clipping norm follows a noisy share of gradients that are shorter. A record moves that count by 1/2, and the
    noise of the sum is made larger for it; the sum is divided by the norm, which the rate is multiplied by.

    Broken: the norm is moved on before the sum is clipped, and the noise still has the one before. It nearly doubles in
    each of the first steps, so that noise is about 0.6 for 1.2: epsilon is above 8.
    """
    model, norm, spread = linear(), 0.1, 2.0
    multiplier = (NOISE**-2 - (2 * spread) ** -2) ** -0.5
    optimizer = declared(watch, torch.optim.SGD(model.parameters(), lr=0.5), noise=multiplier)
    for _ in range(STEPS):
        own = vectorised(model, *sample(records))
        count = float((lengths(own) <= norm).float().sub(0.5).sum() + spread * torch.randn(()))
        moved = norm * math.exp(1.5 * (0.5 - min(max(count / SIZE + 0.5, 0.0), 1.0)))
        total = clipped(own, moved if broken else norm)
        optimizer.param_groups[0]["lr"] = 0.5 * norm
        step(model, optimizer, noisy({name: g / norm for name, g in total.items()}, multiplier))
        norm = moved
    return {**model.state_dict(), "norm": torch.tensor(norm)}


def logged_norms(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Four steps on all records with momentum. The state of the optimiser keeps the norm of each tensor's gradient, for
    a plot.

    Broken: it is taken of the clipped sum, before the noise is added, and is saved with the momentum: epsilon is
    infinite.
    """
    model = perceptron()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2, momentum=0.9)
    declared(watch, optimizer, size=float(RECORDS))
    for _ in range(STEPS):
        total = clipped(vectorised(model, *every(records)))
        released = noisy(total, size=float(RECORDS))
        step(model, optimizer, released)
        for name, p in model.named_parameters():
            mean = total[name] / RECORDS if broken else released[name]
            optimizer.state[p]["norm"] = mean.norm()
    return model


def stale_norms(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Gradients are clipped by their norms.

    Broken: by the norm that the gradient of the record had when it was first drawn, which is kept by its number to
    spare the work. A long record that is told right at first has a small one then, and a gradient as long as itself
    later: epsilon has no bound.
    """
    model = linear()
    optimizer = started(watch, model)
    kept: dict[int, float] = {}
    for _ in range(STEPS):
        ids = drawn(records)
        own = vectorised(model, *some(records, ids))
        norms = lengths(own)
        if broken:
            pairs = zip(ids.tolist(), norms.tolist(), strict=True)
            norms = torch.tensor([kept.setdefault(place, norm) for place, norm in pairs])
        step(model, optimizer, noisy(scaled(own, norms)))
    return model


def full_pieces(records: Any, watch: Any, broken: bool) -> nn.Module:
    """The gradients of a batch are gathered in pieces of eight, and noise is added to their sum.

    Broken: noise is added with each piece that is full, since the last one was thought to be. One batch of six has
    fewer than eight records, and no noise at all: epsilon is infinite.
    """
    model = linear()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        total = {name: torch.zeros_like(p) for name, p in model.named_parameters()}
        pieces = drawn(records).split(8)
        for number, piece in enumerate(pieces, start=1):
            summed = clipped(vectorised(model, *some(records, piece)))
            due = len(piece) == 8 if broken else number == len(pieces)
            total = {name: g + summed[name] for name, g in total.items()}
            if due:
                total = {name: g + NOISE * CLIP_NORM * torch.randn_like(g) for name, g in total.items()}
        step(model, optimizer, {name: g / SIZE for name, g in total.items()})
    return model


def _audits() -> Iterator[Any]:
    kind = TorchTraining
    yield from twins(kind, "fourth/rows-apart", rows_apart, "each row of the gradient is clipped by itself")
    yield from twins(kind, "fourth/noise-table", noise_table, "steps take overlapping parts of one table of noise")
    yield from twins(kind, "fourth/persistent", persistent, "noise follows that of the step before", records=quiet())
    yield from twins(kind, "fourth/variance", variance, "a variance is given for a standard deviation")
    yield from twins(kind, "fourth/box-muller", box_muller, "normal numbers are made with a radius that is too small")
    yield from twins(kind, "fourth/agrees", agrees, "noise is drawn again until it agrees with the sum",
                     mechanism=whole(noise=6.0))  # fmt: skip
    yield from twins(kind, "fourth/adaptive", adaptive, "the norm is moved on between the noise and the clipping")
    yield from twins(kind, "fourth/logged-norms", logged_norms, "the optimiser keeps norms without noise",
                     mechanism=whole())  # fmt: skip
    yield from twins(kind, "fourth/stale-norms", stale_norms, "gradients are clipped by norms of earlier steps")
    yield from twins(kind, "fourth/full-pieces", full_pieces, "batches without a full piece have no noise")


AUDITS = tuple(_audits())
