"""The numba form of `dpaudit.sampling.directions`, one frame at a time, in the dtype of the array that receives it."""

from __future__ import annotations

import numpy as np

from dpaudit.arithmetic.arrays import Array
from dpaudit.noise.kernels import Scalar, add_normals, compiled
from dpaudit.problems.domain_kernels import squared_norm
from dpaudit.sampling.directions import KINDS

_ORTHONORMAL, _GAUSSIAN = KINDS.index("orthonormal"), KINDS.index("Gaussian")


@compiled()
def draw_frame(code: int, key0: int, key1: int, step: int, trial: int, frame: Array) -> None:
    """Fill `frame`, contiguous of shape (K, d), with the directions of the step."""
    normals = frame.reshape(frame.size)
    normals[:] = 0
    add_normals(normals, frame.dtype.type(1), key0, key1, step, trial)
    if code == _GAUSSIAN:
        return
    for k in range(len(frame)):
        row = frame[k, k:] if code == _ORTHONORMAL else frame[k]
        if code == _ORTHONORMAL:
            frame[k, :k] = 0
        length = np.sqrt(squared_norm(row))
        for j in range(len(row)):
            row[j] /= length
    if code == _ORTHONORMAL:
        for j in range(len(frame) - 2, -1, -1):
            _reflect(frame, j)


@compiled()
def _reflect(frame: Array, j: int) -> None:
    """Apply to all rows after row j the reflection that takes row j to the axis j or its negative."""
    one = frame.dtype.type(1)
    pivot = frame[j, j]
    normal = frame[j, j:]
    normal[0] += -one if pivot < 0 else one
    for k in range(j + 1, len(frame)):
        row = frame[k, j:]
        share = dot(row, normal) / (one + abs(pivot))
        for i in range(len(row)):
            row[i] -= share * normal[i]
    frame[j, j] = pivot


@compiled()
def dot(left: Array, right: Array) -> Scalar:
    """The scalar product, in four sums that run side by side."""
    zero = left.dtype.type(0)
    a, b, c, e = zero, zero, zero, zero
    whole = len(left) // 4 * 4
    for j in range(0, whole, 4):
        a += left[j] * right[j]
        b += left[j + 1] * right[j + 1]
        c += left[j + 2] * right[j + 2]
        e += left[j + 3] * right[j + 3]
    for j in range(whole, len(left)):
        a += left[j] * right[j]
    return (a + b) + (c + e)


@compiled()
def combine(coefficients: Array, rows: Array, out: Array) -> None:
    """out += the sum of coefficients[k] rows[k], two rows at a time."""
    whole = len(rows) // 2 * 2
    for k in range(0, whole, 2):
        a, b, first, second = coefficients[k], coefficients[k + 1], rows[k], rows[k + 1]
        for j in range(len(out)):
            out[j] = (out[j] + a * first[j]) + b * second[j]
    if whole < len(rows):
        a, first = coefficients[whole], rows[whole]
        for j in range(len(out)):
            out[j] += a * first[j]
