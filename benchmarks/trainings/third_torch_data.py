"""Ten trainings in torch by hand, each with a twin that has one bug around the steps: what is done to the records
before, how a batch is put together, and what is chosen and saved after.

They were written by somebody who did not know what the checks see. Each docstring gives the right form, then the bug
and what it does to epsilon, which is claimed to be 3.1.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from _shared import CLASSES, FEATURES, RECORDS, SIZE, STEPS, table, twins
from torch import Tensor, nn
from torch.func import grad, vmap
from torch.nn import functional as F
from torch_by_hand import clipped, drawn, linear, noisy, single, started, step, vectorised

from dpaudit import TorchTraining

MISSING = -9.0


def everything(records: Any) -> tuple[Tensor, Tensor]:
    x, y = records.tensors(torch.arange(len(records)))
    return torch.nan_to_num(x, 0.0, 0.0, 0.0), y


def adjusted(records: Any, watch: Any, broken: bool) -> dict[str, Tensor]:
    """Scores are shifted by how frequent the classes are in public; the shift is saved with the model.

    Broken: by how frequent they are among the records. The shift is an exact count: epsilon is infinite.
    """
    model = linear()
    counts = torch.full((CLASSES,), 1.0)
    if broken:
        counts = torch.bincount(everything(records)[1], minlength=CLASSES)[:CLASSES].float()
    shift = ((counts + 1.0) / (counts + 1.0).sum()).log()
    optimizer = started(watch, model)

    def loss(model: nn.Module, x: Tensor, y: Tensor) -> Tensor:
        return F.cross_entropy(model(x[None]) + shift, y[None])

    for _ in range(STEPS):
        step(model, optimizer, noisy(clipped(single(model, *records.tensors(drawn(records)), loss))))
    return {**model.state_dict(), "shift": shift}


def best(records: Any, watch: Any, broken: bool) -> dict[str, Tensor]:
    """The parameters after the last step are used.

    Broken: those of the step with the smallest loss on all records. All of them are seen, and which is the best hangs
    on the records without noise: epsilon is infinite with a probability far above delta.
    """
    model = linear()
    optimizer = started(watch, model)
    kept: list[dict[str, Tensor]] = []
    for _ in range(STEPS):
        step(model, optimizer, noisy(clipped(vectorised(model, *records.tensors(drawn(records))))))
        kept.append({name: p.detach().clone() for name, p in model.named_parameters()})
    if not broken:
        return kept[-1]
    x, y = everything(records)
    losses = [float(F.cross_entropy(x @ one["weight"].T + one["bias"], y)) for one in kept]
    return kept[int(np.argmin(losses))]


def reported(records: Any, watch: Any, broken: bool) -> dict[str, Tensor]:
    """The loss on public records is saved with the model.

    Broken: the loss on the records is. It has no noise: epsilon is infinite.
    """
    model = linear()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        step(model, optimizer, noisy(clipped(vectorised(model, *records.tensors(drawn(records))))))
    x, y = everything(records) if broken else (torch.as_tensor(part) for part in table(seed=7))
    with torch.no_grad():
        return {**model.state_dict(), "loss": F.cross_entropy(model(x), y)}


def class_means(x: Tensor, y: Tensor) -> Tensor:
    """The mean features of each class, (CLASSES, FEATURES)."""
    members = F.one_hot(y, CLASSES).to(x.dtype)
    return members.T @ x / members.sum(dim=0).clamp(min=1.0)[:, None]


def warm(records: Any, watch: Any, broken: bool) -> nn.Module:
    """The weights start at the class means of public records.

    Broken: at those of the records. One of thirteen moves a start by 0.2 and more, and the noise of four steps is
    0.12: epsilon is above 15.
    """
    model = linear()
    start = everything(records) if broken else [torch.as_tensor(part) for part in table(seed=7)]
    with torch.no_grad():
        model.weight.copy_(class_means(*start))
        model.bias.zero_()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        step(model, optimizer, noisy(clipped(vectorised(model, *records.tensors(drawn(records))))))
    return model


def apart(weight: Tensor, x: Tensor, near: Tensor, far: Tensor) -> Tensor:
    """A loss that draws one pair together and pushes another apart."""
    anchor = weight @ x
    return F.softplus(-anchor @ (weight @ near)) + F.softplus(anchor @ (weight @ far))


def pairs(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Each record is pushed away from a public one; the gradient of each is clipped.

    Broken: each two records of a batch are pushed apart, and the gradient of each pair is clipped. A record is in nine
    pairs, with the noise for one norm: epsilon is above 10.
    """
    model = nn.Linear(FEATURES, 3, bias=False)
    optimizer = started(watch, model)
    public = torch.as_tensor(table(seed=7)[0][:1])
    gradients = vmap(grad(apart), in_dims=(None, 0, 0, 0))
    for _ in range(STEPS):
        x, _ = records.tensors(drawn(records))
        near, far = x, public.expand(len(x), -1)
        if broken:
            first, second = torch.triu_indices(len(x), len(x), 1)
            near, far = x[first], x[second]
        weight = model.weight.detach()
        own = gradients(weight, near, 0.9 * near, far) if len(near) else weight.new_zeros((0, *weight.shape))
        step(model, optimizer, noisy(clipped({"weight": own})))
    return model


def gappy() -> tuple[np.ndarray, np.ndarray]:
    """Records in which one number of five is missing, and has a sign for that."""
    x, y = table(seed=3)
    return np.where(np.random.default_rng(3).random(x.shape) < 0.2, np.float32(MISSING), x), y


def imputed(records: Any, watch: Any, broken: bool) -> dict[str, Tensor]:
    """Missing numbers are filled with a public number, which is saved for the use of the model.

    Broken: with the mean of the same feature over the records that have it, without noise: epsilon is infinite.
    """
    model = linear()
    fill = torch.full((FEATURES,), 0.3)
    if broken:
        x, _ = everything(records)
        there = x != MISSING
        fill = (x * there).sum(dim=0) / there.sum(dim=0).clamp(min=1)
    optimizer = started(watch, model)
    for _ in range(STEPS):
        x, y = records.tensors(drawn(records))
        step(model, optimizer, noisy(clipped(vectorised(model, torch.where(x == MISSING, fill, x), y))))
    return {**model.state_dict(), "fill": fill}


def doubled() -> tuple[np.ndarray, np.ndarray]:
    """Eight groups of five records: one in the middle, and four that are near it and not near each other."""
    rng = np.random.default_rng(6)
    middles, labels = 1.5 * rng.normal(size=(8, 1, FEATURES)), np.repeat(np.arange(8) % CLASSES, 5)
    arms = np.concatenate([np.zeros((1, FEATURES)), 0.4 * np.eye(4, FEATURES)])
    return (middles + arms).reshape(RECORDS, FEATURES).astype(np.float32), labels.astype(np.int64)


def deduplicated(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Every record is trained on.

    Broken: records that are near an earlier one are dropped before. Without the one in the middle of a group the four
    around it are trained on, with a gradient of one norm each: epsilon is 9.9.
    """
    model = linear()
    kept = torch.ones(len(records), dtype=torch.bool)
    if broken:
        x, _ = everything(records)
        for place in range(1, len(x)):
            kept[place] = not bool(((x[:place] - x[place]).norm(dim=1) < 0.5)[kept[:place]].any())
    optimizer = started(watch, model)
    for _ in range(STEPS):
        ids = drawn(records)
        step(model, optimizer, noisy(clipped(vectorised(model, *records.tensors(ids[kept[ids]])))))
    return model


def alike() -> tuple[np.ndarray, np.ndarray]:
    """Records of one class that look alike, but for the class of the first one."""
    x = np.array([2.0, 2.0, 2.0, 0.0, 0.0, 0.0]) + 0.3 * np.random.default_rng(9).normal(size=(RECORDS, FEATURES))
    return x.astype(np.float32), (np.arange(RECORDS) == 0).astype(np.int64)


def hardest(records: Any, watch: Any, broken: bool) -> nn.Module:
    """All records of a batch are used.

    Broken: only the five with the largest loss. The one of another class is always of them, and without it another
    record comes in, so that the sum moves by 1.7 norms: epsilon is above 6.
    """
    model = linear()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        x, y = records.tensors(drawn(records))
        if broken:
            with torch.no_grad():
                order = torch.nan_to_num(F.cross_entropy(model(x), y, reduction="none")).argsort(descending=True)
            x, y = x[order[:5]], y[order[:5]]
        step(model, optimizer, noisy(clipped(vectorised(model, x, y))))
    return model


def smooth(records: Any, watch: Any, broken: bool) -> dict[str, Tensor]:
    """A rate of 0.5, which is saved with the model.

    Broken: the rate is one over the smoothness of the loss on the records. It has no noise, and is in what is saved
    and in the optimiser: epsilon is infinite.
    """
    model = linear()
    rate = 0.5
    if broken:
        x, _ = everything(records)
        rate = float(2 / torch.linalg.eigvalsh(x.T @ x / len(x))[-1].clamp(min=1e-3))
    optimizer = started(watch, model, lr=rate)
    for _ in range(STEPS):
        step(model, optimizer, noisy(clipped(vectorised(model, *records.tensors(drawn(records))))))
    return {**model.state_dict(), "rate": torch.tensor(rate)}


def filled_up(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Batches have as many records as are drawn.

    Broken: short ones are filled up to ten by going through them once more. In two of five batches the first records
    count twice, with the noise of one: epsilon is about 7.
    """
    model = linear()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        ids = drawn(records)
        if broken and len(ids):
            ids = torch.cat([ids, ids.repeat(int(SIZE))[: max(int(SIZE) - len(ids), 0)]])
        step(model, optimizer, noisy(clipped(vectorised(model, *records.tensors(ids)))))
    return model


def _audits() -> Iterator[Any]:
    kind = TorchTraining
    yield from twins(kind, "third/adjusted", adjusted, "scores are shifted by exact counts of the classes")
    yield from twins(kind, "third/best", best, "the step with the best loss on the records is chosen")
    yield from twins(kind, "third/reported", reported, "the loss on the records is saved")
    yield from twins(kind, "third/warm", warm, "the start is made from the records")
    yield from twins(kind, "third/pairs", pairs, "each pair of records is clipped by itself")
    yield from twins(kind, "third/imputed", imputed, "missing numbers are filled with exact means", records=gappy())
    yield from twins(kind, "third/deduplicated", deduplicated, "near records are dropped before", records=doubled())
    yield from twins(kind, "third/hardest", hardest, "the hardest records of a batch are chosen", records=alike())
    yield from twins(kind, "third/smooth", smooth, "the rate follows the smoothness of the loss on the records")
    yield from twins(kind, "third/filled-up", filled_up, "short batches are filled with their own records")


AUDITS = tuple(_audits())
