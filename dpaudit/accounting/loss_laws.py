"""Pairs of laws (P, Q) of one release, known by their privacy loss log(dP/dQ).

Each law gives the masses of P and of Q in intervals of the loss, from the tail in which an interval lies, so that they
are exact to a few roundings where they are small. Sampled pairs are the dominating pairs of Zhu, Dong, Wang (2022),
theorem 11, and of Balle, Barthe, Gaboardi (2018).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import numpy as np
from scipy.special import logsumexp, ndtr, ndtri

from dpaudit.arithmetic.arrays import Array
from dpaudit.arithmetic.roots import bisected_arrays

_SIGHT, _CELL = 8.0, 0.015
"""In standard deviations: how far the cells of the plane reach, and their width."""


class Law(Protocol):
    """A pair (P, Q) through its loss: `masses` of P and Q without atoms, `atoms` (loss, mass of P, mass of Q)."""

    @property
    def atoms(self) -> tuple[tuple[float, float, float], ...]: ...

    def masses(self, edges: Array) -> tuple[Array, Array]:
        """Masses of P and Q in (edges[i], edges[i + 1]], shape (edges - 1,) each; edges may be infinite."""

    def reach(self, tail: float) -> tuple[float, float]:
        """Losses with at most `tail` of either mass below the first and above the second."""


@dataclass(frozen=True)
class GaussianLoss(Law):
    """N(mu, 1) against N(0, 1), mu > 0: the loss is N(mu^2/2, mu^2) under P, N(-mu^2/2, mu^2) under Q."""

    mu: float
    atoms: tuple[tuple[float, float, float], ...] = ()

    def masses(self, edges: Array) -> tuple[Array, Array]:
        scaled = edges / self.mu
        return interval_masses(scaled - self.mu / 2), interval_masses(scaled + self.mu / 2)

    def reach(self, tail: float) -> tuple[float, float]:
        most = self.mu * (self.mu / 2 - float(ndtri(tail)))
        return -most, most


@dataclass(frozen=True)
class LaplaceLoss(Law):
    """Laplace noise of unit sensitivity, width = 1/scale > 0: the loss lies in [-width, width], atoms at both ends."""

    width: float

    @property
    def atoms(self) -> tuple[tuple[float, float, float], ...]:
        small = math.exp(-self.width) / 2
        return (self.width, 0.5, small), (-self.width, small, 0.5)

    def masses(self, edges: Array) -> tuple[Array, Array]:
        inside = np.clip(edges, -self.width, self.width)
        return np.diff(np.exp((inside - self.width) / 2)) / 2, -np.diff(np.exp(-(inside + self.width) / 2)) / 2

    def reach(self, tail: float) -> tuple[float, float]:
        return -self.width, self.width


@dataclass(frozen=True)
class ResponseLoss(Law):
    """Randomised response, loss +-epsilon: it dominates whatever is epsilon-DP (Kairouz, Oh, Viswanath 2015)."""

    epsilon: float

    @property
    def atoms(self) -> tuple[tuple[float, float, float], ...]:
        more, less = 1 / (1 + math.exp(-self.epsilon)), math.exp(-self.epsilon) / (1 + math.exp(-self.epsilon))
        return (self.epsilon, more, less), (-self.epsilon, less, more)

    def masses(self, edges: Array) -> tuple[Array, Array]:
        return np.zeros(len(edges) - 1), np.zeros(len(edges) - 1)

    def reach(self, tail: float) -> tuple[float, float]:
        return -self.epsilon, self.epsilon


@dataclass(frozen=True)
class SampledLoss(Law):
    """(1 - rate) Q + rate P against Q, for the pair (P, Q) of `whole`; 0 < rate <= 1."""

    rate: float
    whole: Law

    @property
    def atoms(self) -> tuple[tuple[float, float, float], ...]:
        return tuple(
            (float(self._sampled(np.array(loss))), (1 - self.rate) * q + self.rate * p, q)
            for loss, p, q in self.whole.atoms
        )

    def masses(self, edges: Array) -> tuple[Array, Array]:
        p, q = self.whole.masses(self._whole(edges))
        return (1 - self.rate) * q + self.rate * p, q

    def reach(self, tail: float) -> tuple[float, float]:
        low, high = self._sampled(np.array(self.whole.reach(tail)))
        return float(low), float(high)

    def _sampled(self, loss: Array) -> Array:
        """log(1 - rate + rate exp(loss)), exact to a few roundings near 0 too."""
        with np.errstate(over="ignore"):
            near = np.log1p(self.rate * np.expm1(np.minimum(loss, 1.0)))
            far = loss + np.log(self.rate + (1 - self.rate) * np.exp(-np.maximum(loss, 1.0)))
        return np.where(loss < 1, near, far)

    def _whole(self, loss: Array) -> Array:
        """The loss of `whole` at which `_sampled` is `loss`; minus infinity below log(1 - rate)."""
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            near = np.log1p(np.maximum(np.expm1(np.minimum(loss, 1.0)) / self.rate, -1.0))
            far = loss - math.log(self.rate) + np.log1p(-(1 - self.rate) * np.exp(-np.maximum(loss, 1.0)))
        return np.where(loss < 1, near, far)


@dataclass(frozen=True)
class CountedLoss(Law):
    """sum_k weights[k] N(k mu, 1) against N(0, 1): how often a record was drawn stays hidden. mu > 0."""

    weights: tuple[float, ...]
    mu: float
    atoms: tuple[tuple[float, float, float], ...] = ()

    def masses(self, edges: Array) -> tuple[Array, Array]:
        places = self._places(edges)
        rows = [weight * interval_masses(places - k * self.mu) for k, weight in enumerate(self.weights)]
        return np.asarray(np.sum(rows, axis=0)), interval_masses(places)

    def reach(self, tail: float) -> tuple[float, float]:
        most = float(self._loss(np.array([(len(self.weights) - 1) * self.mu - float(ndtri(tail))]))[0][0])
        return math.log(self.weights[0]), most

    def _loss(self, places: Array) -> tuple[Array, Array]:
        """The loss and its derivative at each place, shape of `places`."""
        k = np.arange(len(self.weights))
        with np.errstate(divide="ignore"):
            terms = np.log(self.weights) - (k * self.mu) ** 2 / 2 + np.multiply.outer(places, k * self.mu)
        loss = logsumexp(terms, axis=-1)
        return loss, np.sum(np.exp(terms - loss[..., None]) * k * self.mu, axis=-1)

    def _places(self, edges: Array) -> Array:
        """Where the loss, which grows, has the values `edges`: bisection, then Newton steps."""
        inside = edges > math.log(self.weights[0])
        wanted = edges[inside & np.isfinite(edges)]
        low, high = np.full_like(wanted, -40.0), np.full_like(wanted, 41.0 + len(self.weights) * self.mu)
        low, high = bisected_arrays(lambda places: self._loss(places)[0] < wanted, low, high, 24)
        places = (low + high) / 2
        for _ in range(3):
            loss, slope = self._loss(places)
            places = np.clip(places - (loss - wanted) / np.maximum(slope, 1e-300), low, high)
        out = np.where(inside, np.inf, -np.inf)
        out[inside & np.isfinite(edges)] = places
        return out


@dataclass(frozen=True)
class TriangleLoss(Law):
    """(1 - rate) N(0) + rate N(x) against (1 - rate) N(0) + rate N(y) in the plane, |x| = |y| = |x - y| = mu.

    Replacement realises it: the record that differs points one way or the other, neither is where the rest points.
    From below only: the plane is cut into cells, which is post-processing, and what lies outside is left out.
    """

    rate: float
    mu: float
    atoms: tuple[tuple[float, float, float], ...] = ()

    def masses(self, edges: Array) -> tuple[Array, Array]:
        losses, p, q = _cells_of_triangle(self.rate, self.mu)
        places = np.searchsorted(edges, losses) - 1
        inside = (places >= 0) & (places < len(edges) - 1)
        counted = [np.bincount(places[inside], mass[inside], len(edges) - 1) for mass in (p, q)]
        return np.asarray(counted[0], dtype=np.float64), np.asarray(counted[1], dtype=np.float64)

    def reach(self, tail: float) -> tuple[float, float]:
        most = float(_cells_of_triangle(self.rate, self.mu)[0].max())
        return -most, most


@lru_cache(maxsize=4)
def _cells_of_triangle(rate: float, mu: float) -> tuple[Array, Array, Array]:
    """Loss, mass of P and mass of Q of every cell."""
    height = mu * math.sqrt(3) / 2
    across, along = _edges_of_cells(-mu / 2, mu / 2), _edges_of_cells(0.0, height)
    middle = np.multiply.outer(interval_masses(across), interval_masses(along))
    raised = interval_masses(along - height)
    p = (1 - rate) * middle + rate * np.multiply.outer(interval_masses(across - mu / 2), raised)
    q = (1 - rate) * middle + rate * np.multiply.outer(interval_masses(across + mu / 2), raised)
    p, q = (np.asarray(mass.ravel()[(p > 0).ravel() & (q > 0).ravel()]) for mass in (p, q))
    return np.log(p) - np.log(q), p, q


def _edges_of_cells(low: float, high: float) -> Array:
    cells = min(1400, math.ceil((high - low + 2 * _SIGHT) / _CELL))
    return np.linspace(low - _SIGHT, high + _SIGHT, cells + 1)


def interval_masses(edges: Array) -> Array:
    """Standard normal masses between consecutive edges, each from the tail that it lies in."""
    left, right = edges[:-1], edges[1:]
    flip = left > 0
    return np.asarray(ndtr(np.where(flip, -left, right)) - ndtr(np.where(flip, -right, left)))
