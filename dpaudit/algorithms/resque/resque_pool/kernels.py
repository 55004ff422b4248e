"""The numba form of one round of queries around a centre."""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.resque.shared.kernels import draw_sample
from dpaudit.noise.kernels import Packed, compiled

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


@compiled(parallel=True)
def draw_pools(centre: Array, radius: float, trials: Integers, keys: Packed, oracle: Packed, out: Array) -> None:
    """Draws and gradients of every trial side by side, in `out` (trials, N, 2 d)."""
    d = len(centre)
    for row in numba.prange(len(trials)):
        work = np.zeros((3, d))
        for number in range(out.shape[1]):
            draw_sample(number, trials[row], keys, centre, radius, oracle, work)
            for a in range(d):
                out[row, number, a] = work[1, a]
                out[row, number, d + a] = work[2, a]
