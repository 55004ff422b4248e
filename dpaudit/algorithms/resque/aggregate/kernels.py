"""The numba form of the vote: every pair of points by its own loop."""

from __future__ import annotations

import numpy as np

from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.kernels import compiled


@compiled()
def choose(points: Array, reach: Array, chosen: Integers, needed: int, most: bool) -> None:
    """The number of the chosen point of every trial, in `chosen`: points (m, k, d), reach (m,), as in the reference."""
    for row in range(len(points)):
        best, found = 0, -1
        chosen[row] = 0
        for i in range(points.shape[1]):
            count = 0
            for j in range(points.shape[1]):
                square = 0.0
                for a in range(points.shape[2]):
                    square += (points[row, j, a] - points[row, i, a]) * (points[row, j, a] - points[row, i, a])
                count += np.sqrt(square) <= reach[row]
            if found < 0 and count >= needed:
                found = i
                chosen[row] = i
            if found < 0 and most and count > best:
                best = count
                chosen[row] = i
