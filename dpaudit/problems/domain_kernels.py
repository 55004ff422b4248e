"""The numba form of `dpaudit.problems.domains`, one point at a time, in place."""

from __future__ import annotations

import numpy as np
from numpy.typing import DTypeLike

from dpaudit.arithmetic.arrays import Array
from dpaudit.noise.kernels import Packed, Scalar, compiled
from dpaudit.problems.domains import KINDS, Domain

_BALL, _BOX = KINDS.index("ball"), KINDS.index("box")


def packed(domain: Domain, dtype: DTypeLike = np.float64) -> Packed:
    """What `project` reads: kind, centre, radius, lower, upper."""
    arrays = (np.array(one, dtype=dtype) for one in (domain.centre, domain.lower, domain.upper))
    centre, lower, upper = arrays
    return KINDS.index(domain.kind), centre, np.asarray(domain.radius, dtype=dtype)[()], lower, upper


@compiled()
def project(point: Array, plan: Packed) -> None:
    """Replace `point` by the nearest point of the set."""
    kind, centre, radius, lower, upper = plan
    if kind == _BALL:
        for j in range(len(point)):
            point[j] -= centre[j]
        clip(point, radius)
        for j in range(len(point)):
            point[j] += centre[j]
    elif kind == _BOX:
        for j in range(len(point)):
            point[j] = min(max(point[j], lower[j]), upper[j])


@compiled()
def clip(vector: Array, bound: Scalar) -> Scalar:
    """v min(1, bound/|v|); the length before."""
    length = np.sqrt(squared_norm(vector))
    if length > bound:
        factor = bound / length
        for j in range(len(vector)):
            vector[j] *= factor
    return length


@compiled()
def copy(values: Array, out: Array) -> None:
    """out = values; numba needs seconds to compile `out[:] = values`, for its error message alone."""
    for j in range(len(out)):
        out[j] = values[j]


@compiled()
def squared_norm(vector: Array) -> Scalar:
    """|v|^2, in four sums that run side by side."""
    zero = vector.dtype.type(0)
    a, b, c, d = zero, zero, zero, zero
    whole = len(vector) // 4 * 4
    for j in range(0, whole, 4):
        a += vector[j] * vector[j]
        b += vector[j + 1] * vector[j + 1]
        c += vector[j + 2] * vector[j + 2]
        d += vector[j + 3] * vector[j + 3]
    for j in range(whole, len(vector)):
        a += vector[j] * vector[j]
    return (a + b) + (c + d)
