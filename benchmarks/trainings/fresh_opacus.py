"""Twelve trainings with Opacus 1.6.0, each with one bug of the user; written before any check saw one.

As in `opacus_loops`, records are finite, and neighbours are a record and an empty one in its place. Each docstring says
what is broken, and why the true epsilon is above the claimed one.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import torch
from _shared import CLASSES, CLIP_NORM, FEATURES, NOISE, RECORDS, SIZE, broken_twin, images, poisson
from opacus import PrivacyEngine
from opacus.grad_sample import register_grad_sampler
from opacus_loops import FINITE, layers, linear, passed, private
from torch import Tensor, nn
from torch.nn import functional as F
from torch.utils.data import DataLoader

from dpaudit import Neighbours, TorchTraining, claim
from dpaudit.accounting.epsilon import epsilon_upper


def unfrozen(records: Any, watch: Any) -> Any:
    """The last layer is frozen until the engine is made, and then trained by an optimiser of its own, which takes the
    mean gradient of the batch without clipping or noise."""
    model = layers()
    model[3].requires_grad_(False)
    model, optimizer, loader = private(records, model)
    watch(optimizer)
    head = model._module[3].requires_grad_(True)
    other = torch.optim.SGD(head.parameters(), lr=0.05)
    for x, y in loader:
        optimizer.zero_grad()
        other.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
        if len(x):
            other.step()
    return model


def seeded(records: Any, watch: Any) -> Any:
    """The generator of the noise has a fixed seed: everybody who has the code can take the noise away."""
    model, optimizer, loader = private(records, layers(), noise_generator=torch.Generator().manual_seed(42))
    watch(optimizer)
    passed(model, optimizer, loader)
    return model


def sample_norms(model: Any) -> Tensor:
    """The norms of the gradients of single records."""
    return torch.cat([p.grad_sample.detach().flatten(1) for p in model.parameters()], dim=1).norm(dim=1)


def norms_logged(records: Any, watch: Any) -> Any:
    """The largest norm of a gradient in each batch leaves, to choose the clipping norm of the next run."""
    model, optimizer, loader = private(records, linear())
    watch(optimizer)
    largest = []
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        largest.append(sample_norms(model).max() if len(x) else torch.zeros(()))
        optimizer.step()
    return {**model.state_dict(), "largest norms": torch.stack(largest)}


def median_norm(records: Any, watch: Any) -> Any:
    """The clipping norm of each step is the median of the norms in the batch, and noise scales with it: a record
    between small and large ones turns the median from the one to the other, and the noise with it."""
    model, optimizer, loader = private(records, linear())
    watch(optimizer)
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        if len(x):
            optimizer.max_grad_norm = float(sample_norms(model).median())
        optimizer.step()
    return model


def mirrored(records: Any, watch: Any) -> Any:
    """Mirrored images join the batch as records of their own: each record adds twice the norm."""
    model, optimizer, loader = private(records, nn.Sequential(nn.Flatten(), nn.Linear(36, CLASSES)))
    watch(optimizer)
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(torch.cat([x, x.flip(-1)])), torch.cat([y, y])).backward()
        optimizer.step()
    return model


def epochs(records: Any, watch: Any) -> Any:
    """Epsilon was read after the first of three epochs: twelve steps, of which four are accounted. It is 4.7,
    not 3.1."""
    model, optimizer, loader = private(records, layers())
    watch(optimizer)
    for _ in range(3):
        passed(model, optimizer, loader)
    return model


class Scale(nn.Module):
    """A factor for each feature."""

    def __init__(self) -> None:
        super().__init__()
        self.factor = nn.Parameter(torch.ones(FEATURES))

    def forward(self, x: Tensor) -> Tensor:
        return x * self.factor


@register_grad_sampler(Scale)
def scale_sampler(layer: Scale, activations: list[Tensor], backprops: Tensor) -> dict[nn.Parameter, Tensor]:
    """Takes the mean over the batch, and gives it to every record."""
    return {layer.factor: (activations[0] * backprops).mean(dim=0).expand(len(backprops), -1)}


def own_layer(records: Any, watch: Any) -> Any:
    """The gradients of single records of a layer of the user's are all the mean of the batch: a large record brings the
    norm of each of ten rows to 1, and moves the sum by ten norms."""
    model, optimizer, loader = private(records, nn.Sequential(Scale(), nn.Linear(FEATURES, CLASSES)))
    watch(optimizer)
    passed(model, optimizer, loader)
    return model


def contrastive(records: Any, watch: Any) -> Any:
    """Records of a batch with the same label are drawn together, and all others apart: what a gradient is hangs on
    all others, and each of ten can turn when one comes in."""
    model, optimizer, loader = private(records, layers())
    watch(optimizer)
    for x, y in loader:
        optimizer.zero_grad()
        vectors = model(x)
        near = (vectors @ vectors.T - 1e4 * torch.eye(len(x))).log_softmax(dim=1) if len(x) else vectors @ vectors.T
        same = (y[:, None] == y).float() - torch.eye(len(x))
        (-(near * same).sum() / max(len(x), 1)).backward()
        optimizer.step()
    return model


def two_losses(records: Any, watch: Any) -> Any:
    """Each of two losses goes backward by itself, and accumulation is allowed, since the engine asks for that: their
    gradients are clipped each, and a record adds twice the norm."""
    model, optimizer, loader = private(records, layers())
    model.allow_grad_accumulation()
    watch(optimizer)
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        model(-x).square().sum(dim=1).mean().backward()
        optimizer.step()
    return model


def plateau(records: Any, watch: Any) -> Any:
    """The learning rate falls to a tenth when the loss of a batch rises, which has no noise: the size of all later
    updates tells it."""
    model, optimizer, loader = private(records, linear())
    watch(optimizer)
    schedule = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=0)
    for x, y in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        if len(x):
            schedule.step(loss.item())
    return model


def best_epoch(records: Any, watch: Any) -> Any:
    """Of four iterates the one with the smallest loss over the records is kept: a record with a large loss decides
    which, and the kept one is seen beside all of them."""
    model, optimizer, loader = private(records, layers())
    watch(optimizer)
    x_all, y_all = loader.dataset.tensors(torch.arange(RECORDS))
    best, kept = float("inf"), copy.deepcopy(model.state_dict())
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
        with torch.no_grad():
            loss = float(F.cross_entropy(model._module(x_all), y_all))
        if loss < best:
            best, kept = loss, copy.deepcopy(model.state_dict())
    return kept


def double_batch(records: Any, watch: Any) -> Any:
    """Batches of twice the size that the accountant was told: rate 1/2 for 1/4, and as many steps by two epochs.
    Epsilon is 5.1, not 3.1."""
    model = linear()
    model, optimizer, loader = PrivacyEngine().make_private(
        module=model,
        optimizer=torch.optim.SGD(model.parameters(), lr=0.5),
        data_loader=DataLoader(records, batch_size=2 * int(SIZE)),
        noise_multiplier=NOISE,
        max_grad_norm=CLIP_NORM,
    )
    watch(optimizer)
    for _ in range(2):
        passed(model, optimizer, loader)
    return model


def _audits() -> Iterator[Any]:
    bound = epsilon_upper(poisson(), 1e-5, Neighbours.ZERO_OUT)
    said = claim(epsilon=round(bound + 5e-4, 3), delta=1e-5, neighbours=Neighbours.ZERO_OUT)
    names = (
        (unfrozen, "a layer has an optimiser of its own", None),
        (seeded, "noise from a fixed seed", None),
        (norms_logged, "norms of gradients leave", None),
        (median_norm, "the clipping norm is the median of the batch", None),
        (mirrored, "mirrored copies count as other records", images()),
        (epochs, "three epochs, accounted as one", None),
        (own_layer, "gradients of single records of one layer are those of the batch", None),
        (contrastive, "a loss of pairs of records", None),
        (two_losses, "two losses are clipped by themselves", None),
        (plateau, "the rate falls when the private loss rises", None),
        (best_epoch, "the iterate with the smallest private loss is kept", None),
        (double_batch, "twice the rate that is accounted", None),
    )
    for train, bug, records in names:
        name = f"fresh/opacus-{train.__name__.replace('_', '-')}"
        yield broken_twin(TorchTraining, name, train, bug, records=records, mechanism=poisson(), claimed=said,
                          assumptions=FINITE)  # fmt: skip


AUDITS = tuple(_audits())
