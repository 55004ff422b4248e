"""Are two data sets neighbours in the stated relation? Tables of records are compared, anything else cannot be.

A table is an array or a list of records, a tuple of arrays that are equally long, or names to such arrays; the first
axis is the records. Records may be dictionaries of the same names, or tuples of texts and numbers. Their order is not
part of the relation: data sets are multisets of records.
"""

from __future__ import annotations

import datetime
import math
from collections import Counter
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from pathlib import PurePath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpaudit.arithmetic.arrays import Flags
from dpaudit.content.audits import Data
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.privacy import Neighbours

Parts = dict[str, NDArray[Any]]
"""The arrays of a table by name, all of one length."""

UNCHECKED = "it was not checked that the two data sets are neighbours"
"""What a verdict says of a pair that could not be compared, or must not be."""

_TEXTS = "SU"
_MOST_DENSE = 10_000_000
_PLAIN = (bytes, complex, set, frozenset, datetime.date, datetime.timedelta, Decimal, Fraction, PurePath)
"""Types without arrays in them, whose values are equal where they say so."""
_ALLOWED = {
    Neighbours.ADD_OR_REMOVE: "one record in one of them alone, and no other difference",
    Neighbours.REPLACE_ONE: "equally many records, of which exactly one differs",
    Neighbours.ZERO_OUT: "equally many records, of which exactly one differs and is empty, its features all 0 (or NaN, "
    "or the text ''), in one of the two",
}


def check_neighbours(data: Data, neighbour: Data, relation: Neighbours, empty: float = 0.0) -> bool:
    """True if `data` and `neighbour` are neighbours, False if they are no tables of records that can be compared.

    empty: what fills the features of the empty record of ZERO_OUT, beside 0. ConfigurationError if they are no
    neighbours, or equal: it says how many records differ, and what the relation allows.
    """
    if are_equal(data, neighbour):
        raise _refused("the two data sets are equal, 0 records differ, and nothing tells them apart", relation)
    one, other = _parts(data), _parts(neighbour)
    if one is None or other is None or not _comparable(one, other):
        return False
    objection = _objection(one, other, relation, empty)
    if objection and _are_turned(data, neighbour, relation, empty):
        return False
    if objection:
        raise _refused(objection, relation)
    return True


def are_equal(data: Data, neighbour: Data) -> bool:
    """Are the two one object, or arrays, tuples, lists or mappings of the same numbers in the same places?"""
    if data is neighbour:
        return True
    if type(data) is not type(neighbour):
        return False
    if isinstance(data, Mapping):
        return data.keys() == neighbour.keys() and all(are_equal(data[name], neighbour[name]) for name in data)
    if isinstance(data, tuple | list):
        return len(data) == len(neighbour) and all(map(are_equal, data, neighbour))
    if isinstance(data, np.ndarray) and data.dtype.names:
        return bool(data.dtype == neighbour.dtype) and all(are_equal(data[n], neighbour[n]) for n in data.dtype.names)
    if isinstance(data, np.ndarray) and data.dtype.kind == "O":
        return data.shape == neighbour.shape and are_equal(data.tolist(), neighbour.tolist())
    if hasattr(data, "toarray"):  # a sparse matrix
        return bool(data.shape == neighbour.shape and (data != neighbour).nnz == 0)
    if not isinstance(data, np.ndarray | np.generic | bool | int | float | str):
        return isinstance(data, _PLAIN) and data == neighbour
    one, other = np.asarray(data), np.asarray(neighbour)
    return one.shape == other.shape and one.dtype.kind == other.dtype.kind and bool(_alike(one, other).all())


def _refused(what: str, relation: Neighbours) -> ConfigurationError:
    other = ", or where your empty record is another one" if relation is Neighbours.ZERO_OUT else ""
    return ConfigurationError(
        f"the data sets of the pair are not neighbours: {what}; {str(relation)!r} allows {_ALLOWED[relation]}; change "
        "the pair or neighbours= of the claim, or say check_pair=False where they hold no records but counts or other "
        f"numbers{other}"
    )


def _objection(one: Parts, other: Parts, relation: Neighbours, empty: float) -> str:
    """Why two tables are not neighbours, in words; nothing if they are."""
    if any(len(part) and len(other[name]) and part.shape[1:] != other[name].shape[1:] for name, part in one.items()):
        return f"their records have the shapes {_shapes(one)} and {_shapes(other)}"
    mine, theirs = _apart(one, other)
    counts = (len(mine), len(theirs))
    right = sorted(counts) == [0, 1] if relation is Neighbours.ADD_OR_REMOVE else counts == (1, 1)
    if not right:
        return _words(one, other, counts)
    if relation is Neighbours.ZERO_OUT and not _one_is_empty(_record(one, *mine), _record(other, *theirs), empty):
        return "one record differs, and it is empty in both or in neither"
    return ""


def _are_turned(data: Data, neighbour: Data, relation: Neighbours, empty: float) -> bool:
    """Are they neighbours if a list of few long sequences holds columns, and a tuple of many short ones records?"""
    pair = (data, neighbour)
    items = [item for one in pair if isinstance(one, list | tuple) for item in one]
    longest = max((len(item) if hasattr(item, "__len__") else 0 for item in items), default=0)
    columns = all(isinstance(one, list) and len(one) < longest for one in pair)
    records = all(isinstance(one, tuple) and len(one) >= longest > 0 for one in pair)
    if not (columns or records):
        return False
    one, other = (_parts(tuple(part) if columns else list(part)) for part in pair)
    if one is None or other is None or not _comparable(one, other):
        return False
    return not _objection(one, other, relation, empty)


def _words(one: Parts, other: Parts, counts: tuple[int, int]) -> str:
    first, second = (len(next(iter(parts.values()))) for parts in (one, other))
    columns = "" if list(one) == [""] else f" in {len(one)} columns"
    return f"they have {first} and {second} records{columns}, of which {counts[0]} and {counts[1]} are not in the other"


def _comparable(one: Parts, other: Parts) -> bool:
    """Have they the same columns, numbers beside numbers and texts beside texts?"""
    return list(one) == list(other) and all(
        (part.dtype.kind in _TEXTS) == (other[name].dtype.kind in _TEXTS) for name, part in one.items()
    )


def _shapes(parts: Parts) -> str:
    return ", ".join(str(part.shape[1:]) for part in parts.values())


def _parts(data: Data) -> Parts | None:
    """The arrays of a table, None of what is no table of numbers, truth values or texts."""
    try:
        named = {name: _plain(part) for name, part in _columns(data).items()}
        parts = {name: np.asarray(part) for name, part in named.items() if not isinstance(part, str | bytes)}
    except (ValueError, TypeError, RuntimeError, LookupError):  # ragged lists, tensors elsewhere, no places from 0 on
        return None
    usable = len(parts) == len(named) > 0 and all(
        part.ndim and (part.dtype.kind in "biufc" or (part.dtype.kind in _TEXTS and _all_texts(named[name])))
        for name, part in parts.items()
    )
    return parts if usable and len({len(part) for part in parts.values()}) == 1 else None


def _columns(data: Data) -> dict[str, Any]:
    """The columns of a table by name, a single one without a name; none of a mapping whose keys are no names."""
    if isinstance(data, Mapping):
        return dict(data) if all(isinstance(name, str) for name in data) else {}
    if isinstance(data, tuple):
        return {str(place): part for place, part in enumerate(data)}
    names = data.dtype.names if isinstance(data, np.ndarray) else getattr(data, "columns", None)  # of a data frame
    if names is not None:
        return {str(name): data[name] for name in names}
    first: Any = data[0] if isinstance(data, list) and data else None
    if isinstance(first, dict) and all(isinstance(row, dict) and row.keys() == first.keys() for row in data):
        return _columns({name: [row[name] for row in data] for name in first})
    mixed = isinstance(first, tuple) and len({isinstance(cell, str) for cell in first}) == 2
    if mixed and all(isinstance(row, tuple) and len(row) == len(first) for row in data):
        return {str(place): list(column) for place, column in enumerate(zip(*data, strict=True))}
    return {"": data}


def _plain(part: Any) -> Any:
    """Objects of an array as a list, that may be numbers or texts; a sparse matrix of no great size as an array."""
    if hasattr(part, "toarray") and math.prod(part.shape) <= _MOST_DENSE:
        return part.toarray()
    kind = getattr(getattr(part, "dtype", None), "kind", "")  # of a series too
    return np.asarray(part).tolist() if kind == "O" else part


def _all_texts(part: Any) -> bool:
    """NumPy makes texts of the numbers that stand beside texts in a list, and 1 and 1.0 are not the same text."""
    return isinstance(part, np.ndarray) or all(isinstance(one, str | bytes) for one in np.asarray(part, object).flat)


def _apart(one: Parts, other: Parts) -> tuple[list[int], list[int]]:
    """The places of the records that each has and the other has not, as multisets."""
    sizes = [len(next(iter(parts.values()))) for parts in (one, other)]
    common = min(sizes)
    if common == 0:
        return list(range(sizes[0])), list(range(sizes[1]))
    equal = np.ones(common, dtype=bool)
    for name, part in one.items():
        same = _alike(part[:common], other[name][:common])
        equal &= same.all(axis=tuple(range(1, same.ndim)))
    places = [[*np.flatnonzero(~equal).tolist(), *range(common, size)] for size in sizes]
    rows = [[_row(mine, yours, place) for place in listed]
            for mine, yours, listed in ((one, other, places[0]), (other, one, places[1]))]  # fmt: skip
    return _left(places[0], rows[0], rows[1]), _left(places[1], rows[1], rows[0])


def _left(places: list[int], rows: list[bytes], others: list[bytes]) -> list[int]:
    """The places of the rows that are left when each of `others` takes one like it away."""
    spent, left = Counter(others), []
    for place, row in zip(places, rows, strict=True):
        if spent[row]:
            spent[row] -= 1
        else:
            left.append(place)
    return left


def _row(parts: Parts, others: Parts, place: int) -> bytes:
    """The bytes of a record, the same for numbers that are equal: of 0 and -0, of every NaN, of 1 and 1.0."""
    made = []
    for name, part in parts.items():
        row = np.asarray(part[place], dtype=np.result_type(part, others[name]))
        if row.dtype.kind in "fc":
            row = np.where(row != row, row.dtype.type(np.nan), row + row.dtype.type(0))
        made.append(row.tobytes())
    return b"".join(made)


def _alike(one: NDArray[Any], other: NDArray[Any]) -> Flags:
    return np.asarray((one == other) | ((one != one) & (other != other)))  # NaN is NaN


def _record(parts: Parts, place: int) -> Parts:
    return {name: np.asarray(part[place]) for name, part in parts.items()}


def _one_is_empty(one: Parts, other: Parts, empty: float) -> bool:
    """Is one record empty and the other not: its features, or, of columns, all numbers in which the two differ?

    Nothing says which columns are labels, that an empty record may keep.
    """
    features = max(
        one, key=lambda name: (one[name].ndim, one[name].dtype.kind == "f", one[name].dtype.kind not in _TEXTS)
    )
    named: list[tuple[str, ...]] = [(features,)]
    if one[features].ndim == 0:
        named.append(tuple(n for n in one if one[n].dtype.kind not in _TEXTS and not _alike(one[n], other[n]).all()))
    return any(
        sum(all(_is_blank(row[name], number) for name in names) for row in (one, other)) == 1
        for names in named
        for number in (0, empty, np.nan)
    )


def _is_blank(row: NDArray[Any], number: float) -> bool:
    """Is every number of the row this one? Texts are blank where they are empty."""
    return not row.any() if row.dtype.kind in _TEXTS else bool(_alike(row, np.asarray(number)).all())
