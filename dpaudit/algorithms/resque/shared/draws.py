"""Draws and queries of the parallel solvers in NumPy and torch, and the rounding of a weight and a projection.

Addresses: see `shared.kernels`. The pool of one trial: standard normals (N, d), records (N,) and signs (N,).
"""

from __future__ import annotations

import numpy as np

from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.stream import Stream
from dpaudit.noise.tensors import Tensor
from dpaudit.problems.smoothing.ridges import Oracle, RidgeLosses, margin_magnitude, margins
from dpaudit.problems.smoothing.tensors import TorchOracle
from dpaudit.records.errors import ConfigurationError

PIECE = 256
"""Samples that share one step of the noise, so that torch draws them in one call."""


def check_dimension(oracle: Oracle, centre: tuple[float, ...]) -> None:
    """Refuse an oracle of another dimension than the centre."""
    if oracle.losses.dimension != len(centre):
        raise ConfigurationError(f"centre has {len(centre)} numbers, the oracle {oracle.losses.dimension}")


def pool_inputs(oracle: Oracle, stream: Stream, trial: int, draws: int) -> tuple[Array, Integers, Array]:
    """Standard normals (N, d), records (N,) and signs (N,) of one trial: those that the other forms draw."""
    numbers, d = np.array([trial]), oracle.losses.dimension
    normals, uniforms = np.empty((draws, d)), np.empty((draws, 2))
    for start in range(0, draws, PIECE):
        count, step = min(PIECE, draws - start), start // PIECE
        rows = slice(start, start + count)
        normals[rows] = stream.part("draws").normals(numbers, step, count * d).reshape(count, d)
        uniforms[rows] = stream.part("choices").uniforms(numbers, step, 2 * count).reshape(count, 2)
    return (normals, *oracle.choices(uniforms))


def project(point: Array, centre: Array, ball_radius: float) -> Array:
    """Pi(z) = c + (z - c) min(1, r/|z - c|), shape (d,)."""
    distance = np.linalg.norm(point - centre)
    return point if distance <= ball_radius else centre + (point - centre) * (ball_radius / distance)


# Rounding, for rows of points: what the bounds of `dpaudit.agreement.cases` multiply. ---------------------------------


def exponent_magnitude(width: Array, draws: Array, radius: float) -> Array:
    """A of the logarithm of a weight: width >= |x| + |xbar| and draws (..., d); shape (...)."""
    return np.asarray((width * (2 * np.abs(draws) + width)).sum(axis=-1) / (2 * radius**2))


def estimate_magnitude(weights: Array, gradients: Array, exponents: Array) -> Array:
    """A of w g, (..., d): w has relative error exp(gamma A_e) - 1 <= 2 gamma A_e while gamma A_e <= 1."""
    return np.asarray((weights * (1 + 2 * exponents))[..., None] * np.abs(gradients))


def projection_magnitude(magnitude: Array, centre: Array) -> Array:
    """A of a projected point whose argument has `magnitude` (..., d): projecting does not lengthen an error."""
    length = np.sqrt(((magnitude + np.abs(centre)) ** 2).sum(axis=-1, keepdims=True))
    return np.asarray(np.abs(centre) + length)


def kink_ties(losses: RidgeLosses, points: Array) -> tuple[Array, Array]:
    """How far the margins at points (..., d) are from 0, and their A; each (..., n)."""
    return np.abs(margins(losses, points)), margin_magnitude(losses, points)


# torch ---------------------------------------------------------------------------------------------


class TorchPool:
    """Draws and queries of many trials as tensors; queries are answered in float64, results are of `dtype`."""

    def __init__(self, oracle: Oracle, stream: Stream, device: str, dtype: str) -> None:
        self.oracle = TorchOracle(oracle, device, "float64")
        self.torch = self.oracle.ridge.torch
        self.draws, self.choices = stream.part("draws"), stream.part("choices")
        self.device, self.kind = device, getattr(self.torch, dtype)

    def tensor(self, values: Tensor) -> Tensor:
        """`values` on the device, of the dtype of the iterates."""
        return self.torch.tensor(values, dtype=self.kind, device=self.device)

    def samples(self, trials: Integers, step: int, count: int, centre: Tensor, radius: float) -> tuple[Tensor, Tensor]:
        """xi and g(centre + xi) of the first `count` samples of one piece; centre (d,) or (trials, d), float64.

        Shapes (trials, count, d).
        """
        d = centre.shape[-1]
        xi = radius * self.draws.torch_normals(trials, step, count * d, self.device).reshape(-1, count, d)
        uniforms = self.choices.torch_uniforms(trials, step, 2 * count, self.device).reshape(-1, count, 2)
        g = self.oracle.query(centre.reshape(-1, 1, d) + xi, *self.oracle.choices(uniforms))
        return xi.to(self.kind), g.to(self.kind)

    def estimate(self, point: Tensor, centre: Tensor, xi: Tensor, g: Tensor, radius: float) -> Tensor:
        """The weighted gradients at points (..., d) from draws and gradients (..., d)."""
        v = point - centre
        exponent = (v * (2.0 * xi - v)).sum(-1, keepdim=True) / (2.0 * radius * radius)
        return exponent.exp() * g

    def project(self, point: Tensor, centre: Tensor, ball_radius: float) -> tuple[Tensor, Tensor]:
        """Points (trials, d) onto the ball, and whether each lay outside, (trials,)."""
        square = ((point - centre) ** 2).sum(-1, keepdim=True)
        outside = square > ball_radius * ball_radius
        scale = ball_radius / self.torch.where(outside, square, self.torch.ones_like(square)).sqrt()
        return self.torch.where(outside, centre + (point - centre) * scale, point), outside[..., 0]
