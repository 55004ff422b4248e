"""The histogram attack: for outputs with few values, the log-ratio of how often each was seen on both sides.

Fitted on trials that are not counted, so that a wrong histogram costs power and never validity. A column of the output
with at most `values` distinct numbers is taken as it is, any other one is cut at its quantiles; a row is then one cell.
Cells are told apart by a 64-bit hash: two that collide are one.

Scores: the log-ratio of how often the cell of the output was seen on D and on D'; 0 for a cell that no held-out trial
fell into.

Finds: leaks in outputs with few values: counts, answers, events that are possible on one side only.

Cannot find: leaks in outputs with so many columns or values that few held-out trials share a cell; differences finer
than its quantile cells.

Needs: held-out trials, many more than there are cells. No model of the release.

Costs: sorting each column of the held-out trials, and a hash of each counted one.

Competes: as "histogram" in every `Release` and `Command`; elsewhere where a target file names it in `ATTACKS`. The
scores of `best_feature` and of `float_bits.low_bits` are those of a histogram.

Source: the empirical histogram testers of Ding, Wang, Wang, Zhang, Kifer, "Detecting violations of differential
privacy" (2018), and of Gilbert, McMillan, "Property testing for differential privacy" (2018).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpaudit.arithmetic.arrays import Array
from dpaudit.attacks._outputs import Outputs, rows
from dpaudit.records.errors import ConfigurationError

Words = NDArray[np.uint64]

_MULTIPLIERS = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9))


@dataclass(frozen=True)
class Histogram:
    """values: distinct numbers of a column up to which each is a cell of its own, and the number of quantile cells
    of any other column, at least 2; smoothing: trials added to each cell on both sides, above 0, so that cells that
    chance alone filled do not look like the best evidence; features: what to look at instead of the outputs.
    """

    values: int = 16
    smoothing: float = 2.0
    features: Callable[[Outputs], Outputs] | None = None

    def __post_init__(self) -> None:
        if not (self.values >= 2 and self.smoothing > 0):
            raise ConfigurationError(
                f"values must be at least 2, smoothing above 0, got {self.values}, {self.smoothing}"
            )

    def fit(
        self,
        outputs_on_data: Outputs,
        outputs_on_neighbour: Outputs,
        data: object,
        neighbour: object,
        rng: np.random.Generator,
    ) -> Callable[[Outputs], Array]:
        """The score of an output: log of its smoothed frequency on D over that on D'; 0 for what was never seen.

        Outputs (trials, ...), any shape after the first axis; nothing is drawn from `rng`. With a side empty every
        score is 0.
        """
        sides = [self._columns(side) for side in (outputs_on_data, outputs_on_neighbour)]
        edges = [_edges(column, self.values) for column in np.concatenate(sides).T]
        hashes = [_cells(side, edges) for side in sides]
        known, place = np.unique(np.concatenate(hashes), return_inverse=True)
        counts = [np.bincount(part, minlength=len(known)) for part in np.split(place, [len(sides[0])])]
        rates = [(count + self.smoothing) / max(len(side), 1) for count, side in zip(counts, sides, strict=True)]
        ratios = np.log(rates[0] / rates[1]) if all(map(len, sides)) else np.zeros(len(known))
        return lambda outputs: _look_up(_cells(self._columns(outputs), edges), known, ratios)

    def _columns(self, outputs: Outputs) -> Array:
        seen = np.asarray(outputs)
        return rows(seen if self.features is None else self.features(seen)) + 0.0  # -0.0 becomes 0.0


def _edges(column: Array, values: int) -> Array:
    """Ascending numbers, each a cell of its own, as are the gaps between them: the column's values or its quantiles."""
    own = np.unique(column)
    return own if len(own) <= values else np.unique(np.quantile(column, np.linspace(0, 1, values + 1), method="lower"))


def _cells(columns: Array, edges: list[Array]) -> Words:
    """One hash a row from the cells of its columns."""
    found = np.full(len(columns), 1, dtype=np.uint64)
    for column, start in zip(columns.T, edges, strict=True):
        place = np.searchsorted(start, column, "left") + np.searchsorted(start, column, "right")  # odd on an edge
        found = (found ^ place.astype(np.uint64)) * _MULTIPLIERS[0]
        found = (found ^ (found >> np.uint64(29))) * _MULTIPLIERS[1]
    return found


def _look_up(cells: Words, known: Words, ratios: Array) -> Array:
    if not len(known):
        return np.zeros(len(cells))
    place = np.minimum(np.searchsorted(known, cells), len(known) - 1)
    return np.asarray(np.where(known[place] == cells, ratios[place], 0.0), dtype=np.float64)
