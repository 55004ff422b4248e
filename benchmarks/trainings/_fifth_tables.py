"""Records of the fifth collection of trainings, in NumPy and elsewhere, and public tables that go with them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from _shared import CLASSES, FEATURES, RECORDS, table
from numpy.random import default_rng

SHAPE = (FEATURES, CLASSES)
ROWS, MISSING = 5, -9.0
SKETCH = default_rng(21).normal(size=(6, FEATURES * CLASSES)) / math.sqrt(6.0)
"""A public random projection of gradients."""

CENTRE = 2.0 * np.ones(FEATURES)
PUBLISHED = CENTRE + 4.0 * default_rng(22).normal(size=(5, FEATURES))
"""Records of a public benchmark."""

PROJECT = default_rng(23).normal(size=(FEATURES, FEATURES)) / math.sqrt(FEATURES)
"""The public weights of an extractor of features."""


def crowd() -> tuple[Any, Any]:
    """Users with five rows each; the rows of the first one are alike and large."""
    rng = default_rng(15)
    x, y = rng.normal(size=(RECORDS, ROWS, FEATURES)), rng.integers(CLASSES, size=RECORDS)
    x[0] = np.array([3.0, 0.0, 0.0, -3.0, 0.0, 0.0]) + 0.1 * rng.normal(size=(ROWS, FEATURES))
    return x.astype(np.float32), y


def holes() -> tuple[Any, Any]:
    """The table with half of its features missing, and a first record that is 300 times as large, with all of them."""
    x, y = table()
    x[0] *= 300.0
    lost = default_rng(16).random(x.shape) < 0.5
    lost[0] = False
    return np.where(lost, np.float32(MISSING), x), y


def rare() -> tuple[Any, Any]:
    """The table, whose first record alone has the last label."""
    x, y = table()
    y = np.where(np.arange(RECORDS) == 0, CLASSES - 1, np.arange(RECORDS) % (CLASSES - 1))
    return x, y


def stretched() -> tuple[Any, Any]:
    """The table, and a first record whose gradient for equal scores grows most when it is projected."""
    x, y = table()
    error = (np.ones(CLASSES) / CLASSES - np.eye(CLASSES)[0]) / math.sqrt(2.0 / 3.0)
    x[0], y[0] = 3.0 * np.linalg.svd(SKETCH.reshape(6, *SHAPE) @ error)[2][0], 0
    return x, y


def around() -> tuple[Any, Any]:
    """A first record, and others in the corners of a cube around it, all of one class but the first."""
    corners = np.arange(RECORDS)[:, None] >> np.arange(FEATURES) & 1
    x = CENTRE + 0.9 * (2.0 * corners - 1.0)
    x[0] = CENTRE
    return x.astype(np.float32), (np.arange(RECORDS) == 0).astype(np.int64)


def paired() -> tuple[Any, Any]:
    """Records whose first halves are alike, and a first one whose second half is 300 times as large."""
    x, y = table()
    x[:, : FEATURES // 2] = 1.0 + 0.2 * x[:, : FEATURES // 2]
    x[0, FEATURES // 2 :] *= 300.0
    return x, y


def clear() -> tuple[Any, Any]:
    """The table, and a first record of the second class that has no features."""
    x, y = table()
    x[0], y[0] = 0.0, 1
    return x, y


def series() -> tuple[Any, Any]:
    """Series of five steps of three numbers; the steps of the first one are alike and large."""
    rng = default_rng(18)
    x = rng.normal(size=(RECORDS, ROWS, 3))
    x[0] = np.array([2.0, -2.0, 2.0]) + 0.1 * rng.normal(size=(ROWS, 3))
    return x.astype(np.float32), rng.integers(CLASSES, size=RECORDS)
