"""Ten trainings with Opacus 1.6.0, each with a twin that has one bug of the user.

They were written by somebody who did not know what the checks see. As in `opacus_loops`, records are finite, and
neighbours are a record and an empty one in its place. Each docstring gives the right form, then the bug and what it
does to epsilon, which is claimed to be 3.1 where nothing else is said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch
from _shared import CLASSES, CLIP_NORM, NOISE, SIZE, STEPS, images, poisson, stated, table, twins
from opacus.optimizers import DPOptimizer
from opacus_loops import FINITE, layers, linear, passed, private
from torch import Tensor, nn
from torch.nn import functional as F

from dpaudit import Neighbours, TorchTraining

WEIGHTS = torch.tensor([1.0, 1.0, 4.0])
"""How much a record of each class counts."""


def unscaled(records: Any, watch: Any, broken: bool) -> Any:
    """Steps go through a gradient scaler, which is switched off.

    Broken: it is handed the optimiser inside of the private one, whose gradients are those of the mean loss, neither
    clipped nor with noise: epsilon is infinite.
    """
    model, optimizer, loader = private(records, layers())
    watch(optimizer)
    scaler = torch.amp.GradScaler("cpu", enabled=False)
    for x, y in loader:
        optimizer.zero_grad()
        scaler.scale(nn.CrossEntropyLoss()(model(x), y)).backward()
        scaler.step(optimizer.original_optimizer if broken else optimizer)
        scaler.update()
    return model


def repeatable(records: Any, watch: Any, broken: bool) -> Any:
    """Noise comes from a generator with a random seed.

    Broken: with the seed 0, so that results can be repeated. Everybody can draw the noise and take it away: epsilon is
    infinite.
    """
    seed = 0 if broken else int(torch.randint(2**62, ()))
    model, optimizer, loader = private(records, layers(), noise_generator=torch.Generator().manual_seed(seed))
    watch(optimizer)
    passed(model, optimizer, loader)
    return model


def sequential(records: Any, watch: Any, broken: bool) -> Any:
    """Two epochs of Poisson batches; epsilon is 4.0.

    Broken: Poisson sampling is switched off, and batches come in the order of the records. Everybody knows in which
    two of the steps a record is: epsilon is 5.3.
    """
    model, optimizer, loader = private(records, linear(), poisson_sampling=not broken)
    watch(optimizer)
    for _ in range(2):
        passed(model, optimizer, loader)
    return model


def longer(records: Any, watch: Any, broken: bool) -> Any:
    """One epoch, which is accounted.

    Broken: training goes on until the loss on public records is small, three epochs at most. Those after the first
    are not accounted: epsilon is 4.0 after two, 4.8 after three.
    """
    model, optimizer, loader = private(records, layers())
    watch(optimizer)
    x, y = (torch.as_tensor(part) for part in table(seed=7))
    for _ in range(3 if broken else 1):
        passed(model, optimizer, loader)
        with torch.no_grad():
            if F.cross_entropy(model(x), y) < 0.6:
                break
    return model


def tempered(records: Any, watch: Any, broken: bool) -> Any:
    """Scores are divided by a temperature, which is 1.

    Broken: it is trained by a second optimiser, which knows nothing of privacy. What it does shows the mean gradient of
    each batch without noise: epsilon is infinite.
    """
    model, optimizer, loader = private(records, layers())
    watch(optimizer)
    temperature = nn.Parameter(torch.ones(1))
    second = torch.optim.SGD([temperature], lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        second.zero_grad()
        F.cross_entropy(model(x) / temperature.clamp(min=0.1), y).backward()
        optimizer.step()
        if broken and len(x):
            second.step()
    return {**model.state_dict(), "temperature": temperature.detach()}


def layerwise(records: Any, watch: Any, broken: bool) -> Any:
    """The gradient of each of four tensors has half of the norm.

    Broken: each has the whole norm, and the norm that the noise is for is set back to that of one of them. A record
    moves the sum by two norms: epsilon is 10.2.
    """
    norms = [CLIP_NORM if broken else CLIP_NORM / 2] * 4
    model, optimizer, loader = private(records, layers(), clipping="per_layer", max_grad_norm=norms)
    if broken:
        optimizer.max_grad_norm = CLIP_NORM
    watch(optimizer)
    passed(model, optimizer, loader, lambda scores, y: 4 * F.cross_entropy(scores, y))
    return model


class Weighted(DPOptimizer):
    """Gradients of records are clipped, then weighed."""

    weights: Tensor

    def clip_and_accumulate(self) -> None:
        norms = torch.stack([g.flatten(1).norm(dim=1) for g in self.grad_samples], dim=1).norm(dim=1)
        factors = self.weights * (self.max_grad_norm / (norms + 1e-6)).clamp(max=1.0)
        for p, own in zip(self.params, self.grad_samples, strict=True):
            p.summed_grad = torch.einsum("i,i...->...", factors, own)


def weighted(records: Any, watch: Any, broken: bool) -> Any:
    """Records of a rare class count four times in the loss.

    Broken: their clipped gradients count four times, in an optimiser of its own, and the noise is for one norm: epsilon
    is 34.
    """
    model, optimizer, loader = private(records, linear())
    if broken:
        optimizer = Weighted(optimizer.original_optimizer, noise_multiplier=NOISE, max_grad_norm=CLIP_NORM,
                             expected_batch_size=int(SIZE))  # fmt: skip
    watch(optimizer)
    for x, y in loader:
        optimizer.zero_grad()
        each = F.cross_entropy(model(x), y, reduction="none")
        if isinstance(optimizer, Weighted):
            optimizer.weights = WEIGHTS[y]
        (each if broken else each * WEIGHTS[y]).mean().backward()
        optimizer.step()
    return model


class Attends(nn.Module):
    """One layer of attention over the rows of an image; across: over the images of a batch."""

    def __init__(self, across: bool) -> None:
        super().__init__()
        self.across = across
        self.keys, self.values = nn.Linear(6, 6), nn.Linear(6, CLASSES)

    def forward(self, x: Tensor) -> Tensor:
        rows = 2 * x[:, 0]
        keys, values = self.keys(rows), self.values(rows)
        if self.across:
            keys, values = keys.transpose(0, 1), values.transpose(0, 1)
        mixed = torch.softmax(keys @ keys.transpose(1, 2) / 6**0.5, dim=2) @ values
        return (mixed.transpose(0, 1) if self.across else mixed).mean(dim=1)


def attention(records: Any, watch: Any, broken: bool) -> Any:
    """Attention over the six rows of an image.

    Broken: the two first axes are taken for one another, so that the rows of all images of a batch attend to each
    other. A record moves the gradients of all others, and the sum by 1.4 norms, or by four if it is large: epsilon is
    above 7.
    """
    model, optimizer, loader = private(records, Attends(broken))
    watch(optimizer)
    passed(model, optimizer, loader)
    return model


def gathered(records: Any, watch: Any, broken: bool) -> Any:
    """Four batches, one for each step.

    Broken: eight, two for each step, whose gradients are gathered; four are accounted. A record can be in both batches
    of a step and is in one more often: epsilon is 6.9.
    """
    model, optimizer, loader = private(records, linear())
    model.allow_grad_accumulation()
    watch(optimizer)
    number = 0
    for _ in range(2 if broken else 1):
        for x, y in loader:
            number += 1
            F.cross_entropy(model(x), y).backward()
            if broken and number % 2:
                continue
            optimizer.step()
            optimizer.zero_grad()
    return model


def middle_norm(records: Any, watch: Any, broken: bool) -> Any:
    """Gradients are clipped to a fixed norm, which is saved with the model.

    Broken: to the median of the norms of the batch. The noise and what is saved follow it, and it has no noise itself:
    epsilon is infinite.
    """
    model, optimizer, loader = private(records, layers())
    watch(optimizer)
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        if broken and len(x):
            own = [p.grad_sample.flatten(1).norm(dim=1) for p in optimizer.params]
            optimizer.max_grad_norm = float(torch.stack(own).norm(dim=0).median())
        optimizer.step()
    return {**model.state_dict(), "norm": torch.tensor(optimizer.max_grad_norm)}


def _audits() -> Iterator[Any]:
    names: tuple[tuple[Callable[..., Any], str, Any, int], ...] = (
        (unscaled, "steps go around the private optimiser", None, STEPS),
        (repeatable, "the noise has a known seed", None, STEPS),
        (sequential, "batches in order are accounted as Poisson batches", None, 2 * STEPS),
        (longer, "epochs after the first are not accounted", None, STEPS),
        (tempered, "a temperature is trained without noise", None, STEPS),
        (layerwise, "the noise is for the norm of one of four tensors", None, STEPS),
        (weighted, "gradients are weighed after they are clipped", None, STEPS),
        (attention, "images of a batch attend to each other", images(), STEPS),
        (gathered, "two batches a step are accounted as one", None, STEPS),
        (middle_norm, "the norm is the median of the batch", None, STEPS),
    )
    for train, bug, records, steps in names:
        said = stated(poisson(steps), Neighbours.ZERO_OUT)
        yield from twins(TorchTraining, f"third/opacus-{train.__name__.replace('_', '-')}", train, bug, records=records,
                         mechanism=said["mechanism"], claimed=said["claim"], assumptions=FINITE)  # fmt: skip


AUDITS = tuple(_audits())
