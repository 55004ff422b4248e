"""Models and records of the trainings in `sixth_torch_layers.py` and `sixth_torch_data.py`."""

from __future__ import annotations

import numpy as np
import torch
from _shared import CLASSES, FEATURES, RECORDS, table
from torch import Tensor, nn


def spiked() -> tuple[np.ndarray, np.ndarray]:
    """The table, with a first record of which one feature is a hundred."""
    x, y = table(seed=41)
    x[0] = [100.0, 0.2, -0.1, 0.1, 0.2, -0.2]
    return x, y


def thousandfold() -> tuple[np.ndarray, np.ndarray]:
    """The table, with a first record that is three thousand times as large."""
    x, y = table(seed=42)
    x[0] *= 3000.0
    return x, y


class LowRank(nn.Module):
    """A frozen matrix and the product of two small ones beside it, of which one starts at given directions."""

    def __init__(self, directions: Tensor) -> None:
        super().__init__()
        self.base = nn.Linear(FEATURES, CLASSES).requires_grad_(False)
        self.down = nn.Parameter(directions.clone())
        self.up = nn.Parameter(torch.zeros(CLASSES, len(directions)))

    def forward(self, x: Tensor) -> Tensor:
        return self.base(x) + x @ self.down.T @ self.up.T


WORDS, PLACES = 12, 4


def sentences() -> tuple[np.ndarray, np.ndarray]:
    """Texts of four words of twelve, of which the last one is in the first text alone; and a class."""
    rng = np.random.default_rng(43)
    words = rng.integers(WORDS - 1, size=(RECORDS, PLACES))
    words[0, :2] = WORDS - 1
    return words.astype(np.int64), rng.integers(CLASSES, size=RECORDS)


class Spoken(nn.Module):
    """The mean of the embeddings of the words of a text, and a layer on it."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(WORDS, 3)
        nn.init.normal_(self.embedding.weight, std=2.0)
        self.head = nn.Linear(3, CLASSES)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(self.embedding(x.clamp(0, WORDS - 1)).mean(dim=-2))


class Remembering(nn.Module):
    """A recurrent cell that holds its state, which outlives many small inputs."""

    def __init__(self) -> None:
        super().__init__()
        self.inner, self.again = nn.Linear(3, 4, bias=False), nn.Linear(4, 4, bias=False)
        self.head = nn.Linear(4, CLASSES)
        nn.init.normal_(self.inner.weight, std=0.1)
        nn.init.eye_(self.again.weight)
        self.again.weight.data.mul_(2.0)
        self.state = torch.zeros(4)

    def forward(self, x: Tensor) -> Tensor:
        for place in range(x.shape[1]):
            self.state = torch.tanh(self.inner(x[0, place]) + self.again(self.state))
        return self.head(self.state)[None]


class Mixed(nn.Module):
    """Two linear experts, and a gate that weighs them."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = nn.Linear(FEATURES, 2, bias=False)
        self.left, self.right = nn.Linear(FEATURES, CLASSES), nn.Linear(FEATURES, CLASSES)
        nn.init.zeros_(self.gate.weight)

    def forward(self, x: Tensor) -> Tensor:
        share = torch.softmax(self.gate(x), dim=-1)
        return share[..., :1] * self.left(x) + share[..., 1:] * self.right(x)


def beats() -> tuple[np.ndarray, np.ndarray]:
    """Records of one class along a line: the first and the seventh of eight are large, others small and turned."""
    x = 0.05 * np.random.default_rng(51).normal(size=(RECORDS, FEATURES))
    x[:, 0] += np.where(np.isin(np.arange(RECORDS) % 8, (0, 6)), 6.0, -1.2)
    return x.astype(np.float32), np.zeros(RECORDS, dtype=np.int64)


def clipped_rows(rows: Tensor, most: float = 100.0) -> Tensor:
    """The gradients of the records, of which none is longer than a hundred norms; what is not finite counts as 0."""
    norms = rows.flatten(1).norm(dim=1)
    factors = torch.where(norms.isfinite(), (most / norms.clamp(min=1e-12)).clamp(max=1.0), torch.zeros(()))
    return torch.einsum("i,i...->i...", factors, torch.nan_to_num(rows, 0.0, 0.0, 0.0))


def jargon(seed: int = 52) -> tuple[np.ndarray, np.ndarray]:
    """Texts of four words. Each of the words of the first one is the only word of two texts more."""
    words = np.random.default_rng(seed).integers(1, 8, size=(RECORDS, PLACES))
    words[0] = [8, 9, 10, 11]
    words[1:9] = np.repeat([8, 9, 10, 11], 2)[:, None]
    return words.astype(np.int64), (np.arange(RECORDS) > 20).astype(np.int64)


def seldom_class() -> tuple[np.ndarray, np.ndarray]:
    """The table with one record of the first class, and others of the other two."""
    x = table(seed=53)[0]
    return 0.3 * x, np.where(np.arange(RECORDS) == 0, 0, 1 + np.arange(RECORDS) % 2)


def few_negatives() -> tuple[np.ndarray, np.ndarray]:
    """Two records of the first class, of which the first one has a large feature, and all others of the next class."""
    x, _ = spiked()
    return x, (np.arange(RECORDS) > 1).astype(np.int64)
