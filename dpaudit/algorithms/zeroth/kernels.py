"""The numba form of the slopes of `zeroth.steps`, one frame at a time, in the dtype of the point."""

from __future__ import annotations

from dpaudit.algorithms.packed import Packed
from dpaudit.algorithms.zeroth.steps import ESTIMATORS
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.kernels import Index, Scalar, compiled, normal_pair
from dpaudit.problems import domain_kernels, loss_kernels
from dpaudit.sampling.direction_kernels import dot

_TWO_POINT, _DERIVATIVE, _ONE_POINT = (
    ESTIMATORS.index(name) for name in ("two-point", "directional derivative", "one-point")
)


@compiled()
def mean_slopes(
    w: Array, frame: Array, batch: Integers, size: int, query: Packed, data: Packed, point: Array, values: Array,
    slopes: Array,
) -> Index:  # fmt: skip
    """slopes[k] = the mean clipped slope along frame[k]; how many of the K b slopes were clipped.

    query: estimator's code, xi, Delta; point (d,) and values (b,) are room for work.
    """
    code, xi, bound = query
    if code == _DERIVATIVE:
        return _derivatives(w, frame, batch, size, bound, data, point, slopes)
    clipped = 0
    width = xi + xi if code == _TWO_POINT else xi
    for k in range(len(frame)):
        _differences(w, frame[k], batch, size, code, xi, data, point, values)
        slopes[k] = 0
        for a in range(size):
            slope = values[a] / width
            clipped += abs(slope) > bound
            slopes[k] += min(max(slope, -bound), bound)
        slopes[k] /= w.dtype.type(size)
    return clipped


@compiled()
def _differences(
    w: Array, u: Array, batch: Integers, size: int, code: int, xi: Scalar, data: Packed, point: Array, values: Array
) -> None:
    """values[a] = the loss of record batch[a] ahead, at w + xi u, less that behind, at w - xi u or at w."""
    nothing = xi - xi
    for a in range(size):
        values[a] = 0
    for ahead in range(code == _ONE_POINT, 2):
        offset = xi if ahead == 1 else (-xi if code == _TWO_POINT else nothing)
        for j in range(len(w)):
            point[j] = w[j] + offset * u[j]
        for a in range(size):
            values[a] = loss_kernels.record_value(point, batch[a], data) - values[a]


@compiled()
def _derivatives(
    w: Array, frame: Array, batch: Integers, size: int, bound: Scalar, data: Packed, gradient: Array, slopes: Array
) -> Index:
    clipped = 0
    slopes[:] = 0
    for a in range(size):
        loss_kernels.record_gradient(w, batch[a], data, gradient)
        for k in range(len(frame)):
            slope = dot(gradient, frame[k])
            clipped += abs(slope) > bound
            slopes[k] += min(max(slope, -bound), bound)
    for k in range(len(frame)):
        slopes[k] /= w.dtype.type(size)
    return clipped


@compiled()
def keep(first: Array, frame: Array, released: Array) -> None:
    """released = first, then the rows of the frame."""
    domain_kernels.copy(first, released[: len(first)])
    end = len(first)
    for k in range(len(frame)):
        domain_kernels.copy(frame[k], released[end : end + frame.shape[1]])
        end += frame.shape[1]


@compiled()
def normal_at(key0: int, key1: int, index: int, step: int, trial: int) -> float:
    """One standard normal, float64."""
    return normal_pair(key0, key1, index // 2, step, trial)[index % 2]  # type: ignore[no-any-return]
