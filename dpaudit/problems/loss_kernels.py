"""The numba form of `dpaudit.problems.losses`, one point at a time, for compiled algorithms.

All numbers have the dtype that `arrays` was given: a float32 kernel computes in float32. Sums over
coordinates or records take four columns, four rows or eight lanes at once, in a fixed order: strict
arithmetic on one chain of sums would wait for each of them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import DTypeLike

from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.kernels import Index, Packed, Scalar, compiled
from dpaudit.problems.domain_kernels import clip
from dpaudit.problems.losses import LOG_TWO, Loss, Problem

_LINEAR, _LOGISTIC, _HUBER, _SQUARED = (int(loss) for loss in (Loss.LINEAR, Loss.LOGISTIC, Loss.HUBER, Loss.SQUARED))
_ABSOLUTE, _COSINE, _LOG_TWO = int(Loss.ABSOLUTE), int(Loss.COSINE), LOG_TWO
_TILE = 1024
"""Records whose margins are computed together, so that they stay in the nearest cache."""


def arrays(problem: Problem, dtype: DTypeLike = np.float64) -> Packed:
    """What the kernels read, in `dtype`: pass it on, do not take it apart.

    Two matrices, since each costs a call some time: the features, the mean linear term and H as rows;
    the features, the labels, the weights and the lengths of the features as columns. Then n, the loss,
    threshold, penalty, constant, and whether there are weights and curvature.
    """
    weights = np.ones(problem.records) if problem.weights is None else problem.weights
    rows = np.vstack([problem.features, problem.mean_linear[None], problem.curvature]).astype(dtype, order="C")
    lengths = np.linalg.norm(problem.features, axis=1)
    columns = np.vstack([problem.features.T, problem.labels, weights, lengths]).astype(dtype, order="C")
    numbers = np.array([problem.threshold, problem.penalty, problem.constant]).astype(dtype)
    return (rows, columns, problem.records, int(problem.loss), *numbers, problem.weights is not None, problem.is_curved)


@compiled()
def gradient(point: Array, data: Packed, out: Array) -> None:
    """out = the gradient of f at `point`, all d coordinates."""
    rows, columns, records, loss, threshold, penalty, _, weighted, curved = data
    if loss == _LINEAR:
        mean_linear = rows[records]
        for j in range(len(point)):
            out[j] = mean_linear[j]
    else:
        slopes = np.empty(min(records, _TILE), dtype=point.dtype)
        for j in range(len(point)):
            out[j] = 0
        for start in range(0, records, _TILE):
            size = min(records - start, _TILE)
            _fill_slopes(point, columns, start, size, loss, threshold, weighted, slopes)
            _add_rows(rows, start, size, slopes, out)
        for j in range(len(point)):
            out[j] /= point.dtype.type(records)
    _add_common(point, rows, records, curved, penalty, out)


@compiled()
def partial(point: Array, chosen: Packed, size: int, data: Packed, out: Array) -> None:
    """out[a] = the partial derivative of f in coordinate chosen[a], for a < size; `chosen` increases."""
    rows, columns, records, loss, threshold, penalty, _, weighted, curved = data
    if size == len(point):  # all of them, in order: rows are read whole
        gradient(point, data, out)
        return
    for a in range(size):
        out[a] = rows[records, chosen[a]] if loss == _LINEAR else 0
    if loss != _LINEAR:
        slopes = np.empty(min(records, _TILE), dtype=point.dtype)
        for start in range(0, records, _TILE):
            count = min(records - start, _TILE)
            _fill_slopes(point, columns, start, count, loss, threshold, weighted, slopes)
            for a in range(size):
                out[a] += _dot(columns[chosen[a], start : start + count], slopes[:count])
        for a in range(size):
            out[a] /= point.dtype.type(records)
    for a in range(size):
        if curved:
            out[a] += _dot(rows[records + 1 + chosen[a]], point)
        if penalty != 0:
            out[a] += _penalty_slope(point[chosen[a]], penalty)


@compiled()
def batch_gradient(point: Array, batch: Integers, size: int, data: Packed, out: Array) -> None:
    """out = the mean gradient of the records batch[0], ..., batch[size - 1] at `point`, all d coordinates."""
    rows, columns, records, loss, threshold, penalty, _, weighted, curved = data
    labels, weights = columns[len(point)], columns[len(point) + 1]
    slopes = np.zeros(size, dtype=point.dtype)
    if loss != _LINEAR:
        _batch_margins(rows, batch, size, point, slopes)
    for a in range(size):
        slopes[a] = _slope(loss, slopes[a], labels[batch[a]], threshold)
        if weighted:
            slopes[a] *= weights[batch[a]]
    for j in range(len(point)):
        out[j] = 0
    _add_batch_rows(rows, batch, size, slopes, out)
    for j in range(len(point)):
        out[j] /= point.dtype.type(size)
    _add_common(point, rows, records, curved, penalty, out)


@compiled()
def is_affine(data: Packed) -> bool:
    """Whether the gradient is affine in the point: a linear loss, curved or not, without penalty."""
    return data[3] == _LINEAR and data[5] == 0  # type: ignore[no-any-return]


@compiled()
def affine_difference(first: Array, a: Scalar, second: Array, b: Scalar, data: Packed, work: Array, out: Array) -> None:
    """out = a grad f(first) - b grad f(second) where the gradient is affine: one product with H instead of two."""
    rows, _, records, _, _, penalty, _, _, curved = data
    mean_linear = rows[records]
    for j in range(len(out)):
        work[j] = a * first[j] - b * second[j]
        out[j] = (a - b) * mean_linear[j]
    _add_common(work, rows, records, curved, penalty, out)


@compiled()
def clipped_sum(
    point: Array, batch: Integers, size: int, clip_norm: Scalar, data: Packed, work: Array, out: Array
) -> Scalar:
    """out = the sum of the gradients of batch[0], ..., batch[size - 1], each clipped to the norm `clip_norm` (infinite:
    not clipped); how many were clipped. Without a common term a gradient is a multiple of its row and is not formed."""
    rows, columns, _, loss, threshold, penalty, _, weighted, curved = data
    d, clipped, common = len(point), 0, curved or penalty != 0
    for j in range(d):
        out[j] = 0
    slopes = np.empty(0 if common else size, dtype=point.dtype)
    if not common:
        _batch_margins(rows, batch, size, point, slopes)
    for a in range(size):
        if common:
            record_gradient(point, batch[a], data, work)
            clipped += clip(work, clip_norm) > clip_norm
            for j in range(d):
                out[j] += work[j]
        else:
            slope = _slope(loss, slopes[a], columns[d, batch[a]], threshold)
            if weighted:
                slope *= columns[d + 1, batch[a]]
            length = abs(slope) * columns[d + 2, batch[a]]
            clipped += length > clip_norm
            slopes[a] = slope * (clip_norm / length) if length > clip_norm else slope
    if not common:
        _add_batch_rows(rows, batch, size, slopes, out)
    return clipped


@compiled()
def record_gradient(point: Array, record: Index, data: Packed, out: Array) -> None:
    """out = the gradient of one record's loss at `point`."""
    rows, columns, records, loss, threshold, penalty, _, _, curved = data
    row, d = rows[record], len(point)
    slope = columns[d + 1, record] * _slope(loss, _dot(row, point), columns[d, record], threshold)
    for j in range(d):
        out[j] = row[j] * slope
    _add_common(point, rows, records, curved, penalty, out)


@compiled()
def record_value(point: Array, record: int, data: Packed) -> Scalar:
    """One record's loss at `point`, a number of the kernels' dtype."""
    rows, columns, records, loss, threshold, penalty, constant, _, curved = data
    d, one = len(point), point.dtype.type(1)
    total = columns[d + 1, record] * _phi(loss, _dot(rows[record], point), columns[d, record], threshold)
    if curved:
        product = np.zeros_like(point)
        _add_rows(rows, records + 1, d, point, product)
        total += _dot(product, point) / (one + one)
    if penalty != 0:
        shrunk = point.dtype.type(0)
        for j in range(d):
            square = point[j] * point[j]
            shrunk += square / (one + square)
        total += penalty * shrunk
    return total + constant


@compiled()
def _slope(loss: int, margin: Scalar, label: Scalar, threshold: Scalar) -> Scalar:
    # The constant has the narrower dtype: its sum or product with a float64 number is float64, with a float32 one not.
    if loss == _LOGISTIC:
        return -label / (np.float32(1) + np.exp(label * margin))
    if loss == _COSINE:
        return -np.sin(margin + label)
    residual = margin - label
    if loss == _SQUARED:
        return residual
    if loss == _HUBER:
        return min(max(residual, -threshold), threshold)
    if loss == _ABSOLUTE:
        return np.sign(residual)
    return label if loss == _LINEAR else np.tanh(residual)


@compiled()
def _phi(loss: int, margin: Scalar, label: Scalar, threshold: Scalar) -> Scalar:
    zero, half, two = np.float32(0), np.float32(0.5), np.float32(2)
    if loss == _LINEAR:
        return label * margin
    if loss == _LOGISTIC:
        signed = label * margin
        return max(-signed, zero) + np.log1p(np.exp(-abs(signed)))
    if loss == _COSINE:
        return np.cos(margin + label)
    size = abs(margin - label)
    if loss == _SQUARED:
        return half * (size * size)
    if loss == _HUBER:
        bent = min(size, threshold)
        return bent * (size - half * bent)
    if loss == _ABSOLUTE:
        return size
    return size + (np.log1p(np.exp(-two * size)) - type(size)(_LOG_TWO))


@compiled()
def _fill_slopes(
    point: Array, columns: Array, start: int, size: int, loss: int, threshold: Scalar, weighted: bool, out: Array
) -> None:
    """out[i] = weight phi' of record start + i, for i < size."""
    _margins(columns, start, size, point, out)
    labels = columns[len(point), start : start + size]
    for i in range(size):
        out[i] = _slope(loss, out[i], labels[i], threshold)
    if weighted:
        weights = columns[len(point) + 1, start : start + size]
        for i in range(size):
            out[i] *= weights[i]


@compiled()
def _margins(columns: Array, start: int, size: int, point: Array, out: Array) -> None:
    """out[i] = <x_{start + i}, point> for i < size, four columns at a time."""
    for i in range(size):
        out[i] = 0
    count, end = len(point), start + size
    full = count - count % 4
    for j in range(0, full, 4):
        a, b, c, e = point[j], point[j + 1], point[j + 2], point[j + 3]
        p, q = columns[j, start:end], columns[j + 1, start:end]
        r, s = columns[j + 2, start:end], columns[j + 3, start:end]
        for i in range(size):
            out[i] = (((out[i] + p[i] * a) + q[i] * b) + r[i] * c) + s[i] * e
    for j in range(full, count):
        p, a = columns[j, start:end], point[j]
        for i in range(size):
            out[i] += p[i] * a


@compiled()
def _add_rows(rows: Array, start: int, size: int, coefficients: Array, out: Array) -> None:
    """out += sum over k < size of coefficients[k] rows[start + k], four rows at a time."""
    full = size - size % 4
    for k in range(0, full, 4):
        a, b, c, e = coefficients[k], coefficients[k + 1], coefficients[k + 2], coefficients[k + 3]
        p, q, r, s = rows[start + k], rows[start + k + 1], rows[start + k + 2], rows[start + k + 3]
        for j in range(len(out)):
            out[j] = (((out[j] + p[j] * a) + q[j] * b) + r[j] * c) + s[j] * e
    for k in range(full, size):
        p, a = rows[start + k], coefficients[k]
        for j in range(len(out)):
            out[j] += p[j] * a


@compiled()
def _batch_margins(rows: Array, batch: Integers, size: int, point: Array, out: Array) -> None:
    """out[a] = <x_{batch[a]}, point> for a < size, four records at a time."""
    full = size - size % 4
    for k in range(0, full, 4):
        p, q, r, s = rows[batch[k]], rows[batch[k + 1]], rows[batch[k + 2]], rows[batch[k + 3]]
        a = b = c = e = point.dtype.type(0)
        for j in range(len(point)):
            a += p[j] * point[j]
            b += q[j] * point[j]
            c += r[j] * point[j]
            e += s[j] * point[j]
        out[k], out[k + 1], out[k + 2], out[k + 3] = a, b, c, e
    for k in range(full, size):
        out[k] = _dot(rows[batch[k]], point)


@compiled()
def _add_batch_rows(rows: Array, batch: Integers, size: int, slopes: Array, out: Array) -> None:
    """out += sum over a < size of slopes[a] x_{batch[a]}, four records at a time."""
    full = size - size % 4
    for k in range(0, full, 4):
        a, b, c, e = slopes[k], slopes[k + 1], slopes[k + 2], slopes[k + 3]
        p, q, r, s = rows[batch[k]], rows[batch[k + 1]], rows[batch[k + 2]], rows[batch[k + 3]]
        for j in range(len(out)):
            out[j] = (((out[j] + p[j] * a) + q[j] * b) + r[j] * c) + s[j] * e
    for k in range(full, size):
        p, a = rows[batch[k]], slopes[k]
        for j in range(len(out)):
            out[j] += p[j] * a


@compiled()
def _add_common(point: Array, rows: Array, records: int, curved: bool, penalty: Scalar, out: Array) -> None:
    """out += H point + the gradient of the penalty."""
    if curved:
        _add_rows(rows, records + 1, len(point), point, out)
    if penalty != 0:
        for j in range(len(point)):
            out[j] += _penalty_slope(point[j], penalty)


@compiled()
def _penalty_slope(coordinate: Scalar, penalty: Scalar) -> Scalar:
    grown = np.float32(1) + coordinate * coordinate
    return np.float32(2) * penalty * coordinate / (grown * grown)


@compiled()
def _dot(left: Array, right: Array) -> Scalar:
    """The scalar product in eight chains of sums."""
    a = b = c = e = f = g = h = m = right.dtype.type(0)
    count = len(right)
    full = count - count % 8
    for j in range(0, full, 8):
        a += left[j] * right[j]
        b += left[j + 1] * right[j + 1]
        c += left[j + 2] * right[j + 2]
        e += left[j + 3] * right[j + 3]
        f += left[j + 4] * right[j + 4]
        g += left[j + 5] * right[j + 5]
        h += left[j + 6] * right[j + 6]
        m += left[j + 7] * right[j + 7]
    for j in range(full, count):
        a += left[j] * right[j]
    return ((a + b) + (c + e)) + ((f + g) + (h + m))
