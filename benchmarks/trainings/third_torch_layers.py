"""Ten trainings in torch by hand, each with a twin that has one bug in its model: shared, frozen and sparse layers,
statistics that layers keep, a second model beside the first.

They were written by somebody who did not know what the checks see. Each docstring gives the right form, then the bug
and what it does to epsilon, which is claimed to be 3.1.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from _shared import CLASSES, CLIP_NORM, FEATURES, RECORDS, SIZE, STEPS, table, twins, whole
from torch import Tensor, nn
from torch.func import grad, vmap
from torch.nn import functional as F
from torch_by_hand import Gradients, clipped, drawn, linear, noisy, started, step, vectorised

from dpaudit import TorchTraining


def finite(rows: Tensor, bound: float = 100.0) -> Tensor:
    return torch.nan_to_num(rows, 0.0, bound, -bound).clamp(-bound, bound)


def rebuilt(encoder: Tensor, decoder: Tensor, x: Tensor) -> Tensor:
    """How far a record is from what comes out of both layers."""
    return ((torch.tanh(x @ encoder) @ decoder.T - x) ** 2).sum()


def tied(records: Any, watch: Any, broken: bool) -> nn.Module:
    """An autoencoder whose two layers share their weights. The gradients of both uses are added, then clipped.

    Broken: each use is clipped by itself, and they are added then. A record moves the sum by nearly two norms: epsilon
    is above 9.
    """
    model = nn.Linear(4, FEATURES, bias=False)
    optimizer = started(watch, model)
    of_uses = vmap(grad(rebuilt, argnums=(0, 1)), in_dims=(None, None, 0))
    for _ in range(STEPS):
        x, _ = records.tensors(drawn(records))
        weight = model.weight.detach()
        uses = of_uses(weight, weight, x) if len(x) else (weight.new_zeros((0, *weight.shape)),) * 2
        if broken:
            total = {"weight": sum((clipped({"weight": g})["weight"] for g in uses), torch.zeros(()))}
        else:
            total = clipped({"weight": uses[0] + uses[1]})
        step(model, optimizer, noisy(total))
    return model


class Bag(nn.Module):
    """The sum of the embeddings of six tokens, one for each feature."""

    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Embedding(81, CLASSES)

    def forward(self, x: Tensor) -> Tensor:
        tokens = (8 * finite(x)).round().clamp(-40, 40).long() + 40
        return self.table(tokens).sum(dim=1)


def embedded(records: Any, watch: Any, broken: bool) -> nn.Module:
    """A table of embeddings, all rows of which have noise.

    Broken: the gradient is sparse, and only the rows of tokens that the batch has are moved and have noise. A token
    that no other record has is seen for certain: epsilon is infinite.
    """
    model = Bag()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        total = clipped(vectorised(model, *records.tensors(drawn(records))))
        step_of = noisy(total)
        if broken:
            step_of = {name: torch.where((total[name] != 0).any(dim=1, keepdim=True), g, torch.zeros(()))
                       for name, g in step_of.items()}  # fmt: skip
        step(model, optimizer, step_of)
    return model


class Adapted(nn.Module):
    """A layer that is not trained, plus a product of two small ones."""

    def __init__(self) -> None:
        super().__init__()
        self.base = nn.Linear(FEATURES, CLASSES)
        self.down, self.up = nn.Linear(FEATURES, 2, bias=False), nn.Linear(2, CLASSES, bias=False)
        self.base.weight.requires_grad_(False)

    def forward(self, x: Tensor) -> Tensor:
        return self.base(x) + self.up(self.down(x))


def adapted(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Two small layers beside a frozen one.

    Broken: only the weights of the frozen one are frozen. Its bias is left to the same optimiser, with the mean
    gradient of the batch, neither clipped nor with noise: epsilon is infinite.
    """
    model = Adapted()
    model.base.bias.requires_grad_(broken)
    optimizer = started(watch, model)
    for _ in range(STEPS):
        own = vectorised(model, *records.tensors(drawn(records)))
        plain = {name: own.pop(name).sum(dim=0) / SIZE for name in list(own) if name == "base.bias"}
        step(model, optimizer, noisy(clipped(own)) | plain)
    return model


def centred(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Features less a public number.

    Broken: less the mean of the batch. A record far away turns the gradients of all others, up to two norms for each
    of ten: epsilon is above 6, and above 40 where the others have one class.
    """
    model = linear()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        x, y = records.tensors(drawn(records))
        centre = x.mean(dim=0) if broken and len(x) else torch.full((FEATURES,), 0.3)
        step(model, optimizer, noisy(clipped(vectorised(model, x - centre, y))))
    return model


def sequences() -> tuple[np.ndarray, np.ndarray]:
    """Records of six steps that look alike, (RECORDS, 6, FEATURES), and labels."""
    x, labels = table(seed=2)
    spread = np.random.default_rng(2).normal(size=(RECORDS, 6, FEATURES))
    return (2.0 * x[:, None] + 0.3 * spread).astype(np.float32), labels


def ghost(records: Any, watch: Any, broken: bool) -> nn.Module:
    """A layer that all steps of a sequence go through; norms come from products of its inputs and its errors.

    Broken: the products of different steps are left out of the norm. It is too small by a factor of up to 2.4, and a
    record moves the sum by as many norms: epsilon is above 12.
    """
    model = nn.Linear(FEATURES, CLASSES, bias=False)
    optimizer = started(watch, model)
    for _ in range(STEPS):
        x, y = records.tensors(drawn(records))
        x = finite(x)
        odds = torch.softmax(model(x).mean(dim=1), dim=1).detach()
        errors = ((odds - F.one_hot(y, CLASSES)) / 6)[:, None].expand(-1, 6, -1)
        wide = x.double(), errors.double()
        products = (wide[0] @ wide[0].transpose(1, 2)) * (wide[1] @ wide[1].transpose(1, 2))
        squares = products.diagonal(dim1=1, dim2=2).sum(dim=1) if broken else products.sum(dim=(1, 2))
        factors = (CLIP_NORM / squares.clamp(min=1e-12).sqrt()).clamp(max=1.0).float()
        step(model, optimizer, noisy({"weight": torch.einsum("i,itc,itf->cf", factors, errors, x)}))
    return model


def generated(records: Any, watch: Any, broken: bool) -> dict[str, Tensor]:
    """A discriminator with clipped gradients of real records and noise, and a generator that sees it alone.

    Broken: the generator is also drawn to the mean features of the real batch (feature matching), without noise:
    epsilon is infinite.
    """
    model = nn.Linear(FEATURES, 2)
    optimizer = started(watch, model)
    generator = nn.Linear(3, FEATURES)
    second = torch.optim.SGD(generator.parameters(), lr=0.5)
    for number in range(STEPS):
        hidden = torch.randn(8, 3, generator=torch.Generator().manual_seed(number))
        x, _ = records.tensors(drawn(records))
        own = vectorised(model, x, torch.ones(len(x), dtype=torch.int64))
        step(model, optimizer, noisy(clipped(own)))
        made = generator(hidden)
        loss = F.cross_entropy(model(made), torch.ones(len(made), dtype=torch.int64))
        if broken and len(x):
            loss = loss + ((made.mean(dim=0) - x.mean(dim=0)) ** 2).sum()
        second.zero_grad()
        loss.backward()
        second.step()
    return {**model.state_dict(), **{f"generator.{name}": p for name, p in generator.state_dict().items()}}


def averaged(records: Any, watch: Any, broken: bool) -> dict[str, Tensor]:
    """A running mean of the parameters is kept for use, and is saved with them.

    Broken: it follows the parameters that the step would lead to without its noise. The noise of a step is not in its
    own share, and the last share has none that is not known: epsilon is infinite.
    """
    model = linear()
    optimizer = started(watch, model)
    mean = {name: p.detach().clone() for name, p in model.named_parameters()}
    for _ in range(STEPS):
        total = clipped(vectorised(model, *records.tensors(drawn(records))))
        ahead = {name: p.detach() - 0.5 * total[name] / SIZE for name, p in model.named_parameters()}
        step(model, optimizer, noisy(total))
        after = ahead if broken else {name: p.detach() for name, p in model.named_parameters()}
        mean = {name: 0.8 * kept + 0.2 * after[name] for name, kept in mean.items()}
    return {**model.state_dict(), **{f"mean.{name}": p for name, p in mean.items()}}


class Normed(nn.Module):
    """A linear layer on features that are scaled by buffers."""

    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.BatchNorm1d(FEATURES, affine=False)
        self.out = nn.Linear(FEATURES, CLASSES)

    def forward(self, x: Tensor) -> Tensor:
        return self.out(self.norm(x))


def recalibrated(records: Any, watch: Any, broken: bool) -> nn.Module:
    """The statistics of a layer are those that it came with.

    Broken: each batch goes once through the layer in training mode, which moves them without noise, and they are saved
    with the model: epsilon is infinite.
    """
    model = Normed().eval()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        x, y = records.tensors(drawn(records))
        if broken and len(x) > 1:
            model.norm.train()(x)
            model.norm.eval()
        step(model, optimizer, noisy(clipped(vectorised(model, x, y))))
    return model


def largest(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Four steps on all records; of each noisy gradient the six largest coordinates are used, the others are 0; epsilon
    is 8.0.

    Broken: the six largest coordinates before the noise. Which ones follows from the parameters and the records without
    noise: epsilon is infinite with a probability far above delta.
    """
    model = nn.Linear(FEATURES, CLASSES, bias=False)
    optimizer = started(watch, model)
    for _ in range(STEPS):
        total = clipped(vectorised(model, *records.tensors(torch.arange(len(records)))))
        mean: Gradients = noisy(total)
        sizes = (total if broken else mean)["weight"].abs()
        kept = sizes >= sizes.flatten().topk(6).values[-1]
        step(model, optimizer, {"weight": mean["weight"] * kept})
    return model


class Ranged(nn.Module):
    """Two layers, and the range of what is between them, which a later conversion to small integers needs."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(FEATURES, 8), nn.Linear(8, CLASSES)
        self.register_buffer("high", torch.tensor(4.0))

    def forward(self, x: Tensor) -> Tensor:
        return self.second(self.first(x).relu().clamp(max=self.high))


def ranged(records: Any, watch: Any, broken: bool) -> nn.Module:
    """The range is a public number.

    Broken: it is the largest activation of any record so far, which is saved with the model. It has no noise:
    epsilon is infinite.
    """
    model = Ranged()
    optimizer = started(watch, model)
    model.high.fill_(0.5 if broken else 4.0)
    for _ in range(STEPS):
        x, y = records.tensors(drawn(records))
        if broken and len(x):
            model.high.copy_(torch.maximum(model.high, model.first(x).detach().max()))
        step(model, optimizer, noisy(clipped(vectorised(model, x, y))))
    return model


def _audits() -> Iterator[Any]:
    kind = TorchTraining
    yield from twins(kind, "third/tied", tied, "both uses of shared weights are clipped apart")
    yield from twins(kind, "third/embedded", embedded, "rows of absent tokens have no noise")
    yield from twins(kind, "third/adapted", adapted, "a bias is trained without noise")
    yield from twins(kind, "third/centred", centred, "features are centred by the mean of the batch")
    yield from twins(kind, "third/ghost", ghost, "norms leave products of steps out", records=sequences())
    yield from twins(kind, "third/generated", generated, "a generator is drawn to the mean of the batch")
    yield from twins(kind, "third/averaged", averaged, "a running mean follows steps without noise")
    yield from twins(kind, "third/recalibrated", recalibrated, "statistics of a layer follow the batches")
    yield from twins(kind, "third/largest", largest, "the largest coordinates are chosen before the noise",
                     mechanism=whole())  # fmt: skip
    yield from twins(kind, "third/ranged", ranged, "the largest activation is saved")


AUDITS = tuple(_audits())
