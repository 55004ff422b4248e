"""Objectives whose ball-constrained proximal point is known in closed form, for exact oracles.

    NORM     F(x) = L |x - c|
    HUBER    F(x) = L h(|x - c|), h(s) = s^2/(2 mu) up to mu, s - mu/2 beyond
    LARGEST  F(x) = L max_i |x_i - c_i|, a maximum of 2 d affine functions
    RIDGE    F(x) = L |<u, x - c>|, |u| = 1

All are convex and L-Lipschitz with minimum 0 at c. The oracle returns argmin F(x) + (lambda/2)|x - y|^2 over
|x - y| <= r. For the first two and the last it moves y towards c (along u) by min(step, r); for LARGEST it cuts
|y_i - c_i| down to a level tau, the larger of the levels that spend L/lambda in sum and r in norm, and 0.
NumPy (one point) and torch (many) are here, the numba form is in `_prox_kernels`; none calls another.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.tensors import Tensor, Torch
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.ranges import Positive, check_fields


class Shape(IntEnum):
    """The form of F; the numbers are what the numba kernels read."""

    NORM = 0
    HUBER = 1
    LARGEST = 2
    RIDGE = 3


@dataclass(frozen=True, eq=False)
class Objective:
    """One F per instance, with the same shape and its own minimiser.

    shape; centres: c, (instances, d); lipschitz: L, threshold: mu, both above 0; direction: u, (d,), for RIDGE.
    Raises ConfigurationError.
    """

    shape: Shape
    centres: Array
    lipschitz: Positive = 1.0
    threshold: Positive = 1.0
    direction: Array | None = None

    def __post_init__(self) -> None:
        check_fields(self)
        if self.centres.ndim != 2 or 0 in self.centres.shape or not np.isfinite(self.centres).all():
            raise ConfigurationError(f"centres must be finite, shape (instances, d), got shape {self.centres.shape}")
        if self.direction is not None and (
            self.direction.shape != self.centres.shape[1:] or abs(np.linalg.norm(self.direction) - 1) > 1e-12
        ):
            raise ConfigurationError(f"direction must have {self.centres.shape[1]} numbers and norm 1")
        if self.shape == Shape.RIDGE and self.direction is None:
            raise ConfigurationError("a RIDGE needs a direction")

    @property
    def dimension(self) -> int:
        """d."""
        return int(self.centres.shape[1])

    @property
    def axis(self) -> Array:
        """u, or zeros where the shape has none, (d,)."""
        return np.zeros(self.dimension) if self.direction is None else self.direction

    def value(self, points: Array) -> Array:
        """F of every instance at its point, points (instances, d); shape (instances,)."""
        away = points - self.centres
        if self.shape == Shape.LARGEST:
            size = np.abs(away).max(axis=1)
        elif self.shape == Shape.RIDGE:
            size = np.abs(away @ self.axis)
        else:
            size = np.sqrt((away**2).sum(axis=1))
        if self.shape == Shape.HUBER:
            mu = self.threshold
            size = np.where(size <= mu, size**2 / (2 * mu), size - mu / 2)
        return np.asarray(self.lipschitz * size)

    def of(self, instances: Integers) -> Objective:
        """The objective of some instances."""
        return Objective(self.shape, self.centres[instances], self.lipschitz, self.threshold, self.direction)

    def proximal(self, instance: int, y: Array, strength: float, ball_radius: float) -> Array:
        """argmin over |x - y| <= r of F(x) + (lambda/2)|x - y|^2 for one instance; y (d,); shape (d,)."""
        away = y - self.centres[instance]
        if self.shape == Shape.LARGEST:
            level = _level(np.sort(np.abs(away))[::-1], self.lipschitz / strength, ball_radius)
            return np.asarray(self.centres[instance] + np.clip(away, -level, level))
        if self.shape == Shape.RIDGE:
            away = self.axis * (self.axis @ away)
        size = float(np.linalg.norm(away))
        if size == 0:
            return y
        step = min(size, self.lipschitz / strength)
        if self.shape == Shape.HUBER:
            mu, pull = self.threshold, self.lipschitz / strength
            step = pull if size - pull >= mu else size * pull / (mu + pull)
        return np.asarray(y - away * (min(step, ball_radius) / size))


def _level(sizes: Array, spent: float, length: float) -> float:
    """The least tau >= 0 with sum (w - tau)_+ <= spent, sum (w - tau)_+^2 <= length^2; sizes w fall."""
    first = second = 0.0
    for k in range(1, len(sizes) + 1):
        top = sizes[:k]
        if (top - top[-1]).sum() < spent:
            first = (top.sum() - spent) / k
        if ((top - top[-1]) ** 2).sum() < length**2:
            mean = top.mean()
            second = mean - math.sqrt((length**2 - ((top - mean) ** 2).sum()) / k)
    return max(first, second, 0.0)


class TorchObjective:
    """The objective as tensors; `proximal` for all instances at once."""

    def __init__(self, objective: Objective, torch: Torch, device: str, dtype: str) -> None:
        kind = getattr(torch, dtype)
        self.torch, self.shape = torch, objective.shape
        self.lipschitz, self.threshold = objective.lipschitz, objective.threshold
        self.centres, self.axis = (
            torch.tensor(values, dtype=kind, device=device) for values in (objective.centres, objective.axis)
        )

    def proximal(self, y: Tensor, strength: Tensor, ball_radius: float) -> Tensor:
        """The proximal points of all instances; y (instances, d), strength (instances,)."""
        torch, away, pull = self.torch, y - self.centres, self.lipschitz / strength
        if self.shape == Shape.LARGEST:
            level = self._levels(away.abs().sort(dim=1, descending=True).values, pull, ball_radius)[:, None]
            return self.centres + torch.maximum(torch.minimum(away, level), -level)
        if self.shape == Shape.RIDGE:
            away = self.axis * (away @ self.axis)[:, None]
        size = (away**2).sum(1).sqrt()
        step = torch.minimum(size, pull)
        if self.shape == Shape.HUBER:
            mu = self.threshold
            step = torch.where(size - pull >= mu, pull, size * pull / (mu + pull))
        share = step.clamp_max(ball_radius) / torch.where(size > 0, size, torch.ones_like(size))
        return y - away * share[:, None]

    def _levels(self, sizes: Tensor, spent: Tensor, length: float) -> Tensor:
        torch = self.torch
        first = second = torch.zeros_like(spent)
        for k in range(1, sizes.shape[1] + 1):
            top = sizes[:, :k]
            drop = top - top[:, -1:]
            first = torch.where(drop.sum(1) < spent, (top.sum(1) - spent) / k, first)
            mean = top.mean(1)
            rest = (length * length - ((top - mean[:, None]) ** 2).sum(1)).clamp_min(0.0)
            second = torch.where((drop**2).sum(1) < length * length, mean - (rest / k).sqrt(), second)
        return torch.maximum(first, second).clamp_min(0.0)
