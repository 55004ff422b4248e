"""Models and records of the trainings in `fourth_torch_layers.py`."""

from __future__ import annotations

import numpy as np
import torch
from _shared import CLASSES, FEATURES, RECORDS
from third_torch_data import alike
from torch import Tensor, nn
from torch_layers import LENGTH, signals


class Beside(nn.Module):
    """A frozen layer and the product of two small matrices beside it."""

    def __init__(self) -> None:
        super().__init__()
        self.base = nn.Linear(FEATURES, CLASSES).requires_grad_(False)
        self.down = nn.Parameter(0.5 * torch.randn(2, FEATURES))
        self.up = nn.Parameter(0.5 * torch.randn(CLASSES, 2))

    def forward(self, x: Tensor) -> Tensor:
        return self.base(x) + x @ self.down.T @ self.up.T


class Towers(nn.Module):
    """Two layers of one shape, whose outputs are multiplied, and a last one."""

    def __init__(self) -> None:
        super().__init__()
        self.left, self.right = nn.Linear(FEATURES, 4), nn.Linear(FEATURES, 4)
        self.head = nn.Linear(4, CLASSES)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(torch.tanh(self.left(x)) * torch.tanh(self.right(x)))


WORDS, PLACES = 12, 6


def texts() -> tuple[np.ndarray, np.ndarray]:
    """Texts of three words and of one class, filled up with zeros, but for the first one, which has six words."""
    rng = np.random.default_rng(8)
    words = np.zeros((RECORDS, PLACES), dtype=np.int64)
    words[:, :3] = np.stack([np.ones(RECORDS), np.full(RECORDS, 2), rng.integers(3, WORDS, size=RECORDS)], axis=1)
    words[0] = rng.integers(3, WORDS, size=PLACES)
    return words, (np.arange(RECORDS) % 10 == 0).astype(np.int64)


class Reading(nn.Module):
    """The sum of the embeddings of the words of a text, over the number of its places."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(WORDS, 4)
        self.head = nn.Linear(4, CLASSES, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        there = (x > 0).to(self.head.weight.dtype)[..., None]
        return self.head((there * self.embedding(x.clamp(0, WORDS - 1))).sum(dim=1) / x.shape[1])


def uneven() -> tuple[np.ndarray, np.ndarray]:
    """Sequences of one to five steps, filled up with zeros."""
    x, y = signals()
    long = np.random.default_rng(5).integers(1, LENGTH + 1, size=len(x))
    return x * (np.arange(LENGTH) < long[:, None])[:, :, None].astype(np.float32), y


class Cell(nn.Module):
    """A recurrent layer, one step at a time."""

    def __init__(self) -> None:
        super().__init__()
        self.inner, self.again, self.head = nn.Linear(3, 4), nn.Linear(4, 4, bias=False), nn.Linear(4, CLASSES)

    def forward(self, x: Tensor) -> Tensor:
        state = torch.tanh(self.inner(x[:, 0]))
        for place in range(1, x.shape[1]):
            state = torch.tanh(self.inner(x[:, place]) + self.again(state))
        return self.head(state)


class WideAndDeep(nn.Module):
    """A linear layer and two layers beside it."""

    def __init__(self) -> None:
        super().__init__()
        self.wide = nn.Linear(FEATURES, CLASSES)
        self.deep = nn.Sequential(nn.Linear(FEATURES, 8), nn.Tanh(), nn.Linear(8, CLASSES))

    def forward(self, x: Tensor) -> Tensor:
        return self.wide(x) + self.deep(x)


def two_labels() -> tuple[np.ndarray, np.ndarray]:
    """Records that look alike; labels 0 and 1, which are one class for the first task, and two for the second."""
    return alike()[0], np.arange(RECORDS) % 2


class Experts(nn.Module):
    """Two linear experts, of which a record has those that its second input says, times their gates."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = nn.Linear(FEATURES, 2)
        self.experts = nn.ModuleList([nn.Linear(FEATURES, CLASSES) for _ in range(2)])

    def forward(self, x: Tensor, chosen: Tensor) -> Tensor:
        gates = torch.softmax(self.gate(x), dim=-1) * chosen
        return torch.stack([gates[..., k : k + 1] * expert(x) for k, expert in enumerate(self.experts)]).sum(dim=0)
