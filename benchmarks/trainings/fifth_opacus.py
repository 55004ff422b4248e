"""Ten trainings with Opacus 1.6.0, each with a twin that has one bug of the user.

They were written by somebody who did not know what the checks see. As in `opacus_loops`, records are finite, and
neighbours are a record and an empty one in its place. Each docstring gives the right form, then the bug and what it
does to epsilon, which is claimed to be 3.1 where nothing else is said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import torch
from _fifth_tables import PROJECT, series
from _fourth_opacus import WORDS, Mean, heavy, lopsided, texts, zeroed
from _shared import CLASSES, CLIP_NORM, FEATURES, NOISE, RATE, SIZE, STEPS, poisson, stated, table, twins
from opacus import PrivacyEngine
from opacus.accountants.utils import get_noise_multiplier
from opacus.optimizers import DPOptimizer
from opacus_loops import FINITE, layers, linear, passed, private
from torch import Tensor, nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, Subset

from dpaudit import Neighbours, TorchTraining

EPOCHS, COPIES, HARD, FAKES, INSIDE = 3, 3, 5, 10, 4


def entropy(scores: Tensor, y: Tensor, **more: Any) -> Tensor:
    """Cross-entropy; a label that is none of the classes counts as the nearest one."""
    return F.cross_entropy(scores, y.clamp(0, CLASSES - 1), **more)


def sharp(records: Any, watch: Any, broken: bool) -> Any:
    """Gradients are taken where a step of length 2 up the last noisy gradient leads, which is the last update.

    Broken: up the mean gradient of the batch, as in sharpness-aware minimisation. A large record turns it, and the
    gradients of all others are taken elsewhere: a step moves by several norms, and epsilon is above 30.
    """
    model, optimizer, loader = private(records, zeroed(linear()))
    watch(optimizer)
    weights = list(model.parameters())
    last = [torch.zeros_like(p) for p in weights]
    for x, y in loader:
        optimizer.zero_grad()
        if broken:
            entropy(model(x), y).backward()
            last = [torch.nan_to_num(p.grad.detach().clone()) for p in weights]
            optimizer.zero_grad()
        before, length = [p.detach().clone() for p in weights], torch.cat([g.flatten() for g in last]).norm()
        with torch.no_grad():
            for p, g in zip(weights, last, strict=True):
                p += 2.0 * g / length.clamp(min=1e-9)
        entropy(model(x), y).backward()
        with torch.no_grad():
            for p, old in zip(weights, before, strict=True):
                p.copy_(old)
        optimizer.step()
        last = [old - p.detach() for p, old in zip(weights, before, strict=True)]
    return model


def flattened(records: Any, watch: Any, broken: bool) -> Any:
    """A record is a series of five steps; its losses are averaged, and its gradient is clipped.

    Broken: series are laid one behind the other, since the layer takes rows. Each step has a gradient of its own, and
    a record moves the sum by five norms: noise of 0.24, and epsilon is up to 52.
    """
    model, optimizer, loader = private(records, nn.Linear(series()[0].shape[2], CLASSES))
    watch(optimizer)
    for x, y in loader:
        labels = y[:, None].expand(-1, x.shape[1])
        optimizer.zero_grad()
        if broken:
            entropy(model(x.flatten(0, 1)), labels.flatten()).backward()
        else:
            entropy(model(x).transpose(1, 2), labels).backward()
        optimizer.step()
    return model


def extractor(records: Any, watch: Any, broken: bool) -> Any:
    """A private head on features that a public extractor makes; its batch normalisation has public means.

    Broken: the extractor is not set to `eval`, as only its gradients are switched off. Means and variances are of the
    batch, and a record that is 30 times as large moves the features of all others: epsilon is above 15.
    """
    norm = nn.BatchNorm1d(FEATURES, affine=False).eval()
    model, optimizer, loader = private(records, zeroed(linear()))
    watch(optimizer)
    for x, y in loader:
        with torch.no_grad():
            features = torch.tanh(norm.train(broken and len(x) > 1)(x @ torch.tensor(PROJECT, dtype=x.dtype)))
        optimizer.zero_grad()
        entropy(model(features), y).backward()
        optimizer.step()
    return model


def generator(records: Any, watch: Any, broken: bool) -> Any:
    """A private discriminator, and a generator that learns from its weights and from nothing else.

    Broken: the generator learns to have the mean of the batch (feature matching). It is given out, and has no noise: a
    record that is 30 times as large moves it to where others cannot, and epsilon is infinite.
    """
    model, optimizer, loader = private(records, nn.Linear(FEATURES, 1))
    made = torch.zeros(INSIDE + 1, FEATURES, requires_grad=True)
    other = torch.optim.SGD([made], lr=0.1)
    watch(optimizer)
    for x, _ in loader:
        fakes = torch.rand(FAKES, INSIDE) @ made[:-1] + made[-1]
        rows, real = torch.cat([x, fakes.detach()]), (torch.arange(len(x) + FAKES) < len(x)).to(x.dtype)
        optimizer.zero_grad()
        F.binary_cross_entropy_with_logits(model(rows)[:, 0], real).backward()
        optimizer.step()
        other.zero_grad()
        if broken:
            ((fakes.mean(dim=0) - x.sum(dim=0) / max(len(x), 1)) ** 2).sum().backward()
        else:
            (-fakes @ model._module.weight.detach()[0]).mean().backward()
        other.step()
    return {**model.state_dict(), "generator": made.detach()}


class Rounded(nn.Module):
    """Rounds to 31 levels between two bounds, which follow the least and the largest number, or are -2 and 2."""

    def __init__(self, follows: bool) -> None:
        super().__init__()
        self.follows = follows
        self.register_buffer("low", torch.tensor(-2.0))
        self.register_buffer("high", torch.tensor(2.0))

    def forward(self, x: Tensor) -> Tensor:
        if self.follows and len(x):
            self.low, self.high = torch.minimum(self.low, x.detach().min()), torch.maximum(self.high, x.detach().max())
        size = (self.high - self.low) / 30.0
        near = x.clamp(float(self.low), float(self.high))
        return near + (self.low + size * ((near - self.low) / size).round() - near).detach()


def quantised(records: Any, watch: Any, broken: bool) -> Any:
    """Hidden numbers are rounded between public bounds, as they will be after the training.

    Broken: between the least and the largest that were seen. These are in the model that is given out, and so is the
    largest number of a record that is 300 times as large: epsilon is infinite.
    """
    model = nn.Sequential(nn.Linear(FEATURES, 8), Rounded(broken), nn.Linear(8, CLASSES))
    model, optimizer, loader = private(records, model)
    watch(optimizer)
    passed(model, optimizer, loader, entropy)
    return model


def hard(records: Any, watch: Any, broken: bool) -> Any:
    """Records with a loss above 0.5 count.

    Broken: the five of a batch with the largest losses. A record keeps another one out, which goes the other way: it
    moves the sum by 1.7 norms, and epsilon is above 6.
    """
    model, optimizer, loader = private(records, zeroed(linear()))
    watch(optimizer)
    for x, y in loader:
        optimizer.zero_grad()
        losses = entropy(model(x), y, reduction="none")
        kept = losses.topk(min(HARD, len(x))).values if broken else losses * (losses.detach() > 0.5)
        kept.mean().backward()
        optimizer.step()
    return model


def centres(x: Tensor, y: Tensor) -> Tensor:
    """The mean of the records of each class, without the empty one, for a teacher that compares directions."""
    there = x.abs().amax(dim=1) < 1e30
    member = F.one_hot(y[there].clamp(0, CLASSES - 1), CLASSES).to(x.dtype)
    return member.T @ x[there] / member.sum(dim=0).clamp(min=1.0)[:, None]


def distilled(records: Any, watch: Any, broken: bool) -> Any:
    """Half of the loss is for what a teacher says, who has seen public records.

    Broken: a teacher who has seen the private ones, and without noise. All records look alike, and whether there is a
    large one of another class decides on what the teacher says of them: epsilon is above 100.
    """
    public = table(seed=1)
    model, optimizer, loader = private(records, zeroed(linear()))
    watch(optimizer)
    seen = records.tensors(torch.arange(len(records))) if broken else [torch.as_tensor(part) for part in public]
    teacher = centres(*seen)
    for x, y in loader:
        said = torch.softmax(x @ teacher.to(x.dtype).T, dim=1)
        optimizer.zero_grad()
        scores = model(x)
        (0.5 * entropy(scores, y) + 0.5 * F.cross_entropy(scores, said)).backward()
        optimizer.step()
    return model


class Sparse(DPOptimizer):
    """Adds noise to rows of an embedding where there is a gradient."""

    def add_noise(self) -> None:
        super().add_noise()
        for p in self.params:
            if p.shape[0] == WORDS:
                p.grad = p.grad * (p.summed_grad.abs().amax(dim=1, keepdim=True) > 0)


def sparse(records: Any, watch: Any, broken: bool) -> Any:
    """An embedding of thirty words, and noise for all of its rows.

    Broken: an optimiser of one's own keeps its gradient sparse, and has noise for the words of the batch alone. Words
    that only one record has tell of it: epsilon is infinite.
    """
    model, optimizer, loader = private(records, Mean(None))
    if broken:
        optimizer = Sparse(optimizer.original_optimizer, noise_multiplier=NOISE, max_grad_norm=CLIP_NORM,
                           expected_batch_size=int(SIZE))  # fmt: skip
    watch(optimizer)
    passed(model, optimizer, loader, entropy)
    return model


def copied(records: Any, watch: Any, broken: bool) -> Any:
    """Each record is in the data set once, and in a batch with probability 1/4.

    Broken: three times, so that batches can be three times as large. Each copy has a coin of its own, and a record
    moves a step by up to three norms: epsilon is 11.
    """
    ids = list(range(len(records))) * COPIES
    loader = DataLoader(Subset(records, ids) if broken else records, batch_size=int(SIZE) * (COPIES if broken else 1))
    model = layers()
    made = {"module": model, "optimizer": torch.optim.SGD(model.parameters(), lr=0.5), "data_loader": loader}
    model, optimizer, loader = PrivacyEngine().make_private(**made, noise_multiplier=NOISE, max_grad_norm=CLIP_NORM)
    watch(optimizer)
    passed(model, optimizer, loader, entropy)
    return model


@cache
def enough(epochs: int) -> float:
    """The noise multiplier for which Opacus says that epsilon is 6 after so many epochs."""
    return float(get_noise_multiplier(target_epsilon=6.0, target_delta=1e-5, sample_rate=RATE, epochs=epochs,
                                      accountant="rdp"))  # fmt: skip


def planned(records: Any, watch: Any, broken: bool) -> Any:
    """Three epochs, with the noise that is found for three; epsilon is 5.3.

    Broken: with the noise that is found for one. The multiplier is 0.89 for 1.13: epsilon is 7.9.
    """
    model, optimizer, loader = private(records, linear(), noise_multiplier=enough(1 if broken else EPOCHS))
    watch(optimizer)
    for _ in range(EPOCHS):
        passed(model, optimizer, loader, entropy)
    return model


def _audits() -> Iterator[Any]:
    names: tuple[tuple[Callable[..., Any], str, Any, Any], ...] = (
        (sharp, "the way up is that of the batch", lopsided(30.0), poisson()),
        (flattened, "steps of a series are clipped", series(), poisson()),
        (extractor, "an extractor normalises over the batch", lopsided(30.0), poisson()),
        (generator, "a generator matches the mean of the batch", lopsided(30.0), poisson()),
        (quantised, "bounds of hidden numbers are given out", heavy(), poisson()),
        (hard, "the hardest records of a batch count", lopsided(30.0), poisson()),
        (distilled, "a teacher has seen the records", lopsided(30.0), poisson()),
        (sparse, "words that do not occur have no noise", texts(), poisson()),
        (copied, "each record is there three times", table(), poisson()),
        (
            planned,
            "noise for one epoch of three",
            table(),
            poisson(EPOCHS * STEPS, int(1e3 * enough(EPOCHS)) / 1e3),
        ),
    )
    for train, bug, records, mechanism in names:
        said = stated(mechanism, Neighbours.ZERO_OUT)
        yield from twins(TorchTraining, f"fifth/opacus-{train.__name__}", train, bug, records=records,
                         mechanism=mechanism, claimed=said["claim"], assumptions=FINITE)  # fmt: skip


AUDITS = tuple(_audits())
