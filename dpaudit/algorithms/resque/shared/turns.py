"""Solvers that run one after the other, each from the result of the one before, as numba and torch run them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from dpaudit.arithmetic.arrays import Integers
from dpaudit.noise.stream import Trials
from dpaudit.noise.tensors import load_torch

Points: TypeAlias = Any
"""(m, d): an array in the numba form, a tensor in the torch form, which share no class."""
Job = TypeVar("Job")


@dataclass(frozen=True)
class Turns:
    """Of m trials and k turns. final: (m, d); iterates: the result of every turn, (m, k, d); queries: gradients that
    were computed, (m,)."""

    final: Points
    iterates: Points
    queries: Integers


def in_turn(
    start: Points,
    jobs: Iterable[tuple[str, Job]],
    trials: Trials,
    solve: Callable[[Job, Trials, Points], tuple[Points, Integers]],
    dtype: str,
) -> Turns:
    """From `start` every job by solve(job, trials, point) -> (next point, gradients (m,)), in the part of its name.

    The points keep their precision from turn to turn; those that are returned are rounded to `dtype`.
    """
    x, points, used = start, [], np.zeros(len(trials), dtype=np.int64)
    for name, job in jobs:
        x, queries = solve(job, Trials(trials.stream.part(name), trials.numbers), x)
        points.append(rounded(x, dtype))
        used = used + queries
    final = rounded(x, dtype)
    return Turns(final, _stacked(points, final), used)


def rounded(points: Points, dtype: str) -> Points:
    """`points` in the precision "float64" or "float32"."""
    return points.astype(dtype) if isinstance(points, np.ndarray) else points.to(getattr(load_torch(), dtype))


def on_host(points: Points) -> NDArray[Any]:
    """Tensors as arrays, arrays as they are; each in the dtype that it has."""
    return np.asarray(points.cpu().numpy() if hasattr(points, "cpu") else points)


def _stacked(points: list[Points], like: Points) -> Points:
    """(m, k, d); k may be 0."""
    if isinstance(like, np.ndarray):
        return np.stack(points, axis=1) if points else np.zeros((len(like), 0, like.shape[1]), dtype=like.dtype)
    return load_torch().stack(points, dim=1) if points else like.new_zeros((len(like), 0, like.shape[1]))
