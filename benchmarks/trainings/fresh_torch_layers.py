"""Six trainings in torch by hand, each with one bug in how it takes norms over layers, parameters and places; written
before any check saw one.

Each docstring says what is broken, and why the true epsilon is above the claimed one. `broken=False` is the right form,
where no training of the other modules has it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from _shared import CLASSES, CLIP_NORM, NOISE, RECORDS, STEPS, broken_twin, twins
from torch import Tensor, nn
from torch.nn import functional as F
from torch_by_hand import (
    Adapted,
    Gradients,
    clipped,
    drawn,
    noisy,
    perceptron,
    single,
    started,
    step,
    vectorised,
    watched,
)
from torch_layers import LENGTH, WORDS, signals

from dpaudit import TorchTraining


def scaled(gradients: Gradients, norms: Tensor) -> Gradients:
    """The sum of the gradients, each multiplied by what brings its norm, said to be `norms`, down to the bound."""
    factors = torch.where(norms.isfinite(), (CLIP_NORM / norms.clamp(min=1e-12)).clamp(max=1.0), torch.zeros(()))
    kept = {name: torch.nan_to_num(g, 0.0, 0.0, 0.0) for name, g in gradients.items()}
    return {name: torch.einsum("i,i...->...", factors, g) for name, g in kept.items()}


def largest_norm(records: Any, watch: Any) -> nn.Module:
    """The norm is taken as the largest of those of four parameters: up to twice the bound, and above 1.4 of it for a
    record of norm 1, whose weights and biases have gradients alike in norm."""
    model = perceptron()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        own = vectorised(model, *records.tensors(drawn(records)))
        norms = torch.stack([g.flatten(1).norm(dim=1) for g in own.values()]).amax(dim=0)
        step(model, optimizer, noisy(scaled(own, norms)))
    return model


def adapter_norm(records: Any, watch: Any) -> nn.Module:
    """The norm of one of two adapters clips both: the other one's gradient is about as long, and as long as a record
    likes that lies along it, so that the sensitivity is at least 1.4."""
    model = Adapted()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        own = vectorised(model, *records.tensors(drawn(records)))
        step(model, optimizer, noisy(scaled(own, own["down"].flatten(1).norm(dim=1))))
    return model


def groups(records: Any, watch: Any) -> nn.Module:
    """Two groups of parameters are clipped to the whole norm each, with noise for one: a sensitivity of 2^0.5."""
    model = perceptron()
    pairs = [{"params": model[0].parameters(), "lr": 0.1}, {"params": model[2].parameters(), "lr": 0.5}]
    optimizer = torch.optim.SGD(pairs, lr=0.1)
    watched(watch, model, optimizer)
    for _ in range(STEPS):
        own = vectorised(model, *records.tensors(drawn(records)))
        parts = [{n: g for n, g in own.items() if n.startswith(layer)} for layer in ("0", "2")]
        step(model, optimizer, noisy({n: g for part in parts for n, g in clipped(part).items()}))
    return model


class Texts(nn.Module):
    """A small embedding and a large head without a bias, whose input is the mean over the words of a text."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(WORDS, 4)
        self.head = nn.Linear(4, CLASSES, bias=False)
        nn.init.normal_(self.embedding.weight, std=0.02)
        nn.init.normal_(self.head.weight, std=2.0)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(self.embedding(x.clamp(0, WORDS - 1)).mean(dim=1))


def ghost_norms(model: Texts, x: Tensor, y: Tensor) -> Tensor:
    """Norms from activations and what comes back to them; that of the embedding as if no word occurred twice."""
    vectors = model.embedding(x.clamp(0, WORDS - 1)).detach().requires_grad_()
    hidden = vectors.mean(dim=1)
    scores = model.head(hidden)
    (back,) = torch.autograd.grad(F.cross_entropy(scores, y, reduction="sum"), vectors)
    errors = scores.softmax(dim=1) - F.one_hot(y, CLASSES)
    head = errors.square().sum(dim=1) * hidden.square().sum(dim=1)
    return (back.square().sum(dim=(1, 2)) + head).sqrt().detach()


def repeated_words(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Texts; broken: norms by `ghost_norms`. A text of one word, five times, has five times the gradient of one place
    in one row, and its norm is taken as 5^0.5 times: it adds up to 2.2 times the norm."""
    model = Texts()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        x, y = records.tensors(drawn(records))
        own = vectorised(model, x, y)
        step(model, optimizer, noisy(scaled(own, ghost_norms(model, x, y)) if broken else clipped(own)))
    return model


def words(seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Numbers of words and labels; labels below CLASSES."""
    rng = np.random.default_rng(seed)
    return rng.integers(WORDS, size=(RECORDS, LENGTH)), rng.integers(CLASSES, size=RECORDS)


def places(records: Any, watch: Any, broken: bool) -> nn.Module:
    """The label of a sequence is told at each of its five places; broken: the gradient of each place is clipped as if
    it were a record, so that one record adds up to five times the norm."""
    model = nn.Linear(3, CLASSES)
    optimizer = started(watch, model)

    def loss(model: nn.Module, x: Tensor, y: Tensor) -> Tensor:
        return F.cross_entropy(model(x), y.expand(len(x)), reduction="sum")

    for _ in range(STEPS):
        x, y = records.tensors(drawn(records))
        parts = (
            vectorised(model, x.reshape(-1, 3), y.repeat_interleave(LENGTH)) if broken else single(model, x, y, loss)
        )
        step(model, optimizer, noisy(clipped(parts)))
    return model


def layer_noise(records: Any, watch: Any) -> nn.Module:
    """Each of two layers has half of the squared norm, and noise for its own half only: noise 1.2 / 2^0.5 of the
    sensitivity of both together."""
    model = perceptron()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        own = vectorised(model, *records.tensors(drawn(records)))
        released: Gradients = {}
        for layer in ("0", "2"):
            total = clipped({n: g for n, g in own.items() if n.startswith(layer)}, CLIP_NORM / 2**0.5)
            released |= noisy(total, NOISE / 2**0.5)
        step(model, optimizer, released)
    return model


def _audits() -> Iterator[Any]:
    kind = TorchTraining
    yield broken_twin(kind, "fresh/largest-norm", largest_norm, "the largest of four norms is taken for the norm")
    yield broken_twin(kind, "fresh/adapter-norm", adapter_norm, "the norm leaves one of two matrices out")
    yield broken_twin(kind, "fresh/groups", groups, "two groups have the whole norm each")
    yield from twins(kind, "fresh/repeated-words", repeated_words, "the norm of repeated words is too small",
                     records=words())  # fmt: skip
    yield from twins(kind, "fresh/places", places, "each place of a sequence is clipped by itself", records=signals())
    yield broken_twin(kind, "fresh/layer-noise", layer_noise, "each layer has noise for its own norm only")


AUDITS = tuple(_audits())
