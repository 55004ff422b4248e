"""Ten trainings in torch by hand, each with a twin that has one bug around the steps: packing, duplicates, samplers,
labels, mixtures, resumed runs, metrics, selection, users.

They were written by somebody who did not know what the checks see. Each docstring gives the right form, then the bug
and what it does to epsilon, which is claimed to be 3.1 for Poisson batches, 8.0 for four steps on all records and 9.2
with one noisy table more.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from _shared import CLASSES, CLIP_NORM, FEATURES, NOISE, RATE, RECORDS, STEPS, table, twins, whole
from fifth_torch import bounded, small
from fourth_torch import declared, every, sample, some
from fourth_torch_layers import on_all, public
from torch import Tensor, nn
from torch.nn import functional as F
from torch_by_hand import clipped, linear, noisy, perceptron, started, step, vectorised

from dpaudit import TorchTraining

ALL = float(RECORDS)
WORDS, PLACES, ROW = 8, 6, 4


def sayings() -> tuple[np.ndarray, np.ndarray]:
    """Texts of six words, each of which is followed by the next one, but for the first text; and a topic."""
    rng = np.random.default_rng(12)
    words = (rng.integers(WORDS, size=RECORDS)[:, None] + np.arange(PLACES)) % WORDS
    words[0] = [0, 0, 0, 0, 0, 0]
    return words.astype(np.int64), np.arange(RECORDS) % 2


class NextWord(nn.Module):
    """What comes after the words of a row, told from their numbers and places."""

    def __init__(self) -> None:
        super().__init__()
        self.scores = nn.Parameter(torch.zeros(ROW - 1, WORDS, WORDS))

    def forward(self, x: Tensor) -> Tensor:
        return torch.einsum("ipw,pwv->ivp", torch.eye(WORDS)[x], self.scores)


def packed(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Four steps on all records. A model of the next word sees the first four words of each text.

    Broken: all texts are joined and cut into rows of four words, so that no word is lost. A text that is gone moves all
    words after it by six, which is not a multiple of four, and other words stand at each place of all rows after it:
    the sum moves by more than 6 norms, and epsilon is above 80.
    """
    model = NextWord()
    optimizer = on_all(watch, model)
    for _ in range(STEPS):
        words = records.tensors(torch.arange(len(records)))[0].clamp(0, WORDS - 1)
        rows = words[:, :ROW]
        if broken:
            stream = words.flatten()
            rows = stream[: len(stream) // ROW * ROW].reshape(-1, ROW)
        own = vectorised(model, rows[:, :-1], rows[:, 1:])
        step(model, optimizer, noisy(clipped(own), size=ALL))
    return model


def clusters() -> tuple[np.ndarray, np.ndarray]:
    """The first record lies in the middle of twelve, which are nearer to it than to each other; others are far away."""
    rng = np.random.default_rng(6)
    x = 8.0 * rng.normal(size=(RECORDS, FEATURES))
    x[0] = 3.0
    x[1:13] = x[0] + np.concatenate([np.eye(FEATURES), -np.eye(FEATURES)])
    y = rng.integers(CLASSES, size=RECORDS)
    y[:13] = 1
    return x.astype(np.float32), y.astype(np.int64)


def duplicates(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Four steps on all records but those that are nearly the same as one of forty public ones.

    Broken: but those that are nearly the same as a record before them that is kept. The first one stands for twelve,
    which are kept without it, since they are not so near to each other. They have one label and much the same gradient:
    the sum moves by ten norms, and epsilon is above 100.
    """
    model = linear()
    optimizer = on_all(watch, model, lr=0.1)
    for _ in range(STEPS):
        x, y = every(records)
        others = bounded(x) if broken else public()[0]
        near = (bounded(x)[:, None] - others).norm(dim=2) < 1.2
        kept: list[int] = []
        for place in range(len(x)):
            if not bool(near[place, kept].any() if broken else near[place].any()):
                kept.append(place)
        step(model, optimizer, noisy(clipped(vectorised(model, x[kept], y[kept])), size=ALL))
    return model


def rare() -> tuple[np.ndarray, np.ndarray]:
    """The table with one record of the first class, two of the last one, and all others of the one between."""
    x, y = table(seed=21)
    return x, np.concatenate([[0, 2, 2], np.ones(len(y) - 3)]).astype(np.int64)


def balanced(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Each record is in a batch with a probability of 1/4.

    Broken: with one that makes the classes equally frequent. A record of a class that has one or two is in all batches,
    which are accounted for as if it were in a quarter: epsilon is 8.0.
    """
    chances = torch.full((len(records),), RATE)
    if broken:
        labels = every(records)[1]
        counts = F.one_hot(labels, CLASSES).sum(dim=0)
        chances = RATE * len(records) / (CLASSES * counts[labels])
    model = linear()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        ids = (torch.rand(len(records)) < chances).nonzero()[:, 0]
        step(model, optimizer, noisy(clipped(vectorised(model, *some(records, ids)))))
    return model


def sharded(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Two workers draw batches from halves of the records, with a probability of 1/4, and their sums are added up.

    Broken: from all records, since nobody set up the sampler for two. A record is in the sum twice with a probability
    of 1/16, and once with one of 3/8: epsilon is 6.8.
    """
    model = perceptron()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        ids = []
        for worker in range(2):
            mine = torch.ones(len(records), dtype=torch.bool) if broken else torch.arange(len(records)) % 2 == worker
            ids.append(((torch.rand(len(records)) < RATE) & mine).nonzero()[:, 0])
        step(model, optimizer, noisy(clipped(vectorised(model, *some(records, torch.cat(ids))))))
    return model


def relabelled(records: Any, watch: Any, broken: bool) -> nn.Module:
    """The classes have fixed numbers.

    Broken: labels are numbered anew in each batch, from 0, as an encoder does that is fitted to them. With the one
    record of the first class the others are 1 and 2, and without it they are 0 and 1: the sum moves by about 9 norms,
    and epsilon is above 100.
    """
    model = linear()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        x, y = sample(records)
        if broken:
            y = torch.unique(y, return_inverse=True)[1]
        step(model, optimizer, noisy(clipped(vectorised(model, x, y))))
    return model


def mixtures(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Each record is mixed half and half with a random public one, and so is its label (mixup).

    Broken: with the record before it in the batch. It is in two rows, and changes both: the sum moves by 2.3
    norms for a record with large features, for which epsilon is 13.
    """
    model = linear()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        x, y = sample(records)
        x, targets = small(x), F.one_hot(y, CLASSES).float()
        beside = torch.randint(RECORDS, (len(x),))
        others, their = public()[0][beside], F.one_hot(public()[1][beside], CLASSES).float()
        if broken:
            others, their = x.roll(1, dims=0), targets.roll(1, dims=0)
        own = vectorised(model, 0.5 * (x + others), 0.5 * (targets + their))
        step(model, optimizer, noisy(clipped(own)))
    return model


def resumed(records: Any, watch: Any, broken: bool) -> nn.Module:
    """A run of four steps on all records stops after three, and goes on from its checkpoint with the last one.

    Broken: the checkpoint has the parameters, and not how many steps were made. Four more are made, seven in all:
    epsilon is 11.3.
    """
    model = perceptron()
    optimizer = on_all(watch, model)
    done = 0
    for last in (STEPS - 1, STEPS):
        for _ in range(done, last):
            step(model, optimizer, noisy(clipped(vectorised(model, *every(records))), size=ALL))
        checkpoint = copy.deepcopy(model.state_dict())
        model.load_state_dict(checkpoint)
        done = 0 if broken else last
    return model


def per_class(records: Any, watch: Any, broken: bool) -> dict[str, Tensor]:
    """Four steps on all records, and noisy counts of the records of each class and of those that are told right, each
    of which is in both. The accuracies of the classes are what is made of them.

    Broken: what they are made of are the noisy counts of those that are told right, and the exact ones of all. With
    both numbers given out, everybody can work out how many there are: epsilon is infinite.
    """
    model, both = linear(), 2**0.5
    optimizer = on_all(watch, model)
    for _ in range(STEPS):
        step(model, optimizer, noisy(clipped(vectorised(model, *every(records))), size=ALL))
    x, y = every(records)
    with torch.no_grad():
        right = model(small(x)).argmax(dim=1) == y
    members = F.one_hot(y, CLASSES).float()
    counts = torch.stack([members.sum(dim=0), members[right].sum(dim=0)])
    noise = NOISE * both * torch.randn(2, CLASSES)
    told = watch.release("counts", counts, noise, sensitivity=both, noise_scale=NOISE * both)
    below = counts[0] if broken else told[0]
    return {**model.state_dict(), "counts": told, "accuracies": told[1] / below.clamp(min=1.0)}


def best_of(records: Any, watch: Any, broken: bool) -> dict[str, Tensor]:
    """Four steps on all records. Before each one there is a noisy count of the records that are told right, and what is
    returned are the parameters with the largest one, and the counts. The noise of the gradient is made larger for them.

    Broken: all counts have the same noise, "since it is their order that counts". Their differences have none: epsilon
    is infinite.
    """
    model, spread, counts, best = linear(), 4.0, [], {}
    multiplier = (NOISE**-2 - spread**-2) ** -0.5
    optimizer = declared(watch, torch.optim.SGD(model.parameters(), lr=0.5), noise=multiplier, size=ALL)
    for number in range(STEPS):
        x, y = every(records)
        with torch.no_grad():
            right = (model(small(x)).argmax(dim=1) == y).float().sum()
        if number == 0 or not broken:
            noise = spread * torch.randn(())
        counts.append(watch.release("right", right, noise, sensitivity=1.0, noise_scale=spread))
        if counts[-1] >= max(counts):
            best = copy.deepcopy(model.state_dict())
        step(model, optimizer, noisy(clipped(vectorised(model, x, y)), multiplier, ALL))
    return {**best, "counts": torch.stack(counts)}


def users() -> tuple[np.ndarray, np.ndarray]:
    """Forty users with three rows and three labels each."""
    rng = np.random.default_rng(9)
    labels = rng.integers(CLASSES, size=(RECORDS, 3))
    x = rng.normal(size=(RECORDS, 3, FEATURES)) + np.eye(CLASSES, FEATURES)[labels]
    return x.astype(np.float32), labels.astype(np.int64)


def federated(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Each user of a batch makes two steps of their own from the parameters, and what these move them by is clipped; a
    record is a user.

    Broken: from where the user before has ended, since the local model is not set back; what it moved by since the
    round began is clipped. A user with large rows takes all later ones along: the sum moves by 10 norms and more, and
    epsilon is above 100.
    """
    model = nn.Linear(FEATURES, CLASSES, bias=False)
    optimizer = started(watch, model)
    for _ in range(STEPS):
        x, y = sample(records)
        x, targets = small(x), F.one_hot(y, CLASSES).float()
        start = model.weight.detach()
        local, moves = start.clone(), []
        for rows, told in zip(x, targets, strict=True):
            local = local if broken else start.clone()
            for _ in range(2):
                local = local - 0.5 * (torch.softmax(rows @ local.T, dim=1) - told).T @ rows / len(rows)
            moves.append(start - local)
        own = {"weight": torch.stack(moves) if moves else start.new_zeros((0, *start.shape))}
        step(model, optimizer, noisy(clipped(own, CLIP_NORM)))
    return model


def _audits() -> Iterator[Any]:
    kind = TorchTraining
    yield from twins(kind, "fifth/packed", packed, "texts are joined and cut into rows", records=sayings(),
                     mechanism=whole())  # fmt: skip
    yield from twins(kind, "fifth/duplicates", duplicates, "records stand for those that are near to them",
                     records=clusters(), mechanism=whole())  # fmt: skip
    yield from twins(kind, "fifth/balanced", balanced, "rare classes are drawn more often", records=rare())
    yield from twins(kind, "fifth/sharded", sharded, "both workers draw from all records")
    yield from twins(kind, "fifth/relabelled", relabelled, "labels are numbered anew in each batch", records=rare())
    yield from twins(kind, "fifth/mixtures", mixtures, "records of a batch are mixed with each other")
    yield from twins(kind, "fifth/resumed", resumed, "steps are counted anew when a run goes on", mechanism=whole())
    yield from twins(kind, "fifth/per-class", per_class, "noisy counts are divided by exact ones",
                     mechanism=whole(STEPS + 1))  # fmt: skip
    yield from twins(kind, "fifth/best-of", best_of, "all counts have the same noise", mechanism=whole())
    yield from twins(kind, "fifth/federated", federated, "users go on from where others ended", records=users())


AUDITS = tuple(_audits())
