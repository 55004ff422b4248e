"""How far random batches spread the statistics of a training, and the filters that tell one record from all others.

In units of the noise, a release has the covariance I + S, where S comes from the batches and from the parameters that
move with them. The filter (I + S)^-1 u sees a move u best: it leaves out what the other records do anyway, and
u (I + S)^-1 u is the square of the move over the spread. S is taken from a few trainings, and what it leaves out costs
power, never validity.
Source: Fisher, "The use of multiple measurements in taxonomic problems" (1936), with a covariance of low rank beside
that of the noise.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dpaudit.audit.structural.recording import Recording

Floats = NDArray[np.float64]
Key = tuple[str, int]

_MOST_ROWS = 128
_MOST_NUMBERS = 1 << 24
"""Of all rows together: a large model has fewer of them."""


@dataclass(frozen=True)
class Spread:
    """rows: (rows, numbers of a step) with S = rows^T rows, in units of the noise; places: where each release lies."""

    rows: Floats
    places: Mapping[str, slice]

    def filtered(self, moves: Mapping[str, Floats]) -> dict[str, Floats]:
        """(I + S)^-1 u of one step; moves: u by name, flat, in units of the noise. Of other shapes it is u itself."""
        known = {name: move for name, move in moves.items() if self._holds(name, move)}
        joint = np.zeros(self.rows.shape[1])
        for name, move in known.items():
            joint[self.places[name]] = move
        axes, lost = self._axes
        joint = joint - axes.T @ (lost * (axes @ joint))
        return {name: joint[self.places[name]] if name in known else move for name, move in moves.items()}

    @cached_property
    def _axes(self) -> tuple[Floats, Floats]:
        """The axes of the spread, orthonormal rows, and the share of a move along each that the filter leaves out. They
        stay what they are where the spread is so large that I + S would be S in floating point, and singular."""
        _, sizes, axes = np.linalg.svd(self.rows, full_matrices=False)
        with np.errstate(over="ignore"):
            return axes, 1 - 1 / (1 + sizes**2)

    def _holds(self, name: str, move: Floats) -> bool:
        place = self.places.get(name)
        return place is not None and place.stop - place.start == move.size


def spread(recordings: Sequence[Recording]) -> Spread | None:
    """From recordings on one data set with seeds of their own; None where fewer than two of them agree in shapes."""
    scales = [noise_scales(one) for one in recordings]
    steps = [_by_step(one, scale) for one, scale in zip(recordings, scales, strict=True)]
    shared = sorted(set.intersection(*(set(one) for one in steps))) if steps else []
    if len(steps) < 2 or not shared:
        return None
    sizes = {name: part.size for name, part in steps[0][shared[0]].items()}
    alike = [step for step in shared if all(_sizes(one[step]) == sizes for one in steps)]
    width = sum(sizes.values())
    most = min(_MOST_ROWS, _MOST_NUMBERS // max(width, 1)) // len(steps)
    if not alike or not width or most < 1:
        return None
    chosen = [alike[i] for i in np.unique(np.linspace(0, len(alike) - 1, most).astype(int))]
    ends = np.cumsum([0, *sizes.values()])
    rows = [_apart([np.concatenate([one[step][name] for name in sizes]) for one in steps]) for step in chosen]
    joint = np.concatenate(rows) / np.sqrt((len(steps) - 1) * len(chosen))
    if not np.isfinite(joint).all():
        return None
    return Spread(joint, {name: slice(int(ends[i]), int(ends[i + 1])) for i, name in enumerate(sizes)})


def noise_scales(recorded: Recording) -> dict[Key, float]:
    """The standard deviation of the noise of each release: as declared, else the root mean square of all noise of its
    name, else 1."""
    noises = defaultdict(list)
    for release in recorded.releases:
        if release.noise is not None:
            noises[release.name].append(release.noise.astype(np.float64).reshape(-1))
    sizes = {name: float(np.sqrt(np.mean(np.concatenate(parts) ** 2))) for name, parts in noises.items()}
    seen = {name: size for name, size in sizes.items() if size > 0 and np.isfinite(size)}
    return {(one.name, one.step): one.noise_scale or seen.get(one.name, 1.0) for one in recorded.releases}


def _by_step(recorded: Recording, scales: Mapping[Key, float]) -> dict[int, dict[str, Floats]]:
    """The statistics in units of the noise, by step and name, flat."""
    steps: dict[int, dict[str, Floats]] = defaultdict(dict)
    for one in recorded.releases:
        statistic = one.statistic.astype(np.float64).reshape(-1)
        steps[one.step][one.name] = statistic / scales[one.name, one.step]
    return steps


def _sizes(parts: Mapping[str, Floats]) -> dict[str, int]:
    return {name: part.size for name, part in parts.items()}


def _apart(values: Sequence[Floats]) -> Floats:
    stacked = np.stack(values)
    with np.errstate(invalid="ignore", over="ignore"):  # what is not finite is refused
        return np.asarray(stacked - stacked.mean(axis=0))
