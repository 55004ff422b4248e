"""How many numbers of noise must agree before they are one draw: more where they are coarse."""

from __future__ import annotations

import numpy as np

from dpaudit.audit.structural.finding import Array

DOUBLE, SINGLE, INTEGER = 4, 8, 32
"""Coordinates in which two draws are never proportional: 52, 23 and about 2 random bits each."""
GRID = 2.0**10
"""Noise on multiples of 1/GRID is as coarse as integers."""
ENOUGH = {DOUBLE: 1, SINGLE: 3, INTEGER: INTEGER}
"""Coordinates in which two draws of that precision are never equal."""


def shortest(noise: Array) -> int:
    """How many coordinates two noises must share before they can be called proportional: more where they are
    coarse."""
    if np.array_equal(noise * GRID, np.rint(noise * GRID)):
        return INTEGER
    return SINGLE if np.array_equal(noise, noise.astype(np.float32)) else DOUBLE


def enough(noise: Array, least: int) -> int:
    """How many coordinates two noises must share before they can be called equal: `least` where they are of half
    precision, whose ten random bits agree by chance."""
    half = least == SINGLE and not np.any(noise.astype(np.float32).view(np.uint32) & 0x1FFF)
    return least if half else ENOUGH[least]
