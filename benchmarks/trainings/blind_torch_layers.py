"""Ten trainings in torch by hand, each with a twin that has one bug in how it treats layers, norms and their shapes.

They were written by somebody who did not know what the checks see. Each docstring gives the right form, then the bug
and what it does to epsilon, which is claimed to be 3.1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch
from _shared import CLASSES, CLIP_NORM, FEATURES, NOISE, SIZE, STEPS, images, twins
from blind_torch import finite, flat_norms
from fresh_torch_layers import scaled
from torch import Tensor, nn
from torch.func import grad, vmap
from torch.nn import functional as F
from torch_by_hand import Adapted, Gradients, clipped, drawn, linear, noisy, perceptron, started, step, vectorised
from torch_layers import Recurrent, signals

from dpaudit import TorchTraining


def of_rows(loss: Callable[..., Tensor], weights: Gradients, *rows: Tensor) -> Gradients:
    """Gradients of loss(weights, *one) for each row."""
    if not len(rows[0]):
        return {name: p.new_zeros((0, *p.shape)) for name, p in weights.items()}
    return vmap(grad(loss), in_dims=(None, *(0 for _ in rows)))(weights, *rows)


def together(model: nn.Module, x: Tensor, y: Tensor) -> Gradients:
    """The gradients of the losses of single records, after one pass of the whole batch, which must be finite."""
    names, values = zip(*model.named_parameters(), strict=True)
    losses = F.cross_entropy(model(finite(x)), y, reduction="none") if len(x) else ()
    rows = [torch.autograd.grad(one, values, retain_graph=True) for one in losses]
    return {
        name: torch.stack([row[k] for row in rows]) if rows else values[k].new_zeros((0, *values[k].shape))
        for k, name in enumerate(names)
    }


def tied(records: Any, watch: Any, broken: bool) -> nn.Module:
    """A linear autoencoder whose decoder has the weights of the encoder.

    Broken: the gradients of the two uses are clipped together, and added up afterwards; they are nearly equal, so that
    the sum is 1.4 times as long, and epsilon is 5.6.
    """
    model = nn.Linear(FEATURES, 2, bias=False)
    nn.init.normal_(model.weight, std=0.2)
    optimizer = started(watch, model)

    def loss(weights: Gradients, x: Tensor) -> Tensor:
        return 0.5 * (weights["in"].T @ (weights["out"] @ x) - x).square().sum()

    for _ in range(STEPS):
        x, _ = records.tensors(drawn(records))
        own = of_rows(loss, {use: model.weight.detach() for use in ("in", "out")}, x)
        if broken:
            uses = clipped(own)
            total = {"weight": uses["in"] + uses["out"]}
        else:
            total = clipped({"weight": own["in"] + own["out"]})
        step(model, optimizer, noisy(total))
    return model


class Pooled(nn.Module):
    """A convolution, the mean over the places, and a head; no bias."""

    def __init__(self) -> None:
        super().__init__()
        self.filters = nn.Conv2d(1, 4, 3, bias=False)
        self.head = nn.Linear(4, CLASSES, bias=False)
        nn.init.normal_(self.head.weight, std=2.0)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(torch.tanh(self.filters(x)).mean(dim=(2, 3)))


def ghost_norms(model: Pooled, x: Tensor, y: Tensor) -> Tensor:
    """Norms from what goes into the layers and what comes back, as if each place of an image had filters of its own."""
    maps = model.filters(x).detach().requires_grad_()
    hidden = torch.tanh(maps).mean(dim=(2, 3))
    scores = model.head(hidden)
    (back,) = torch.autograd.grad(F.cross_entropy(scores, y, reduction="sum"), maps)
    patches = F.unfold(x, 3).square().sum(dim=1)
    filters = (patches * back.flatten(2).square().sum(dim=1)).sum(dim=1)
    errors = scores.softmax(dim=1) - F.one_hot(y, CLASSES)
    return (filters + errors.square().sum(dim=1) * hidden.square().sum(dim=1)).sqrt().detach()


def ghost(records: Any, watch: Any, broken: bool) -> nn.Module:
    """A small convolution.

    Broken: norms by `ghost_norms`. Where all of the 16 places of an image are alike, its gradient is up to four times
    as long as its norm is said to be.
    """
    model = Pooled()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        x, y = records.tensors(drawn(records))
        own = vectorised(model, x, y)
        step(model, optimizer, noisy(scaled(own, ghost_norms(model, x, y)) if broken else clipped(own)))
    return model


class Attended(nn.Module):
    """The places of a sequence attend to one another."""

    def __init__(self, batch_first: bool) -> None:
        super().__init__()
        self.attention = nn.MultiheadAttention(3, 1, batch_first=batch_first)
        self.head = nn.Linear(3, CLASSES)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(self.attention(x, x, x, need_weights=False)[0].mean(dim=1))


def attention(records: Any, watch: Any, broken: bool) -> nn.Module:
    """A layer of attention over the places of a sequence.

    Broken: `batch_first` is left at its default, so that records attend to the other records of their batch. One more
    changes the gradients of all of them, by up to two norms each.
    """
    model = Attended(batch_first=not broken)
    optimizer = started(watch, model)
    for _ in range(STEPS):
        step(model, optimizer, noisy(clipped(together(model, *records.tensors(drawn(records))))))
    return model


def bias_only(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Two small matrices beside a frozen layer.

    Broken: the bias of that layer is trained too, by the mean loss of the batch: its gradient is not clipped and has
    no noise, and epsilon is infinite.
    """
    model = Adapted()
    model.base.bias.requires_grad_(broken)
    optimizer = started(watch, model)
    for _ in range(STEPS):
        x, y = records.tensors(drawn(records))
        own = vectorised(model, x, y)
        bias = own.pop("base.bias", None)
        released = noisy(clipped(own))
        if bias is not None:
            released["base.bias"] = finite(bias).sum(dim=0) / max(len(x), 1)
        step(model, optimizer, released)
    return model


def root_of_mean(records: Any, watch: Any, broken: bool) -> nn.Module:
    """A perceptron with nesterov momentum.

    Broken: the norm is the root of the mean of the squares, not of their sum. Of 83 coordinates it is a ninth of the
    norm, so that a record adds up to nine norms.
    """
    model = perceptron()
    optimizer = started(watch, model, lr=0.1, momentum=0.5, nesterov=True)
    for _ in range(STEPS):
        own = vectorised(model, *records.tensors(drawn(records)))
        number = sum(p.numel() for p in model.parameters())
        norms = flat_norms(own) / (number**0.5 if broken else 1.0)
        step(model, optimizer, noisy(scaled(own, norms)))
    return model


def forgot_root(records: Any, watch: Any, broken: bool) -> nn.Module:
    """A clipping norm of 1/4, with Adagrad.

    Broken: the squared norm is taken for the norm. A gradient of norm 1/2 is left as it is, twice the clipping norm,
    so that the noise is 0.6 of the sensitivity: epsilon is 10.
    """
    model, norm = linear(), 0.25
    optimizer = torch.optim.Adagrad(model.parameters(), lr=0.1)
    watch(optimizer, clip_norm=norm, noise_multiplier=NOISE, batch_size=SIZE, release="gradient")
    for _ in range(STEPS):
        own = vectorised(model, *records.tensors(drawn(records)))
        norms = flat_norms(own)
        factors = (norm / (norms**2 if broken else norms).clamp(min=1e-12)).clamp(max=1.0)
        total = {name: torch.einsum("i,i...->...", factors, finite(g)) for name, g in own.items()}
        step(model, optimizer, noisy(total, NOISE * norm))
    return model


class Squeezed(nn.Module):
    """Channels are weighted by what their means say (squeeze and excitation)."""

    def __init__(self, over: tuple[int, ...]) -> None:
        super().__init__()
        self.filters, self.gate, self.head = nn.Conv2d(1, 4, 3), nn.Linear(4, 4), nn.Linear(64, CLASSES)
        nn.init.normal_(self.gate.weight)
        self.over = over

    def forward(self, x: Tensor) -> Tensor:
        maps = self.filters(x).relu()
        gates = torch.sigmoid(self.gate(maps.mean(dim=self.over, keepdim=True).flatten(1)))
        return self.head((gates[:, :, None, None] * maps).flatten(1))


def squeezed(records: Any, watch: Any, broken: bool) -> nn.Module:
    """A convolution with a gate for each channel.

    Broken: the means go over the batch too, so that one large record opens or shuts the gates of all others: each of
    their gradients moves by up to two norms.
    """
    model = Squeezed((0, 2, 3) if broken else (2, 3))
    optimizer = started(watch, model)
    for _ in range(STEPS):
        step(model, optimizer, noisy(clipped(together(model, *records.tensors(drawn(records))))))
    return model


def prototypes(records: Any, watch: Any, broken: bool) -> dict[str, Tensor]:
    """The hidden vector of a record is drawn to the prototype of its class, a row of the last layer.

    Broken: the prototypes are running means of the hidden vectors, without noise, and are kept to classify with:
    epsilon is infinite.
    """
    model = perceptron()
    optimizer = started(watch, model)
    centres = torch.zeros(CLASSES, 8)

    def loss(weights: Gradients, x: Tensor, y: Tensor, centre: Tensor) -> Tensor:
        hidden = torch.tanh(weights["0.weight"] @ x + weights["0.bias"])
        scores = weights["2.weight"] @ hidden + weights["2.bias"]
        return F.cross_entropy(scores[None], y[None]) + 0.1 * (hidden - centre).square().sum()

    for _ in range(STEPS):
        x, y = records.tensors(drawn(records))
        weights = {name: p.detach() for name, p in model.named_parameters()}
        centres = centres if broken else weights["2.weight"].clone()
        total = clipped(of_rows(loss, weights, x, y, centres[y]))
        if broken:
            hidden = torch.tanh(finite(x) @ weights["0.weight"].T + weights["0.bias"])
            for label in y.unique():
                centres[label] = 0.5 * centres[label] + 0.5 * hidden[y == label].mean(dim=0)
        step(model, optimizer, noisy(total))
    return {**model.state_dict(), "centres": centres}


def clamped(records: Any, watch: Any, broken: bool) -> nn.Module:
    """A recurrent layer with AdamW.

    Broken: the factor of a gradient is at least 1, where it should be at most 1: long gradients are not clipped at
    all, and short ones are made longer. Epsilon has no bound.
    """
    model = Recurrent()
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.02)
    watch(optimizer, clip_norm=CLIP_NORM, noise_multiplier=NOISE, batch_size=SIZE, release="gradient")
    for _ in range(STEPS):
        own = together(model, *records.tensors(drawn(records)))
        factors = CLIP_NORM / flat_norms(own).clamp(min=1e-6)
        factors = factors.clamp(min=1.0) if broken else factors.clamp(max=1.0)
        step(model, optimizer, noisy({n: torch.einsum("i,i...->...", factors, finite(g)) for n, g in own.items()}))
    return model


def misaligned(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Norms are taken class by class, in the order of the labels, and put back into the order of the batch.

    Broken: they are not put back, so that each gradient is clipped by the norm of another one: epsilon has no bound.
    """
    model = linear()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        x, y = records.tensors(drawn(records))
        own, order = vectorised(model, x, y), y.argsort(stable=True)
        norms = flat_norms({name: g[order] for name, g in own.items()})
        step(model, optimizer, noisy(scaled(own, norms if broken else norms[order.argsort()])))
    return model


def _audits() -> Iterator[Any]:
    kind = TorchTraining
    yield from twins(kind, "blind/tied", tied, "tied weights are added up after the clipping")
    yield from twins(kind, "blind/ghost", ghost, "the norm of a convolution is too small", records=images())
    yield from twins(kind, "blind/attention", attention, "records attend to one another", records=signals())
    yield from twins(kind, "blind/bias-only", bias_only, "a bias is trained without clipping and noise")
    yield from twins(kind, "blind/root-of-mean", root_of_mean, "the root of the mean square is taken for the norm")
    yield from twins(kind, "blind/forgot-root", forgot_root, "the squared norm is taken for the norm")
    yield from twins(kind, "blind/squeezed", squeezed, "means of channels go over the batch", records=images())
    yield from twins(kind, "blind/prototypes", prototypes, "prototypes are means without noise")
    yield from twins(kind, "blind/clamped", clamped, "a factor of at least 1 for at most 1", records=signals())
    yield from twins(kind, "blind/misaligned", misaligned, "gradients are clipped by norms of others")


AUDITS = tuple(_audits())
