"""The numba form of one round of queries around a centre."""

from __future__ import annotations

import numpy as np

from dpaudit.algorithms.resque.shared.kernels import draw_sample
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.kernels import Packed, compiled


@compiled()
def draw_pools(trials: Integers, out: Array, centre: Array, radius: float, keys: Packed, oracle: Packed) -> None:
    """Draws and gradients of every trial side by side, in `out` (trials, N, 2 d)."""
    d, work = len(centre), np.zeros((3, len(centre)))
    for row in range(len(trials)):
        for number in range(out.shape[1]):
            draw_sample(number, trials[row], keys, centre, radius, oracle, work)
            for a in range(d):
                out[row, number, a] = work[1, a]
                out[row, number, d + a] = work[2, a]
