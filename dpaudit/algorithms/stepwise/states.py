"""The named parts of a state, which kernels and traces hold side by side in one array.

A state has parts of d numbers each, named by a NamedTuple; its last parts may be single numbers.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple, TypeVar

import numpy as np

from dpaudit.algorithms.vectors import Vector

S = TypeVar("S", bound=NamedTuple)


def unpack(kind: type[S], state: Vector, numbers: int = 0) -> S:
    """The parts of `state`, (..., width), an array, a Tracked array or a tensor; the last `numbers` parts, (..., 1),
    are single numbers."""
    count = len(kind._fields)
    d = (state.shape[-1] - numbers) // (count - numbers)
    ends = [*range(0, (count - numbers) * d, d), *range(state.shape[-1] - numbers, state.shape[-1] + 1)]
    return kind(*(state[..., first:last] for first, last in pairwise(ends)))


def pack(state: NamedTuple) -> Vector:
    """The parts side by side, (width,), of arrays or Tracked arrays."""
    return np.concatenate(list(state))
