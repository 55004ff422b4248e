"""Losses with closed forms on every backend, batched over trials.

All of them are one family,

    f(w) = 1/2 <w, H w> + constant + penalty sum_j w_j^2/(1 + w_j^2) + (1/n) sum_i weight_i phi(<x_i, w>; y_i):

    linear                     phi(m; y) = y m with y = 1                        H = 0
    logistic                   phi(m; y) = log(1 + exp(-y m)), y = -1 or 1       H = 0
    nonconvex logistic         logistic with penalty > 0
    Huber                      phi(m; y) = h(m - y), h' clipped to [-c, c]       H = 0
    squared                    phi(m; y) = (m - y)^2/2                           H = 0
    absolute                   phi(m; y) = |m - y|, slope 0 at m = y             H = 0
    cosine                     phi(m; y) = cos(m + y)                            H = 0
    log cosh                   phi(m; y) = log cosh(m - y)                       H = 0
    quadratic                  1/2 <w - w*, H (w - w*)>: one record x = H w*, y = -1
    quadratic-minus-linear     phi(m; y) = y m with y = -1: the data enter linearly

A record's loss is weight_i phi plus the whole of the terms in H, the penalty and the constant. The NumPy
form is here, the numba form in `loss_kernels`, the torch form in `loss_tensors`; none calls another.
Certified constants are in `problems.constants`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.arithmetic.tracked import Operand
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.validation import check_number


class Loss(IntEnum):
    """The function phi of a record; the numbers are what the numba kernels read."""

    LINEAR = 0
    LOGISTIC = 1
    HUBER = 2
    SQUARED = 3
    ABSOLUTE = 4
    COSINE = 5
    LOG_COSH = 6


LOG_TWO = float(np.log(2.0))


@dataclass(frozen=True, eq=False)
class Problem:
    """A finite-sum problem; use the functions below to make one.

    features: x_i, shape (n, d); labels: y_i, shape (n,); curvature: H, shape (d, d), symmetric;
    threshold: c of the Huber loss; constant: added to the value; weights: of the records, shape (n,), at
    least 0, None for all 1; penalty: factor of the nonconvex regulariser, at least 0. Raises
    ConfigurationError for wrong shapes, NaN, infinite numbers and labels that the loss does not allow.

    Points may have any leading axes, and may be `arithmetic.tracked.Tracked` arrays: results are then tracked too.
    """

    loss: Loss
    features: Array
    labels: Array
    curvature: Array
    threshold: float = 1.0
    constant: float = 0.0
    weights: Array | None = None
    penalty: float = 0.0

    def __post_init__(self) -> None:
        n, d = _matrix("features", self.features).shape
        for name, shape in (("labels", (n,)), ("curvature", (d, d)), ("weights", (n,))):
            values = getattr(self, name)
            if values is not None and (values.shape != shape or not np.isfinite(values).all()):
                raise ConfigurationError(f"{name} must be finite numbers of shape {shape}, got shape {values.shape}")
        if not np.array_equal(self.curvature, self.curvature.T):
            raise ConfigurationError("curvature must be symmetric; pass (H + H.T)/2")
        if self.loss in (Loss.LINEAR, Loss.LOGISTIC) and not np.isin(self.labels, (-1.0, 1.0)).all():
            raise ConfigurationError(f"labels of the {self.loss.name.lower()} loss must be -1 or 1")
        if self.weights is not None and self.weights.min() < 0:
            raise ConfigurationError(f"weights must be at least 0, got {self.weights.min()}")
        check_number("threshold", self.threshold, above=0.0)
        check_number("penalty", self.penalty, least=0.0)

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
        """(1/n) sum_i weight_i y_i x_i, shape (d,): the gradient of the data part of a linear loss."""
        weighted = self._weighted(self.labels)[:, None] * self.features
        return np.asarray(weighted.sum(axis=0) / self.records)

    def value(self, point: Array) -> Array:
        """f at points of shape (..., d); shape (...)."""
        margins = point @ self.features.T
        values: Array = self._weighted(self._phi(margins, self.labels)).mean(axis=-1) + self._common(point)
        return values

    def record_values(self, point: Array, batch: Integers | None = None) -> Array:
        """The losses of the records numbered `batch`, shape (size,), or of all n, at points of shape (..., d);
        shape (..., size)."""
        rows, labels = self._rows(batch)
        losses = self._weighted(self._phi(point @ rows.T, labels), batch)
        values: Array = losses + self._common(point)[..., None]
        return values

    def gradient(self, point: Array) -> Array:
        """The gradient of f at points of shape (..., d); same shape."""
        if self.loss is Loss.LINEAR:
            return self.mean_linear + self._common_gradient(point)
        slopes = self.slopes(point @ self.features.T)
        return slopes @ self.features / self.records + self._common_gradient(point)

    def record_gradients(self, point: Array, batch: Integers | None = None) -> Array:
        """The gradients of the losses of the records numbered `batch`, shape (size,), or of all n, at points of
        shape (..., d); shape (..., size, d)."""
        rows, _ = self._rows(batch)
        slopes = self.slopes(point @ rows.T, batch)
        gradients: Array = slopes[..., None] * rows + self._common_gradient(point)[..., None, :]
        return gradients

    def slopes(self, margins: Array, batch: Integers | None = None) -> Array:
        """weight_i phi'(m; y_i) for margins of shape (..., size or n) of the records numbered `batch`, or of all."""
        return self._weighted(self._slope(margins, self._rows(batch)[1]), batch)

    def _rows(self, batch: Integers | None) -> tuple[Array, Array]:
        return (self.features, self.labels) if batch is None else (self.features[batch], self.labels[batch])

    def _weighted(self, values: Array, batch: Integers | None = None) -> Array:
        if self.weights is None:
            return values
        return (self.weights if batch is None else self.weights[batch]) * values

    def _common(self, point: Array) -> Array:
        """What every record has: the term in H, the penalty and the constant."""
        total: Operand = np.zeros_like(point[..., 0]) + self.constant
        if self.is_curved:
            total = total + 0.5 * np.sum((point @ self.curvature) * point, axis=-1)
        if self.penalty:
            total = total + self.penalty * np.sum(point**2 / (1.0 + point**2), axis=-1)
        return total  # type: ignore[no-any-return]

    def _common_gradient(self, point: Array) -> Array:
        total: Operand = point @ self.curvature if self.is_curved else np.zeros_like(point)
        if self.penalty:
            total = total + (2.0 * self.penalty) * point / (1.0 + point**2) ** 2
        return total  # type: ignore[no-any-return]

    def _phi(self, margins: Array, labels: Array) -> Array:
        """phi, in functions that tracked arrays have too and that stay finite for huge margins."""
        if self.loss is Loss.LINEAR:
            return labels * margins
        if self.loss is Loss.LOGISTIC:
            signed = labels * margins
            return np.maximum(-signed, 0.0) + np.log1p(np.exp(-np.abs(signed)))
        if self.loss is Loss.COSINE:
            return np.cos(margins + labels)
        if self.loss is Loss.SQUARED:
            return 0.5 * (margins - labels) ** 2
        size = np.abs(margins - labels)
        if self.loss is Loss.HUBER:
            bent = np.minimum(size, self.threshold)
            return bent * (size - 0.5 * bent)
        return size if self.loss is Loss.ABSOLUTE else size + (np.log1p(np.exp(-2.0 * size)) - LOG_TWO)

    def _slope(self, margins: Array, labels: Array) -> Array:
        if self.loss is Loss.LINEAR:
            return labels + np.zeros_like(margins)
        if self.loss is Loss.LOGISTIC:
            # exp of a large number would be infinite, with slope 0 but a warning; 700 changes no digit of the result.
            return -labels / (1.0 + np.exp(np.minimum(labels * margins, 700.0)))
        if self.loss is Loss.COSINE:
            return -np.sin(margins + labels)
        residuals = margins - labels
        if self.loss is Loss.SQUARED:
            return residuals
        if self.loss is Loss.HUBER:
            return np.clip(residuals, -self.threshold, self.threshold)
        return np.sign(residuals) if self.loss is Loss.ABSOLUTE else np.tanh(residuals)

    @property
    def steepest(self) -> float:
        """max |phi'|, attained or approached; infinite for the squared loss."""
        return {Loss.HUBER: self.threshold, Loss.SQUARED: np.inf}.get(self.loss, 1.0)

    @property
    def bend(self) -> float:
        """max |phi''|; infinite for the absolute loss, whose slope jumps."""
        return {Loss.LINEAR: 0.0, Loss.LOGISTIC: 0.25, Loss.ABSOLUTE: np.inf}.get(self.loss, 1.0)

    def lipschitz(self, sets: Sequence[Sequence[int]]) -> tuple[float, ...]:
        """L_U = max_i weight_i max|phi'| ||x_{i,U}|| for every set U of coordinates.

        With H = 0 this is the Lipschitz constant of the paper (3.7); otherwise that of the part that
        depends on the record, and 2 L_U still bounds the difference of two records' gradients.
        """
        lengths = (self._weighted(np.sqrt((self.features[:, list(u)] ** 2).sum(axis=1))).max() for u in sets)
        return tuple(float(self.steepest * length) if length > 0 else 0.0 for length in lengths)

    def component_smoothness(self) -> Array:
        """M with Hessian <= Diag(M) everywhere: the absolute row sums of a bound on the Hessian, shape (d,)."""
        rows = np.abs(self.features)
        data = self.bend * (self._weighted(rows.T) @ rows) / self.records
        hessian = np.abs(self.curvature) + data + 2.0 * self.penalty * np.eye(self.dimension)
        return np.asarray(hessian.sum(axis=1))


def linear(records: ArrayLike, weights: ArrayLike | None = None) -> Problem:
    """ell(w; zeta) = <zeta, w>; records: zeta, shape (n, d). Every noisy step is an exact Gaussian mechanism."""
    features = _matrix("records", records)
    return Problem(Loss.LINEAR, features, np.ones(len(features)), _flat(features), weights=_vector(weights))


def logistic(features: ArrayLike, labels: ArrayLike, weights: ArrayLike | None = None) -> Problem:
    """ell = log(1 + exp(-y <x, w>)); labels -1 or 1."""
    return _margin_loss(Loss.LOGISTIC, features, labels, weights)


def nonconvex_logistic(
    features: ArrayLike, labels: ArrayLike, penalty: float, weights: ArrayLike | None = None
) -> Problem:
    """ell = log(1 + exp(-y <x, w>)) + penalty sum_j w_j^2/(1 + w_j^2); labels -1 or 1, penalty at least 0."""
    return _margin_loss(Loss.LOGISTIC, features, labels, weights, penalty=penalty)


def huber(features: ArrayLike, targets: ArrayLike, threshold: float, weights: ArrayLike | None = None) -> Problem:
    """ell = h(<x, w> - y) with h quadratic up to `threshold`, linear beyond."""
    return _margin_loss(Loss.HUBER, features, targets, weights, threshold=threshold)


def squared(features: ArrayLike, targets: ArrayLike, weights: ArrayLike | None = None) -> Problem:
    """ell = weight (<x, w> - y)^2/2; with x = 1, y = c and weight k it is k (w - c)^2/2."""
    return _margin_loss(Loss.SQUARED, features, targets, weights)


def absolute(features: ArrayLike, targets: ArrayLike, weights: ArrayLike | None = None) -> Problem:
    """ell = |<x, w> - y|; its gradient is the subgradient with slope sign(<x, w> - y), 0 at the kink."""
    return _margin_loss(Loss.ABSOLUTE, features, targets, weights)


def cosine(features: ArrayLike, phases: ArrayLike, weights: ArrayLike | None = None) -> Problem:
    """ell = cos(<x, w> + y): smooth, not convex, with G = L = 1 for rows of norm 1."""
    return _margin_loss(Loss.COSINE, features, phases, weights)


def log_cosh(features: ArrayLike, targets: ArrayLike, weights: ArrayLike | None = None) -> Problem:
    """ell = log cosh(<x, w> - y): smooth and convex, with slopes in (-1, 1)."""
    return _margin_loss(Loss.LOG_COSH, features, targets, weights)


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


def _margin_loss(
    loss: Loss, features: ArrayLike, labels: ArrayLike, weights: ArrayLike | None, **options: float
) -> Problem:
    rows = _matrix("features", features)
    return Problem(loss, rows, np.asarray(labels, dtype=float), _flat(rows), weights=_vector(weights), **options)


def _matrix(name: str, values: ArrayLike) -> Array:
    matrix = np.asarray(values, dtype=float)
    if matrix.ndim != 2 or 0 in matrix.shape or not np.isfinite(matrix).all():
        raise ConfigurationError(
            f"{name} must be a matrix of finite numbers with rows and columns, got shape {matrix.shape}"
        )
    return matrix


def _vector(values: ArrayLike | None) -> Array | None:
    return None if values is None else np.asarray(values, dtype=float)


def _flat(features: Array) -> Array:
    return np.zeros((features.shape[1],) * 2)
