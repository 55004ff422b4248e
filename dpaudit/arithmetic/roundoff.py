"""Unit roundoff of a number format, and how it grows over a chain of operations."""

from __future__ import annotations

import numpy as np


def unit_roundoff(dtype: str) -> float:
    """u of "float64" or "float32": half the distance from 1 to the next number."""
    return float(np.finfo(dtype).eps) / 2


def growth(operations: int, dtype: str) -> float:
    """gamma_N = N u/(1 - N u) for N = `operations` roundings; ValueError if N u reaches 1."""
    error = operations * unit_roundoff(dtype)
    if not error < 1:
        raise ValueError(f"{operations} roundings in {dtype} leave no correct digit")
    return error / (1 - error)
