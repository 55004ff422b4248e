"""The numba form of Noisy-ZOGD: one row after the other.

`keys`: of noise, directions, batches; `numbers`: K, the kind of directions, eta/K, standard deviations along the
directions and in every coordinate, (T, 2); `query`: see `zeroth.kernels.mean_slopes`; `batches`, `domain`, `data`: see
`batch_kernels.packed`, `domain_kernels.packed`, `loss_kernels.arrays`.
"""

from __future__ import annotations

import numpy as np

from dpaudit.algorithms.packed import Keys, Packed
from dpaudit.algorithms.zeroth.kernels import keep, mean_slopes, normal_at
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.kernels import Index, add_normals, compiled
from dpaudit.problems import domain_kernels
from dpaudit.sampling.batch_kernels import draw_batch
from dpaudit.sampling.direction_kernels import combine, draw_frame


@compiled()
def advance(
    w: Array, frame: Array, work: Array, batch: Integers, t: int, trial: int, keys: Keys, numbers: Packed,
    query: Packed, batches: Packed, domain: Packed, data: Packed,
) -> Index:  # fmt: skip
    """One step in place; `frame` receives the directions; how many slopes were clipped."""
    count, code, pace, spreads = numbers
    d, along = len(w), spreads[t, 0]
    draw_frame(code, keys[2], keys[3], t, trial, frame)
    size = draw_batch(batches, keys[4], keys[5], t, trial, batch)
    moves = work[d : d + count]
    clipped = mean_slopes(w, frame, batch, size, query, data, work[:d], work[d + count :], moves)
    for k in range(count):
        moves[k] *= -pace
        if along > 0:
            moves[k] += along * w.dtype.type(normal_at(keys[0], keys[1], d + k, t, trial))
    combine(moves, frame, w)
    if spreads[t, 1] > 0:
        add_normals(w, spreads[t, 1], keys[0], keys[1], t, trial)
    domain_kernels.project(w, domain)
    return clipped


@compiled()
def run(
    states: Array, first_steps: Integers, trials: Integers, released: Array, ways: Integers, count: int, keys: Keys,
    numbers: Packed, query: Packed, batches: Packed, domain: Packed, data: Packed,
) -> None:  # fmt: skip
    """`count` steps of every row, see `stepwise.Kernels`."""
    d, directions, batch = states.shape[1], numbers[0], np.empty(batches[2], dtype=np.int64)
    frame = np.empty((directions, d), dtype=states.dtype)
    work = np.empty(d + directions + len(batch), dtype=states.dtype)
    for row in range(len(states)):
        w = states[row]
        for made in range(count):
            t = first_steps[row] + made
            ways[row, 0] = advance(w, frame, work, batch, t, trials[row], keys, numbers, query, batches, domain, data)
            if released.shape[1]:
                keep(w, frame, released[row, made])
