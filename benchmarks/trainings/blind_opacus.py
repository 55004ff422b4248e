"""Ten trainings with Opacus 1.6.0, each with a twin that has one bug of the user.

They were written by somebody who did not know what the checks see. As in `opacus_loops`, records are finite, and
neighbours are a record and an empty one in its place. Each docstring gives the right form, then the bug and what it
does to epsilon, which is claimed to be 3.1 where nothing else is said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import torch
from _shared import CLASSES, CLIP_NORM, FEATURES, NOISE, RECORDS, SIZE, STEPS, images, poisson, stated, twins
from opacus.optimizers.optimizer import _mark_as_processed
from opacus.utils.batch_memory_manager import BatchMemoryManager
from opacus_loops import FINITE, layers, linear, passed, private
from torch import Tensor, nn
from torch.nn import functional as F

from dpaudit import Neighbours, TorchTraining


def everything(records: Any) -> tuple[Tensor, Tensor]:
    x, y = records.tensors(torch.arange(RECORDS))
    return x, y


def velocity(records: Any, watch: Any, broken: bool) -> Any:
    """A step hook adds a part of a running mean of the noisy gradients.

    Broken: of `summed_grad`, the clipped sums that have no noise yet. They meet the noise of later steps once more: a
    record of the first batch alone counts with norm 1.4 over the four steps, and with more if it comes back.
    """
    model, optimizer, loader = private(records, layers())
    watch(optimizer)
    kept: dict[Any, Tensor] = {}

    def hook(optimizer: Any) -> None:
        for p in optimizer.params:
            seen = p.summed_grad / SIZE if broken else p.grad
            p.grad = p.grad + 0.9 * kept.get(p, torch.zeros_like(p))
            kept[p] = 0.5 * kept.get(p, torch.zeros_like(p)) + seen.detach().view_as(p)

    optimizer.attach_step_hook(hook)
    passed(model, optimizer, loader)
    return model


class Standardised(nn.Module):
    """Features less a mean, over a spread; both are buffers."""

    def __init__(self, mean: Tensor, spread: Tensor) -> None:
        super().__init__()
        self.register_buffer("mean", mean)
        self.register_buffer("spread", spread)

    def forward(self, x: Tensor) -> Tensor:
        return (x - self.mean) / self.spread


def standardised(records: Any, watch: Any, broken: bool) -> Any:
    """Features are standardised by public numbers, which are saved with the model.

    Broken: by the mean and the spread of the records, which have no noise: epsilon is infinite.
    """
    mean, spread = torch.full((FEATURES,), 0.3), torch.ones(FEATURES)
    if broken:
        x, _ = everything(records)
        mean, spread = x.mean(dim=0), x.std(dim=0) + 1e-3
    model = nn.Sequential(Standardised(mean, spread), nn.Linear(FEATURES, CLASSES))
    model, optimizer, loader = private(records, model)
    watch(optimizer)
    passed(model, optimizer, loader)
    return model.state_dict()


def auxiliary(records: Any, watch: Any, broken: bool) -> Any:
    """Ghost clipping, with a penalty of the weights that goes backward by itself.

    Broken: the penalty is one of the scores of the batch. Its gradient goes into the same place as the clipped sum,
    without being clipped: epsilon has no bound.
    """
    model = layers()
    made = private(records, model, grad_sample_mode="ghost", criterion=nn.CrossEntropyLoss())
    model, optimizer, criterion, loader = made
    watch(optimizer)
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        plain = model._module
        if broken and len(x):
            hidden = F.linear(x, plain[0].weight, plain[0].bias).relu()
            penalty = 0.1 * F.linear(hidden, plain[3].weight, plain[3].bias).square().mean()
        else:
            penalty = 0.01 * sum(p.square().sum() for p in plain.parameters())
        penalty.backward()
        optimizer.step()
    return model


def pieces(records: Any, watch: Any, broken: bool) -> Any:
    """Batches in pieces of four records, by the memory manager.

    Broken: the noise is divided by the root of three, since it is thought to be added to each of about three pieces.
    It is added once: 0.69 for 1.2, and epsilon is 8.0.
    """
    model, optimizer, loader = private(records, linear())
    watch(optimizer)
    if broken:
        optimizer.noise_multiplier = NOISE / 3**0.5
    with BatchMemoryManager(data_loader=loader, max_physical_batch_size=4, optimizer=optimizer) as parts:
        passed(model, optimizer, parts)
    return model


def unit_sums(optimizer: Any, bound: float) -> None:
    """Gradients over their norm and a little more, times `bound`."""
    rows = torch.cat([g.reshape(len(g), -1) for g in optimizer.grad_samples], dim=1)
    factors = bound / (rows.norm(dim=1) + 0.01)
    for p in optimizer.params:
        p.summed_grad = torch.einsum("i,i...", factors, optimizer._get_flat_grad_sample(p))
        _mark_as_processed(p.grad_sample)


def normalised(records: Any, watch: Any, broken: bool) -> Any:
    """Gradients are divided by their norm in the place of a clipping, and multiplied by the clipping norm, 0.4.

    Broken: they are not multiplied by it, and the noise is: 0.48 for 1.2, and epsilon is above 10.
    """
    norm = 0.4 * CLIP_NORM
    model, optimizer, loader = private(records, layers(), max_grad_norm=norm)
    watch(optimizer)
    optimizer.clip_and_accumulate = partial(unit_sums, optimizer, 1.0 if broken else norm)
    passed(model, optimizer, loader)
    return model


def ensemble(records: Any, watch: Any, broken: bool) -> Any:
    """One model is trained and published.

    Broken: four more are trained in the same way, to take the mean of their scores. Each has an engine of its own that
    says 3.1, and all are published: epsilon of all is 6.0.
    """
    model, optimizer, loader = private(records, linear())
    watch(optimizer)
    passed(model, optimizer, loader)
    published = {f"0 {name}": value for name, value in model.state_dict().items()}
    for number in range(1, 5 if broken else 1):
        one, stepper, batches = private(records, linear())
        passed(one, stepper, batches)
        published |= {f"{number} {name}": value for name, value in one.state_dict().items()}
    return published


def users(seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Users with four rows of features each, and one label."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(CLASSES, size=RECORDS)
    rows = rng.normal(size=(RECORDS, 4, FEATURES)) + np.eye(CLASSES, FEATURES)[labels][:, None]
    return rows.astype(np.float32), labels


def by_row(records: Any, watch: Any, broken: bool) -> Any:
    """The scores of a user are the means of those of four rows.

    Broken: each row is given to the model as a record, so that a user adds up to four norms: noise of 0.3 for 1.2, and
    epsilon is 35.
    """
    model, optimizer, loader = private(records, linear())
    watch(optimizer)
    for x, y in loader:
        optimizer.zero_grad()
        if broken:
            x, y = x.reshape(-1, FEATURES), y.repeat_interleave(4)
        scores = model(x)
        F.cross_entropy(scores if broken else scores.mean(dim=1), y).backward()
        optimizer.step()
    return model


def spikes(records: Any, watch: Any, broken: bool) -> Any:
    """A convolution with a rate that falls, and a number that counts the steps.

    Broken: a batch whose loss is above 4 makes no step, "since it is broken". A large record stops all batches that it
    is in, and the number of steps tells it: epsilon is infinite.
    """
    model = nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(64, CLASSES))
    model, optimizer, loader = private(records, model)
    schedule = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.9)
    watch(optimizer)
    steps = 0
    for x, y in loader:
        with torch.no_grad():
            loss = float(F.cross_entropy(model._module(x), y)) if len(x) else 0.0
        if broken and loss > 4:
            continue
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
        schedule.step()
        steps += 1
    return {**model.state_dict(), "steps": torch.tensor(float(steps))}


def calibrated(records: Any, watch: Any, broken: bool) -> Any:
    """A model, and the temperature of its scores, which is 1.

    Broken: it is the one of twenty with the smallest loss over the records, chosen without noise: a record whose label
    is told wrongly by a large score decides, and epsilon is infinite.
    """
    model, optimizer, loader = private(records, layers())
    watch(optimizer)
    passed(model, optimizer, loader)
    tried = torch.logspace(-1, 3, 20) if broken else torch.ones(1)
    if broken:
        x, y = everything(loader.dataset)
        with torch.no_grad():
            scores = model._module.eval()(x)
        losses = torch.stack([F.cross_entropy(scores / one, y) for one in tried])
        tried = tried[losses.argmin()].reshape(1)
    return {**model.state_dict(), "temperature": tried}


def stopped(records: Any, watch: Any, broken: bool) -> Any:
    """Three epochs, for which epsilon is 4.8.

    Broken: the training ends with the first epoch whose loss over the records is not smaller than before. A record
    with a large loss decides when: how many steps there were has no noise, and epsilon is infinite.
    """
    model, optimizer, loader = private(records, linear())
    watch(optimizer)
    x, y = everything(loader.dataset)
    last = float("inf")
    for _ in range(3):
        passed(model, optimizer, loader)
        with torch.no_grad():
            loss = float(F.cross_entropy(model._module(x), y))
        if broken and loss >= last:
            break
        last = loss
    return model


def _audits() -> Iterator[Any]:
    names: tuple[tuple[Callable[..., Any], str, Any, int], ...] = (
        (velocity, "a step hook adds sums without noise", None, STEPS),
        (standardised, "the mean and the spread of the records leave", None, STEPS),
        (auxiliary, "a second loss goes around the ghost clipping", None, STEPS),
        (pieces, "the noise is divided among pieces", None, STEPS),
        (normalised, "gradients of norm 1 with the noise of 0.4", None, STEPS),
        (ensemble, "five models are accounted as one", None, STEPS),
        (by_row, "each row of a user is clipped by itself", users(), STEPS),
        (spikes, "a batch with a large loss makes no step", images(), STEPS),
        (calibrated, "a temperature is fitted without noise", None, STEPS),
        (stopped, "the private loss ends the training", None, 3 * STEPS),
    )
    for train, bug, records, steps in names:
        said = stated(poisson(steps), Neighbours.ZERO_OUT)
        yield from twins(TorchTraining, f"blind/opacus-{train.__name__.replace('_', '-')}", train, bug, records=records,
                         mechanism=said["mechanism"], claimed=said["claim"], assumptions=FINITE)  # fmt: skip


AUDITS = tuple(_audits())
