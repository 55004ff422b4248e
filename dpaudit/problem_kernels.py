"""The numba form of the gradients of `dpaudit.problems`, one point at a time, for compiled algorithms."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpaudit.noise_kernels import compiled
from dpaudit.problems import Array, Loss, Problem

_LOGISTIC, _HUBER = int(Loss.LOGISTIC), int(Loss.HUBER)


def arrays(problem: Problem, dtype: Any = np.float64) -> tuple[Any, ...]:
    """What the kernels read: features, labels, mean linear term, curvature (in `dtype`), loss, threshold, curved."""
    parts = (problem.features, problem.labels, problem.mean_linear, problem.curvature)
    cast = tuple(np.ascontiguousarray(part, dtype=dtype) for part in parts)
    return (*cast, int(problem.loss), float(problem.threshold), problem.is_curved)


@compiled()
def _slope(loss: int, margin: float, label: float, threshold: float) -> Any:
    if loss == _LOGISTIC:
        return -label / (1.0 + np.exp(label * margin))
    if loss == _HUBER:
        return min(max(margin - label, -threshold), threshold)
    return label * 1.0


@compiled()
def partial(point: Array, chosen: Any, size: int, problem: Any, out: Array) -> None:
    """out[a] = the partial derivative of f in coordinate chosen[a], for a < size; `problem`: see `arrays`."""
    features, labels, mean_linear, curvature, loss, threshold, curved = problem
    for a in range(size):
        out[a] = mean_linear[chosen[a]] if loss == 0 else 0.0
    if loss != 0:
        records = len(features)
        for i in range(records):
            slope = _slope(loss, _dot(features[i], point), labels[i], threshold) / records
            for a in range(size):
                out[a] += slope * features[i, chosen[a]]
    if curved:
        for a in range(size):
            out[a] += _dot(curvature[chosen[a]], point)


@compiled()
def batch_gradient(point: Array, batch: Any, size: int, problem: Any, out: Array) -> None:
    """out = the mean gradient of the records batch[0], ..., batch[size - 1] at `point`, all d coordinates."""
    features, labels, _, curvature, loss, threshold, curved = problem
    for j in range(len(point)):
        out[j] = _dot(curvature[j], point) if curved else 0.0
    for a in range(size):
        row = features[batch[a]]
        slope = _slope(loss, _dot(row, point), labels[batch[a]], threshold) / size
        for j in range(len(point)):
            out[j] += slope * row[j]


@compiled()
def _dot(left: Array, right: Array) -> Any:
    total = 0.0
    for j in range(len(right)):
        total += left[j] * right[j]
    return total
