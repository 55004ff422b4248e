"""Ten trainings in torch by hand, each with a twin that has one bug in its model or in what goes with it: sequences,
shared weights, attention, normalisation, codebooks, half precision, generators, teachers.

They were written by somebody who did not know what the checks see. Each docstring gives the right form, then the bug
and what it does to epsilon, which is claimed to be 3.1 for Poisson batches and 8.0 for four steps on all records.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from _shared import CLASSES, CLIP_NORM, FEATURES, NOISE, RECORDS, SIZE, STEPS, twins, whole
from fifth_torch import bounded, small, weighed
from fourth_torch import every, quiet, sample
from fourth_torch_layers import on_all, public
from torch import Tensor, nn
from torch.nn import functional as F
from torch.optim.swa_utils import update_bn
from torch_by_hand import Gradients, clipped, noisy, perceptron, started, step, vectorised
from torch_layers import signals

from dpaudit import TorchTraining

ALL = float(RECORDS)


def factors(norms: Tensor) -> Tensor:
    """What brings gradients of these norms down to the bound."""
    return (CLIP_NORM / norms.clamp(min=1e-12)).clamp(max=1.0)


def unfrozen(records: Any, watch: Any, broken: bool) -> nn.Module:
    """The first layer is frozen for two steps. Each tensor that has a gradient has noise.

    Broken: each tensor that was trained when the training began, by a table of deviations that is made then. The first
    layer has no noise in the last two steps: epsilon is infinite.
    """
    model = perceptron()
    model[0].requires_grad_(False)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    watch(optimizer, clip_norm=CLIP_NORM, noise_multiplier=NOISE, batch_size=SIZE, release="gradient")
    deviations = {name: NOISE * CLIP_NORM for name, p in model.named_parameters() if p.requires_grad or not broken}
    for number in range(STEPS):
        model[0].requires_grad_(number >= STEPS // 2)
        total = clipped(vectorised(model, *sample(records)))
        step(model, optimizer, {name: (g + deviations.get(name, 0.0) * torch.randn_like(g)) / SIZE
                                for name, g in total.items()})  # fmt: skip
    return model


def ghost(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Ghost norms of a layer that is used at five places of a sequence: products of what goes in at two places and of
    what comes back at both are summed up over all pairs of places.

    Broken: over the places, without the pairs of different ones. Where the places are alike, the norm is said to be
    0.45 of what it is, and a record moves the sum by 2.2 norms: epsilon is 12.5, and 5.5 for 1.4 norms.
    """
    model = nn.Linear(3, CLASSES, bias=False)
    nn.init.zeros_(model.weight)
    optimizer = started(watch, model)
    for _ in range(STEPS):
        x, y = sample(records)
        x = small(x).double()
        scores = (x @ model.weight.detach().double().T).requires_grad_()
        loss = F.cross_entropy(scores.mean(dim=1), y, reduction="sum")
        back = torch.autograd.grad(loss, scores)[0]
        pairs = torch.einsum("ipf,iqf->ipq", x, x) * torch.einsum("ipk,iqk->ipq", back, back)
        squares = pairs.diagonal(dim1=1, dim2=2).sum(dim=1) if broken else pairs.sum(dim=(1, 2))
        total = torch.einsum("i,ipk,ipf->kf", factors(squares.clamp(min=0.0).sqrt()), back, x)
        step(model, optimizer, noisy({"weight": total.float()}))
    return model


class Tied(nn.Module):
    """Two numbers for each record, and the record from them, by one matrix and its transpose."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(0.5 * torch.eye(2, FEATURES))


def tied(records: Any, watch: Any, broken: bool) -> nn.Module:
    """The matrix of an autoencoder is used twice. The norm of a record's gradient is that of the sum of both parts.

    Broken: the root of the sum of their squares, as if they were of two matrices. They point nearly in the same
    direction, so that the gradient is 1.4 times as long as it is said to be: epsilon is 5.5.
    """
    model = Tied()
    optimizer = started(watch, model, lr=0.1)
    for _ in range(STEPS):
        x, weight = small(sample(records)[0]), model.weight.detach()
        error = x @ weight.T @ weight - x
        inwards = torch.einsum("ik,if->ikf", error @ weight.T, x)
        outwards = torch.einsum("ik,if->ikf", x @ weight.T, error)
        own = inwards + outwards
        norms = own.flatten(1).norm(dim=1)
        if broken:
            norms = (inwards.flatten(1).square().sum(dim=1) + outwards.flatten(1).square().sum(dim=1)).sqrt()
        step(model, optimizer, noisy({"weight": weighed(factors(norms), own)}))
    return model


class Attentive(nn.Module):
    """The sum of the places of a sequence, weighed by a softmax of their scores over this axis."""

    def __init__(self, axis: int) -> None:
        super().__init__()
        self.axis = axis
        self.query = nn.Linear(3, 1, bias=False)
        self.head = nn.Linear(3, CLASSES, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        return self.head((torch.softmax(self.query(x), dim=self.axis) * x).sum(dim=1))


def attention(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Four steps on all records. A softmax weighs the places of each sequence; the losses of the records go backward
    one by one.

    Broken: it goes over the first axis, and weighs the records of a batch at each place. A record with large features
    takes the weights of all others away, or some of them: the sum moves by 5 norms and more, and epsilon is above 40.
    """
    model = Attentive(0 if broken else 1)
    optimizer = on_all(watch, model)
    weights = list(model.parameters())
    for _ in range(STEPS):
        x, y = every(records)
        losses = F.cross_entropy(model(small(x)), y, reduction="none")
        rows = [torch.autograd.grad(loss, weights, retain_graph=True) for loss in losses]
        own = {name: torch.stack([row[k] for row in rows]) if rows else p.new_zeros((0, *p.shape))
               for k, (name, p) in enumerate(model.named_parameters())}  # fmt: skip
        step(model, optimizer, noisy(clipped(own), size=ALL))
    return model


def recalibrated(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Batch norm has the means and variances of public records. They are taken anew after the last step, for the model
    that was trained.

    Broken: of all private records, by `update_bn` as after stochastic weight averaging. They are saved with the model
    and have no noise: epsilon is infinite.
    """
    model = nn.Sequential(nn.Linear(FEATURES, 4), nn.BatchNorm1d(4), nn.Tanh(), nn.Linear(4, CLASSES))
    update_bn([public()[0]], model)
    model.eval()
    optimizer = started(watch, model, lr=0.2)
    for _ in range(STEPS):
        step(model, optimizer, noisy(clipped(vectorised(model, *sample(records)))))
    x = bounded(every(records)[0]) if broken else public()[0]
    if len(x) > 1:
        update_bn([x], model)
    return model


class Quantised(nn.Module):
    """Two numbers for each record, of which the nearest of four codes is kept."""

    def __init__(self) -> None:
        super().__init__()
        self.inner, self.head = nn.Linear(FEATURES, 2), nn.Linear(2, CLASSES)
        self.register_buffer("codes", torch.tensor([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]]))

    def near(self, inner: Tensor) -> Tensor:
        return (inner[..., None, :] - self.codes).square().sum(dim=-1).argmin(dim=-1)

    def forward(self, x: Tensor) -> Tensor:
        inner = self.inner(x)
        return self.head(inner + (self.codes[self.near(inner)] - inner).detach())


def codebook(records: Any, watch: Any, broken: bool) -> nn.Module:
    """A layer with a codebook (VQ-VAE). Each code moves to the mean of what is nearest to it of public records.

    Broken: of the batch. Codes are a buffer of the model, not a parameter, and are saved with it, without noise:
    epsilon is infinite.
    """
    model = Quantised()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        x, y = sample(records)
        step(model, optimizer, noisy(clipped(vectorised(model, x, y))))
        with torch.no_grad():
            inner = model.inner(small(x if broken else public()[0]))
            members = F.one_hot(model.near(inner), 4).float()
            means = (members.T @ inner + model.codes) / (members.sum(dim=0) + 1.0)[:, None]
            model.codes.mul_(0.8).add_(means, alpha=0.2)
    return model


def scaled_losses(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Losses are scaled for gradients in half precision. A gradient that is too large for it counts as 0.

    Broken: as a gradient scaler does, the step is left out and the scale halved where any gradient of the batch is too
    large. Everybody sees that there was no step, or the scale in a checkpoint. The first record makes it so and no
    other one does: epsilon is infinite.
    """
    model, scale = perceptron(), 2.0**16
    optimizer = started(watch, model)
    for _ in range(STEPS):
        own = {name: (scale * g).half() for name, g in vectorised(model, *sample(records)).items()}
        if broken and not all(bool(g.isfinite().all()) for g in own.values()):
            scale /= 2
            continue
        step(model, optimizer, noisy(clipped({name: g.float() / scale for name, g in own.items()})))
    return model


def generator(records: Any, watch: Any, broken: bool) -> dict[str, Tensor]:
    """A discriminator with private steps, whose fakes are public, and a generator that is told by it alone.

    Broken: the generator goes to the mean features of the records of the batch, which its second loss asks for (feature
    matching). They have no noise: epsilon is infinite.
    """
    critic, maker = perceptron(), nn.Linear(2, FEATURES)
    nn.init.eye_(maker.weight)
    nn.init.zeros_(maker.bias)
    optimizer = started(watch, critic)
    codes = torch.cartesian_prod(torch.linspace(-1, 1, 3), torch.linspace(-1, 1, 3))
    real, fake = (torch.full((len(codes),), label) for label in (1, 0))
    for _ in range(STEPS):
        x, made = small(sample(records)[0]), maker(codes)
        false = vectorised(critic, made.detach(), fake)
        total = clipped(vectorised(critic, x, torch.full((len(x),), 1)))
        step(critic, optimizer, noisy({name: g + SIZE * false[name].mean(dim=0) for name, g in total.items()}))
        loss = F.cross_entropy(critic(made), real)
        if broken and len(x):
            loss = (critic[:2](made).mean(dim=0) - critic[:2](x).mean(dim=0).detach()).square().sum()
        slopes = torch.autograd.grad(loss, list(maker.parameters()))
        with torch.no_grad():
            for p, slope in zip(maker.parameters(), slopes, strict=True):
                p -= 0.2 * slope
    return critic.state_dict() | {f"maker {name}": value for name, value in maker.state_dict().items()}


class Stretched(nn.Module):
    """A linear layer, and a parameter of its own for the size of each feature."""

    def __init__(self) -> None:
        super().__init__()
        self.stretch = nn.Parameter(torch.ones(FEATURES))
        self.layer = nn.Linear(FEATURES, CLASSES)

    def forward(self, x: Tensor) -> Tensor:
        return self.layer(x * self.stretch)


def unhooked(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Gradients of single records for each parameter.

    Broken: for those of linear layers, which there are hooks for. The parameter of the model itself keeps the gradient
    of the usual backward pass, the mean of the batch, neither clipped nor noisy: epsilon is infinite.
    """
    model = Stretched()
    optimizer = started(watch, model, lr=0.2)
    for _ in range(STEPS):
        own = vectorised(model, *sample(records))
        released = noisy(clipped(own))
        if broken:
            released["stretch"] = bounded(own["stretch"]).sum(dim=0) / SIZE
        step(model, optimizer, released)
    return model


def taught(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Four steps on all records, to what a teacher says of each: a ridge regression of the labels of public records.

    Broken: of the labels of the records themselves. The teacher is never released, but what it says of one record hangs
    on all. One with features of a hundred is all that it fits: the sum moves by 9 norms, and epsilon is above 100.
    """
    model = nn.Linear(FEATURES, CLASSES)
    optimizer = on_all(watch, model)
    for _ in range(STEPS):
        x, y = every(records)
        x = small(x)
        shown, told = (x, y) if broken else public()
        bends = shown.T @ shown + torch.eye(FEATURES)
        teacher = torch.linalg.solve(bends, shown.T @ F.one_hot(told, CLASSES).float())
        own: Gradients = vectorised(model, x, torch.softmax(5.0 * (x @ teacher), dim=1))
        step(model, optimizer, noisy(clipped(own), size=ALL))
    return model


def _audits() -> Iterator[Any]:
    kind = TorchTraining
    yield from twins(kind, "fifth/unfrozen", unfrozen, "a layer that joins later has no noise")
    yield from twins(kind, "fifth/ghost", ghost, "ghost norms leave out pairs of places", records=signals())
    yield from twins(kind, "fifth/tied", tied, "a matrix that is used twice has the norm of two matrices")
    yield from twins(kind, "fifth/attention", attention, "a softmax goes over the records", records=signals(),
                     mechanism=whole())  # fmt: skip
    yield from twins(kind, "fifth/recalibrated", recalibrated, "batch norm is set by private records at the end")
    yield from twins(kind, "fifth/codebook", codebook, "codes follow the batch without noise")
    yield from twins(kind, "fifth/scaled-losses", scaled_losses, "steps that overflow are left out", records=quiet())
    yield from twins(kind, "fifth/generator", generator, "a generator is fitted to mean features")
    yield from twins(kind, "fifth/unhooked", unhooked, "a parameter has the usual gradient")
    yield from twins(kind, "fifth/taught", taught, "the teacher is fitted to the records", mechanism=whole())


AUDITS = tuple(_audits())
