"""Unit Laplace noise of a trial's own stream."""

from __future__ import annotations

import numpy as np

from dpaudit.arithmetic.arrays import Array
from dpaudit.noise.stream import Trials


def laplace(trials: Trials, count: int) -> Array:
    """Laplace draws of scale 1, shape (trials, count), by the inverse distribution function."""
    offset = trials.stream.uniforms(trials.numbers, 0, count) - 0.5
    return np.asarray(-np.sign(offset) * np.log1p(-2 * np.abs(offset)), dtype=np.float64)


def exponential(trials: Trials, count: int) -> Array:
    """Exponential draws of mean 1, shape (trials, count)."""
    return np.asarray(-np.log(trials.stream.uniforms(trials.numbers, 0, count)), dtype=np.float64)
