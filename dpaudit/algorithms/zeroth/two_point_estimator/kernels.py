"""The numba form of the zeroth-order estimators: one row after the other.

`keys`: of noise, directions, batches; `numbers`: the factor, the kind of directions; `start`: the point; `query`: see
`zeroth.kernels.mean_slopes`; `batches`, `data`: see `batch_kernels.packed`, `loss_kernels.arrays`.
"""

from __future__ import annotations

import numpy as np

from dpaudit.algorithms.packed import Keys, Packed
from dpaudit.algorithms.zeroth.kernels import keep, mean_slopes
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.kernels import Index, compiled
from dpaudit.sampling.batch_kernels import draw_batch
from dpaudit.sampling.direction_kernels import draw_frame


@compiled()
def advance(
    total: Array, estimate: Array, frame: Array, work: Array, batch: Integers, t: int, trial: int, keys: Keys,
    numbers: Packed, start: Array, query: Packed, batches: Packed, data: Packed,
) -> Index:  # fmt: skip
    """One estimate: added to `total`, written to `estimate`; how many slopes were clipped."""
    d = len(start)
    draw_frame(numbers[1], keys[2], keys[3], t, trial, frame)
    size = draw_batch(batches, keys[4], keys[5], t, trial, batch)
    slopes, values = work[d : d + 1], work[d + 1 :]
    clipped = mean_slopes(start, frame, batch, size, query, data, work[:d], values, slopes)
    for j in range(d):
        estimate[j] = numbers[0] * slopes[0] * frame[0, j]
        total[j] += estimate[j]
    return clipped


@compiled()
def run(
    states: Array, first_steps: Integers, trials: Integers, released: Array, ways: Integers, count: int, keys: Keys,
    numbers: Packed, start: Array, query: Packed, batches: Packed, data: Packed,
) -> None:  # fmt: skip
    """`count` estimates of every row, see `stepwise.Kernels`."""
    d, batch = len(start), np.empty(batches[2], dtype=np.int64)
    estimate, frame = np.empty(d, dtype=start.dtype), np.empty((1, d), dtype=start.dtype)
    work = np.empty(d + 1 + len(batch), dtype=start.dtype)
    for row in range(len(states)):
        for made in range(count):
            ways[row, 0] = advance(
                states[row], estimate, frame, work, batch, first_steps[row] + made, trials[row], keys, numbers, start,
                query, batches, data,
            )  # fmt: skip
            if released.shape[1]:
                keep(estimate, frame, released[row, made])
