"""The numba form of ZOGD: one row after the other.

`keys`: of noise, directions, batches; `numbers`: K, eta/K, the kind of directions; `every`: all records; `query`: see
`zeroth.kernels.mean_slopes`; `domain`, `data`: see `domain_kernels.packed`, `loss_kernels.arrays`.
"""

from __future__ import annotations

import numpy as np

from dpaudit.algorithms.packed import Keys, Packed
from dpaudit.algorithms.zeroth.kernels import keep, mean_slopes
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.kernels import Index, compiled
from dpaudit.problems import domain_kernels
from dpaudit.sampling.direction_kernels import combine, draw_frame


@compiled()
def advance(
    w: Array, frame: Array, work: Array, every: Integers, t: int, trial: int, keys: Keys, numbers: Packed,
    query: Packed, domain: Packed, data: Packed,
) -> Index:  # fmt: skip
    """One step in place; `frame` receives the directions; how many slopes were clipped."""
    d, count = len(w), len(frame)
    draw_frame(numbers[2], keys[2], keys[3], t, trial, frame)
    slopes, drift = work[d : d + count], work[:d]
    clipped = mean_slopes(w, frame, every, len(every), query, data, drift, work[d + count :], slopes)
    drift[:] = 0
    combine(slopes, frame, drift)
    for j in range(d):
        w[j] -= numbers[1] * drift[j]
    domain_kernels.project(w, domain)
    return clipped


@compiled()
def run(
    states: Array, first_steps: Integers, trials: Integers, released: Array, ways: Integers, count: int, keys: Keys,
    numbers: Packed, every: Integers, query: Packed, domain: Packed, data: Packed,
) -> None:  # fmt: skip
    """`count` steps of every row, see `stepwise.Kernels`."""
    d, directions, kind = states.shape[1], numbers[0], states.dtype
    frame, work = np.empty((directions, d), dtype=kind), np.empty(d + directions + len(every), dtype=kind)
    for row in range(len(states)):
        w = states[row]
        for made in range(count):
            t = first_steps[row] + made
            ways[row, 0] = advance(w, frame, work, every, t, trials[row], keys, numbers, query, domain, data)
            if released.shape[1]:
                keep(w, frame, released[row, made])
