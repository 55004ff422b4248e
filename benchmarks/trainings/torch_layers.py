"""DP-SGD in torch on layers with a shape of their own: four trainings by hand, each with a twin that has one bug.

Embeddings of words, sequences, and what is clipped or decays layer by layer.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from _shared import CLASSES, CLIP_NORM, NOISE, RECORDS, SIZE, STEPS, table, twins
from torch import Tensor, nn
from torch.nn import functional as F
from torch_by_hand import Gradients, clipped, drawn, noisy, perceptron, single, started, step, vectorised

from dpaudit import TorchTraining

WORDS, LENGTH = 12, 5


def texts(seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Numbers of words (RECORDS, LENGTH) and labels."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(CLASSES, size=RECORDS)
    return (rng.integers(WORDS // 2, size=(RECORDS, LENGTH)) + 2 * labels[:, None]).astype(np.int64), labels


def signals(seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Sequences (RECORDS, LENGTH, 3) and labels."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(CLASSES, size=RECORDS)
    return rng.normal(loc=labels[:, None, None] - 1.0, size=(RECORDS, LENGTH, 3)).astype(np.float32), labels


class Words(nn.Module):
    """The mean of the embeddings of the words of a text."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(WORDS, 4)
        self.head = nn.Linear(4, CLASSES)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(self.embedding(x.clamp(0, WORDS - 1)).mean(dim=1))


def embedding(records: Any, watch: Any, broken: bool) -> nn.Module:
    model = Words()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        total = clipped(vectorised(model, *records.tensors(drawn(records))))
        released = noisy(total)
        if broken:  # "a word that does not occur needs no noise": its row stays as it is
            occurs = total["embedding.weight"].abs().sum(dim=1, keepdim=True) > 0
            released["embedding.weight"] = released["embedding.weight"] * occurs
        step(model, optimizer, released)
    return model


class Recurrent(nn.Module):
    """The last state of a recurrent layer decides."""

    def __init__(self) -> None:
        super().__init__()
        self.cell = nn.GRU(3, 4, batch_first=True)
        self.head = nn.Linear(4, CLASSES)

    def forward(self, x: Tensor, state: Tensor | None = None) -> Tensor:
        return self.head(self.cell(x, state)[1][0])


def recurrent(records: Any, watch: Any, broken: bool) -> nn.Module:
    """The state starts at zero for every record; or goes on from where the last batch has left it."""
    model = Recurrent()
    optimizer = started(watch, model)
    state = torch.zeros(1, 1, 4)

    def loss(model: nn.Module, x: Tensor, y: Tensor) -> Tensor:
        return F.cross_entropy(model(x[None], state), y[None])

    for _ in range(STEPS):
        x, y = records.tensors(drawn(records))
        total = clipped(single(model, x, y, loss))
        if broken and len(x):
            state = model.cell(x)[1].mean(dim=1, keepdim=True).detach()
        step(model, optimizer, noisy(total))
    return model


def layer_norms(records: Any, watch: Any, broken: bool) -> nn.Module:
    """Each of two layers has half of the squared norm; or its weights have, and its bias goes with them."""
    model = perceptron()
    optimizer = started(watch, model)
    for _ in range(STEPS):
        gradients = vectorised(model, *records.tensors(drawn(records)))
        total: Gradients = {}
        for layer in ("0", "2"):
            own = {name: g for name, g in gradients.items() if name.startswith(layer)}
            if broken:
                weights = torch.nan_to_num(own[f"{layer}.weight"], 0.0, 0.0, 0.0).flatten(1)
                factors = (CLIP_NORM / 2**0.5 / weights.norm(dim=1).clamp(min=1e-12)).clamp(max=1.0)
                kept = {n: torch.nan_to_num(g, 0.0, 0.0, 0.0) for n, g in own.items()}
                total |= {n: torch.einsum("i,i...->...", factors, g) for n, g in kept.items()}
            else:
                total |= clipped(own, CLIP_NORM / 2**0.5)
        step(model, optimizer, noisy(total))
    return model


def decayed(records: Any, watch: Any, broken: bool) -> nn.Module:
    """AdamW in two groups: weights decay, biases do not; or they decay by hand, by the size of the batch."""
    model = perceptron()
    weights = [p for name, p in model.named_parameters() if name.endswith("weight")]
    biases = [p for name, p in model.named_parameters() if name.endswith("bias")]
    groups = [{"params": weights, "weight_decay": 0.1}, {"params": biases, "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, lr=0.05)
    watch(optimizer, clip_norm=CLIP_NORM, noise_multiplier=NOISE, batch_size=SIZE, release="gradient")
    for _ in range(STEPS):
        x, y = records.tensors(drawn(records))
        released = noisy(clipped(vectorised(model, x, y)))
        if broken:  # decays by the share of the expected batch that was drawn
            released = {n: g + 0.1 * len(x) / SIZE * p.detach() for (n, g), p in
                        zip(released.items(), model.parameters(), strict=True)}  # fmt: skip
        step(model, optimizer, released)
    return model


def _pairs() -> Iterator[Any]:
    yield twins(TorchTraining, "hand/embedding", embedding, "no noise for words that do not occur", records=texts())
    yield twins(TorchTraining, "hand/recurrent", recurrent, "the state of the last batch goes on", records=signals())
    yield twins(TorchTraining, "hand/layer-norms", layer_norms, "biases are left out of the norm", records=table())
    yield twins(TorchTraining, "hand/decayed", decayed, "the decay follows the size of the batch", records=table())


AUDITS = tuple(audit for pair in _pairs() for audit in pair)
