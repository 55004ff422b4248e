"""What a training hands to its recorder, checked and copied: statistics, noise, record ids, declared numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpaudit.records.errors import ContentError

Array = NDArray[np.floating]
Ids = NDArray[np.int64]


def summed_up(
    statistic: ArrayLike, noise: ArrayLike | None, value: ArrayLike | None, name: str
) -> tuple[Array, Array | None, Array]:
    """Statistic, noise, and what is released, `value` or the sum; read-only. ContentError unless all have one shape."""
    before, added = real_numbers(statistic, name), None if noise is None else real_numbers(noise, name)
    given = (before, added, None if value is None else np.asarray(value))
    shapes = {array.shape for array in given if array is not None}
    if len(shapes) > 1:
        raise ContentError(f"release {name!r}: statistic, noise and value need one shape, got {sorted(shapes)}")
    if value is not None:
        return before, added, real_numbers(value, name)
    return before, added, before if added is None else real_numbers(before + added, name)


def real_numbers(values: ArrayLike, name: str) -> Array:
    """A read-only copy as floats of the precision that they have; float64 for integers."""
    array = np.array(values)
    if array.dtype.kind not in "biuf":
        raise ContentError(f"release {name!r} must be real numbers, got dtype {array.dtype}")
    floats = array if array.dtype.kind == "f" else array.astype(np.float64)
    floats.setflags(write=False)
    return floats


def record_ids(members: ArrayLike) -> Ids:
    """A read-only copy of record ids as int64, (size,); ContentError unless they are integers from 0."""
    array = np.array(members)
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise ContentError(f"record ids must be a list of integers, got dtype {array.dtype} and shape {array.shape}")
    if array.size and array.min() < 0:
        raise ContentError(f"record ids count from 0, got {array.min()}")
    ids = array.astype(np.int64)
    ids.setflags(write=False)
    return ids


def joined_ids(pieces: Sequence[Ids]) -> Ids:
    """The pieces of a batch, one after the other."""
    return np.concatenate(pieces) if pieces else np.zeros(0, dtype=np.int64)


def mask_of(ids: Ids) -> NDArray[np.bool_]:
    """Which ids up to the largest are in the list."""
    mask = np.zeros(int(ids.max(initial=-1)) + 1, dtype=np.bool_)
    mask[ids] = True
    return mask


def declared_number(what: str, number: float | None, name: str) -> float | None:
    """A sensitivity or a scale as a float, None where none is declared; ContentError unless it is finite from 0."""
    if number is None:
        return None
    if not 0 <= number < math.inf:
        raise ContentError(f"release {name!r}: {what} must be finite and at least 0, or None, got {number}")
    return float(number)


def of_all(ids: Ids, records: int) -> bool:
    """Are these all of several records, each once?"""
    return len(ids) == records > 1 and bool(np.array_equal(np.sort(ids), np.arange(records)))


def with_ids(drawn: Ids, more: Sequence[int]) -> Ids:
    """Both, in order where the drawn ones are; else the others come last."""
    both = np.concatenate([drawn, np.array(more, dtype=np.int64)])
    return np.sort(both) if np.all(np.diff(drawn) > 0) else both
