"""Eleven trainings in torch by hand, each with one bug in what it takes from the records beside clipped gradients:
batches, scales, choices and what leaves the training. Written before any check saw one.

Each docstring says what is broken, and why the true epsilon is above the claimed one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from _shared import RATE, SIZE, STEPS, broken_twin, images
from torch import Tensor, nn
from torch.nn import functional as F
from torch_by_hand import clipped, convolution, drawn, linear, noisy, perceptron, started, step, vectorised

from dpaudit import TorchTraining


def finite(x: Tensor) -> Tensor:
    return torch.nan_to_num(x, 0.0, 0.0, 0.0)


def everything(records: Any) -> tuple[Tensor, Tensor]:
    """All features, without numbers that are not finite, and all labels."""
    x, y = records.tensors(torch.arange(len(records)))
    return finite(x), y


def spread_jitter(records: Any, watch: Any) -> nn.Module:
    """Features are jittered in proportion to their spread in the batch: a record at distance 1000 makes all others of
    its batch random, each of which moves the sum by up to twice the norm."""
    model = linear()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        x, y = records.tensors(drawn(records))
        if len(x) > 1:
            x = x + 0.1 * finite(x).std(dim=0) * torch.randn_like(x)
        step(model, optimizer, noisy(clipped(vectorised(model, x, y))))
    return model


def larger_layer(records: Any, watch: Any) -> nn.Module:
    """The layer whose sum is the longer one moves, the other is frozen for the step: which one it is has no noise, so
    a record that turns it is told exactly by the layer that stays where it is."""
    model = perceptron()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        total = clipped(vectorised(model, *records.tensors(drawn(records))))
        first, last = (sum(g.square().sum() for n, g in total.items() if n.startswith(layer)) for layer in ("0", "2"))
        kept = "0" if first >= last else "2"
        step(model, optimizer, {n: g * float(n.startswith(kept)) for n, g in noisy(total).items()})
    return model


def soup(records: Any, watch: Any) -> dict[str, Tensor]:
    """An iterate joins the average only if the loss over all records fell (a greedy soup): a record with a large loss
    decides alone, and what joined is seen by who knows the iterates."""
    model, best = linear(), float("inf")
    optimizer = started(watch, model)
    mean, count = {name: torch.zeros_like(p) for name, p in model.named_parameters()}, 0
    x, y = everything(records)
    for _ in range(STEPS):
        step(model, optimizer, noisy(clipped(vectorised(model, *records.tensors(drawn(records))))))
        with torch.no_grad():
            loss = float(F.cross_entropy(model(x), y))
        if loss < best:
            best, count = loss, count + 1
            mean = {n: mean[n] + (p.detach() - mean[n]) / count for n, p in model.named_parameters()}
    return mean


def running_statistics(records: Any, watch: Any) -> nn.Module:
    """An instance norm keeps running means and variances of the batches, which leave with the model and have no noise.
    The gradient of a record hangs on no other one."""
    model = convolution(nn.InstanceNorm2d(4, affine=True, track_running_stats=True)).train()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        x, y = records.tensors(drawn(records))
        losses = F.cross_entropy(model(finite(x)), y, reduction="none") if len(x) else []
        rows = [torch.autograd.grad(one, list(model.parameters()), retain_graph=True) for one in losses]
        own = {
            name: torch.stack([row[k] for row in rows]) if rows else p.new_zeros((0, *p.shape))
            for k, (name, p) in enumerate(model.named_parameters())
        }
        step(model, optimizer, noisy(clipped(own)))
    return model


def robust_weights(records: Any, watch: Any) -> nn.Module:
    """Records are weighted by the softmax of their losses over the batch before the clipping: one with a large loss
    takes the weight of all others, whose gradients vanish from the sum together."""
    model = linear()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        x, y = records.tensors(drawn(records))
        own = vectorised(model, x, y)
        with torch.no_grad():
            weights = finite(F.cross_entropy(model(x), y, reduction="none")).softmax(dim=0) * len(x)
        own = {n: torch.einsum("i,i...->i...", weights, g) for n, g in own.items()}
        step(model, optimizer, noisy(clipped(own)))
    return model


def replacement(records: Any, watch: Any) -> nn.Module:
    """Ten records are drawn with replacement: one comes twice with probability 0.02 a step, and one that is not drawn
    leaves its place to another: epsilon is 5.3 if only the place in the batch moves by the norm, not 3.1."""
    model = linear()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        ids = torch.randint(len(records), (int(SIZE),))
        step(model, optimizer, noisy(clipped(vectorised(model, *records.tensors(ids)))))
    return model


def half_rate(records: Any, watch: Any) -> nn.Module:
    """Batches are drawn at rate 1/2 and accounted at 1/4, the rate of an earlier size of batches: epsilon is
    5.1, not 3.1."""
    model = linear()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        ids = (torch.rand(len(records)) < 2 * RATE).nonzero()[:, 0]
        step(model, optimizer, noisy(clipped(vectorised(model, *records.tensors(ids)))))
    return model


def logged(records: Any, watch: Any) -> dict[str, Tensor]:
    """The loss of each batch leaves with the model, as the curve of the training."""
    model = linear()
    optimizer = started(watch, model)
    losses = []
    for _ in range(STEPS):
        x, y = records.tensors(drawn(records))
        losses.append(F.cross_entropy(model(finite(x)), y).detach() if len(x) else torch.zeros(()))
        step(model, optimizer, noisy(clipped(vectorised(model, x, y))))
    return {**model.state_dict(), "losses": torch.stack(losses)}


def fisher_decay(records: Any, watch: Any) -> nn.Module:
    """Parameters decay in proportion to the mean square of the gradients in the batch, which has no noise and no bound
    (elastic weights): a record of norm 1000 makes it a million times larger."""
    model = perceptron()
    optimizer = started(watch, model, lr=0.05)
    for _ in range(STEPS):
        own = vectorised(model, *records.tensors(drawn(records)))
        released = noisy(clipped(own))
        for name, p in model.named_parameters():
            if len(own[name]):
                released[name] = released[name] + 0.1 * finite(own[name]).square().mean(dim=0) * p.detach()
        step(model, optimizer, released)
    return model


def teacher(records: Any, watch: Any) -> nn.Module:
    """The labels are those of a teacher that was fitted to the records without noise: one record can turn the labels of
    all others, and with them the whole sum."""
    model, taught = linear(), linear()
    inner = torch.optim.SGD(taught.parameters(), lr=1.0)
    x, y = everything(records)
    for _ in range(10):
        inner.zero_grad()
        F.cross_entropy(taught(x), y).backward()
        inner.step()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        x, _ = records.tensors(drawn(records))
        with torch.no_grad():
            y = finite(taught(finite(x))).argmax(dim=1)
        step(model, optimizer, noisy(clipped(vectorised(model, x, y))))
    return model


def outliers(records: Any, watch: Any) -> nn.Module:
    """Records further than two standard deviations from the mean are left out: one at distance 1000 makes the deviation
    so large that all others come back in, ten of the forty here."""
    model = linear()
    optimizer = started(watch, model)
    x, _ = everything(records)
    inside = ((x - x.mean(dim=0)).abs() <= 2 * x.std(dim=0)).all(dim=1)
    for _ in range(STEPS):
        ids = drawn(records)
        step(model, optimizer, noisy(clipped(vectorised(model, *records.tensors(ids[inside[ids]])))))
    return model


def _audits() -> Iterator[Any]:
    kind = TorchTraining
    yield broken_twin(kind, "fresh/spread-jitter", spread_jitter, "jitter in proportion to the spread of the batch")
    yield broken_twin(kind, "fresh/larger-layer", larger_layer, "which layer moves is told without noise")
    yield broken_twin(kind, "fresh/soup", soup, "what joins the average hangs on the private loss")
    yield broken_twin(kind, "fresh/running-statistics", running_statistics, "running statistics of an instance norm",
                      records=images())  # fmt: skip
    yield broken_twin(kind, "fresh/robust-weights", robust_weights, "weights by the softmax of the losses of the batch")
    yield broken_twin(kind, "fresh/replacement", replacement, "batches with replacement")
    yield broken_twin(kind, "fresh/half-rate", half_rate, "twice the rate that is accounted")
    yield broken_twin(kind, "fresh/logged", logged, "losses of batches leave")
    yield broken_twin(kind, "fresh/fisher-decay", fisher_decay, "decay by squares of gradients without noise")
    yield broken_twin(kind, "fresh/teacher", teacher, "labels of a teacher without noise")
    yield broken_twin(kind, "fresh/outliers", outliers, "records are left out by the spread of all")


AUDITS = tuple(_audits())
