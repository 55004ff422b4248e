"""Outputs of any shape as one row of float64 columns a trial."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpaudit.arithmetic.arrays import Array

Outputs = NDArray[Any]
"""What a release gave, one entry a trial, of any shape and type of number."""

_LARGEST = 1e300
"""In the place of infinite outputs: differences and sums of such numbers are finite."""


def rows(outputs: ArrayLike) -> Array:
    """(trials, ...) -> (trials, columns); (trials,) -> (trials, 1). No trial at all is allowed."""
    given = np.asarray(outputs, dtype=np.float64)
    return given.reshape(len(given), math.prod(given.shape[1:]))


def finite(outputs: ArrayLike) -> Array:
    """The outputs in their shape, infinite ones as very large numbers."""
    return np.clip(np.asarray(outputs, dtype=np.float64), -_LARGEST, _LARGEST)
