"""Coordinates of one release that share one noise, or have none: their difference, or they themselves, leave bare.

One draw for a whole vector, as `rng.normal() + counts`, hides each coordinate and none of their differences. Equal
noise alone refutes nothing: a symmetric matrix may have symmetric noise, and a number may be released twice. What
refutes is that the coordinates move apart between neighbours.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpaudit.audit.structural.finding import Array
from dpaudit.audit.structural.measures import rounding
from dpaudit.audit.structural.random_bits import INTEGER, enough, shortest
from dpaudit.audit.structural.recording import Recording, Release

LEAST = 3
"""Releases in which coordinates must agree, however fine their noise is: there are many pairs of coordinates."""

Key = tuple[str, tuple[int, ...]]
"""The name of a release and the shape of its statistic."""


@dataclass(frozen=True)
class Shared:
    """places: of the coordinates, flat, (count,); signs: what each noise is multiplied by to be that of the first, 1 or
    -1, (count,); zero: none of them has noise."""

    places: NDArray[np.int64]
    signs: NDArray[np.float64]
    zero: bool


def shared_noise(recordings: Sequence[Recording]) -> dict[Key, list[Shared]]:
    """The coordinates whose noise agrees up to its sign, or is 0, in all releases of a name in all recordings, which
    must have seeds of their own; nothing where so few releases of that precision agree by chance."""
    noises: dict[Key, list[Array]] = defaultdict(list)
    for recording in recordings:
        for release in recording.releases:
            if release.noise is not None and np.any(release.noise):
                noises[release.name, release.statistic.shape].append(np.ravel(release.noise).astype(np.float64))
    found = {key: _groups(np.stack(rows)) for key, rows in noises.items()}
    return {key: groups for key, groups in found.items() if groups}


def bare_move(one: Release, other: Release, groups: Sequence[Shared]) -> tuple[str, float] | None:
    """What leaves without noise, in words, and how far it moves between two neighbours beyond rounding; None if nothing
    does."""
    change = np.ravel(other.statistic).astype(np.float64) - np.ravel(one.statistic).astype(np.float64)
    if one.noise is None or not np.isfinite(change).all():
        return None
    noise, slack = np.ravel(one.noise).astype(np.float64), rounding(one, "linf")
    for group in groups:
        own, moved = noise[group.places] * group.signs, change[group.places] * group.signs
        if np.any(own != own[0]) or (group.zero and own[0] != 0):
            continue
        low, high = (int(np.argmin(moved)), int(np.argmax(moved)))
        if group.zero and (size := float(np.abs(moved).max())) > slack:
            return f"coordinate {group.places[int(np.argmax(np.abs(moved)))]}", size
        if not group.zero and (size := float(moved[high] - moved[low])) > slack:
            first, second = sorted((low, high))
            what = "difference" if group.signs[low] == group.signs[high] else "sum"
            return f"the {what} of coordinates {group.places[first]} and {group.places[second]}", size
    return None


def _coarse(noises: Array) -> bool:
    """Does any number come in two releases? Then its precision is so low that numbers agree by chance."""
    rows = [np.unique(np.abs(row[row != 0])) for row in noises]
    return len(np.unique(np.concatenate(rows))) < sum(map(len, rows))


def _groups(noises: Array) -> list[Shared]:
    """noises: (releases, coordinates)."""
    if not np.isfinite(noises).all():
        return []
    if len(noises) < max(LEAST, INTEGER if _coarse(noises) else enough(noises, shortest(noises))):
        return []
    _, group, counts = np.unique(np.abs(noises[0]), return_inverse=True, return_counts=True)
    tied = np.flatnonzero((counts[group] > 1) | (noises[0] == 0))  # few, where the noise is drawn for each
    columns = noises[:, tied]
    first = columns[np.argmax(columns != 0, axis=0), np.arange(len(tied))]
    signs = np.where(first < 0, -1.0, 1.0)
    _, group = np.unique(columns * signs, axis=1, return_inverse=True)
    members = [np.flatnonzero(group == number) for number in range(group.max(initial=-1) + 1)]
    zero = [not np.any(columns[:, chosen[0]]) for chosen in members]
    return [
        Shared(tied[chosen], signs[chosen], bare)
        for chosen, bare in zip(members, zero, strict=True)
        if bare or len(chosen) > 1
    ]
