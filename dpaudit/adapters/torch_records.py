"""Records as a torch Dataset that tells a `Recorder` which of them make a batch."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpaudit.audit.structural.data_sets import size
from dpaudit.audit.structural.handed import handing
from dpaudit.audit.structural.recording import Recorder
from dpaudit.content.audits import Data
from dpaudit.noise.tensors import Tensor, Torch, load_torch
from dpaudit.records.errors import ContentError

EMPTY = np.finfo(np.float32).min
"""Every number of the features of the empty record, which is in no batch; where no feature is a float, as in texts of
numbered words, all its signed integers are the least of their type."""


class Records:
    """What `train` gets: `len`, `[i]`, `__getitems__` for a DataLoader, `tensors(ids)` for loops written by hand.

    Floats come as torch's default type, integers as int64. A record is the tensors of its row, a tuple where the data
    are one. Batches are seen with `num_workers=0`, where a DataLoader asks for all records of a batch at once.
    """

    def __init__(self, data: Data, recorder: Recorder) -> None:
        torch = load_torch()
        self._plain = not isinstance(data, tuple)
        self._tensors = tuple(_tensor(torch, part) for part in ((data,) if self._plain else data))
        self._recorder, self._size, self._empty = recorder, size(data), _empty(data)
        self.batches = 0
        self.single = 0

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, place: int | Tensor) -> Tensor:
        """One record; reads that no batch declares are counted, and IndexError ends a loop."""
        if not isinstance(place, int | np.integer) and getattr(place, "ndim", 1) != 0:
            raise ContentError("records[i] is one record; for several call records.tensors(ids), so that they are seen")
        number = int(place)
        if not -self._size <= number < self._size:
            raise IndexError(f"record {number} of {self._size}")
        if self._empty[number]:
            raise ContentError(
                f"record {number} stands for no record, and is in no batch; read batches with a DataLoader "
                "(num_workers=0) or records.tensors(ids)"
            )
        self.single += 1
        return self._given(tuple(part[number] for part in self._tensors))

    def __getitems__(self, ids: Iterable[int] | Tensor) -> list[Tensor]:
        """The records of one batch, as a DataLoader asks for them."""
        chosen = load_torch().as_tensor(self._chosen(ids))
        return [self._given(parts) for parts in zip(*(part[chosen].unbind() for part in self._tensors), strict=True)]

    def tensors(self, ids: Iterable[int] | Tensor = None) -> Tensor:
        """The records of one batch as one tensor, or a tuple of them; ids: integers, all records if None.

        A replay may hand out other records than were drawn; `ids`, if it is a tensor or a list, then holds theirs.
        """
        chosen = load_torch().as_tensor(self._chosen(range(self._size) if ids is None else ids))
        return self._given(tuple(part[chosen] for part in self._tensors))

    def handing(self) -> AbstractContextManager[None]:
        """As of its recorder."""
        return handing(self._recorder)

    def _chosen(self, ids: Iterable[int] | Tensor) -> NDArray[np.int64]:
        self.batches += 1
        given = ids.tolist() if hasattr(ids, "tolist") else [int(one) for one in ids]
        members = self._recorder.batch(np.asarray(given, dtype=np.int64).reshape(-1))
        present = members[~self._empty[members]]
        self._recorder.draws.kept(present)
        if present.tolist() != given:
            _hand_back(ids, present)
        return present

    def _given(self, parts: tuple[Tensor, ...]) -> Tensor:
        return parts[0] if self._plain else parts


def _hand_back(ids: Iterable[int] | Tensor, present: NDArray[np.int64]) -> None:
    """Leave the records of the batch in what the training calls its ids, so that its own values follow them."""
    if isinstance(ids, list):
        ids[:] = present.tolist()
    elif load_torch().is_tensor(ids):
        given: Tensor = ids
        if given.ndim == 1:
            given.set_(load_torch().as_tensor(present, dtype=given.dtype, device=given.device))


def _tensor(torch: Torch, part: ArrayLike) -> Tensor:
    array = np.array(part)
    return torch.as_tensor(array, dtype=torch.get_default_dtype() if array.dtype.kind == "f" else torch.int64)


def empty_record(data: Data) -> tuple[NDArray[np.generic], ...] | None:
    """The record that stands for no record at all, in the shapes and types of the data; None where they have neither
    floats nor signed integers."""
    parts = [np.asarray(part) for part in (data if isinstance(data, tuple) else (data,))]
    kind = _telling(parts)
    if not kind:
        return None
    return tuple(np.full_like(part[0], _no_record(part)) if part.dtype.kind == kind else part[0] for part in parts)


def _empty(data: Data) -> NDArray[np.bool_]:
    """Which records are the empty one: all floats of them say so, or where there are none all signed integers."""
    parts = [np.asarray(part) for part in (data if isinstance(data, tuple) else (data,))]
    kind = _telling(parts)
    told = [part.reshape(len(part), -1) == _no_record(part) for part in parts if part.dtype.kind == kind]
    if not told:
        return np.zeros(size(data), dtype=bool)
    return np.asarray(np.logical_and.reduce([part.all(axis=1) for part in told]))


def _telling(parts: Iterable[NDArray[np.generic]]) -> str:
    """The kind of numbers that say that a record is none; empty where there are none that could."""
    kinds = {part.dtype.kind for part in parts}
    return next((kind for kind in "fi" if kind in kinds), "")


def _no_record(part: NDArray[np.generic]) -> np.generic:
    """What the numbers of these then are, in their type."""
    least = EMPTY if part.dtype.kind == "f" else np.iinfo(np.dtype(str(part.dtype))).min
    return part.dtype.type(least)
