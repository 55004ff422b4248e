"""A convex function through given points, values and gradients: what a worst case is run on.

Where the interpolation conditions hold (Taylor, Hendrickx and Glineur 2017, Theorem 4), one such function is

    f(x) = min over z of   max_i {f_i + <g_i, z - x_i + g_i/L> - |g_i|^2/(2 L)} + L |x - z|^2/2,

which is smooth with the constant L, and max_i {f_i + <g_i, x - x_i>} without one. By duality its gradient is a mean
sum_i w_i g_i, with the weights of a quadratic program over the simplex. The NumPy form alone: a worst case is run
through the reference of an algorithm.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dpaudit.arithmetic.arrays import Array
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.validation import check_number

TOLERANCE = 1e-9
"""Of the interpolation conditions, relative to the largest number in them."""
RIDGE, FLAT = 1e-13, 1e-13
"""Added to a matrix that may be singular, relative to it; slopes that are taken for equal, relative to the heights."""
ROUNDS = 20
"""Most rounds of the active-set method for each piece."""


@dataclass(frozen=True, eq=False)
class Interpolated:
    """The function as a problem of one record. points, gradients: (k, d); values: (k,); smoothness: L, above 0, or None
    for a function with kinks. ConfigurationError for other shapes, and where no function of the class has these."""

    points: Array
    gradients: Array
    values: Array
    smoothness: float | None = None

    def __post_init__(self) -> None:
        shape = self.points.shape
        if self.points.ndim != 2 or self.gradients.shape != shape or self.values.shape != shape[:1]:
            shapes = [one.shape for one in (self.points, self.gradients, self.values)]
            raise ConfigurationError(f"points and gradients have shape (k, d), values (k,), got {shapes}")
        if self.smoothness is not None:
            check_number("smoothness", self.smoothness, above=0.0)
        gaps = self.values[:, None] - self._pieces(self.points) - self._bend(self.gradients)
        worst = float(gaps.min())
        if worst < -TOLERANCE * max(1.0, float(np.abs(self.values).max()), float(np.abs(self.points).max()) ** 2):
            raise ConfigurationError(f"no function of this class has these values and gradients: a gap of {worst:.3g}")

    @property
    def records(self) -> int:
        """1."""
        return 1

    @property
    def dimension(self) -> int:
        """d."""
        return int(self.points.shape[1])

    def value(self, point: Array) -> Array:
        """f at one point of shape (d,)."""
        weights = self._weights(point)
        slope = weights @ self.gradients
        smooth = 0.0 if self.smoothness is None else (slope @ slope) / (2 * self.smoothness)
        return np.asarray(weights @ (self._offsets + self.gradients @ point) - smooth)

    def gradient(self, point: Array) -> Array:
        """The gradient at one point of shape (d,); same shape. At a kink the one of a piece that is largest there."""
        return np.asarray(self._weights(point) @ self.gradients)

    def record_gradients(self, point: Array, batch: object = None) -> Array:
        """The gradient of the only record, (1, d)."""
        return self.gradient(point)[None]

    @cached_property
    def _offsets(self) -> Array:
        """b_i with the i-th piece b_i + <g_i, x>."""
        smooth = 0.0 if self.smoothness is None else (self.gradients**2).sum(axis=1) / (2 * self.smoothness)
        return np.asarray(self.values + smooth - (self.gradients * self.points).sum(axis=1))

    def _pieces(self, at: Array) -> Array:
        """f_j + <g_j, x_i - x_j>, (i, j)."""
        return np.asarray(self.values + ((at[:, None] - self.points) * self.gradients).sum(axis=-1))

    def _bend(self, slopes: Array) -> Array:
        """|g_i - g_j|^2/(2 L), (i, j)."""
        if self.smoothness is None:
            return np.zeros((len(slopes), len(slopes)))
        return np.asarray(((slopes[:, None] - slopes) ** 2).sum(axis=-1) / (2 * self.smoothness))

    def _weights(self, point: Array) -> Array:
        """The weights of the gradients at a point, (k,)."""
        heights = self._offsets + self.gradients @ point
        if self.smoothness is None:
            return np.asarray(np.eye(len(heights))[int(np.argmax(heights))])
        return _simplex(self.gradients / np.sqrt(self.smoothness), heights)


def _simplex(rows: Array, heights: Array) -> Array:
    """The weights w >= 0 with sum 1 that make <heights, w> - |w rows|^2/2 largest, (k,), by an active-set method."""
    products = rows @ rows.T
    ridge = RIDGE * max(float(np.trace(products)), RIDGE)
    products = products + ridge * np.eye(len(rows))
    weights: Array = np.eye(len(rows))[int(np.argmax(heights - products.diagonal() / 2))]
    for _ in range(ROUNDS * len(rows)):
        slopes = heights - products @ weights
        level = float(slopes @ weights)
        best = int(np.argmax(slopes))
        if slopes[best] <= level + FLAT * max(1.0, float(np.abs(heights).max())):
            break
        weights = _on(products, heights, weights, {*np.flatnonzero(weights).tolist(), best})
    return weights


def _on(products: Array, heights: Array, weights: Array, support: set[int]) -> Array:
    """The weights that are best with these alone above 0; one that would fall below 0 is left out, the first one
    first."""
    while True:
        chosen = sorted(support)
        size = len(chosen)
        matrix = np.ones((size + 1, size + 1))
        matrix[:size, :size], matrix[size, size] = products[np.ix_(chosen, chosen)], 0.0
        wanted = np.zeros_like(weights)
        wanted[chosen] = np.linalg.solve(matrix, [*heights[chosen], 1.0])[:size]
        falling = [k for k in chosen if wanted[k] < 0 and weights[k] >= 0]
        if not falling:
            return wanted
        share, first = min((float(weights[k] / (weights[k] - wanted[k])), k) for k in falling)
        weights = weights + share * (wanted - weights)
        weights[first] = 0.0
        support = support - {first}
