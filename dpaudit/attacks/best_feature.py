"""One feature of a vector release: a coordinate, a difference of two, a count of repeats - whichever tells most.

A direction or a histogram of whole outputs sees little where outputs have many coordinates and one comparison gives
them away. The features are each coordinate; each minus the one before it along each axis, such as the same coordinate
of the step before; the sum of all; the largest minus the smallest; how many values differ; which of the first
coordinates are equal. The feature whose distribution on D is furthest from that on D' is cut into cells, and the score
is that of `histogram.Histogram`. Fitted on trials that are not counted, so that choosing costs power and never
validity.

Scores: how often the one feature that tells most was seen in the cell of this output on D, over how often on D', as a
logarithm.

Finds: a leak that one comparison gives away in outputs of many coordinates: one coordinate, the difference of two that
are neighbours along an axis, the sum, the range, how many values differ, or whether two of the first twelve coordinates
are equal.

Cannot find: leaks that only several features together show, and those beyond the first 2,000 coordinates that sum,
range and number of values do not show; it says nothing of outputs with one coordinate.

Needs: held-out trials, and outputs of one shape with two coordinates or more. No model of the release.

Costs: all features of up to 2,000 held-out trials a side are compared once; then all features of every trial are made,
of which one is used: time that grows with the coordinates times the axes.

Competes: as "best feature" in every `Release` and `Command`; elsewhere where a target file names it in `ATTACKS`.
`Release` also ranks candidate pairs of data sets by its features.

Source: comparisons as events are those of Bichsel, Gehr, Drachsler-Cohen, Tsankov, Vechev, "DP-Finder: finding
differential privacy violations by sampling and optimization" (2018).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from dpaudit.arithmetic.arrays import Array
from dpaudit.attacks._outputs import Outputs, finite, rows
from dpaudit.attacks.histogram import Histogram

_COMPARED = 12
"""Coordinates among which equality is looked at, pair by pair."""
_MOST_ROWS = 2_000
"""Trials of each side by which features are compared."""


@dataclass(frozen=True)
class BestFeature:
    """histogram: of the feature that was chosen; most: coordinates and differences that are looked at, the first
    ones."""

    most: int = 2_000
    histogram: Histogram = field(default_factory=Histogram)

    def fit(
        self,
        outputs_on_data: Outputs,
        outputs_on_neighbour: Outputs,
        data: object,
        neighbour: object,
        rng: np.random.Generator,
    ) -> Callable[[Outputs], Array]:
        """The score of outputs (trials, ...), larger on D; every score is 0 for outputs of one coordinate and with a
        side empty. Draws nothing from `rng`."""
        sides = outputs_on_data, outputs_on_neighbour
        if not all(map(len, sides)) or rows(outputs_on_data).shape[1] < 2:
            return lambda outputs: np.zeros(len(outputs))
        few = [features(side[:_MOST_ROWS], self.most) for side in sides]
        best = int(np.argmax([_distance(*columns) for columns in zip(*(table.T for table in few), strict=True)]))
        here, there = (self._column(side, best) for side in sides)
        fitted = self.histogram.fit(here, there, data, neighbour, rng)
        return lambda outputs: fitted(self._column(outputs, best))

    def _column(self, outputs: Outputs, place: int) -> Array:
        """One feature of all outputs, of a few at a time."""
        parts = [
            features(outputs[start : start + _MOST_ROWS], self.most)[:, place]
            for start in range(0, len(outputs), _MOST_ROWS)
        ]
        return np.concatenate([np.zeros(0), *parts])


def features(outputs: Outputs, most: int) -> Array:
    """(trials, features), the same features in the same order for outputs of one shape."""
    table = finite(outputs)
    flat = rows(table)
    steps = [rows(np.diff(table, axis=axis)) for axis in range(1, table.ndim)]
    ordered = np.sort(flat, axis=1)
    different = 1.0 + (np.diff(ordered, axis=1) > 0).sum(axis=1)
    whole = np.stack([flat.sum(axis=1), ordered[:, -1] - ordered[:, 0], different], axis=1)
    one, other = np.triu_indices(min(flat.shape[1], _COMPARED), k=1)
    equal = flat[:, one] == flat[:, other]
    return np.concatenate([whole, flat[:, :most], *(step[:, :most] for step in steps), equal], axis=1)


def largest_distance(outputs_on_data: Outputs, outputs_on_neighbour: Outputs) -> float:
    """How far the two sides are apart in the feature that tells most, from 0 to 1; 1 where their shapes differ."""
    if np.shape(outputs_on_data)[1:] != np.shape(outputs_on_neighbour)[1:]:
        return 1.0
    tables = (features(side, BestFeature.most) for side in (outputs_on_data, outputs_on_neighbour))
    return max(_distance(*columns) for columns in zip(*(table.T for table in tables), strict=True))


def _distance(first: Array, second: Array) -> float:
    """The largest distance of the two empirical distribution functions."""
    first, second = np.sort(first), np.sort(second)
    at = np.concatenate([first, second])
    below = [np.searchsorted(side, at, "right") / len(side) for side in (first, second)]
    return float(np.max(np.abs(below[0] - below[1])))
