"""The timing attack: does the noise that a data set implies take as long as this release took?

A release y of a data set with the answer q carries the noise y - q. Where the law of (noise, time) does not depend on
the data set, both sides teach it. The score of (y, time) is the log of the frequency of (y - q(D), time) over that of
(y - q(D'), time): up to the cells, the likelihood ratio. Fitted on trials that are not counted, so that wrong cells, or
a time that sees the data otherwise, cost power and never validity.

Scores: how likely the pair of noise and time is if the data set is D, over D', as a logarithm.

Finds: samplers whose running time hangs on the noise that they drew, so that time tells the released value without its
noise.

Cannot find: what the joint law of noise and time does not tell, which is taken to be the same for both data sets: a
time that sees the data in another way is found less well.

Needs: releases of one number with their time, what would be released without noise, and held-out trials.
`dpaudit.audit.timing` measures times.

Costs: one pass over the held-out trials; measuring the times costs far more.

Competes: where a target file names `Timing` in `ATTACKS`; no adapter does.

Source: the timing attack on discrete samplers of Jin, McMurtry, Rubinstein, Ohrimenko, "Are We There Yet? Timing and
Floating-Point Attacks on Differential Privacy Systems" (2022), with a likelihood ratio as its decision.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.attacks._outputs import Outputs, rows
from dpaudit.records.errors import ContentError
from dpaudit.records.validation import check_count, check_number


@dataclass(frozen=True)
class Timing:
    """An attack on outputs (trials, 2): what was released, and how long it took.

    answer: what would be released of a data set without noise; cells: distinct noises and distinct times up to which
    each is a cell of its own, and the number of quantile cells otherwise, at least 2; smoothing: trials added to
    each pair of cells, above 0. Raises ConfigurationError.
    """

    answer: Callable[[Any], float]
    cells: int = 64
    smoothing: float = 0.5

    def __post_init__(self) -> None:
        check_count("cells", self.cells, 2)
        check_number("smoothing", self.smoothing, above=0.0)

    def fit(
        self,
        outputs_on_data: Outputs,
        outputs_on_neighbour: Outputs,
        data: object,
        neighbour: object,
        rng: np.random.Generator,
    ) -> Callable[[Outputs], Array]:
        """The score of outputs (trials, 2); draws nothing from `rng`. ContentError for outputs of another shape."""
        answers = self.answer(data), self.answer(neighbour)
        sides = [_checked(side) for side in (outputs_on_data, outputs_on_neighbour)]
        noise = np.concatenate([side[:, 0] - answer for side, answer in zip(sides, answers, strict=True)])
        time = np.concatenate([side[:, 1] for side in sides])
        noises, times = _edges(noise, self.cells), _edges(time, self.cells)
        shape = 2 * len(noises) + 1, 2 * len(times) + 1
        pairs = np.ravel_multi_index((_cells(noise, noises), _cells(time, times)), shape)
        logs = np.log(np.bincount(pairs, minlength=shape[0] * shape[1]) + self.smoothing)

        def score(outputs: Outputs) -> Array:
            values, took = _checked(outputs).T
            here, there = (
                logs[np.ravel_multi_index((_cells(values - answer, noises), _cells(took, times)), shape)]
                for answer in answers
            )
            return np.asarray(here - there, dtype=np.float64)

        return score


def _checked(outputs: Outputs) -> Array:
    found = rows(outputs)
    if found.shape[1] != 2:
        raise ContentError(
            f"the timing attack needs outputs (trials, 2), a release and its time, got {np.shape(outputs)}"
        )
    return found


def _edges(column: Array, cells: int) -> Array:
    """Ascending numbers, each a cell of its own, as are the gaps between them: the distinct values, or quantiles."""
    own = np.unique(column)
    return own if len(own) <= cells else np.unique(np.quantile(column, np.linspace(0, 1, cells + 1), method="lower"))


def _cells(column: Array, edges: Array) -> Integers:
    """The number of the cell of each value: odd on an edge, even between two."""
    return np.searchsorted(edges, column, "left") + np.searchsorted(edges, column, "right")
