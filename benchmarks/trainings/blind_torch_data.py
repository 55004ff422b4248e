"""Ten trainings in torch by hand, each with a twin that has one bug in what is made of the records before or beside the
gradients, or in which of them make a batch.

They were written by somebody who did not know what the checks see. Each docstring gives the right form, then the bug
and what it does to epsilon, which is claimed to be 3.1 where nothing else is said.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from _shared import CLASSES, FEATURES, RATE, RECORDS, SIZE, STEPS, poisson, table, twins
from blind_torch import finite
from torch import Tensor, nn
from torch.nn import functional as F
from torch_by_hand import clipped, drawn, linear, noisy, perceptron, started, step, vectorised
from torch_layers import LENGTH, WORDS, Words

from dpaudit import TorchTraining


def everything(records: Any) -> tuple[Tensor, Tensor]:
    """All features, finite, and all labels."""
    x, y = records.tensors(torch.arange(len(records)))
    return finite(x), y


def numbered(seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Texts, as the numbers of their words in a public list, of which one text alone has the first; labels."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(CLASSES, size=RECORDS)
    words = 2 * rng.integers(WORDS // 2, size=(RECORDS, LENGTH)) + 1
    words[7] = 0
    return words, labels


def vocabulary(records: Any, watch: Any, broken: bool) -> nn.Module:
    """The mean of the embeddings of words, by their place in a public list.

    Broken: by their place among the words that occur in the records. A new word moves all that come after it to
    another row, and with them the gradients of all texts: epsilon grows with the number of records.
    """
    model = Words()
    optimizer = started(watch, model)
    words = records.tensors(torch.arange(len(records)))[0].unique() if broken else torch.arange(WORDS)
    for _ in range(STEPS):
        x, y = records.tensors(drawn(records))
        places = torch.searchsorted(words, x.contiguous())
        step(model, optimizer, noisy(clipped(vectorised(model, places, y))))
    return model


def pruned(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Half of the weights are pruned before the training, the smallest ones.

    Broken: those with the smallest product with the gradient over all records, which has no noise. A large record
    decides which are 0 in the end: epsilon is infinite.
    """
    model = perceptron()
    optimizer = started(watch, model)
    worth = {name: p.detach().abs() for name, p in model.named_parameters()}
    if broken:
        own = vectorised(model, *everything(records))
        worth = {name: worth[name] * finite(g).mean(dim=0).abs() for name, g in own.items()}
    kept = {name: (one >= one.median()).to(one.dtype) for name, one in worth.items()}
    with torch.no_grad():
        for name, p in model.named_parameters():
            p *= kept[name]
    for _ in range(STEPS):
        released = noisy(clipped(vectorised(model, *records.tensors(drawn(records)))))
        step(model, optimizer, {name: g * kept[name] for name, g in released.items()})
    return model


def one_rare(seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """The table, with one record of the last label."""
    x, y = table(seed)
    return x, np.where(np.arange(RECORDS) == 7, CLASSES - 1, y % (CLASSES - 1))


def balanced(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Each record is in a batch with probability 1/4.

    Broken: with one that gives each class as large a part of the batch. The only record of its class is in every
    batch, for which the accountant gives 1/4: epsilon is 8.0.
    """
    model = linear()
    optimizer = started(watch, model)
    _, y = everything(records)
    counts = torch.bincount(y, minlength=CLASSES)[y]
    rates = (SIZE / (CLASSES * counts)).clamp(max=1.0) if broken else torch.full((len(records),), RATE)
    for _ in range(STEPS):
        ids = (torch.rand(len(records)) < rates).nonzero()[:, 0]
        step(model, optimizer, noisy(clipped(vectorised(model, *records.tensors(ids)))))
    return model


def hard(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Records whose loss is below a public number are left out of the sum.

    Broken: the half of the batch with the smaller losses is. A record that comes in drives another one out, and the
    sum moves by two norms: epsilon is up to 10.
    """
    model = linear()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        x, y = records.tensors(drawn(records))
        with torch.no_grad():
            losses = finite(F.cross_entropy(model(x), y, reduction="none"))
        kept = losses >= 0.7
        if broken and len(x):
            kept = losses >= losses.median()
        own = vectorised(model, x, y)
        step(model, optimizer, noisy(clipped({name: g[kept] for name, g in own.items()})))
    return model


def searched(records: Any, watch: Any, broken: bool) -> dict[str, Tensor]:
    """The learning rate is public.

    Broken: it is the one of three with the smallest loss after a few steps without noise, and is published with the
    model. A large record decides which: epsilon is infinite.
    """
    model, rate = linear(), 0.5
    start = torch.zeros(CLASSES, FEATURES)
    if broken:
        x, y = everything(records)
        losses = {}
        for tried in (0.1, 0.5, 2.0):
            weights = start.clone().requires_grad_()
            for _ in range(3):
                (slope,) = torch.autograd.grad(F.cross_entropy(x @ weights.T, y), weights)
                weights = (weights - tried * slope).detach().requires_grad_()
            losses[tried] = float(F.cross_entropy(x @ weights.T, y).detach())
        rate = min(losses, key=losses.__getitem__)
    optimizer = started(watch, model, lr=rate)
    for _ in range(STEPS):
        step(model, optimizer, noisy(clipped(vectorised(model, *records.tensors(drawn(records))))))
    return {**model.state_dict(), "rate": torch.tensor(rate)}


MISSING = -9.0


def incomplete(seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """The table, with a quarter of its numbers missing."""
    x, y = table(seed)
    return np.where(np.random.default_rng(seed).random(x.shape) < 0.25, np.float32(MISSING), x), y


def imputed(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Numbers that are missing, which stand as -9, count as 0.

    Broken: they get the mean of their column over all records, which has no noise. A large record makes that large
    and turns the gradient of every incomplete record, by up to two norms each.
    """
    model = perceptron()
    optimizer = started(watch, model)
    means = torch.zeros(FEATURES)
    if broken:
        x, _ = everything(records)
        there = x != MISSING
        means = torch.where(there, x, 0.0).sum(dim=0) / there.sum(dim=0).clamp(min=1)
    for _ in range(STEPS):
        x, y = records.tensors(drawn(records))
        step(model, optimizer, noisy(clipped(vectorised(model, torch.where(x == MISSING, means, x), y))))
    return model


def one_batch(records: Any, watch: Any, broken: bool) -> nn.Module:
    """A new batch for every step, with features that are jittered.

    Broken: the batch is drawn once, before the loop, so that a record that is in it is in all four steps: noise of
    0.6 once, at rate 1/4, and epsilon is 6.1.
    """
    model = linear()
    optimizer = started(watch, model)
    ids = drawn(records)
    for _ in range(STEPS):
        x, y = records.tensors(ids)
        x = x + 0.1 * torch.rand_like(x)
        step(model, optimizer, noisy(clipped(vectorised(model, x, y))))
        ids = ids if broken else drawn(records)
    return model


def in_order(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Twelve steps on Poisson batches, for which epsilon is 4.8.

    Broken: every fourth record, beginning with another one each time: a record is in three steps for certain, and
    epsilon is 6.7.
    """
    model = linear()
    optimizer = started(watch, model)
    for number in range(3 * STEPS):
        ids = torch.arange(number % 4, len(records), 4) if broken else drawn(records)
        step(model, optimizer, noisy(clipped(vectorised(model, *records.tensors(ids)))))
    return model


def star() -> tuple[tuple[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]:
    """A record amid twelve, which is the nearest of each, and the twelve without it."""
    points = np.concatenate([3 * np.eye(FEATURES), -3 * np.eye(FEATURES), np.zeros((1, FEATURES))]).astype(np.float32)
    labels = np.append(np.zeros(len(points) - 1, dtype=np.int64), 1)
    return (points, labels), (points[:-1], labels[:-1])


def neighbourly(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Each record is moved a random part of the way to the origin.

    Broken: half of the way to the nearest other record, as for synthetic minorities. A record that is the nearest of
    many moves the gradients of all of them, whether it is in the batch or not: here of twelve, by 2 together.
    """
    model = linear()
    optimizer = started(watch, model)
    x_all, _ = everything(records)
    distances = torch.cdist(x_all, x_all).fill_diagonal_(float("inf"))
    for _ in range(STEPS):
        ids = drawn(records)
        x, y = records.tensors(ids)
        x = 0.5 * x + 0.5 * x_all[distances[ids].argmin(dim=1)] if broken else x * torch.rand(len(x), 1)
        step(model, optimizer, noisy(clipped(vectorised(model, x, y))))
    return model


def threshold(records: Any, watch: Any, broken: bool) -> dict[str, Tensor]:
    """A classifier, and the loss above which a record is called unusual, from public records.

    Broken: the largest loss of the records of the training, which has no noise: epsilon is infinite.
    """
    model = linear()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        step(model, optimizer, noisy(clipped(vectorised(model, *records.tensors(drawn(records))))))
    x, y = everything(records) if broken else (torch.from_numpy(part) for part in table(7))
    with torch.no_grad():
        losses = F.cross_entropy(model(x.to(torch.get_default_dtype())), y, reduction="none")
    return {**model.state_dict(), "threshold": losses.max()}


def _audits() -> Iterator[Any]:
    kind = TorchTraining
    yield from twins(kind, "blind/vocabulary", vocabulary, "words are numbered as they occur", records=numbered())
    yield from twins(kind, "blind/pruned", pruned, "what is pruned hangs on a gradient without noise")
    yield from twins(kind, "blind/balanced", balanced, "rare classes are drawn more often", records=one_rare())
    yield from twins(kind, "blind/hard", hard, "the harder half of the batch is kept")
    yield from twins(kind, "blind/searched", searched, "the rate is found on the records without noise")
    yield from twins(kind, "blind/imputed", imputed, "missing numbers get the mean", records=incomplete())
    yield from twins(kind, "blind/one-batch", one_batch, "one batch is drawn for all steps")
    yield from twins(kind, "blind/in-order", in_order, "batches in a fixed order", mechanism=poisson(3 * STEPS))
    yield from twins(kind, "blind/neighbourly", neighbourly, "records are moved to their neighbours", pair=star())
    yield from twins(kind, "blind/threshold", threshold, "the largest loss leaves")


AUDITS = tuple(_audits())
