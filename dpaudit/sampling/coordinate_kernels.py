"""The numba form of `dpaudit.sampling.coordinates`, one set at a time, for compiled algorithms."""

from __future__ import annotations

from dpaudit.arithmetic.arrays import Array
from dpaudit.noise.kernels import compiled


@compiled()
def draw_set(cumulative: Array, uniform: float) -> int:
    """The number of the set for a uniform in (0, 1): how many entries of `cumulative` are at most `uniform`."""
    low, high = 0, len(cumulative)
    while low < high:
        middle = (low + high) >> 1
        if cumulative[middle] <= uniform:
            low = middle + 1
        else:
            high = middle
    return low
