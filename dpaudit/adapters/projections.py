"""The directions in which one record moves what a training releases, and the projections of a trial on them.

On a recorded path with the record in every random batch, and its replay on the neighbour, the difference of the
statistics before noise is what the record does to each release. The inner product of a noisy release with it, over the
variance of the noise where that is declared, keeps all that Gaussian noise leaves of the record on this path.
Source: the gradient canaries of Nasr et al., "Tight auditing of differentially private machine learning" (2023).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpaudit.audit.structural.finding import Shapes, matched, reshaped, shapes
from dpaudit.audit.structural.recording import Recording

Floats = NDArray[np.float64]
Key = tuple[str, int]


@dataclass(frozen=True)
class Directions:
    """steps: by name and number of the release, what the record adds to it, and 1/variance of its noise.

    moved: the root of the sum of squared moves, each in units of its noise where it has any; reshaped: what has another
    shape on the neighbour, in words; shapes: those on the recorded data set, where any is another on the neighbour;
    sign: 1 where the recorded data set is the first one of the pair, else -1.
    """

    steps: dict[Key, tuple[Floats, float]]
    moved: float
    reshaped: str = ""
    shapes: Shapes = field(default_factory=dict)
    sign: float = 1.0

    @property
    def columns(self) -> dict[int, int]:
        """The column of each step that moves."""
        return {step: column for column, step in enumerate(sorted({step for _, step in self.steps}))}

    @property
    def total(self) -> dict[str, Floats]:
        """The sum of the directions of each name, flat."""
        sums: dict[str, Floats] = {}
        for (name, _), (direction, _) in sorted(self.steps.items(), key=lambda item: item[0][1]):
            if name not in sums:
                sums[name] = direction.copy()
            elif sums[name].shape == direction.shape:
                sums[name] += direction
        return sums

    def row(self, values: Mapping[Key, ArrayLike], final: float) -> Floats:
        """The projections of one trial: a column for each step, and the final model's in the last one."""
        columns, row = self.columns, np.zeros(len(self.columns) + 1)
        for key, (direction, weight) in self.steps.items():
            value = np.asarray(values.get(key, 0.0), dtype=np.float64).reshape(-1)
            if value.size == direction.size:
                row[columns[key[1]]] += weight * float(value @ direction)
        row[-1] = final
        return row

    def row_of_shapes(self, done: Recording) -> Floats:
        """Of one trial, twice, whether all that leaves it is shaped as on the recorded data set: who sees it knows."""
        return np.full(2, 0.0 if reshaped(self.shapes, shapes(done)) else self.sign)


def directions(recorded: Recording, replayed: Recording) -> Directions:
    """What the record in which the two data sets differ does to each release that it moves."""
    steps: dict[Key, tuple[Floats, float]] = {}
    squares, spreads = 0.0, _spreads(recorded)
    for one, other in matched(recorded, replayed):
        with np.errstate(invalid="ignore", over="ignore"):
            apart = one.statistic.astype(np.float64).reshape(-1) - other.statistic.astype(np.float64).reshape(-1)
        scale = one.noise_scale or spreads.get(one.name, 1.0)
        if apart.any():
            steps[one.name, one.step] = apart, 1 / scale**2
            squares += float(apart @ apart) / scale**2
    here = shapes(recorded)
    changed = reshaped(here, shapes(replayed))
    return Directions(steps, float(np.sqrt(squares)), changed, here if changed else {})


def turned(found: Directions) -> Directions:
    """The same directions seen from the other data set."""
    steps = {key: (-direction, weight) for key, (direction, weight) in found.steps.items()}
    return replace(found, steps=steps, sign=-found.sign)


def final(outputs: Mapping[str, object], total: dict[str, Floats]) -> float:
    """The inner product of the outputs with the sums of the directions, by equal sizes in their order."""
    vectors: dict[int, list[Floats]] = defaultdict(list)
    for value in outputs.values():
        array = np.asarray(value)
        if array.dtype.kind in "biuf":
            vectors[array.size].append(array.astype(np.float64).reshape(-1))
    found = 0.0
    for direction in total.values():
        if vectors[direction.size]:
            found += float(vectors[direction.size].pop(0) @ direction)
    return found


def _spreads(recorded: Recording) -> dict[str, float]:
    """The root mean square of all noise of each name that has any: where its scale is not declared."""
    noises = defaultdict(list)
    for release in recorded.releases:
        if release.noise is not None:
            noises[release.name].append(release.noise.astype(np.float64).reshape(-1))
    sizes = {name: float(np.sqrt(np.mean(np.concatenate(parts) ** 2))) for name, parts in noises.items()}
    return {name: size for name, size in sizes.items() if size > 0 and np.isfinite(size)}
