"""Trainings with Opacus 1.6.0 as its tutorials write them: fourteen, each with a twin that has one bug of the user.

Records are finite: what Opacus does with NaN is a finding of its own (`opacus/non-finite`). Neighbours are a record and
an empty one in its place, since Opacus divides by a batch size that it takes from the number of records.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from typing import Any

import torch
from _shared import CLASSES, CLIP_NORM, FEATURES, NOISE, RECORDS, SIZE, images, poisson, twins
from opacus import PrivacyEngine
from opacus.schedulers import ExponentialNoise
from opacus.utils.batch_memory_manager import BatchMemoryManager
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader

from dpaudit import Assumptions, Neighbours, TorchTraining, claim
from dpaudit.accounting.epsilon import epsilon_upper

logging.getLogger("opacus").setLevel(logging.ERROR)
warnings.filterwarnings("ignore", module="opacus")

FINITE = Assumptions(shared_generators=True, random_batches=True, checked_records=True)


def linear() -> nn.Module:
    return nn.Linear(FEATURES, CLASSES)


def layers(dropout: float = 0.0) -> nn.Module:
    return nn.Sequential(nn.Linear(FEATURES, 8), nn.ReLU(), nn.Dropout(dropout), nn.Linear(8, CLASSES))


def private(records: Any, model: nn.Module, optimizer: Any = None, **more: Any) -> Any:
    """What make_private gives."""
    optimizer = optimizer or torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.5)
    loader = DataLoader(records, batch_size=int(SIZE))
    settings = {"noise_multiplier": NOISE, "max_grad_norm": CLIP_NORM, **more}
    return PrivacyEngine().make_private(module=model, optimizer=optimizer, data_loader=loader, **settings)


def passed(model: Any, optimizer: Any, loader: Any, criterion: Any = None) -> None:
    """One epoch."""
    criterion = criterion or nn.CrossEntropyLoss()
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()


def plain(records: Any, watch: Any, broken: bool) -> Any:
    model, optimizer, loader = private(records, linear(), noise_multiplier=NOISE / 2 if broken else NOISE)
    watch(optimizer)
    passed(model, optimizer, loader)
    return model


def dropout(records: Any, watch: Any, broken: bool) -> Any:
    model, optimizer, loader = private(records, layers(0.5).train())
    watch(optimizer)
    if broken:
        optimizer.noise_multiplier = 0.4 * NOISE
    passed(model, optimizer, loader)
    return model


def memory_manager(records: Any, watch: Any, broken: bool) -> Any:
    model, optimizer, loader = private(records, linear())
    watch(optimizer)
    with BatchMemoryManager(data_loader=loader, max_physical_batch_size=4, optimizer=optimizer) as pieces:
        for number, (x, y) in enumerate(pieces):
            optimizer.zero_grad()
            F.cross_entropy(model(x), y).backward()
            optimizer.step()
            if broken and number == 2:  # a checkpoint in the middle of a logical batch
                summed = getattr(next(iter(model.parameters())), "summed_grad", None)
                kept = torch.zeros(CLASSES, FEATURES) if summed is None else summed.detach().clone()
    return {**model.state_dict(), "checkpoint": kept} if broken else model


def group_norm(records: Any, watch: Any, broken: bool) -> Any:
    model = nn.Sequential(nn.Conv2d(1, 4, 3), nn.GroupNorm(2, 4), nn.ReLU(), nn.Flatten(), nn.Linear(64, CLASSES))
    model, optimizer, loader = private(records, model.train(), max_grad_norm=3 * CLIP_NORM if broken else CLIP_NORM)
    if broken:
        optimizer.noise_multiplier = NOISE / 3  # "the same noise as before"
    watch(optimizer)
    passed(model, optimizer, loader)
    return model


def adam(records: Any, watch: Any, broken: bool) -> Any:
    model = layers()
    model, optimizer, loader = private(records, model, torch.optim.Adam(model.parameters(), lr=0.02))
    watch(optimizer)
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        if broken and len(x):  # the bias is updated by hand
            with torch.no_grad():
                model._module[3].bias -= 0.05 * model._module[3].bias.grad
        optimizer.step()
    return model


def schedule(records: Any, watch: Any, broken: bool) -> Any:
    model, optimizer, loader = private(records, linear())
    watch(optimizer)
    steps = ExponentialNoise(optimizer, gamma=0.7) if broken else torch.optim.lr_scheduler.StepLR(optimizer, 2)
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
        steps.step()
    return model


def ghost(records: Any, watch: Any, broken: bool) -> Any:
    model = layers()
    made = private(records, model, grad_sample_mode="ghost", criterion=nn.CrossEntropyLoss())
    model, optimizer, criterion, loader = made
    watch(optimizer)
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        if broken:
            for p in model.parameters():
                p.grad = 2 * p.grad
        optimizer.step()
    return model


def augmented(records: Any, watch: Any, broken: bool) -> Any:
    model, optimizer, loader = private(records, nn.Sequential(nn.Flatten(), nn.Linear(36, CLASSES)))
    watch(optimizer)
    for x, y in loader:
        x = torch.where((torch.rand(len(x)) < 0.5)[:, None, None, None], x.flip(-1), x)
        x = x + 0.1 * torch.randn_like(x)
        if broken and len(x):
            x = (x - x.mean(dim=0)) / (x.std(dim=0, unbiased=False) + 1e-3)
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
    return model


def virtual(records: Any, watch: Any, broken: bool) -> Any:
    """Each batch in two pieces, of which only the second makes a step."""
    model, optimizer, loader = private(records, linear())
    watch(optimizer)
    for x, y in loader:
        middle = len(x) // 2
        first = slice(0, middle + 1 if broken else middle)
        pieces = (first, slice(middle, None)) if middle else (slice(None),)
        for place, piece in enumerate(pieces):
            optimizer.signal_skip_step(place + 1 < len(pieces))
            F.cross_entropy(model(x[piece]), y[piece]).backward()
            optimizer.step()
            optimizer.zero_grad()
    return model


def smoothed(records: Any, watch: Any, broken: bool) -> Any:
    model, optimizer, loader = private(records, linear(), poisson_sampling=not broken)
    watch(optimizer)
    passed(model, optimizer, loader, nn.CrossEntropyLoss(label_smoothing=0.1))
    return model


def functorch(records: Any, watch: Any, broken: bool) -> Any:
    model, optimizer, loader = private(records, layers(), grad_sample_mode="functorch")
    watch(optimizer)
    torch.manual_seed(5) if broken else None
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        if broken:
            torch.manual_seed(5)
        optimizer.step()
    return model


def frozen(records: Any, watch: Any, broken: bool) -> Any:
    model = layers()
    for p in model[0].parameters():
        p.requires_grad_(False)
    model, optimizer, loader = private(records, model)
    watch(optimizer)
    passed(model, optimizer, loader)
    features = torch.stack([x for x, _ in loader.dataset.__getitems__(range(RECORDS))]) if broken else None
    return model if features is None else {**model.state_dict(), "means": features.clamp(-1, 1).mean(dim=0)}


def averaged(records: Any, watch: Any, broken: bool) -> Any:
    model, optimizer, loader = private(records, linear())
    watch(optimizer)
    mean = torch.optim.swa_utils.AveragedModel(
        model._module, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.9)
    )
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.original_optimizer.step() if broken else optimizer.step()
        mean.update_parameters(model._module)
    return {**model.state_dict(), **{f"mean {name}": value for name, value in mean.state_dict().items()}}


def per_layer(records: Any, watch: Any, broken: bool) -> Any:
    model = layers()
    norms = [CLIP_NORM / 2.0] * len(list(model.parameters()))
    model, optimizer, loader = private(records, model, clipping="per_layer", max_grad_norm=norms)
    watch(optimizer)
    if broken:  # a norm that turned out too small is raised
        optimizer.max_grad_norms = [3 * norm for norm in norms]
    passed(model, optimizer, loader)
    return model


def _pairs() -> Iterator[Any]:
    bound = epsilon_upper(poisson(), 1e-5, Neighbours.ZERO_OUT)
    said = claim(epsilon=round(bound + 5e-4, 3), delta=1e-5, neighbours=Neighbours.ZERO_OUT)
    settings: dict[str, Any] = {"claimed": said, "assumptions": FINITE}
    names = (
        (plain, "half of the noise", None),
        (dropout, "the noise is turned down once the accountant has seen it", None),
        (memory_manager, "a checkpoint of the sum that has no noise yet", None),
        (group_norm, "three times the norm with the noise of one", images()),
        (adam, "a bias is updated by hand", None),
        (schedule, "the noise decays and the accountant is not told", None),
        (ghost, "sums are doubled", None),
        (augmented, "batches are standardised", images()),
        (virtual, "one record counts in both pieces", None),
        (smoothed, "no Poisson sampling", None),
        (functorch, "the generator is seeded before every step", None),
        (frozen, "the mean of the features leaves", None),
        (averaged, "the optimiser inside is stepped", None),
        (per_layer, "the norms of the layers are raised, and the noise is not", None),
    )
    for train, bug, records in names:
        yield twins(TorchTraining, f"opacus-loop/{train.__name__.replace('_', '-')}", train, bug, records=records,
                    mechanism=poisson(), **settings)  # fmt: skip


AUDITS = tuple(audit for pair in _pairs() for audit in pair)
