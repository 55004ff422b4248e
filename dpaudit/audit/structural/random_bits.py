"""How many numbers of noise must agree before they are one draw: more where they are coarse."""

from __future__ import annotations

import math
import sys

import numpy as np

from dpaudit.audit.structural.finding import Array

DOUBLE, SINGLE, INTEGER = 4, 8, 32
"""Coordinates in which two draws are never proportional: 52, 23 and about 2 random bits each; of whole numbers with
fewer bits there must be more."""
BITS = 64
"""Of whole numbers: two draws agree in all coordinates with probability 2^-BITS at most."""
GRID = 2.0**10
"""Noise on multiples of 1/GRID is as coarse as integers."""
ENOUGH = {DOUBLE: 1, SINGLE: 3, INTEGER: INTEGER}
"""Coordinates in which two draws of that precision are never equal."""


def shortest(noise: Array) -> int:
    """How many coordinates two noises must share before they can be called proportional: more where they are
    coarse."""
    if np.array_equal(noise * GRID, np.rint(noise * GRID)):
        return _of_whole_numbers(noise)
    return SINGLE if np.array_equal(noise, noise.astype(np.float32)) else DOUBLE


def enough(noise: Array, least: int) -> int:
    """How many coordinates two noises must share before they can be called equal: `least` where they are of half
    precision, whose ten random bits agree by chance."""
    half = least == SINGLE and not np.any(noise.astype(np.float32).view(np.uint32) & 0x1FFF)
    return least if half else ENOUGH.get(least, least)


def _of_whole_numbers(noise: Array) -> int:
    """As many as make BITS bits, by how often two of these numbers are equal; no number is enough where all are."""
    _, counts = np.unique(noise, return_counts=True)
    equal = float(np.square(counts / max(noise.size, 1)).sum())
    return max(INTEGER, math.ceil(BITS / -math.log2(equal))) if 0 < equal < 1 else sys.maxsize
