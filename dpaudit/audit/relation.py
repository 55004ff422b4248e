"""Are two data sets neighbours in the stated relation? Tables of records are compared, anything else cannot be.

A table is an array or a list of records, a tuple of arrays that are equally long, or names to such arrays; the first
axis is the records. Their order is not part of the relation: data sets are multisets of records.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpaudit.content.audits import Data
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.privacy import Neighbours

Parts = dict[str, NDArray[Any]]
"""The arrays of a table by name, all of one length."""

UNCHECKED = "it was not checked that the two data sets are neighbours"
"""What a verdict says of a pair that could not be compared, or must not be."""

_TEXTS = "SU"
_ALLOWED = {
    Neighbours.ADD_OR_REMOVE: "one record in one of them alone, and no other difference",
    Neighbours.REPLACE_ONE: "equally many records, of which exactly one differs",
    Neighbours.ZERO_OUT: "equally many records, of which exactly one differs and is empty, its features all 0, in one "
    "of the two",
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
    if any(len(part) and len(other[name]) and part.shape[1:] != other[name].shape[1:] for name, part in one.items()):
        raise _refused(f"their records have the shapes {_shapes(one)} and {_shapes(other)}", relation)
    mine, theirs = _apart(one, other)
    counts = (len(mine), len(theirs))
    right = sorted(counts) == [0, 1] if relation is Neighbours.ADD_OR_REMOVE else counts == (1, 1)
    if not right:
        raise _refused(_words(one, other, counts), relation)
    if relation is Neighbours.ZERO_OUT:
        features = [_features(parts)[place] for parts, [place] in ((one, mine), (other, theirs))]
        if all(sum(bool(np.all(row == blank)) for row in features) != 1 for blank in (0, empty)):
            raise _refused("one record differs, and it is empty in both or in neither", relation)
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
    if not isinstance(data, np.ndarray | np.generic | bool | int | float | str):
        return False
    one, other = np.asarray(data), np.asarray(neighbour)
    return one.shape == other.shape and one.dtype.kind == other.dtype.kind != "O" and bool(_alike(one, other).all())


def _refused(what: str, relation: Neighbours) -> ConfigurationError:
    return ConfigurationError(
        f"the data sets of the pair are not neighbours: {what}; {str(relation)!r} allows {_ALLOWED[relation]}; change "
        "the pair or neighbours= of the claim, or say check_pair=False where they hold no records but numbers"
    )


def _words(one: Parts, other: Parts, counts: tuple[int, int]) -> str:
    first, second = (len(next(iter(parts.values()))) for parts in (one, other))
    return f"they have {first} and {second} records, of which {counts[0]} and {counts[1]} are not in the other"


def _comparable(one: Parts, other: Parts) -> bool:
    """Have they the same columns, numbers beside numbers and texts beside texts?"""
    return list(one) == list(other) and all(
        (part.dtype.kind in _TEXTS) == (other[name].dtype.kind in _TEXTS) for name, part in one.items()
    )


def _shapes(parts: Parts) -> str:
    return ", ".join(str(part.shape[1:]) for part in parts.values())


def _parts(data: Data) -> Parts | None:
    """The arrays of a table, None of what is no table of numbers, truth values or texts."""
    if isinstance(data, Mapping):
        named = {str(name): part for name, part in data.items()}
    elif isinstance(data, tuple):
        named = {str(place): part for place, part in enumerate(data)}
    else:
        named = {"": data}
    try:
        parts = {name: np.asarray(part) for name, part in named.items() if not isinstance(part, str | bytes)}
    except (ValueError, TypeError, RuntimeError):  # ragged lists, tensors that are not in memory
        return None
    usable = len(parts) == len(named) and all(
        part.ndim and part.dtype.kind in "biufc" + _TEXTS for part in parts.values()
    )
    return parts if usable and len({len(part) for part in parts.values()}) == 1 else None


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


def _alike(one: NDArray[Any], other: NDArray[Any]) -> NDArray[np.bool_]:
    return np.asarray((one == other) | ((one != one) & (other != other)))  # NaN is NaN


def _features(parts: Parts) -> NDArray[Any]:
    """The numbers of the most dimensions, floats before integers: what the empty record has none of."""
    return max(parts.values(), key=lambda part: (part.ndim, part.dtype.kind == "f", part.dtype.kind not in _TEXTS))
