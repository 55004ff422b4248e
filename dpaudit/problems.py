"""Convex losses with closed forms on every backend, batched over trials.

All of them are one family, f(w) = 1/2 <w, H w> + constant + (1/n) sum_i phi(<x_i, w>; y_i):

    linear                     phi(m; y) = y m with y = 1                    H = 0
    logistic                   phi(m; y) = log(1 + exp(-y m)), y = -1 or 1   H = 0
    Huber                      phi(m; y) = h(m - y), h' clipped to [-c, c]   H = 0
    quadratic                  1/2 <w - w*, H (w - w*)>: one record x = H w*, y = -1
    quadratic-minus-linear     phi(m; y) = y m with y = -1: the data enter linearly

A record's loss includes the whole term in H. NumPy and torch forms are here, the numba form is
in `problem_kernels`; none calls another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpaudit.errors import ConfigurationError
from dpaudit.parameters import check_number

Array = NDArray[np.float64]


class Loss(IntEnum):
    """The function phi of a record; the numbers are what the numba kernels read."""

    LINEAR = 0
    LOGISTIC = 1
    HUBER = 2


@dataclass(frozen=True, eq=False)
class Problem:
    """A finite-sum problem; use the functions below to make one.

    features: x_i, shape (n, d); labels: y_i, shape (n,); curvature: H, shape (d, d), symmetric;
    threshold: c of the Huber loss; constant: added to the value. Raises ConfigurationError
    for wrong shapes, NaN, infinite numbers and labels that the loss does not allow.
    """

    loss: Loss
    features: Array
    labels: Array
    curvature: Array
    threshold: float = 1.0
    constant: float = 0.0

    def __post_init__(self) -> None:
        n, d = _matrix("features", self.features).shape
        for name, shape in (("labels", (n,)), ("curvature", (d, d))):
            values = getattr(self, name)
            if values.shape != shape or not np.isfinite(values).all():
                raise ConfigurationError(f"{name} must be finite numbers of shape {shape}, got shape {values.shape}")
        if not np.array_equal(self.curvature, self.curvature.T):
            raise ConfigurationError("curvature must be symmetric; pass (H + H.T)/2")
        if self.loss is Loss.LOGISTIC and not np.isin(self.labels, (-1.0, 1.0)).all():
            raise ConfigurationError("labels of the logistic loss must be -1 or 1")
        check_number("threshold", self.threshold, above=0.0)

    @property
    def records(self) -> int:
        """n."""
        return len(self.features)

    @property
    def dimension(self) -> int:
        """d."""
        return int(self.features.shape[1])

    @cached_property
    def is_curved(self) -> bool:
        """Whether H is not zero."""
        return bool(self.curvature.any())

    @cached_property
    def mean_linear(self) -> Array:
        """(1/n) sum_i y_i x_i, shape (d,): the gradient of the data part of a linear loss."""
        return np.asarray((self.labels[:, None] * self.features).sum(axis=0) / self.records)

    def value(self, point: Array) -> Array:
        """f at points of shape (..., d); shape (...)."""
        margins = point @ self.features.T
        quadratic = 0.5 * np.sum((point @ self.curvature) * point, axis=-1)
        return np.asarray(self._phi(margins).mean(axis=-1) + quadratic + self.constant)

    def record_gradients(self, point: Array) -> Array:
        """The gradient of every record's loss at points of shape (..., d); shape (..., n, d)."""
        slopes = self.slopes(point @ self.features.T)
        return np.asarray(slopes[..., None] * self.features + (point @ self.curvature)[..., None, :])

    def gradient(self, point: Array) -> Array:
        """The gradient of f at points of shape (..., d); same shape."""
        if self.loss is Loss.LINEAR:
            return np.asarray(self.mean_linear + point @ self.curvature)
        slopes = self.slopes(point @ self.features.T)
        return np.asarray(slopes @ self.features / self.records + point @ self.curvature)

    def slopes(self, margins: Array) -> Array:
        """phi'(m; y_i) for margins of shape (..., n)."""
        if self.loss is Loss.LINEAR:
            return np.broadcast_to(self.labels, margins.shape)
        if self.loss is Loss.HUBER:
            return np.clip(margins - self.labels, -self.threshold, self.threshold)
        # exp of a large number would be infinite, with slope 0 but a warning; 700 changes no digit of the result.
        return np.asarray(-self.labels / (1.0 + np.exp(np.minimum(self.labels * margins, 700.0))))

    def gradient_magnitude(self, point: Array) -> Array:
        """The gradient with every term replaced by its absolute value, and the errors of the
        margins carried through the largest phi'': what a rounding bound multiplies. Shapes as `gradient`."""
        width = np.abs(point) @ np.abs(self.features).T
        bend = {Loss.LINEAR: 0.0, Loss.LOGISTIC: 0.25, Loss.HUBER: 1.0}[self.loss]
        offset = np.abs(self.labels) if self.loss is Loss.HUBER else 0.0
        slopes = np.abs(self.slopes(point @ self.features.T)) + bend * (width + offset)
        return np.asarray(slopes @ np.abs(self.features) / self.records + np.abs(point) @ np.abs(self.curvature))

    @property
    def rounding_operations(self) -> int:
        """Roundings on the longest way from the inputs to one gradient coordinate: a margin (d products
        and sums), a slope (exp within 4 units in the last place, 6 more), the mean over n records, the
        product with H (d), and the rounding of the inputs themselves (4)."""
        return self.records + 2 * self.dimension + 16

    def lipschitz(self, sets: Sequence[Sequence[int]]) -> tuple[float, ...]:
        """L_U = max_i max|phi'| ||x_{i,U}|| for every set U of coordinates.

        With H = 0 this is the Lipschitz constant of the paper (3.7); otherwise that of the part that
        depends on the record, and 2 L_U still bounds the difference of two records' gradients.
        """
        steepest = self.threshold if self.loss is Loss.HUBER else 1.0
        return tuple(float(steepest * np.sqrt((self.features[:, list(u)] ** 2).sum(axis=1)).max()) for u in sets)

    def component_smoothness(self) -> Array:
        """M with Hessian <= Diag(M) everywhere: the absolute row sums of a bound on the Hessian, shape (d,)."""
        bend = {Loss.LINEAR: 0.0, Loss.LOGISTIC: 0.25, Loss.HUBER: 1.0}[self.loss]
        hessian = np.abs(self.curvature) + bend * np.abs(self.features).T @ np.abs(self.features) / self.records
        return np.asarray(hessian.sum(axis=1))

    def _phi(self, margins: Array) -> Array:
        if self.loss is Loss.LINEAR:
            return np.asarray(self.labels * margins)
        if self.loss is Loss.LOGISTIC:
            return np.logaddexp(0.0, -self.labels * margins)
        size = np.abs(margins - self.labels)
        return np.where(size <= self.threshold, 0.5 * size**2, self.threshold * (size - 0.5 * self.threshold))


class TorchProblem:
    """The same problem as tensors of `dtype` ("float64" or "float32") on `device`."""

    def __init__(self, problem: Problem, device: str, dtype: str) -> None:
        from dpaudit.noise_torch import load_torch

        self._torch = load_torch()
        kind = getattr(self._torch, dtype)
        self.loss, self.threshold, self.records = problem.loss, problem.threshold, problem.records
        self.features, self.labels, self.curvature = (
            self._torch.tensor(values, dtype=kind, device=device)
            for values in (problem.features, problem.labels, problem.curvature)
        )

    def gradient(self, point: Any) -> Any:
        """The gradient of f at points of shape (trials, d)."""
        slopes = self.slopes(point @ self.features.T)
        return slopes @ self.features / self.records + point @ self.curvature

    def batch_gradient(self, point: Any, batch: Any) -> Any:
        """The mean gradient over a batch of record numbers per point, shape (trials, size); shape (trials, d)."""
        rows = self.features[batch]
        slopes = self.slopes((rows * point[:, None, :]).sum(-1), self.labels[batch])
        return (slopes[:, :, None] * rows).sum(1) / batch.shape[1] + point @ self.curvature

    def slopes(self, margins: Any, labels: Any = None) -> Any:
        """phi'(m; y) for margins whose last axis is that of `labels` (default: all records)."""
        labels = self.labels if labels is None else labels
        if self.loss is Loss.LINEAR:
            return labels.expand_as(margins)
        if self.loss is Loss.HUBER:
            return (margins - labels).clamp(-self.threshold, self.threshold)
        return -labels / (1.0 + (labels * margins).exp())


def linear(records: ArrayLike) -> Problem:
    """ell(w; zeta) = <zeta, w>; records: zeta, shape (n, d). Every noisy step is an exact Gaussian mechanism."""
    features = _matrix("records", records)
    return Problem(Loss.LINEAR, features, np.ones(len(features)), _flat(features))


def logistic(features: ArrayLike, labels: ArrayLike) -> Problem:
    """ell = log(1 + exp(-y <x, w>)); labels -1 or 1."""
    rows = _matrix("features", features)
    return Problem(Loss.LOGISTIC, rows, np.asarray(labels, dtype=float), _flat(rows))


def huber(features: ArrayLike, targets: ArrayLike, threshold: float) -> Problem:
    """ell = h(<x, w> - y) with h quadratic up to `threshold`, linear beyond."""
    rows = _matrix("features", features)
    return Problem(Loss.HUBER, rows, np.asarray(targets, dtype=float), _flat(rows), threshold=threshold)


def quadratic(curvature: ArrayLike, minimiser: ArrayLike) -> Problem:
    """f = 1/2 <w - w*, H (w - w*)> as one record; curvature: H, shape (d, d); minimiser: w*, shape (d,)."""
    matrix, centre = _matrix("curvature", curvature), np.asarray(minimiser, dtype=float)
    if centre.shape != matrix.shape[:1]:
        raise ConfigurationError(f"minimiser must have shape {matrix.shape[:1]}, got {centre.shape}")
    pull = matrix @ centre
    return Problem(Loss.LINEAR, pull[None, :], -np.ones(1), matrix, constant=float(0.5 * centre @ pull))


def quadratic_minus_linear(curvature: ArrayLike, records: ArrayLike) -> Problem:
    """ell(w; zeta) = 1/2 <w, H w> - <zeta, w>; curvature: H, shape (d, d); records: zeta, shape (n, d)."""
    features = _matrix("records", records)
    return Problem(Loss.LINEAR, features, -np.ones(len(features)), _matrix("curvature", curvature))


def _matrix(name: str, values: ArrayLike) -> Array:
    matrix = np.asarray(values, dtype=float)
    if matrix.ndim != 2 or 0 in matrix.shape or not np.isfinite(matrix).all():
        raise ConfigurationError(
            f"{name} must be a matrix of finite numbers with rows and columns, got shape {matrix.shape}"
        )
    return matrix


def _flat(features: Array) -> Array:
    return np.zeros((features.shape[1],) * 2)
