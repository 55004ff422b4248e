"""Twelve trainings with Opacus 1.6.0, each with a twin that has one bug of the user.

They were written by somebody who did not know what the checks see. As in `opacus_loops`, records are finite, and
neighbours are a record and an empty one in its place. Each docstring gives the right form, then the bug and what it
does to epsilon, which is claimed to be 3.1 where nothing else is said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import cycle, islice
from typing import Any

import torch
from _fourth_opacus import Mean, heavy, lopsided, texts, zeroed
from _shared import (
    CLASSES,
    CLIP_NORM,
    FEATURES,
    NOISE,
    RATE,
    RECORDS,
    SIZE,
    STEPS,
    images,
    poisson,
    stated,
    twins,
    whole,
)
from opacus import PrivacyEngine
from opacus.accountants.utils import get_noise_multiplier
from opacus.optimizers import DPOptimizer
from opacus.schedulers import ExponentialGradClip
from opacus.utils.batch_memory_manager import BatchMemoryManager
from opacus_loops import FINITE, layers, linear, passed, private
from torch import Tensor, nn
from torch.nn import functional as F
from torch.utils.data import DataLoader

from dpaudit import Neighbours, TorchTraining

RARE = torch.tensor([0.05, 2.0, 2.0])
"""How much a record of each class counts."""


def shrinking(records: Any, watch: Any, broken: bool) -> Any:
    """Batches in pieces of four records, and a clipping norm that is halved after each step, with the noise.

    Broken: it is halved after each piece. Records of the first of three pieces have norm 1, and the noise of the batch
    is for 1/4, the norm of the last one: epsilon is above 20.
    """
    model, optimizer, loader = private(records, layers())
    schedule = ExponentialGradClip(optimizer, gamma=0.5)
    watch(optimizer)
    with BatchMemoryManager(data_loader=loader, max_physical_batch_size=4, optimizer=optimizer) as pieces:
        for x, y in pieces:
            optimizer.zero_grad()
            F.cross_entropy(model(x), y).backward()
            optimizer.step()
            if broken or not optimizer._is_last_step_skipped:
                schedule.step()
    return model


def renormed(records: Any, watch: Any, broken: bool) -> Any:
    """All rows of an embedding are brought down to norm 1 before each step.

    Broken: by `max_norm` of the layer, which does it to the rows of the words of a batch when it looks them up. A word
    that only one record has keeps its row of norm 2 or more otherwise, and noise is 0.06: epsilon is above 50.
    """
    model, optimizer, loader = private(records, Mean(1.0 if broken else None))
    watch(optimizer)
    table_of_words = model._module.embedding.weight
    for x, y in loader:
        if not broken:
            with torch.no_grad():
                table_of_words.renorm_(2, 0, 1.0)
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
    return model


def resumed(records: Any, watch: Any, broken: bool) -> Any:
    """The parameters in the middle of the training are saved with the last ones, in a checkpoint.

    Broken: so is the state of the generator, so that a job that is interrupted can go on as it would have. Everybody
    can draw the noise of the last two steps from it and take it away: epsilon is infinite.
    """
    model, optimizer, loader = private(records, layers())
    watch(optimizer)
    saved: dict[str, Tensor] = {}
    for number, (x, y) in enumerate(loader):
        if number == STEPS // 2:
            saved = {f"middle {name}": value.detach().clone() for name, value in model.state_dict().items()}
            if broken:
                saved["generator"] = torch.get_rng_state().float()
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
    return {**model.state_dict(), **saved}


def own_loss(records: Any, watch: Any, broken: bool) -> Any:
    """Ghost clipping, with the loss that make_private gives back, which goes backward twice.

    Broken: with the usual loss. It goes backward once, and its gradient is the mean of the batch, which nobody clips:
    epsilon has no bound, and is above 30 for a record that is 300 times as large as others.
    """
    usual = nn.CrossEntropyLoss()
    made = private(records, zeroed(layers()), grad_sample_mode="ghost", criterion=nn.CrossEntropyLoss())
    model, optimizer, criterion, loader = made
    watch(optimizer)
    passed(model, optimizer, loader, usual if broken else criterion)
    return model


def weighed(records: Any, watch: Any, broken: bool) -> Any:
    """Losses are weighed by their class, and their mean is taken.

    Broken: by the loss of torch, whose mean is over the sum of the weights of the batch. A rare record with weight 2
    makes what is left of ten with 0.05 a sixth, before they are clipped: epsilon is above 20.
    """
    model, optimizer, loader = private(records, linear())
    watch(optimizer)
    for x, y in loader:
        optimizer.zero_grad()
        scores = model(x)
        if broken:
            F.cross_entropy(scores, y, weight=RARE).backward()
        else:
            (RARE[y] * F.cross_entropy(scores, y, reduction="none")).mean().backward()
        optimizer.step()
    return model


def cycled(records: Any, watch: Any, broken: bool) -> Any:
    """Three passes over Poisson batches, for which epsilon is 4.8.

    Broken: by `itertools.cycle`, which keeps the batches of the first pass and hands them out again. A record meets
    three times the same coin, noise of 0.69 for four steps: epsilon is 8.0.
    """
    model, optimizer, loader = private(records, linear())
    watch(optimizer)
    for batches in [islice(cycle(loader), 3 * len(loader))] if broken else [loader] * 3:
        passed(model, optimizer, batches)
    return model


def two_optimisers(records: Any, watch: Any, broken: bool) -> Any:
    """A second optimiser, which is there for the decay of the weights, follows each private step.

    Broken: it goes first. What it finds is the mean gradient of the batch, which is neither clipped nor noisy: a
    record moves a step by two norms, and by more if it is large. Epsilon is above 8, and has no bound.
    """
    model, optimizer, loader = private(records, layers())
    decay = torch.optim.SGD(model.parameters(), lr=0.5, weight_decay=0.02)
    watch(optimizer)
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        for one in (decay, optimizer) if broken else (optimizer, decay):
            one.step()
    return model


def centralised(records: Any, watch: Any, broken: bool) -> Any:
    """From the gradient of each record for a layer its mean over what goes into the layer is taken away.

    Broken: over the first axis, which is that of the batch here. A large record makes this mean large, and turns the
    gradients of all others to the other side: epsilon is above 30.
    """
    model, optimizer, loader = private(records, zeroed(layers()))
    watch(optimizer)
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        for p in optimizer.params:
            if p.dim() == 2 and len(x):
                p.grad_sample = p.grad_sample - p.grad_sample.mean(dim=0 if broken else 2, keepdim=True)
        optimizer.step()
    return model


def two_views(records: Any, watch: Any, broken: bool) -> Any:
    """A record and its mirror image are two rows, one after the other, whose gradients are averaged, then clipped.

    Broken: all images come after all records, and two neighbouring rows are averaged as before. They are of two
    records, and each record is in two such means. A large one makes both its own: epsilon is above 8.
    """
    model, optimizer, loader = private(records, zeroed(linear()))
    watch(optimizer)
    for x, y in loader:
        optimizer.zero_grad()
        axis = 0 if broken else 1
        rows = torch.stack([x, x.flip(1)], dim=axis).reshape(-1, FEATURES)
        F.cross_entropy(model(rows), torch.stack([y, y], dim=axis).reshape(-1)).backward()
        for p in optimizer.params:
            if len(x):
                p.grad_sample = p.grad_sample.reshape(len(x), 2, *p.shape).mean(dim=1)
        optimizer.step()
    return model


class Selective(DPOptimizer):
    """Adds noise to matrices and filters alone."""

    def add_noise(self) -> None:
        super().add_noise()
        for p in self.params:
            if p.dim() == 1:
                p.grad = p.summed_grad.view_as(p)


def scales(records: Any, watch: Any, broken: bool) -> Any:
    """A convolution with GroupNorm; one pass in a random order, without Poisson sampling. Epsilon is 3.5.

    Broken: an optimiser of one's own leaves out the noise of what has one axis, since it spoils the scales of the norm
    and the biases. Their sums have none: epsilon is infinite.
    """
    model = nn.Sequential(nn.Conv2d(1, 4, 3), nn.GroupNorm(2, 4), nn.ReLU(), nn.Flatten(), nn.Linear(64, CLASSES))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    loader = DataLoader(records, batch_size=int(SIZE), shuffle=True)
    model, optimizer, loader = PrivacyEngine().make_private(
        module=model, optimizer=optimizer, data_loader=loader, noise_multiplier=NOISE, max_grad_norm=CLIP_NORM,
        poisson_sampling=False)  # fmt: skip
    if broken:
        optimizer = Selective(optimizer.original_optimizer, noise_multiplier=NOISE, max_grad_norm=CLIP_NORM,
                              expected_batch_size=int(SIZE))  # fmt: skip
    watch(optimizer)
    passed(model, optimizer, loader)
    return model


@cache
def enough(delta: float) -> float:
    """The noise multiplier for which Opacus says that epsilon is 3.08."""
    return float(get_noise_multiplier(target_epsilon=3.08, target_delta=delta, sample_rate=RATE, steps=STEPS,
                                      accountant="rdp"))  # fmt: skip


def loose_delta(records: Any, watch: Any, broken: bool) -> Any:
    """The noise is the one that is found for epsilon and delta.

    Broken: for a delta of one over the number of records, which a script has as its default; delta is said to be 1e-5.
    The multiplier is 0.76 for 1.32: epsilon is 6.8.
    """
    model, optimizer, loader = private(records, layers(), noise_multiplier=enough(1 / RECORDS if broken else 1e-5))
    watch(optimizer)
    passed(model, optimizer, loader)
    return model


def replayed(records: Any, watch: Any, broken: bool) -> Any:
    """A batch for each step.

    Broken: joined by the last two batches, so that the model does not forget them. A record is in three steps after
    one coin, with the noise of one: epsilon is above 6.
    """
    model, optimizer, loader = private(records, linear())
    watch(optimizer)
    kept: list[tuple[Tensor, Tensor]] = []
    for batch in loader:
        kept = [*kept, batch][-3 if broken else -1 :]
        x, y = (torch.cat(parts) for parts in zip(*kept, strict=True))
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
    return model


def _audits() -> Iterator[Any]:
    names: tuple[tuple[Callable[..., Any], str, Any, Any], ...] = (
        (shrinking, "the norm is halved within a batch", None, poisson()),
        (renormed, "rows of the words of a batch are brought to norm 1", texts(), poisson()),
        (resumed, "the state of the generator is saved", None, poisson()),
        (own_loss, "the loss of ghost clipping is not used", heavy(), poisson()),
        (weighed, "a mean over the weights of the batch", lopsided(), poisson()),
        (cycled, "the batches of the first pass are kept", None, poisson(3 * STEPS)),
        (two_optimisers, "the second optimiser goes first", None, poisson()),
        (centralised, "gradients are centred over the batch", heavy(), poisson()),
        (two_views, "views of two records are averaged", lopsided(30.0), poisson()),
        (scales, "scales and biases have no noise", images(), whole(1)),
        (loose_delta, "noise for another delta", None, poisson()),
        (replayed, "batches are used in three steps", None, poisson()),
    )
    for train, bug, records, mechanism in names:
        said = stated(mechanism, Neighbours.ZERO_OUT)
        yield from twins(TorchTraining, f"fourth/opacus-{train.__name__.replace('_', '-')}", train, bug,
                         records=records, mechanism=mechanism, claimed=said["claim"], assumptions=FINITE)  # fmt: skip


AUDITS = tuple(_audits())
