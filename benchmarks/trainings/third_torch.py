"""Ten trainings in torch by hand, each with a twin that has one bug in its noise, its clipping, its batches or its
schedule.

They were written by somebody who did not know what the checks see. Each docstring gives the right form, then the bug
and what it does to epsilon, which is claimed to be 3.1.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from _shared import CLASSES, CLIP_NORM, FEATURES, NOISE, RECORDS, SIZE, STEPS, table, twins
from torch import Tensor, nn
from torch.nn import functional as F
from torch_by_hand import Gradients, clipped, drawn, linear, noisy, perceptron, started, step, vectorised

from dpaudit import TorchTraining


def tensor_budget(records: Any, watch: Any, broken: bool) -> nn.Module:
    """The gradient of each of four tensors is clipped to half of the norm, so that all four together keep it.

    Broken: each is clipped to the whole norm, and the noise is for one norm. A record moves the sum by up to 1.8:
    epsilon is above 8.
    """
    model = perceptron()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        own = vectorised(model, *records.tensors(drawn(records)))
        bound = CLIP_NORM if broken else CLIP_NORM / len(own) ** 0.5
        step(model, optimizer, noisy({name: clipped({name: g}, bound)[name] for name, g in own.items()}))
    return model


def row_noise(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Noise has the shape of each tensor.

    Broken: it is drawn for the last axis and broadcast, so that the rows of all classes have the same noise. Their
    differences have none: epsilon is infinite.
    """
    model = linear()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        total = clipped(vectorised(model, *records.tensors(drawn(records))))
        shapes = {name: g.shape[-1:] if broken else g.shape for name, g in total.items()}
        step(model, optimizer, {name: (g + NOISE * CLIP_NORM * torch.randn(shapes[name])) / SIZE
                                for name, g in total.items()})  # fmt: skip
    return model


def overflow(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Gradients are made in half precision with a scaled loss; those that overflow count as 0.

    Broken: as a gradient scaler does, the whole step is left out where one gradient of the batch overflows. Those of
    the forty records are below 3, and 4 is too much: a record with larger features is seen for certain, and epsilon is
    infinite.
    """
    model = linear()
    optimizer = started(watch, model)
    scale = 2.0**14
    for _ in range(STEPS):
        own = vectorised(model, *records.tensors(drawn(records)))
        unscaled = {name: (g * scale).half().float() / scale for name, g in own.items()}
        if broken and not all(bool(g.isfinite().all()) for g in unscaled.values()):
            continue
        step(model, optimizer, noisy(clipped(unscaled)))
    return model


def plateau(records: Any, watch: Any, broken: bool) -> nn.Module:
    """The rate is halved where the loss on public records does not fall.

    Broken: where the loss on all records does not. The rate is seen in the optimiser and in the size of the steps, and
    follows from the parameters by a number without noise: epsilon is infinite with a probability far above delta.
    """
    model = linear()
    shown = records.tensors(torch.arange(len(records))) if broken else [torch.as_tensor(part) for part in table(seed=7)]
    optimizer = started(watch, model, release="gradient")
    scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=0)
    for _ in range(STEPS):
        step(model, optimizer, noisy(clipped(vectorised(model, *records.tensors(drawn(records))))))
        with torch.no_grad():
            scheduler.step(float(F.cross_entropy(model(shown[0]), shown[1])))
    return model


def uneven(records: Any, watch: Any, broken: bool) -> nn.Module:
    """A batch comes in pieces of four; their clipped sums are added up, and divided once by the size of a batch.

    Broken: each piece is divided by its own length, as a mean loss does, and the noise by the size of a batch. A
    record counts 2.5 times or more: noise of 0.48 for 1.2, and epsilon is above 15.
    """
    model = linear()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        x, y = records.tensors(drawn(records))
        parts = [clipped(vectorised(model, x[at : at + 4], y[at : at + 4])) for at in range(0, max(len(x), 1), 4)]
        sizes = [min(4, len(x) - at) if broken else SIZE for at in range(0, max(len(x), 1), 4)]
        mean = {name: sum((part[name] / max(size, 1) for part, size in zip(parts, sizes, strict=True)),
                          torch.zeros(())) for name in parts[0]}  # fmt: skip
        step(model, optimizer, {name: g + NOISE * CLIP_NORM * torch.randn_like(g) / SIZE for name, g in mean.items()})
    return model


def imbalanced() -> tuple[np.ndarray, np.ndarray]:
    """Records of three classes, 30, 7 and 3 of them."""
    labels = np.repeat(np.arange(CLASSES), (30, 7, 3))
    x = np.random.default_rng(4).normal(size=(RECORDS, FEATURES)) + np.eye(CLASSES, FEATURES)[labels]
    return x.astype(np.float32), labels.astype(np.int64)


def balanced(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Every record is in a batch with probability one quarter.

    Broken: classes are drawn equally often, so that the three records of the smallest are in every batch, and the
    others are accounted too. Epsilon is 8.0.
    """
    model = linear()
    chances = torch.full((len(records),), SIZE / RECORDS)
    if broken:
        _, labels = records.tensors(torch.arange(len(records)))
        chances = (SIZE / CLASSES / torch.bincount(labels)[labels]).clamp(max=1.0)
    optimizer = started(watch, model)
    for _ in range(STEPS):
        ids = (torch.rand(len(records)) < chances).nonzero()[:, 0]
        step(model, optimizer, noisy(clipped(vectorised(model, *records.tensors(ids)))))
    return model


def views(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Four views of each record, with features that are left out at random; the mean of their gradients is clipped.

    Broken: each view is clipped, and all are added up. A record moves the sum by nearly 4: epsilon is above 25.
    """
    model = linear()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        x, y = records.tensors(drawn(records))
        kept = torch.rand(len(x), 4, FEATURES) < 0.8
        flat = vectorised(model, (x[:, None] * kept).flatten(0, 1), y.repeat_interleave(4))
        mean = {name: g.unflatten(0, (len(x), 4)).mean(dim=1) for name, g in flat.items()}
        step(model, optimizer, noisy(clipped(flat if broken else mean)))
    return model


def seeded_masks(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Features are left out at random, the same of all records; the choice comes from a generator that has a seed.

    Broken: the default generator is seeded with the number of the step before. The noise comes from it next, so that
    everybody can draw it and take it away: epsilon is infinite.
    """
    model = linear()
    optimizer = started(watch, model)
    for number in range(STEPS):
        x, y = records.tensors(drawn(records))
        generator = torch.manual_seed(number) if broken else torch.Generator().manual_seed(number)
        kept = torch.rand(FEATURES, generator=generator) < 0.8
        step(model, optimizer, noisy(clipped(vectorised(model, x * kept, y))))
    return model


def until_good(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Four steps.

    Broken: training ends as soon as six of ten records are told right. The parameters and the number of steps show
    whether they were, without noise: epsilon is infinite with a probability far above delta.
    """
    model = linear()
    every, labels = records.tensors(torch.arange(len(records)))
    optimizer = started(watch, model)
    for _ in range(STEPS):
        step(model, optimizer, noisy(clipped(vectorised(model, *records.tensors(drawn(records))))))
        with torch.no_grad():
            right = (model(every).argmax(dim=1) == labels).sum()
        if broken and int(right) >= 0.6 * len(labels):
            break
    return model


def weighed(total: Gradients, share: float) -> Gradients:
    """A mean with noise that is multiplied by a share."""
    return {name: (g + share * NOISE * CLIP_NORM * torch.randn_like(g)) / SIZE for name, g in total.items()}


def cooled(records: Any, watch: Any, broken: bool) -> nn.Module:
    """The rate falls from step to step.

    Broken: the noise falls with it, as if the step did not multiply both by the rate. Its last two multipliers are
    0.72 and 0.48, and all are accounted as 1.2: epsilon is above 8.
    """
    model = linear()
    optimizer = started(watch, model, release="gradient")
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda number: 1.0 - 0.2 * number)
    for _ in range(STEPS):
        total: dict[str, Tensor] = clipped(vectorised(model, *records.tensors(drawn(records))))
        step(model, optimizer, weighed(total, schedule.get_last_lr()[0] / 0.5 if broken else 1.0))
        schedule.step()
    return model


def _audits() -> Iterator[Any]:
    kind = TorchTraining
    yield from twins(kind, "third/tensor-budget", tensor_budget, "each tensor has the norm of all")
    yield from twins(kind, "third/row-noise", row_noise, "noise is broadcast over the rows")
    yield from twins(kind, "third/overflow", overflow, "a step is left out where a gradient overflows")
    yield from twins(kind, "third/plateau", plateau, "the rate follows the loss on the records")
    yield from twins(kind, "third/uneven", uneven, "pieces of a batch are divided by their own length")
    yield from twins(kind, "third/balanced", balanced, "rare classes are drawn more often", records=imbalanced())
    yield from twins(kind, "third/views", views, "each view of a record is clipped by itself")
    yield from twins(kind, "third/seeded-masks", seeded_masks, "noise comes from a generator with a known seed")
    yield from twins(kind, "third/until-good", until_good, "training ends when the records are told right")
    yield from twins(kind, "third/cooled", cooled, "noise falls with the rate")


AUDITS = tuple(_audits())
