"""Gradients and queries that count themselves, so that complexity formulas are compared with what happened."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from dpaudit.algorithms.resque.shared.turns import Points
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.problems.smoothing.ridges import Oracle, RidgeLosses, subgradient
from dpaudit.records.errors import ConfigurationError


class CountedGradients:
    """Subgradients of single records; `count`: how many were computed."""

    def __init__(self, losses: RidgeLosses) -> None:
        self._losses, self.count = losses, 0

    def at(self, record: int | np.integer, point: Array) -> Array:
        """The subgradient of `record`, an integer, at `point`, (d,)."""
        self.count += 1
        return subgradient(self._losses, record, point)


class CountedOracle:
    """The answers of an oracle; `gradients`: how many points were asked for, `rounds`: how often any were."""

    def __init__(self, oracle: Oracle) -> None:
        self._oracle, self.gradients, self.rounds = oracle, 0, 0

    def query(self, points: Array, records: Integers, signs: Array) -> Array:
        """g at points (N, d), all at once."""
        self.gradients += len(points)
        self.rounds += len(points) > 0
        return self._oracle.query(points, records, signs)


class Asked:
    """An oracle given as a function; `count`: how often it was asked."""

    def __init__(self, answer: Callable[..., Array]) -> None:
        self._answer, self.count = answer, 0

    def __call__(self, *question: object) -> Array:
        self.count += 1
        return self._answer(*question)


def together(*parts: dict[str, int]) -> dict[str, int]:
    """Counts added up by kind, kinds in the order of their first appearance."""
    return {kind: sum(part.get(kind, 0) for part in parts) for part in parts for kind in part}


def times(count: int, calls: dict[str, int]) -> dict[str, int]:
    """`count` times the same."""
    return {kind: count * number for kind, number in calls.items()}


def check_draws(name: str, values: Points, shape: tuple[int, ...]) -> None:
    """Refuse arrays or tensors of another shape, or with numbers that are not finite."""
    if tuple(np.shape(values)) != shape:
        raise ConfigurationError(f"{name} must have shape {shape}, got {tuple(np.shape(values))}")
    if not is_finite(values):
        raise ConfigurationError(f"{name} must be finite numbers, got NaN or infinity")


def is_finite(values: Points) -> bool:
    """Whether all numbers of an array or a tensor are: one that is not makes the sum so."""
    return math.isfinite(float(values.sum()))
