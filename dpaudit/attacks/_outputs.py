"""Outputs of any shape as one row of float64 columns a trial."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Outputs = NDArray[Any]
"""What a release gave, one entry a trial, of any shape and type of number."""


def rows(outputs: ArrayLike) -> NDArray[np.float64]:
    """(trials, ...) -> (trials, columns); (trials,) -> (trials, 1). No trial at all is allowed."""
    given = np.asarray(outputs, dtype=np.float64)
    return given.reshape(len(given), math.prod(given.shape[1:]))
