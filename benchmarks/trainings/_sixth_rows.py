"""Records of a sixth collection of trainings, and public models that go with them."""

from __future__ import annotations

import math
from itertools import count
from typing import Any

import numpy as np
from _shared import CLASSES, FEATURES, RECORDS, table
from numpy.random import default_rng

STARTS = default_rng(61).normal(size=(3, FEATURES, CLASSES))
"""Public models, one of which a training starts from."""


def heavy() -> tuple[Any, Any]:
    """The table, whose first record is 300 times as large."""
    x, y = table()
    x[0] *= 300.0
    return x, y


def small() -> tuple[Any, Any]:
    """The table, and a first record whose gradient has norm 0.1 for equal scores."""
    x, y = table()
    x[0] *= 0.1 / (math.sqrt(2.0 / 3.0) * np.linalg.norm(x[0]))
    return x, y


def priced() -> tuple[Any, Any]:
    """Records in three groups with five features and a price near 1, but that the first one is 300 times as large."""
    x, y = table()
    x[:, -1] = 1.0 + 0.1 * x[:, -1]
    x[0] *= 300.0
    return x, y


def priced_in_public() -> tuple[Any, Any]:
    x, y = table(seed=1)
    x[:, -1] = 1.0 + 0.1 * x[:, -1]
    return x.astype(np.float64), y


def close() -> tuple[Any, Any]:
    """A table on which the second public model is right once more than the first, and the third less often."""
    for seed in count():
        x, y = table(seed)
        said = (x @ STARTS).argmax(axis=2)
        y = np.where(np.arange(RECORDS) % 2 == 0, said[1], said[0])
        right = (said == y).sum(axis=1)
        if right[1] == right[0] + 1 and right[2] < right[0] and said[1, 0] != said[0, 0]:
            return x, y


def lowest() -> tuple[Any, Any]:
    """Features and a target in the last place, which is 1 but for the first record, where it is -1."""
    x, y = table()
    x[:, -1] = 1.0
    x[0, -1] = -1.0
    return x, y


def lopsided() -> tuple[Any, Any]:
    """Records of one class that look alike, but for the first one, which is 30 times as large."""
    x = np.array([1.0, 1.0, 1.0, 0.0, 0.0, 0.0]) + 0.2 * default_rng(62).normal(size=(RECORDS, FEATURES))
    x[0] *= 30.0
    return x.astype(np.float32), (np.arange(RECORDS) == 0).astype(np.int64)


def rare_label() -> tuple[Any, Any]:
    """The table, whose first record alone has the last label."""
    x, y = table()
    return x, np.where(np.arange(RECORDS) == 0, CLASSES - 1, y % (CLASSES - 1))


def rare_words() -> tuple[Any, Any]:
    """Texts of one word each, six times; the first one has six words, each of which is in four others."""
    places = np.arange(RECORDS)
    words = np.where(places <= 24, 24 + places % 6, places % 10)[:, None] * np.ones(6, dtype=np.int64)
    words[0] = 24 + np.arange(6)
    return words, (places == 0).astype(np.int64)


def rewarded() -> tuple[Any, Any]:
    """Records of one class that look alike; the last feature is the reward, which is 1, and -1 for the first record."""
    x = 3.0 * lopsided()[0]
    x[0] /= 30.0
    x[:, -1] = np.where(np.arange(RECORDS) > 0, 1.0, -1.0)
    return x, np.zeros(RECORDS, dtype=np.int64)


def turned() -> tuple[Any, Any]:
    """Records of one class that look alike, and a first one in their cell that is large and goes elsewhere."""
    x, y = lopsided()
    x[0] = 300.0 * np.array([0.1, 0.1, -1.0, 1.0, 0.0, 0.0])
    return x, y


def minority() -> tuple[Any, Any]:
    """Records of one group that look alike, and a first one of another group that is opposite to them, and large."""
    x, y = lopsided()
    x[0] *= -1.0
    x[:, -1] = np.where(np.arange(RECORDS) > 0, -0.5, 0.5)
    return x, y


def signs() -> Any:
    """Records of four rows with six features; those of the first record are large, and at right angles."""
    x = default_rng(65).normal(size=(RECORDS, 4, FEATURES))
    two = np.array([[1.0, 1.0], [1.0, -1.0]])
    x[0] = 5.0 * np.hstack([np.kron(two, two), np.zeros((4, FEATURES - 4))])
    return x.astype(np.float32)
