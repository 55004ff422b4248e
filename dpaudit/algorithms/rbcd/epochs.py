"""What algorithms share that run in epochs of inner steps, each of which ends in the average of its iterates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dpaudit.algorithms import stepwise
from dpaudit.algorithms.stepwise import Vector
from dpaudit.arithmetic.arrays import Array
from dpaudit.records.ranges import Count, Numbers, check_fields
from dpaudit.records.validation import check_vector


@dataclass(frozen=True)
class Epochs:
    """start: w^0, d finite numbers; step_sizes: gamma_j above 0, one a coordinate; epochs: T, inner_steps: K, at least
    1. Raises ConfigurationError."""

    start: Numbers
    step_sizes: tuple[float, ...]
    epochs: Count
    inner_steps: Count

    def __post_init__(self) -> None:
        check_fields(self)
        check_vector("step_sizes", self.step_sizes, self.dimension, above=0.0)

    @property
    def dimension(self) -> int:
        """d."""
        return len(self.start)

    @property
    def steps(self) -> int:
        """T K."""
        return self.epochs * self.inner_steps


class State(NamedTuple):
    """theta, and the sum of the epoch, (d,) each."""

    theta: Vector
    total: Vector


def first_state(params: Epochs) -> Array:
    """(w^0, 0), (2 d,)."""
    return np.concatenate([params.start, np.zeros(params.dimension)])


def output(params: Epochs, state: Vector) -> Vector:
    """w^T, of the last states (..., 2 d)."""
    return stepwise.unpack(State, state).theta
