"""What a target hands over, checked: numbers with one row a trial, a pair of neighbours, attacks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpaudit.noise.stream import Stream
from dpaudit.records.errors import ContentError

Scorer = Callable[[NDArray[Any]], Any]
"""From the outputs of some trials to one score a trial, larger where they look more like D."""


def numbers(values: Any, rows: int, what: str) -> NDArray[Any]:
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


def scored(score: Scorer, outputs: NDArray[Any], what: str) -> NDArray[Any]:
    """One number a trial from `score`; ContentError for anything else."""
    found = numbers(score(outputs), len(outputs), f"score on {what}")
    if found.ndim != 1:
        raise ContentError(f"score on {what} must return one number a trial, got shape {found.shape}")
    return found


def generator(seed: int, target: str, purpose: str) -> np.random.Generator:
    """The generator of the run's seed for one purpose of one target."""
    return np.random.default_rng(int(Stream(seed, f"{target}/{purpose}").seeds(np.array([0]))[0]))


def neighbours(module: Any, rng: np.random.Generator) -> tuple[Any, Any]:
    """The pair (data set, neighbour) of a target file."""
    pair = module.neighbours(rng)
    if not (isinstance(pair, tuple) and len(pair) == 2):
        raise ContentError(f"neighbours must return a pair (data set, neighbour), got {type(pair).__name__}")
    return pair


def attacks(module: Any) -> dict[str, Any]:
    """The attacks of a target file by name: its `score`, and those of ATTACKS."""
    found = dict(getattr(module, "ATTACKS", {}))
    if hasattr(module, "score"):
        found = {"score": module.score, **found}
    if not found:
        raise ContentError(
            "a target needs a function score(outputs, data, neighbour) or a dict ATTACKS of such functions"
        )
    return found
