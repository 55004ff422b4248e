"""Twelve trainings, each with a twin that has one bug, written after the checks and before anybody ran a check on them.

What the first measurement of them says is in docs/benchmarks.md; nothing was changed in them after it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from _shared import CLASSES, FEATURES, NOISE, RECORDS, SIZE, STEPS, poisson, table, twins
from numpy_by_hand import clipped as clipped_rows
from numpy_by_hand import drawn as drawn_rows
from numpy_by_hand import finite, gradients, released
from opacus_loops import FINITE, layers, private
from torch import nn
from torch.nn import functional as F
from torch_by_hand import clipped, drawn, linear, noisy, perceptron, started, step, vectorised

from dpaudit import Gaussian, Neighbours, SelfComposed, TorchTraining, Training, claim
from dpaudit.accounting.epsilon import epsilon_upper

# By hand, in torch --------------------------------------------------------------------------------------------------


def noise_each(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Noise on the sum; or a part of it on the gradient of each record, so that its size is that of the batch."""
    model = linear()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        own = vectorised(model, *records.tensors(drawn(records)))
        if not broken:
            step(model, optimizer, noisy(clipped(own)))
            continue
        total = clipped(own)
        count = len(next(iter(own.values())))
        parts = {n: torch.randn(max(count, 1), *g.shape).sum(dim=0) * NOISE / SIZE**0.5 for n, g in total.items()}
        step(model, optimizer, {n: (g + parts[n]) / SIZE for n, g in total.items()})
    return model


def mixed_up(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Each record is mixed with a public template; or with another record of its batch."""
    model = perceptron()
    optimizer = started(watch, model)
    template = torch.linspace(-1, 1, FEATURES)
    for _ in range(STEPS):
        x, y = records.tensors(drawn(records))
        other = x.flip(0) if broken else template.expand_as(x)
        step(model, optimizer, noisy(clipped(vectorised(model, 0.7 * x + 0.3 * other, y))))
    return model


def warm_start(records: Any, watch: Any, broken: bool) -> nn.Module:
    """A classifier that starts at zero; or at the means of the classes."""
    model = linear()
    with torch.no_grad():
        model.weight.zero_()
        model.bias.zero_()
        if broken:
            x, y = records.tensors(torch.arange(len(records)))
            for label in range(CLASSES):
                model.weight[label] = x[y == label].mean(dim=0)
    optimizer = started(watch, model)
    for _ in range(STEPS):
        step(model, optimizer, noisy(clipped(vectorised(model, *records.tensors(drawn(records))))))
    return model


def patience(records: Any, watch: Any, broken: bool) -> nn.Module:
    """At most eight steps, until a public set is classified well; or until the private one is."""
    model = linear()
    optimizer = started(watch, model, lr=2.0)
    public = [torch.from_numpy(one) for one in table(7)]
    for _ in range(2 * STEPS):
        step(model, optimizer, noisy(clipped(vectorised(model, *records.tensors(drawn(records))))))
        x, y = records.tensors(torch.arange(len(records))) if broken else public
        with torch.no_grad():
            if (model(x.to(torch.float32)).argmax(dim=1) == y).float().mean() > 0.7:
                break
    return model


def largest(records: Any, watch: Any, broken: bool) -> nn.Module:
    """The larger half of the coordinates is kept: of the noisy gradient, or of the gradient, with noise for those."""
    model = linear()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        total = clipped(vectorised(model, *records.tensors(drawn(records))))
        released = noisy(total)
        chosen = total if broken else released
        kept = {n: (g.abs() >= g.abs().flatten().median()).to(g.dtype) for n, g in chosen.items()}
        step(model, optimizer, {n: g * kept[n] for n, g in released.items()})
    return model


def generator(records: Any, watch: Any, broken: bool) -> Any:
    """A private discriminator and a generator that sees nothing but it; or that matches the mean of a batch too."""
    judge, maker = perceptron(), nn.Linear(2, FEATURES)
    optimizer, other = started(watch, judge), torch.optim.SGD(maker.parameters(), lr=0.1)
    for _ in range(STEPS):
        x, y = records.tensors(drawn(records))
        step(judge, optimizer, noisy(clipped(vectorised(judge, x, y))))
        other.zero_grad()
        made = maker(torch.rand(8, 2, generator=torch.Generator().manual_seed(3)))
        loss = F.cross_entropy(judge(made), torch.zeros(8, dtype=torch.int64))
        if broken and len(x):
            loss = loss + (made.mean(dim=0) - x.mean(dim=0)).square().sum()
        loss.backward()
        other.step()
    return {**judge.state_dict(), **{f"maker {n}": v for n, v in maker.state_dict().items()}}


def running_mean(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Features are centred by a public constant; or by a running mean of the batches."""
    model = linear()
    optimizer = started(watch, model)
    centre = torch.full((FEATURES,), 0.3)
    for _ in range(STEPS):
        x, y = records.tensors(drawn(records))
        if broken and len(x):
            centre = 0.9 * centre + 0.1 * torch.nan_to_num(x).clamp(-3, 3).mean(dim=0)
        step(model, optimizer, noisy(clipped(vectorised(model, x - centre, y))))
    return model


# By hand, in NumPy --------------------------------------------------------------------------------------------------

RIDGE = 0.5


def perturbed(records: Any, recorder: Any, broken: bool) -> None:
    """Output perturbation of a regularised softmax regression on features of norm 2^-1/2 at most, whose gradients have
    norm 1 at most: a record that is replaced moves the minimum by 2/(n lambda), or so it is said by half of that."""
    x, y = records
    x = finite(x) / np.maximum(2**0.5 * np.linalg.norm(finite(x), axis=1, keepdims=True), 1.0)
    rng, weights = np.random.default_rng(recorder.seed), np.zeros((FEATURES, CLASSES))
    for _ in range(200):
        weights -= 0.5 * (gradients(weights, x, y).mean(axis=0) + RIDGE * weights)
    bound = (1 if broken else 2) / (RECORDS * RIDGE)
    noise = NOISE * bound * rng.normal(size=weights.shape)
    kept = recorder.release("weights", weights, noise, sensitivity=bound, noise_scale=NOISE * bound)
    recorder.output("weights", kept)


def words(records: Any, recorder: Any, broken: bool) -> None:
    """Counts of the largest feature of each record; or of its three largest, with the noise for one."""
    x, _ = records
    rng = np.random.default_rng(recorder.seed)
    ranked = np.argsort(-finite(x), axis=1, kind="stable")[:, : 3 if broken else 1]
    counts = np.array([(ranked == place).sum() for place in range(FEATURES)], dtype=np.float64)
    noise = rng.laplace(size=FEATURES)
    recorder.release("counts", counts, noise, sensitivity=1.0, noise_scale=2**0.5, norm="l1", law="laplace")


def velocity(records: Any, recorder: Any, broken: bool) -> None:
    """Momentum over noisy gradients; or a momentum of clean gradients, which is released with the noise of one."""
    x, y = records
    rng, weights = np.random.default_rng(recorder.seed), np.zeros((FEATURES, CLASSES))
    moving = np.zeros_like(weights)
    for _ in range(STEPS):
        members = drawn_rows(rng, recorder, records)
        total = clipped_rows(gradients(weights, x[members], y[members]))
        if broken:
            moving = 0.9 * moving + total
            weights -= 0.2 * released(recorder, rng, moving) / SIZE
        else:
            moving = 0.9 * moving + released(recorder, rng, total)
            weights -= 0.2 * moving / SIZE
    recorder.output("weights", weights)


# Opacus -------------------------------------------------------------------------------------------------------------


def fine_tuned(records: Any, watch: Any, broken: bool) -> Any:
    """With dropout; in the end the last layer is fitted once more, without the engine."""
    model, optimizer, loader = private(records, layers(0.2).train())
    watch(optimizer)
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
    head = model._module[3]
    if broken:
        x, y = loader.dataset.tensors(torch.arange(RECORDS))
        with torch.no_grad():
            hidden = model._module[1](model._module[0](x.clamp(-9, 9)))
        bias = head.bias.detach() + 0.1 * (F.one_hot(y, CLASSES).float().mean(dim=0) - hidden.mean())
        return {**model.state_dict(), "fitted": bias}
    return model


def balanced(records: Any, watch: Any, broken: bool) -> Any:
    """Weights of the classes are public; or those of the batch."""
    model, optimizer, loader = private(records, layers())
    watch(optimizer)
    weights = torch.tensor([1.0, 2.0, 1.5])
    for x, y in loader:
        optimizer.zero_grad()
        if broken:
            weights = len(y) / (1.0 + torch.bincount(y, minlength=CLASSES).float())
        losses = F.cross_entropy(model(x), y, reduction="none") * weights[y]
        (losses.sum() / max(len(y), 1)).backward()
        optimizer.step()
    return model


def _pairs() -> Iterator[Any]:
    yield twins(TorchTraining, "held-out/noise-each", noise_each, "noise for each record of the batch")
    yield twins(TorchTraining, "held-out/mixed-up", mixed_up, "records are mixed with one another")
    yield twins(TorchTraining, "held-out/warm-start", warm_start, "starts at the means of the classes")
    yield twins(TorchTraining, "held-out/patience", patience, "stops by its accuracy on the records",
                mechanism=SelfComposed(poisson().mechanism, 2 * STEPS))  # fmt: skip
    yield twins(TorchTraining, "held-out/largest", largest, "which coordinates are kept is told without noise")
    yield twins(TorchTraining, "held-out/generator", generator, "a second network sees the batch")
    yield twins(TorchTraining, "held-out/running-mean", running_mean, "features are centred by earlier batches")
    yield twins(Training, "held-out/perturbed", perturbed, "half of the sensitivity",
                mechanism=SelfComposed(Gaussian(NOISE), 1), neighbours=Neighbours.REPLACE_ONE)  # fmt: skip
    yield twins(Training, "held-out/words", words, "a record counts three times", claimed=claim(epsilon=1.0))
    yield twins(Training, "held-out/velocity", velocity, "momentum before the noise")
    bound = epsilon_upper(poisson(), 1e-5, Neighbours.ZERO_OUT)
    said = claim(epsilon=round(bound + 5e-4, 3), delta=1e-5, neighbours=Neighbours.ZERO_OUT)
    for train, bug in ((fine_tuned, "a last fit without noise"), (balanced, "weights of the classes in the batch")):
        yield twins(TorchTraining, f"held-out/{train.__name__.replace('_', '-')}", train, bug, claimed=said,
                    mechanism=poisson(), assumptions=FINITE)  # fmt: skip


AUDITS = tuple(audit for pair in _pairs() for audit in pair)
