"""What a structural check gives, and how recordings are matched and compared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from dpaudit.audit.structural.recording import Recording, Release
from dpaudit.records.verdict import Numbers, Outcome

Array = NDArray[np.floating]

ROUNDINGS = 2.0**10
"""How many roundings, relative to the size of a value, pass for equal: sums of many terms in another order."""


Pair = tuple[str, Recording, Recording]
"""A label, the recording on one data set, and its replay on another."""


Shapes = dict[tuple[str, str], frozenset[tuple[int, ...]]]
"""By kind, release or output, and name."""


@dataclass(frozen=True)
class Finding:
    """check: name of the check; outcome: REFUTED with a witness in `numbers`, CONSISTENT with what would have been
    seen, INCONCLUSIVE, or NOT_RUN with the reason; detail: one sentence."""

    check: str
    outcome: Outcome
    detail: str
    numbers: Numbers = ()


def code_of(check: str) -> str:
    """The name of a check as one word, as the command line and the documentation have it."""
    return check.replace(" ", "-")


def matched(recorded: Recording, replayed: Recording) -> Iterator[tuple[Release, Release]]:
    """The releases of both with the same name, number and shape, in recorded order."""
    others = {(r.name, r.step): r for r in replayed.releases}
    for release in recorded.releases:
        other = others.get((release.name, release.step))
        if other is not None and other.statistic.shape == release.statistic.shape:
            yield release, other


def starts_apart(one: Recording, other: Recording) -> bool:
    """Is the first statistic of a name another one?"""
    first = ((own, there) for own, there in matched(one, other) if own.step == 0)
    return any(not same(own.statistic, there.statistic, own.sensitivity or 0.0) for own, there in first)


def shapes(recording: Recording) -> Shapes:
    """The shapes of all releases and outputs."""
    found: dict[tuple[str, str], set[tuple[int, ...]]] = {}
    for release in recording.releases:
        found.setdefault(("release", release.name), set()).add(release.statistic.shape)
    for name, value in recording.outputs:
        found.setdefault(("output", name), set()).add(_shape(value))
    return {key: frozenset(several) for key, several in found.items()}


def reshaped(first: Shapes, second: Shapes) -> str:
    """The first release or output of another shape, or output that one of the two lacks, in words; empty if none."""
    for kind, name in dict.fromkeys([*first, *second]):
        one, two = (sorted(side.get((kind, name), ())) for side in (first, second))
        if one != two and (kind == "output" or (one and two)):
            shown = (" or ".join(map(str, side)) or "missing" for side in (one, two))
            return f"{kind} {name} is {', on the neighbour '.join(shown)}"
    return ""


def _shape(value: object) -> tuple[int, ...]:
    try:
        return np.asarray(value).shape
    except ValueError:  # ragged
        return ()


def precision(*arrays: Array) -> float:
    """The unit roundoff of the coarsest of the arrays; float64 for integers."""
    return max((_roundoff(a.dtype) for a in arrays if a.dtype.kind == "f"), default=_roundoff(np.dtype(np.float64)))


@cache
def _roundoff(kind: np.dtype[np.floating]) -> float:
    return float(np.finfo(kind).eps)


Key = tuple[str, int]
"""Of something in a recording: what kind of thing it is, and its place among those of its kind."""
STATISTIC = "statistic "
"""How the kind of a statistic begins; the name of its release follows."""


def first_difference(recorded: Recording, replayed: Recording) -> str:
    """The first statistic, public value or output that is not the same up to rounding, in words; empty if none."""
    return next((what for _, what in differences(recorded, replayed)), "")


def differences(recorded: Recording, replayed: Recording) -> Iterator[tuple[Key, str]]:
    """All of them."""
    for one, other in matched(recorded, replayed):
        if not same(one.statistic, other.statistic, one.sensitivity or 0.0):
            yield (f"{STATISTIC}{one.name}", one.step), f"{one.name} at step {one.step}"
    for kind, what, first, second in (
        ("public", "public value", recorded.public, replayed.public),
        ("output", "output", recorded.outputs, replayed.outputs),
    ):
        for place, (a, b) in enumerate(zip(first, second, strict=False)):
            if a[0] != b[0] or not same(a[1], b[1]):
                yield (kind, place), f"{what} {a[0]}"


def same(first: object, second: object, scale: float = 0.0) -> bool:
    """Are the values equal up to `ROUNDINGS` roundings of their largest number, or of `scale`?

    NaN equals NaN; any nesting of lists, tuples and dictionaries.
    """
    if isinstance(first, dict) and isinstance(second, dict):
        return list(first) == list(second) and all(same(first[key], second[key]) for key in first)
    if isinstance(first, (list, tuple)) and isinstance(second, (list, tuple)):
        return len(first) == len(second) and all(same(a, b) for a, b in zip(first, second, strict=True))
    try:
        one, two = np.asarray(first), np.asarray(second)
    except ValueError:  # ragged
        return bool(first == second)
    if one.shape != two.shape:
        return False
    if one.dtype.kind not in "biuf" or two.dtype.kind not in "biuf":
        return bool(np.all(one == two))
    if np.array_equal(one, two):  # the usual case
        return True
    return largest_difference(one, two) <= ROUNDINGS * precision(one, two) * max(_largest(one, two), scale)


def largest_difference(first: Array, second: Array) -> float:
    """The largest absolute difference of two arrays of one shape; infinite where just one is NaN or they are
    infinities of different sign, 0 where both are the same infinity or NaN."""
    one, two = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    alike = (one == two) | (np.isnan(one) & np.isnan(two))
    with np.errstate(invalid="ignore", over="ignore"):
        apart = np.where(alike, 0.0, np.abs(one - two))
    return float(np.max(np.where(np.isnan(apart), np.inf, apart), initial=0.0))


def _largest(*arrays: Array) -> float:
    finite = [np.abs(a[np.isfinite(a)].astype(np.float64)) for a in arrays]
    return max(float(np.max(a, initial=0.0)) for a in finite)
