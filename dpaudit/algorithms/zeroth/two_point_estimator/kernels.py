"""The numba form of the zeroth-order estimators: one trial after the other, trials in parallel.

`keys`: of noise, directions, batches; `numbers`: T, the factor, the kind of directions; `query`: see
`zeroth.kernels.mean_slopes`; `batches`, `data`: see `batch_kernels.plan`, `loss_kernels.arrays`.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.packed import Keys, Packed
from dpaudit.algorithms.zeroth.kernels import mean_slopes
from dpaudit.noise.kernels import compiled
from dpaudit.sampling.batch_kernels import draw_batch
from dpaudit.sampling.direction_kernels import draw_frame

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


@compiled()
def advance(
    total: Array, estimate: Array, frame: Array, work: Array, batch: Integers, start: Array, t: int, trial: int,
    keys: Keys, numbers: Packed, query: Packed, batches: Packed, data: Packed,
) -> Any:  # fmt: skip
    """One estimate: added to `total`, written to `estimate`; how many slopes were clipped."""
    d = len(start)
    draw_frame(numbers[2], keys[2], keys[3], t, trial, frame)
    size = draw_batch(batches, keys[4], keys[5], t, trial, batch)
    slopes, values = work[d : d + 1], work[d + 1 :]
    clipped = mean_slopes(start, frame, batch, size, query, data, work[:d], values, slopes)
    for j in range(d):
        estimate[j] = numbers[1] * slopes[0] * frame[0, j]
        total[j] += estimate[j]
    return clipped


@compiled(parallel=True)
def run(
    trials: Integers, keep: bool, out: Array, start: Array, keys: Keys, numbers: Packed, query: Packed, batches: Packed,
    data: Packed,
) -> None:  # fmt: skip
    """All estimates of all trials; `out` receives transcripts if `keep`, the sums otherwise."""
    for row in numba.prange(len(trials)):
        _trial(trials[row], keep, out[row], start, keys, numbers, query, batches, data)


@compiled()
def _trial(
    trial: int, keep: bool, out: Array, start: Array, keys: Keys, numbers: Packed, query: Packed, batches: Packed,
    data: Packed,
) -> None:  # fmt: skip
    d, total, estimate = len(start), np.zeros_like(start), np.zeros_like(start)
    frame, batch = np.empty((1, d), dtype=start.dtype), np.empty(batches[2], dtype=np.int64)
    work = np.empty(d + 1 + len(batch), dtype=start.dtype)
    for t in range(numbers[0]):
        advance(total, estimate, frame, work, batch, start, t, trial, keys, numbers, query, batches, data)
        if keep:
            out[t, :d] = estimate
            out[t, d:] = frame[0]
    if not keep:
        out[0] = total


@compiled()
def advance_rows(
    out: Array, steps: Integers, trials: Integers, clipped: Integers, start: Array, keys: Keys, numbers: Packed,
    query: Packed, batches: Packed, data: Packed,
) -> None:  # fmt: skip
    """One estimate per row, in place: `out` holds the sum before and room for the estimate and its direction."""
    d, batch = len(start), np.empty(batches[2], dtype=np.int64)
    work = np.empty(d + 1 + len(batch), dtype=start.dtype)
    for row in range(len(out)):
        clipped[row, 0] = advance(
            out[row, :d], out[row, d : 2 * d], out[row, 2 * d :].reshape(1, d), work, batch, start, steps[row],
            trials[row], keys, numbers, query, batches, data,
        )  # fmt: skip
