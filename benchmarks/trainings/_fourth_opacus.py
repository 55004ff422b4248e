"""Records and models of the fourth collection of trainings with Opacus; one table is that of a training in JAX too."""

from __future__ import annotations

import numpy as np
import torch
from _shared import CLASSES, FEATURES, RECORDS, table
from torch import Tensor, nn

WORDS, LENGTH = 30, 6


def texts() -> tuple[np.ndarray, np.ndarray]:
    """Texts of six words out of ten, and one of six others; all have one label but that one."""
    words = np.random.default_rng(11).integers(10, size=(RECORDS, LENGTH))
    words[0] = np.arange(LENGTH) + WORDS - LENGTH
    return words, (np.arange(RECORDS) == 0).astype(np.int64)


class Mean(nn.Module):
    """The mean of the embeddings of the words of a text; rows that it looks up are brought down to a norm, if any."""

    def __init__(self, most: float | None) -> None:
        super().__init__()
        self.embedding = nn.Embedding(WORDS, 8, max_norm=most)
        self.head = nn.Linear(8, CLASSES)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(self.embedding(x.clamp(0, WORDS - 1)).mean(dim=1))


def heavy() -> tuple[np.ndarray, np.ndarray]:
    """The table, with one record that is 300 times as large."""
    x, y = table()
    x[0] *= 300
    return x, y


def lopsided(large: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """Records of one class that look alike, but for the first one, which may be larger too."""
    x = np.array([1.0, 1.0, 1.0, 0.0, 0.0, 0.0]) + 0.2 * np.random.default_rng(9).normal(size=(RECORDS, FEATURES))
    x[0] *= large
    return x.astype(np.float32), (np.arange(RECORDS) == 0).astype(np.int64)


def zeroed(model: nn.Sequential | nn.Linear) -> nn.Module:
    """The model, whose last layer is 0, so that all scores are equal at the start."""
    last = model if isinstance(model, nn.Linear) else model[-1]
    for p in last.parameters():
        torch.nn.init.zeros_(p)
    return model
