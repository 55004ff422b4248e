"""Candidate records in which neighbouring data sets differ, and the pairs that they make.

Records are an array or a tuple of equally long arrays, as in `dpaudit.audit.structural.data_sets`: the features are
the deepest array, the rest are labels. A record is added at the end, or takes the place of the last one.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from dpaudit.audit.structural.data_sets import Records, rows
from dpaudit.content.audits import Data
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.privacy import Neighbours

Arrays = tuple[Records, ...]
Pair = tuple[Data, Data]

FAR = 10.0
"""How many times as far out as the farthest given record the far candidates are."""
GIVEN = 3
"""Given records that are tried as they are."""


def checked(name: str, records: Data, what: str = "records", least: int = 2) -> Data:
    """`records` as arrays; ConfigurationError unless there are `least` at least, equally many in each array.

    A list of arrays of several shapes is a tuple of them, and so are the tensors of a torch TensorDataset. what: is
    said of them; a data set of a pair may have one record, and texts.
    """
    records, kinds = getattr(records, "tensors", records), "biuf" if least > 1 else "biufUS"
    try:
        parts = tuple(np.asarray(part) for part in (records if isinstance(records, tuple) else (records,)))
    except ValueError as error:  # features beside labels
        if not isinstance(records, list):
            raise ConfigurationError(
                f"{name}: {what} must be an array or a tuple of arrays ({error}); "
                "write a list of (x, y) as (all x, all y)"
            ) from error
        return checked(name, tuple(records), what, least)
    lengths = [len(part) if part.ndim else 0 for part in parts]
    if not parts or len(set(lengths)) != 1 or lengths[0] < least or any(part.dtype.kind not in kinds for part in parts):
        shown = ", ".join(f"{part.dtype} {part.shape}" for part in parts)
        raise ConfigurationError(
            f"{name}: {what} must be an array of numbers or a tuple of such arrays, the first axis of each the same "
            f"{'two' if least == 2 else 'one'} or more records, got {shown or 'nothing'}"
        )
    return parts if isinstance(records, tuple) else parts[0]


def candidates(
    records: Data, relation: Neighbours, rng: np.random.Generator, empty: Arrays | None = None
) -> Iterator[tuple[str, Pair]]:
    """(what the record is, the data set and its neighbour), in a fixed order, the easiest to tell apart first.

    empty: as in `pair`. In the first pairs no other record has the bright feature, so that sampling them adds no noise
    of its own along the gradient of the record (the gradient canary of Nasr et al. 2023, section 4).
    """
    parts = _parts(records)
    place = _features(parts)
    if parts[place].dtype.kind == "f":
        quiet = _with(parts, place, _silenced(parts[place]))
        for label, record in (*_bright(parts, place), *_bright(parts, place, 1.0, "one feature")):
            yield f"{label}, a feature that no other record has", pair(_like(records, quiet), record, relation, empty)
    elif parts[place].ndim > 1 and len(known := np.unique(parts[place])) > 1:
        # Who numbers what occurs in the records moves all of them with the smallest number.
        least, most = np.maximum(parts[place], known[1]), np.minimum(parts[place], known[-2])
        for label, others, own in (("a", most, known[-1]), ("the smallest", least, known[0])):
            record = _with(tuple(part[0] for part in parts), place, np.full_like(parts[place][0], own))
            pairs = pair(_like(records, _with(parts, place, others)), record, relation, empty)
            yield f"a record of {label} number that no other has", pairs
    for label, record in _records(parts, rng):
        if relation is not Neighbours.REPLACE_ONE or not _same(record, _opposite(parts, record)):
            yield label, pair(records, record, relation, empty)


def lone_labels(
    records: Data, relation: Neighbours, empty: Arrays | None = None, unseen: bool = True
) -> Iterator[tuple[str, Pair]]:
    """Pairs whose record is the only one of its label: the largest, which the others lose, and one that nobody had.

    Nothing where the records have no whole numbers for labels. empty: as in `pair`; unseen: the second one too. What
    counts the labels that occur, such as a model with as many outputs, is of another shape on the neighbour.
    """
    parts = _parts(records)
    place = _labels(parts)
    if place is None:
        return
    known, first = np.unique(parts[place]), tuple(part[0] for part in parts)
    if len(known) > 1:
        others = _with(parts, place, np.minimum(parts[place], known[-2]))
        lone = _with(first, place, known[-1])
        yield "the only record of its label", _lone(_like(records, others), lone, relation, empty)
    if unseen and known[-1] < np.iinfo(parts[place].dtype).max:
        record = _with(first, place, known[-1] + 1)
        yield "a record with a label that no other has", _lone(records, record, relation, empty)


def _lone(records: Data, record: Arrays, relation: Neighbours, empty: Arrays | None) -> Pair:
    """As `pair`; where a record is replaced, the last one stands in its place."""
    last = tuple(part[-1] for part in _parts(records))
    return pair(records, record, relation, last if relation is Neighbours.REPLACE_ONE else empty)


def crafted(name: str, records: Data, number: int) -> Data:
    """`number` canaries for an audit of one training, in the shapes and types of the records: each is blank but for one
    feature, which is as bright as the longest record is long, and which no other canary has.

    Features of which the records have least come first. Where there are more canaries than features, some share one,
    under other labels and with the other sign as far as there are any. Records that are not finite are not looked at.
    ConfigurationError without features in floats.
    """
    parts = _parts(records)
    place = _features(parts)
    features = parts[place].reshape(len(parts[place]), -1)
    if number < 1 or features.dtype.kind != "f" or not features.shape[1]:
        raise ConfigurationError(
            f"{name}: crafted canaries are at least one record with a feature in floats, got {number} of "
            f"{features.dtype} {parts[place].shape[1:]}; write a target file with canaries= for other records"
        )
    squares = features[np.isfinite(features).all(axis=1)].astype(np.float64) ** 2
    energy, longest = squares.sum(axis=0), float(np.sqrt(squares.sum(axis=1).max(initial=0.0)))
    numbers, width = np.arange(number), features.shape[1]
    bright = np.zeros((number, width), dtype=features.dtype)
    signs = 1 - 2 * (numbers // width % 2)
    bright[numbers, np.argsort(energy, kind="stable")[numbers % width]] = (longest or 1.0) * signs
    turns = numbers + numbers // width
    made = tuple(
        bright.reshape(number, *part.shape[1:]) if i == place else _cycled(part, turns) for i, part in enumerate(parts)
    )
    return _like(records, made)


def _cycled(labels: Records, turns: Records) -> Records:
    """Labels that the data have, each in its turn; of floats, the rows of the least and of the largest sum."""
    known = np.unique(labels, axis=0)
    if labels.dtype.kind == "f":
        order = np.argsort(known.reshape(len(known), -1).sum(axis=1), kind="stable")
        known = known[order[[0, -1]]]
    return np.asarray(known[turns % len(known)])


def pair(records: Data, record: Arrays, relation: Neighbours, empty: Arrays | None = None) -> Pair:
    """The data set with `record` and its neighbour: without it, with its opposite, or with `empty` in its place."""
    parts = _parts(records)
    if relation is Neighbours.ADD_OR_REMOVE:
        return _like(records, _appended(parts, record)), records
    other = _opposite(parts, record) if empty is None else empty
    kept = _parts(rows(records, slice(0, -1)))
    return _like(records, _appended(kept, record)), _like(records, _appended(kept, other))


def one_record(name: str, records: Data, canary: Data) -> Arrays:
    """The user's canary in the shapes and types of the records; ConfigurationError if it has others."""
    parts = _parts(records)
    listed = isinstance(canary, tuple) or (isinstance(canary, list) and isinstance(records, tuple))
    given = tuple(canary) if listed else (canary,)
    if len(given) != len(parts) or any(np.shape(one) != part.shape[1:] for one, part in zip(given, parts, strict=True)):
        wanted = ", ".join(str(part.shape[1:]) for part in parts)
        got = ", ".join(str(np.shape(one)) for one in given)
        raise ConfigurationError(f"{name}: a canary is one record, of shape {wanted}, got {got}")
    return tuple(np.asarray(one).astype(part.dtype) for one, part in zip(given, parts, strict=True))


def _records(parts: Arrays, rng: np.random.Generator) -> Iterator[tuple[str, Arrays]]:
    place = _features(parts)
    features = parts[place]
    lengths = np.linalg.norm(features.reshape(len(features), -1).astype(np.float64), axis=1)
    farthest = int(np.argmax(lengths))
    if features.dtype.kind == "f":
        far = tuple(part[farthest] for part in parts)
        outside = FAR * features[farthest]
        yield "a far record", _with(far, place, outside)
        yield "a far record with another label", _wrong(_with(far, place, outside), parts, place)
        yield "a far record on the other side", _with(far, place, -outside)
        yield from _bright(parts, place)
        # Its gradient is short: what is wrong below the clipping norm, such as a square taken for a norm, shows here.
        blank = _with(tuple(part[0] for part in parts), place, np.zeros_like(features[0]))
        yield "a blank record", blank
        yield "a blank record with another label", _wrong(blank, parts, place)
    for number in rng.choice(len(features), min(GIVEN, len(features)), replace=False):
        given = tuple(part[number] for part in parts)
        yield f"the given record {number}", given
        if len(parts) > 1:
            yield f"the given record {number} with another label", _wrong(given, parts, place)


def _bright(
    parts: Arrays, place: int, far: float = FAR, what: str = "one bright feature"
) -> Iterator[tuple[str, Arrays]]:
    """A blank record with one feature, the one that the others have least of, under two labels; far: how many times as
    bright as the brightest of theirs. A feature that is too bright saturates a network, whose gradient then hangs on
    the path."""
    features = parts[place]
    bright = np.zeros_like(features[0]).reshape(-1)
    bright[_faintest(features)] = far * max(float(np.abs(features).max()), 1.0)
    blank = _with(tuple(part[0] for part in parts), place, bright.reshape(features.shape[1:]))
    yield f"a blank record with {what}", blank
    yield f"a blank record with {what} and another label", _wrong(blank, parts, place)


def _same(one: Arrays, other: Arrays) -> bool:
    return all(map(np.array_equal, one, other))


def _faintest(features: Records) -> int:
    energy = (features.reshape(len(features), -1).astype(np.float64) ** 2).sum(axis=0)
    return int(np.argmin(energy))


def _silenced(features: Records) -> Records:
    """The features with the faintest one blank in every record."""
    quiet = features.copy()
    quiet.reshape(len(quiet), -1)[:, _faintest(features)] = 0
    return quiet


def _opposite(parts: Arrays, record: Arrays) -> Arrays:
    """The features turned around where they are signed floats, and another label."""
    place = _features(parts)
    turned = -record[place] if parts[place].dtype.kind == "f" else parts[place][0]
    return _with(record, place, turned)


def _wrong(record: Arrays, parts: Arrays, place: int) -> Arrays:
    """The record with every label changed to another one that the data have, or to minus it."""
    return tuple(one if i == place else _other(one, parts[i]) for i, one in enumerate(record))


def _other(label: Records, labels: Records) -> Records:
    known = np.unique(labels, axis=0)
    others = known[[not np.array_equal(one, label) for one in known]]
    return np.asarray(others[-1] if len(others) else label)


def _features(parts: Arrays) -> int:
    """The place of the features: floats before integers, of the most dimensions, the first of them."""
    return max(range(len(parts)), key=lambda i: (parts[i].ndim, parts[i].dtype.kind == "f", -i))


def _labels(parts: Arrays) -> int | None:
    """The place of the labels: one whole number a record, beside features."""
    features = _features(parts)
    numbers = (i for i, part in enumerate(parts) if i != features and part.ndim == 1 and part.dtype.kind in "iu")
    return next(numbers, None)


def _with(record: Arrays, place: int, value: ArrayLike) -> Arrays:
    return tuple(
        np.asarray(value, dtype=one.dtype) if i == place else one for i, one in enumerate(map(np.asarray, record))
    )


def _appended(parts: Arrays, record: Arrays) -> Arrays:
    return tuple(
        np.concatenate([part, np.asarray(one, dtype=part.dtype)[None]]) for part, one in zip(parts, record, strict=True)
    )


def _parts(data: Data) -> Arrays:
    return tuple(np.asarray(part) for part in data) if isinstance(data, tuple) else (np.asarray(data),)


def _like(data: Data, parts: Arrays) -> Data:
    return parts if isinstance(data, tuple) else parts[0]
