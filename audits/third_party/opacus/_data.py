"""The data sets on which Opacus trains in `training.py`."""

from __future__ import annotations

from typing import Any

import numpy as np

RECORDS, FEATURES, CLASSES, FAR = 40, 40, 4, 1


def digits() -> tuple[Any, Any]:
    """Random features of length about 1, and labels."""
    rng = np.random.default_rng(0)
    return rng.normal(size=(RECORDS, FEATURES)) / FEATURES**0.5, rng.integers(0, CLASSES, RECORDS)


def sentences() -> tuple[Any, Any]:
    """Five words each; the last record is the only one that uses the last word."""
    rng = np.random.default_rng(1)
    given = rng.integers(0, 29, size=(RECORDS, 5)).astype(float)
    given[-1] = 29.0
    return given, rng.integers(0, CLASSES, RECORDS)


def sequences() -> tuple[Any, Any]:
    """Two tokens each. The last record: two long tokens that are nearly alike, with opposite targets."""
    rng = np.random.default_rng(2)
    given, targets = rng.normal(size=(RECORDS, 2, 2)), rng.normal(size=(RECORDS, 2))
    given[-1], targets[-1] = [[1e6, 0.0], [1e6, 100.0]], [-1.0, 1.0]
    return given, targets


def without(data: tuple[Any, Any], place: int) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    """The data, and the data with no record at a place."""
    from dpaudit.adapters.torch_records import empty_record

    other = tuple(part.copy() for part in data)
    for part, empty in zip(other, empty_record(data), strict=True):
        part[place] = empty
    return data, (other[0], other[1])


def far() -> tuple[Any, Any]:
    """The digits with a far record near the front, in the first physical batch, opposite to random ones."""
    features, labels = digits()
    features[FAR] = -1.0
    labels[FAR] = 0
    return features, labels


def rare_last() -> tuple[Any, Any]:
    """Short records of three classes, and a last one, of length 0, of the class that counts most."""
    features, labels = digits()
    features, labels = 0.3 * features, labels % (CLASSES - 1)
    features[-1], labels[-1] = 0.0, CLASSES - 1
    return features, labels
