"""What a target hands over, checked: numbers with one row a trial, a pair of neighbours, attacks."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from dpaudit.content.audits import Audit, Data, Outputs
from dpaudit.noise.stream import Stream, Trials
from dpaudit.records.errors import ContentError

Scorer = Callable[[Outputs], ArrayLike]
"""From the outputs of some trials to one score a trial, larger where they look more like D."""


def numbers(values: ArrayLike, rows: int, what: str) -> Outputs:
    """`values` as an array of real numbers with one row a trial and no NaN; ContentError says what was wrong."""
    array = np.asarray(values)
    if array.dtype.kind not in "biuf":
        raise ContentError(f"{what} must return real numbers, got dtype {array.dtype}")
    if array.ndim == 0 or len(array) != rows:
        raise ContentError(f"{what} must return {rows} rows, one a trial, got shape {array.shape}")
    broken = int(np.isnan(array.reshape(rows, -1)).any(axis=1).sum())
    if broken:
        raise ContentError(f"{what} returned NaN in {broken} of {rows} trials")
    return array


def scored(score: Scorer, outputs: Outputs, what: str) -> Outputs:
    """One number a trial from `score`; ContentError for anything else."""
    found = numbers(score(outputs), len(outputs), f"score on {what}")
    if found.ndim != 1:
        raise ContentError(f"score on {what} must return one number a trial, got shape {found.shape}")
    return found


def generator(seed: int, target: str, purpose: str) -> np.random.Generator:
    """The generator of the run's seed for one purpose of one target."""
    return np.random.default_rng(int(Stream(seed, f"{target}/{purpose}").seeds(np.array([0]))[0]))


def neighbours(subject: Audit, rng: np.random.Generator) -> tuple[Data, Data]:
    """The pair (data set, neighbour) of a target; ContentError where it makes none."""
    if subject.neighbours is None:
        raise ContentError("a target needs a function neighbours(rng) that returns a data set and its neighbour")
    return _pair(subject.neighbours(rng), "neighbours")


def first_neighbours(subject: Audit, rng: np.random.Generator) -> tuple[Data, Data]:
    """The pair of the structural checks: that of the game, unless the target has one that is known sooner."""
    if subject.first_neighbours is None:
        return neighbours(subject, rng)
    return _pair(subject.first_neighbours(rng), "first_neighbours")


def _pair(pair: object, what: str) -> tuple[Data, Data]:
    if not (isinstance(pair, tuple | list) and len(pair) == 2):
        raise ContentError(f"{what} must return a pair (data set, neighbour), got {type(pair).__name__}")
    data, neighbour = pair
    return data, neighbour


def run_of(subject: Audit) -> Callable[[Data, Trials], ArrayLike]:
    """How a target plays trials; ContentError where it does not."""
    if subject.run is None:
        raise ContentError("a target needs a function run(data, trials) that returns what the adversary sees")
    return subject.run
