"""The directions in which one record moves what a training releases, and the projections of a trial on them.

On a recorded path with the record in every random batch, and its replay on the neighbour, the difference of the
statistics before noise is what the record does to each release. The inner product of a noisy release with it, over the
variance of the noise where that is declared, keeps all that Gaussian noise leaves of the record on this path. Where
random batches spread the statistics too, `dpaudit.adapters.spreads` turns the direction away from their spread.
Source: the gradient canaries of Nasr et al., "Tight auditing of differentially private machine learning" (2023).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpaudit.adapters.spreads import Key, Spread, noise_scales
from dpaudit.adapters.step_laws import StepLaw
from dpaudit.adapters.zeros import Signs, patterns, told
from dpaudit.audit.structural.finding import Shapes, matched, reshaped, shapes
from dpaudit.audit.structural.recording import Recording

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Directions:
    """steps: by name and number of the release, the filter whose inner product with it is a projection; law: of the
    projections of the steps that move, None where none does.

    moved: the root of the sum of squared moves, each in units of its noise where it has any; separation: the same in
    units of noise and spread of the batches together, as far as that is known; reshaped: what has another shape on the
    neighbour, in words; shapes: those on the recorded data set, where any is another on the neighbour; sign: 1 where
    the recorded data set is the first one of the pair, else -1; zeros: which values are 0 on one data set alone.
    """

    steps: dict[Key, Floats]
    moved: float
    separation: float = 0.0
    law: StepLaw | None = None
    reshaped: str = ""
    shapes: Shapes = field(default_factory=dict)
    sign: float = 1.0
    zeros: Mapping[Key, Signs] = field(default_factory=dict)

    @property
    def columns(self) -> dict[int, int]:
        """The column of each step that moves."""
        return {step: column for column, step in enumerate(sorted({step for _, step in self.steps}))}

    @property
    def total(self) -> dict[str, Floats]:
        """The sum of the filters of each name, flat."""
        sums: dict[str, Floats] = {}
        for (name, _), along in sorted(self.steps.items(), key=lambda item: item[0][1]):
            if name not in sums:
                sums[name] = along.copy()
            elif sums[name].shape == along.shape:
                sums[name] += along
        return sums

    def row(self, values: Mapping[Key, ArrayLike], final: float) -> Floats:
        """The projections of one trial: a column for each step, what is told by zeros, and the final model's."""
        columns, row = self.columns, np.zeros(len(self.columns) + 2)
        for key, along in self.steps.items():
            value = np.asarray(values.get(key, 0.0), dtype=np.float64).reshape(-1)
            if value.size == along.size:
                row[columns[key[1]]] += float(value @ along)
        row[-2] = sum(told(signs, values[key]) for key, signs in self.zeros.items() if key in values)
        row[-1] = final
        return row

    def row_of_shapes(self, done: Recording) -> Floats:
        """Of one trial, three times: has what leaves it the shapes of the recorded data set? Who sees it knows."""
        return np.full(3, 0.0 if reshaped(self.shapes, shapes(done)) else self.sign)

    def scored(self, rows: Floats) -> Floats:
        """The log-likelihood ratio of each row of `row`, (trials, columns) -> (trials,), larger on the first data set
        of the pair; rows of shapes are scores themselves."""
        if self.law is None or self.shapes:
            return np.asarray(rows[:, 0])
        return self.sign * self.law.score(self.sign * rows[:, :-2])


def directions(pairs: Sequence[tuple[Recording, Recording]], spread: Spread | None = None) -> Directions:
    """What the record in which two data sets differ does to each release that it moves: the mean over the pairs of a
    recording with the record and one on the same path without it, one at least.

    spread: of the statistics without the record, None where batches are not random or nothing is known of it.
    """
    scales = noise_scales(pairs[0][0])
    paths = [_moves(recorded, replayed, scales) for recorded, replayed in pairs]
    moves: dict[int, dict[str, Floats]] = defaultdict(dict)
    for name, step in sorted({key for path, _ in paths for key in path}, key=lambda key: (key[1], key[0])):
        own = [path[name, step] for path, _ in paths if (name, step) in path]
        moves[step][name] = np.sum([one for one in own if one.shape == own[0].shape], axis=0) / len(paths)
    filters = {step: own if spread is None else spread.filtered(own) for step, own in moves.items()}
    steps = {(name, step): along / scales[name, step] for step, own in filters.items() for name, along in own.items()}
    squares = [sum(float(move @ move) for move in path.values()) for path, _ in paths]
    law = _law(moves, filters, paths[0][1])
    here = shapes(pairs[0][0])
    changed = reshaped(here, shapes(pairs[0][1]))
    separation = 0.0 if law is None else float(np.sqrt(law.shift.sum()))
    moved = float(np.sqrt(np.mean(squares)))
    shaped = here if changed else {}
    return Directions(steps, moved, separation, law, changed, shaped, zeros=patterns(pairs))


def measured(found: Directions, pairs: Sequence[tuple[Recording, Recording]]) -> Directions:
    """The directions with the shifts that the record has on other paths than those from which they were taken."""
    if found.law is None:
        return found
    columns, shift = found.columns, np.zeros(len(found.columns))
    for recorded, replayed in pairs:
        for one, other in matched(recorded, replayed):
            along = found.steps.get((one.name, one.step))
            if along is not None and along.size == one.statistic.size:
                apart = (one.statistic.astype(np.float64) - other.statistic.astype(np.float64)).reshape(-1)
                shift[columns[one.step]] += float(apart @ along) / len(pairs)
    return replace(found, law=replace(found.law, shift=np.maximum(found.sign * shift, 0.0)))


def _moves(
    recorded: Recording, replayed: Recording, scales: Mapping[Key, float]
) -> tuple[dict[Key, Floats], dict[Key, Floats]]:
    """What one path shows: the moves, and the statistics without the record, in units of the noise."""
    moves: dict[Key, Floats] = {}
    before: dict[Key, Floats] = {}
    for one, other in matched(recorded, replayed):
        key = one.name, one.step
        if key in scales:
            with np.errstate(invalid="ignore", over="ignore"):
                here, there = (side.statistic.astype(np.float64).reshape(-1) / scales[key] for side in (one, other))
                if (here - there).any():
                    moves[key], before[key] = here - there, there
    return moves, before


def _law(
    moves: Mapping[int, Mapping[str, Floats]], filters: Mapping[int, Mapping[str, Floats]], before: Mapping[Key, Floats]
) -> StepLaw | None:
    """The law of the projections as the recorded path and the noise alone tell it.

    A projection has the variance w (I + S) w = u w, which is its shift too.
    """
    if not moves:
        return None
    steps = sorted(moves)
    found = [sum(float(move @ filters[step][name]) for name, move in moves[step].items()) for step in steps]
    shift = np.maximum(found, 0.0)  # rounding may bring what the spread drowns below 0
    zero = np.zeros(1)
    centre = [
        sum(float((before.get((name, step), zero) * along).sum()) for name, along in filters[step].items())
        for step in steps
    ]
    return StepLaw(shift, np.array(centre), np.sqrt(np.maximum(shift, np.finfo(np.float64).tiny)))


def turned(found: Directions) -> Directions:
    """The same directions seen from the other data set."""
    steps = {key: -along for key, along in found.steps.items()}
    turned_zeros = {key: np.negative(signs) for key, signs in found.zeros.items()}
    return replace(found, steps=steps, sign=-found.sign, zeros=turned_zeros)


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
