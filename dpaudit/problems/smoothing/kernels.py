"""The numba form of `dpaudit.problems.smoothing.ridges`, one point at a time, to call inside compiled algorithms."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import DTypeLike

from dpaudit.arithmetic.arrays import Array
from dpaudit.noise.kernels import Packed, Scalar, compiled, uniform_pair
from dpaudit.problems.smoothing.ridges import Oracle, Ridge, RidgeLosses

ZERO, _LINEAR, _ABSOLUTE, _HINGE = (int(kind) for kind in Ridge)


def ridge_arrays(losses: RidgeLosses, dtype: DTypeLike = np.float64) -> Packed:
    """What the kernels read: kinds, directions, offsets (in `dtype`), norms, L."""
    directions, offsets = (np.ascontiguousarray(part, dtype=dtype) for part in (losses.directions, losses.offsets))
    return (losses.kinds.astype(np.int64), directions, offsets, losses.norms, float(losses.lipschitz))


def oracle_arrays(oracle: Oracle, dtype: DTypeLike = np.float64) -> Packed:
    """What `oracle_query` reads: those of the losses, then whether a record is drawn, the spread, its axis."""
    axis = np.ascontiguousarray(oracle.direction, dtype=dtype)
    return (*ridge_arrays(oracle.losses, dtype), oracle.selection == "record", float(oracle.spread), axis)


@compiled()
def ridge_margin(point: Array, index: int, losses: Packed) -> Scalar:
    """<a_index, point> - b_index; `losses`: see `ridge_arrays`."""
    row = losses[1][index]
    total = -losses[2][index]
    for j in range(len(row)):
        total += row[j] * point[j]
    return total


@compiled()
def slope(kind: int, margin: float) -> float:
    """The chosen derivative of phi at a margin, in {-1, 0, 1}."""
    if kind == _LINEAR:
        return 1.0
    if kind in (_ABSOLUTE, _HINGE):
        if margin > 0:
            return 1.0
        return -1.0 if margin < 0 and kind == _ABSOLUTE else 0.0
    return 0.0


@compiled()
def ridge_slope(point: Array, index: int, losses: Packed) -> float:
    """The chosen derivative of phi of record `index` at `point`."""
    return slope(losses[0][index], ridge_margin(point, index, losses))


@compiled()
def ridge_subgradient(point: Array, index: int, losses: Packed, out: Array) -> None:
    """out = the subgradient of record `index` at `point`."""
    scale = losses[4] * ridge_slope(point, index, losses)
    for j in range(len(out)):
        out[j] = scale * losses[1][index, j]


@compiled()
def ridge_mean_subgradient(point: Array, losses: Packed, out: Array) -> None:
    """out = the mean of all records' subgradients at `point`."""
    out[:] = 0.0
    records = len(losses[0])
    for i in range(records):
        scale = losses[4] * ridge_slope(point, i, losses) / records
        if scale != 0.0:
            for j in range(len(out)):
                out[j] += scale * losses[1][i, j]


@compiled()
def ridge_smoothed_gradient(point: Array, radius: float, losses: Packed, out: Array) -> None:
    """out = the gradient of f smoothed with deviation `radius` at `point`."""
    out[:] = 0.0
    records = len(losses[0])
    for i in range(records):
        kind, slope = losses[0][i], 0.0
        if kind == _LINEAR:
            slope = 1.0
        elif losses[3][i] > 0.0 and kind != ZERO:
            t = ridge_margin(point, i, losses) / (radius * losses[3][i] * math.sqrt(2.0))
            slope = math.erf(t) if kind == _ABSOLUTE else 0.5 * math.erfc(-t)
        scale = losses[4] * slope / records
        for j in range(len(out)):
            out[j] += scale * losses[1][i, j]


@compiled()
def oracle_query(point: Array, record: int, sign: float, oracle: Packed, out: Array) -> None:
    """out = g(point) for a drawn record and sign; `oracle`: see `oracle_arrays`."""
    by_record, spread, axis = oracle[5], oracle[6], oracle[7]
    if by_record:
        ridge_subgradient(point, record, oracle, out)
    else:
        ridge_mean_subgradient(point, oracle, out)
    if spread > 0.0:
        for j in range(len(out)):
            out[j] += spread * sign * axis[j]


@compiled()
def oracle_choice(key0: int, key1: int, number: int, step: int, trial: int, records: int) -> Packed:
    """The record and the sign of query `number`: those of `Oracle.choices` from uniforms 2 number, 2 number + 1."""
    first, second = uniform_pair(key0, key1, number, step, trial)
    return min(np.int64(records * first), records - 1), -1.0 if second < 0.5 else 1.0
