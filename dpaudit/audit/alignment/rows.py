"""Which rows of a recorded draw belong to the records of a replay, and the call that makes them again.

A draw that had one row for every record of the batch, or of the data set, has another number of rows on the neighbour.
The recorded number is drawn again from the recorded state; each record gets its own rows, a new record fresh ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from dpaudit.arithmetic.arrays import Integers
from dpaudit.audit.alignment.log import Ids, Shape

Value: TypeAlias = Any
"""What a random function takes and gives: numbers, shapes, arrays of NumPy, tensors."""
Index = Integers

ORDERS = ("randperm", "permutation")
"""Functions that draw an order of so many things."""
NOT_BY_ROW = ("shuffle", "permutation", "permuted", "choice", "sample", "multinomial", "choices", "spawn")
"""Functions whose arrays hold what is drawn from, not one entry for each record."""


@dataclass(frozen=True)
class Call:
    """A call of a random function."""

    function: Callable[..., Value]
    args: tuple[Value, ...]
    kwargs: dict[str, Value]

    @property
    def name(self) -> str:
        """Of the function, as the library calls it."""
        return str(getattr(self.function, "__name__", ""))

    def make(self) -> Value:
        """What it returns."""
        return self.function(*self.args, **self.kwargs)

    def changes(self) -> Value:
        """The array that is drawn into, None for functions that return a new one."""
        name = self.name
        inside = (name.endswith("_") and not name.endswith("__")) or self.kwargs.get("inplace") is True
        return self.args[0] if inside and self.args and is_array(self.args[0]) else None

    def numbers(self) -> str:
        """The whole numbers among the arguments and the lengths of lists, as text."""
        return ",".join(_shown(one) for one in (*self.args, *self.kwargs.values()) if _shown(one))


@dataclass(frozen=True)
class Fit:
    """axis: that of the records; recorded: how many rows it had; rows: for each record now its recorded row, -1 for new
    records; labels: a name for each record now."""

    axis: int
    recorded: int
    rows: Index
    labels: tuple[str, ...]


def places(recorded: Ids, present: Ids) -> tuple[Index, tuple[str, ...]]:
    """For each record that is present its place among the recorded ones, -1 if it is new, and its label; a record that
    is there twice has two places."""
    where = {one: place for place, one in enumerate(_numbered(recorded))}
    now = _numbered(present)
    rows = np.fromiter((where.get(one, -1) for one in now), np.int64, len(now))
    return rows, tuple([f"{member}/{before}" for member, before in now])


def _numbered(ids: Ids) -> list[tuple[int, int]]:
    """Each record with how often it was there before."""
    members = ids.tolist()
    if len(set(members)) == len(members):  # the usual case
        return [(member, 0) for member in members]
    seen: Counter[int] = Counter()
    found = []
    for member in members:
        found.append((member, seen[member]))
        seen[member] += 1
    return found


def fit(recorded: Shape, now: Shape, candidates: Iterable[tuple[Ids, Ids]]) -> Fit | None:
    """The axis on which the shapes differ as the records of one of the candidates do; None if there is none."""
    if len(recorded) != len(now):
        return None
    axes = [axis for axis, (one, two) in enumerate(zip(recorded, now, strict=True)) if one != two]
    if len(axes) > 1:
        return None
    for before, present in candidates:
        axis = axes[0] if axes else 0
        if now and len(before) == recorded[axis] and len(present) == now[axis]:
            return Fit(axis, recorded[axis], *places(before, present))
    return None


def by_row(call: Call, now: Shape, found: Fit, start: Callable[[str], None]) -> Value:
    """What the call gives with the recorded rows of the records that were there; None if it takes no such number.

    start(label): puts the generator where the new record of this label draws from, and for "" where the recording
    stood.
    """
    if call.name in ORDERS:
        return _order(call, found, start)
    new = [place for place, row in enumerate(found.rows) if row < 0]
    back = found.rows.copy()
    parts: list[Value] = []
    for number, place in enumerate(new):
        start(found.labels[place])
        parts.append(_resized(call, now, found.axis, np.array([place])))
        back[place] = found.recorded + number
    start("")
    source = np.zeros(found.recorded, dtype=np.int64)
    source[found.rows[found.rows >= 0]] = np.flatnonzero(found.rows >= 0)
    whole = _resized(call, now, found.axis, source)
    if whole is None or any(part is None for part in parts):
        return None
    value = take(join([whole, *parts], found.axis), found.axis, back)
    target = call.changes()
    return value if target is None else _written(target, value)


def _order(call: Call, found: Fit, start: Callable[[str], None]) -> Value:
    """The recorded order without those who left; the new ones come last. None for orders of what is in an array."""
    if not (call.args and isinstance(call.args[0], int | np.integer)):
        return None
    start("")
    arguments = (found.recorded, *call.args[1:])
    drawn = call.function(*arguments, **call.kwargs)
    where = np.full(found.recorded, -1, dtype=np.int64)
    where[found.rows[found.rows >= 0]] = np.flatnonzero(found.rows >= 0)
    kept = where[np.asarray(drawn)]
    order = np.concatenate([kept[kept >= 0], np.flatnonzero(found.rows < 0)])
    return order if isinstance(drawn, np.ndarray) else drawn.new_tensor(order)


def _resized(call: Call, now: Shape, axis: int, pick: Index) -> Value:
    """The call for the rows `pick` alone; None if nothing in it says how many rows there are."""
    wanted = (*now[:axis], len(pick), *now[axis + 1 :])
    size: Value = wanted
    args, kwargs, changed = list(call.args), dict(call.kwargs), False
    arrays = call.name not in NOT_BY_ROW

    def one(value: Value) -> Value:
        nonlocal changed
        if is_array(value) and arrays and tuple(value.shape)[: axis + 1] == now[: axis + 1]:
            changed = True
            return take(value, axis, pick)
        if isinstance(value, tuple | list) and tuple(value) == now:
            changed = True
            return size
        return value

    args, kwargs = [one(value) for value in args], {key: one(value) for key, value in kwargs.items()}
    if not changed and len(now) == 1 and kwargs.get("size") == now[0]:
        kwargs["size"], changed = len(pick), True
    counts = args[len(args) - len(now) :]
    if not changed and len(now) and all(isinstance(n, int | np.integer) for n in counts) and tuple(counts) == now:
        args[len(args) - len(now) :], changed = wanted, True
    return call.function(*args, **kwargs) if changed else None


def is_array(value: Value) -> bool:
    """Is it an array or a tensor with axes?"""
    return getattr(value, "ndim", 0) > 0 and hasattr(value, "dtype")


def shape_of(value: Value) -> Shape | None:
    """The shape of an array or a tensor, None for anything else."""
    return tuple(int(length) for length in value.shape) if is_array(value) else None


def take(value: Value, axis: int, index: Index) -> Value:
    """The rows of these numbers, as a new array; of a tensor in the same order in memory, in which torch draws."""
    if isinstance(value, np.ndarray):
        return np.take(value, index, axis=axis)
    import torch

    rows = value.index_select(axis, torch.as_tensor(index, device=value.device))
    order = sorted(range(value.ndim), key=lambda place: -value.stride(place))
    return rows if value.is_contiguous() else rows.permute(order).contiguous().permute(np.argsort(order).tolist())


def join(parts: Sequence[Value], axis: int) -> Value:
    """One array of all rows."""
    if len(parts) == 1:
        return parts[0]
    if isinstance(parts[0], np.ndarray):
        return np.concatenate(parts, axis=axis)
    import torch

    return torch.cat(list(parts), dim=axis)


def _written(target: Value, value: Value) -> Value:
    import torch

    with torch.no_grad():
        target.copy_(value)
    return target


def _shown(value: Value) -> str:
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        return str(int(value))
    if isinstance(value, range | list | tuple):
        return f"{len(value)}:{value}" if isinstance(value, range) else str(len(value))
    return ""
