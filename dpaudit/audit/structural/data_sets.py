"""Data as arrays whose first axis is the records, or tuples of such arrays; record ids are positions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dpaudit.content.audits import Data
from dpaudit.records.errors import ContentError
from dpaudit.records.privacy import Neighbours

Records: TypeAlias = NDArray[Any]
"""Records along the first axis, of whichever dtype the user gave."""


def size(data: Data) -> int:
    """The number of records; ContentError unless all arrays have as many."""
    arrays = _arrays(data)
    sizes = {len(array) for array in arrays}
    if len(sizes) != 1:
        raise ContentError(
            f"data must be an array of records or a tuple of equally long ones, got lengths {sorted(sizes)}"
        )
    return sizes.pop()


def equal(data: Data, other: Data) -> bool:
    """Are the data sets the same, NaN for NaN?"""
    pairs = zip(_arrays(data), _arrays(other), strict=True)
    return all(a.shape == b.shape and bool(np.all(_alike(a, b))) for a, b in pairs)


def different(data: Data, neighbour: Data) -> int:
    """The id of the record in which two data sets of one size differ; ContentError unless it is one."""
    changed = np.zeros(size(data), dtype=bool)
    for one, other in zip(_arrays(data), _arrays(neighbour), strict=True):
        changed |= ~_alike(one, other).reshape(len(changed), -1).all(axis=1)
    if changed.sum() != 1:
        raise ContentError(f"neighbours of one size must differ in one record, these differ in {int(changed.sum())}")
    return int(np.flatnonzero(changed)[0])


def _alike(one: Records, other: Records) -> Records:
    return np.asarray((one == other) | ((one != one) & (other != other)))  # NaN is NaN


def _arrays(data: Data) -> tuple[Records, ...]:
    arrays = tuple(np.asarray(part) for part in data) if isinstance(data, tuple) else (np.asarray(data),)
    if not arrays or any(array.ndim == 0 for array in arrays):
        raise ContentError(f"data must be an array of records or a tuple of them, got {type(data).__name__}")
    return arrays


def rows(data: Data, chosen: slice | Records) -> Data:
    """The chosen records, by a slice or an array of ids."""
    picked = tuple(array[chosen] for array in _arrays(data))
    return picked if isinstance(data, tuple) else picked[0]


def joined(data: Data, more: Data) -> Data:
    """The records of both, in this order."""
    parts = tuple(np.concatenate(pair) for pair in zip(_arrays(data), _arrays(more), strict=True))
    return parts if isinstance(data, tuple) else parts[0]


def with_changed(data: Data, change: Callable[[Records], Records], record: int = -1) -> Data:
    """The data with one record of the floats of most dimensions (features, not labels) changed."""
    arrays = [array.copy() for array in _arrays(data)]
    floats = [array for array in arrays if array.dtype.kind == "f"]
    deepest = max((array.ndim for array in floats), default=0)
    for array in floats:
        if array.ndim == deepest:
            array[record] = change(array[record])
    return tuple(arrays) if isinstance(data, tuple) else arrays[0]


def with_features(data: Data, change: Callable[[Records], Records], floats: bool) -> Data:
    """The data with the features of all records changed, those of most dimensions; numbers that are no floats only
    where there are no floats, and `floats` does not ask for them."""
    arrays = list(_arrays(data))
    real = any(array.dtype.kind == "f" for array in arrays)
    chosen = [i for i, array in enumerate(arrays) if array.dtype.kind in ("f" if real or floats else "biu")]
    depth = max((arrays[i].ndim for i in chosen), default=0)
    for i in chosen:
        if arrays[i].ndim == depth:
            arrays[i] = change(arrays[i])
    return tuple(arrays) if isinstance(data, tuple) else arrays[0]


def label_place(data: Data) -> int | None:
    """The place of the labels in a tuple: one whole number a record, beside features of which there are more."""
    arrays = _arrays(data)
    deepest = max(array.ndim for array in arrays)
    labels = (i for i, array in enumerate(arrays) if array.ndim == 1 < deepest and array.dtype.kind in "iu")
    return next(labels, None) if isinstance(data, tuple) else None


def relabelled(data: Data, change: Callable[[Records], Records]) -> Data:
    """The data with all labels changed, where there are labels."""
    place = label_place(data)
    changed = tuple(change(array) if i == place else array for i, array in enumerate(_arrays(data)))
    return changed if isinstance(data, tuple) else changed[0]


def natural_neighbours(data: Data, relation: Neighbours) -> list[Data]:
    """Without the last record, or with the last one turned around; none for zero-out: who knows the empty record?"""
    if relation is Neighbours.ADD_OR_REMOVE and size(data) > 1:
        return [rows(data, slice(0, -1))]
    return turned(data) if relation is Neighbours.REPLACE_ONE else []


def turned(data: Data, record: int = -1) -> list[Data]:
    """The data with one record turned around; where it is zero, with ones in its place.

    Where no feature is a float, as in texts of numbered words, a given record that differs takes its place: none where
    all records are equal.
    """
    found = [with_changed(data, lambda values: -values if np.any(values) else np.ones_like(values), record)]
    if equal(data, found[0]):
        order = np.arange(size(data))
        found = [rows(data, np.where(order == order[record], other, order)) for other in np.delete(order, record)]
    return [other for other in found if not equal(data, other)][:1]


def unlike(data: Data) -> list[int]:
    """Ids of some records that are unlike each other: the first one, one in the middle, the longest one, and the first
    one of the rarest label."""
    count, place = size(data), label_place(data)
    if not count:
        return []
    lengths = np.zeros(count)
    for array in _arrays(data):
        if array.ndim > 1 and array.dtype.kind in "biuf":
            flat = array.reshape(count, -1).astype(np.float64)
            with np.errstate(all="ignore"):
                lengths += np.nan_to_num((flat**2).sum(axis=1), nan=np.inf)
    found = [0, count // 2, int(np.argmax(lengths))]
    if place is not None:
        _, first, counts = np.unique(_arrays(data)[place], return_index=True, return_counts=True)
        found.append(int(first[np.argmin(counts)]))
    return list(dict.fromkeys(found))
