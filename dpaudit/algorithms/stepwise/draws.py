"""The randomness of one trial, as a reference is handed it: that which the numba and the torch form draw themselves."""

from __future__ import annotations

import numpy as np

from dpaudit.arithmetic.arrays import Array
from dpaudit.noise.stream import Stream


def normals(stream: Stream, trial: int, shape: tuple[int, ...], part: str = "noise") -> Array:
    """Standard normals of one part of the stream, of the shape (steps, numbers of a step)."""
    steps, count = shape
    return np.array([stream.part(part).normals(np.array([trial]), t, count)[0] for t in range(steps)])


def uniforms(stream: Stream, trial: int, steps: int, part: str) -> Array:
    """One uniform number a step, (steps,)."""
    return np.array([stream.part(part).uniforms(np.array([trial]), t, 1)[0, 0] for t in range(steps)])


def picked(stream: Stream, trial: int, count: int, part: str = "output") -> int:
    """One of 0, ..., count - 1, drawn uniformly for the whole run."""
    return int(stream.part(part).uniforms(np.array([trial]), 0, 1)[0, 0] * count)
