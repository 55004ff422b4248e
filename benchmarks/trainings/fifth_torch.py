"""Ten trainings in torch by hand, each with a twin that has one bug in its noise, its clipping, its optimiser or its
schedule.

They were written by somebody who did not know what the checks see. Each docstring gives the right form, then the bug
and what it does to epsilon, which is claimed to be 3.1 for Poisson batches and 8.0 for four steps on all records.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import torch
from _shared import CLIP_NORM, NOISE, RATE, RECORDS, SIZE, STEPS, twins, whole
from fourth_torch import declared, every, finite, lengths, quiet, sample, some
from fourth_torch_layers import on_all
from torch import Tensor, nn
from torch_by_hand import Gradients, clipped, drawn, linear, noisy, perceptron, started, step, vectorised, watched

from dpaudit import TorchTraining

ALL = float(RECORDS)
WORKERS = 4


def bounded(rows: Tensor) -> Tensor:
    """The same numbers, of which none is infinite or larger than a million."""
    return finite(rows).clamp(-1e6, 1e6)


def small(x: Tensor) -> Tensor:
    """The same features, of which none is infinite or larger than a hundred."""
    return finite(x).clamp(-100.0, 100.0)


def weighed(factors: Tensor, rows: Tensor) -> Tensor:
    """The sum of the gradients of the records, each times its factor; numbers that are not finite count as 0."""
    return torch.einsum("i,i...->...", factors, finite(rows))


def running_norm(records: Any, watch: Any, broken: bool) -> nn.Module:
    """The gradient of a record is clipped by its norm over all tensors.

    Broken: the factor is worked out in the loop over the tensors, from the squares that were added up so far. The first
    tensor has a norm of 1 by itself, the next ones have what they are of themselves and those before: the four tensors
    together have a norm of up to 2, and of 1.4 for records with large features here: epsilon is 5.5.
    """
    model = perceptron()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        own = vectorised(model, *sample(records))
        norms, squares, total = lengths(own), torch.zeros(()), {}
        for name, g in own.items():
            squares = squares + finite(g).flatten(1).square().sum(dim=1)
            reached = squares.sqrt() if broken else norms
            total[name] = weighed((CLIP_NORM / reached.clamp(min=1e-12)).clamp(max=1.0), g)
        step(model, optimizer, noisy(total))
    return model


def automatic(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Automatic clipping: each gradient is divided by its norm and a little more, so that there is no threshold.

    Broken: by the mean norm of the batch and a little more. A gradient that is much longer than the nine others is ten
    norms long afterwards, and little is left of the others: epsilon is above 100.
    """
    model = linear()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        own = vectorised(model, *sample(records))
        norms = lengths(own)
        if broken:
            norms = norms.mean().expand_as(norms)
        step(model, optimizer, noisy({name: weighed(CLIP_NORM / (norms + 0.01), g) for name, g in own.items()}))
    return model


def broadcast(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Each number of a gradient has noise of its own.

    Broken: noise is drawn for the last axis, and broadcast over the first one. The rows of the three classes have the
    same noise, and their differences have none: epsilon is infinite.
    """
    model = linear()
    optimizer = started(watch, model, lr=0.2, momentum=0.9)
    for _ in range(STEPS):
        total = clipped(vectorised(model, *sample(records)))
        released: Gradients = {}
        for name, g in total.items():
            noise = torch.randn(g.shape[-1:] if broken else g.shape)
            released[name] = (g + NOISE * CLIP_NORM * noise) / SIZE
        step(model, optimizer, released)
    return model


class Warming(torch.optim.SGD):
    """Moves by the rate times the sum, and by the rate times the noise."""

    initial = False
    """Whether the noise has the rate at which the training began."""

    def step(self, closure: Any = None) -> None:  # type: ignore[override]
        super().step()
        for group in self.param_groups:
            rate = self.defaults["lr"] if self.initial else group["lr"]
            for p in group["params"]:
                p.data.add_(torch.normal(0.0, NOISE * CLIP_NORM, p.shape), alpha=-rate / SIZE)


def warming(records: Any, watch: Any, broken: bool) -> nn.Module:
    """The rate grows from 1/8 to 1/2, and the noise of a step has the rate of that step.

    Broken: the noise has the rate that the optimiser was made with, which the schedule does not change. It is 1.2, 0.6,
    0.4 and 0.3 in the four steps: epsilon is above 20.
    """
    model = perceptron()
    optimizer = Warming(model.parameters(), lr=0.125)
    optimizer.initial = broken
    watched(watch, model, optimizer, "update")
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda number: number + 1.0)
    for _ in range(STEPS):
        total = clipped(vectorised(model, *sample(records)))
        step(model, optimizer, {name: g / SIZE for name, g in total.items()})
        schedule.step()
    return model


def left_over(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Four steps on all records. What is clipped off is lost.

    Broken: it is carried to the next step (error feedback), and is clipped to norm 1 there, as a whole. A long record
    turns it, so that it moves the next sums by up to 3 norms, and by 2.6 here: epsilon is 23.
    """
    model = linear()
    optimizer = on_all(watch, model)
    carried = {name: torch.zeros_like(p) for name, p in model.named_parameters()}
    for _ in range(STEPS):
        own = vectorised(model, *every(records))
        total = clipped(own)
        step(model, optimizer, noisy({name: g + carried[name] for name, g in total.items()}, size=ALL))
        if broken:
            lost = {name: bounded(g).sum(dim=0) - total[name] for name, g in own.items()}
            carried = clipped({name: (g + carried[name])[None] for name, g in lost.items()})
    return model


def uphill(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Four steps on all records; gradients are taken a little uphill (SAM), in the direction that the last step came
    from, which is public.

    Broken: in the direction of the mean gradient of the records, which is neither clipped nor noisy. A record with a
    gradient longer than the sum of all others turns it, and so moves the gradients of all others too: the sum moves by
    5 norms and more, and epsilon is above 40.
    """
    model, radius = linear(), 1.0
    optimizer = on_all(watch, model)
    before = [p.detach().clone() for p in model.parameters()]
    for _ in range(STEPS):
        x, y = every(records)
        way = [last - p.detach() for last, p in zip(before, model.parameters(), strict=True)]
        if broken:
            way = [bounded(g).sum(dim=0) for g in vectorised(model, x, y).values()]
        before = [p.detach().clone() for p in model.parameters()]
        length = torch.cat([one.flatten() for one in way]).norm().clamp(min=1e-12)
        above = copy.deepcopy(model)
        with torch.no_grad():
            for p, one in zip(above.parameters(), way, strict=True):
                p += radius * one / length
        step(model, optimizer, noisy(clipped(vectorised(above, x, y)), size=ALL))
    return model


class Corrected(torch.optim.Optimizer):
    """Adam, whose mean of squares is made smaller by what the noise adds to it."""

    def __init__(self, parameters: Any, lr: float) -> None:
        super().__init__(parameters, {"lr": lr})
        self.added: dict[Tensor, Tensor] = {}

    @torch.no_grad()
    def step(self, closure: Any = None) -> None:  # type: ignore[override]
        for group in self.param_groups:
            for p in group["params"]:
                state = self.state[p]
                state["mean"] = 0.9 * state.get("mean", torch.zeros_like(p)) + 0.1 * p.grad
                square = p.grad.square() - self.added[p]
                state["square"] = 0.9 * state.get("square", torch.zeros_like(p)) + 0.1 * square
                p.sub_(group["lr"] * state["mean"] / state["square"].clamp(min=1e-4).sqrt())


def corrected(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Adam takes the variance of the noise away from its squares of noisy gradients.

    Broken: the squares of the noise itself, "which is more exact". What is left is a square of the sum and twice its
    product with the noise. With the noisy gradient it gives the noise, and the sum: epsilon is infinite.
    """
    model = linear()
    optimizer = declared(watch, Corrected(model.parameters(), lr=0.05))
    for _ in range(STEPS):
        total = clipped(vectorised(model, *sample(records)))
        released: Gradients = {}
        for name, p in model.named_parameters():
            noise = NOISE * CLIP_NORM * torch.randn_like(p)
            released[name] = (total[name] + noise) / SIZE
            mean = torch.full_like(p, (NOISE * CLIP_NORM) ** 2)
            optimizer.added[p] = (noise.square() if broken else mean).detach() / SIZE**2
        step(model, optimizer, released)
    return model


def workers(records: Any, watch: Any, broken: bool) -> nn.Module:
    """A batch is divided among four workers. Each adds noise of half the deviation, since variances add up.

    Broken: of a quarter of it. The noise of the sum is 0.6 for 1.2: epsilon is 10.2.
    """
    model = perceptron()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        ids = drawn(records)
        parts = []
        for number in range(WORKERS):
            total = clipped(vectorised(model, *some(records, ids[number::WORKERS].clone())))
            share = NOISE * CLIP_NORM / (WORKERS if broken else WORKERS**0.5)
            parts.append({name: g + share * torch.randn_like(g) for name, g in total.items()})
        step(model, optimizer, {name: sum(part[name] for part in parts) / SIZE for name in parts[0]})
    return model


def few_seeds(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Noise comes from a generator with a secret seed of 62 bits.

    Broken: of ten bits. The adversary tries all 1024 seeds; what the noise of the right one leaves is a sum of clipped
    gradients, with all its digits, four times: epsilon is infinite.
    """
    model = linear()
    optimizer = started(watch, model)
    generator = torch.Generator().manual_seed(int(torch.randint(2 ** (10 if broken else 62), ())))
    for _ in range(STEPS):
        total = clipped(vectorised(model, *sample(records)))
        noise = {name: torch.randn(g.shape, generator=generator) for name, g in total.items()}
        step(model, optimizer, {name: (g + NOISE * CLIP_NORM * noise[name]) / SIZE for name, g in total.items()})
    return model


def growing(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Each batch has a quarter of the records.

    Broken: batches grow, which is said to do the same as a rate that falls. They have a quarter, a half, three quarters
    and all of the records, and only the first one is accounted for right: epsilon is 5.8.
    """
    model = linear()
    optimizer = started(watch, model)
    for number in range(STEPS):
        rate = RATE * (number + 1) if broken else RATE
        ids = (torch.rand(len(records)) < rate).nonzero()[:, 0]
        step(model, optimizer, noisy(clipped(vectorised(model, *some(records, ids)))))
    return model


def _audits() -> Iterator[Any]:
    kind = TorchTraining
    yield from twins(kind, "fifth/running-norm", running_norm, "tensors are clipped by the norm so far")
    yield from twins(kind, "fifth/automatic", automatic, "gradients are divided by the mean norm of the batch",
                     records=quiet())  # fmt: skip
    yield from twins(kind, "fifth/broadcast", broadcast, "rows of a matrix have the same noise")
    yield from twins(kind, "fifth/warming", warming, "noise has the rate of the first step")
    yield from twins(kind, "fifth/left-over", left_over, "what is clipped off is carried on", mechanism=whole())
    yield from twins(kind, "fifth/uphill", uphill, "gradients are taken where the clean mean gradient leads",
                     mechanism=whole())  # fmt: skip
    yield from twins(kind, "fifth/corrected", corrected, "squares of the noise are taken away from those of Adam")
    yield from twins(kind, "fifth/workers", workers, "each of four workers adds a quarter of the noise")
    yield from twins(kind, "fifth/few-seeds", few_seeds, "the seed of the noise has ten bits")
    yield from twins(kind, "fifth/growing", growing, "batches grow, and are accounted for as if they did not")


AUDITS = tuple(_audits())
