"""The numba form of Noisy-ZOGD: one trial after the other, trials in parallel.

`shape`: an array of the shape of a frame, (K, d); `keys`: of noise, directions, batches; `numbers`: the kind of
directions, eta/K, standard deviations along the directions and in every coordinate, (T, 2); `query`: see
`zeroth.kernels.mean_slopes`; `batches`, `domain`, `data`: see `batch_kernels.plan`, `domain_kernels.plan`,
`loss_kernels.arrays`.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.packed import Keys, Packed
from dpaudit.algorithms.zeroth.kernels import mean_slopes, normal_at
from dpaudit.noise.kernels import add_normals, compiled
from dpaudit.problems import domain_kernels
from dpaudit.sampling.batch_kernels import draw_batch
from dpaudit.sampling.direction_kernels import combine, draw_frame

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


@compiled()
def advance(
    w: Array, frame: Array, work: Array, batch: Integers, t: int, trial: int, keys: Keys, numbers: Packed,
    query: Packed, batches: Packed, domain: Packed, data: Packed,
) -> Any:  # fmt: skip
    """One step in place; `frame` receives the directions; how many slopes were clipped."""
    code, pace, spreads = numbers
    d, count, along = len(w), len(frame), spreads[t, 0]
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
def _trial(
    trial: int, keep: bool, out: Array, start: Array, shape: Array, keys: Keys, numbers: Packed, query: Packed,
    batches: Packed, domain: Packed, data: Packed,
) -> None:  # fmt: skip
    d, w, frame, batch = len(start), start.copy(), np.empty_like(shape), np.empty(batches[2], dtype=np.int64)
    work = np.empty(d + len(frame) + len(batch), dtype=w.dtype)
    for t in range(len(numbers[2])):
        advance(w, frame, work, batch, t, trial, keys, numbers, query, batches, domain, data)
        if keep:
            out[t, :d] = w
            out[t, d:] = frame.reshape(frame.size)
    if not keep:
        out[0] = w


@compiled(parallel=True)
def run(
    trials: Integers, keep: bool, out: Array, start: Array, shape: Array, keys: Keys, numbers: Packed, query: Packed,
    batches: Packed, domain: Packed, data: Packed,
) -> None:  # fmt: skip
    """All steps of all trials; `out` receives transcripts if `keep`, the last iterates otherwise."""
    for row in numba.prange(len(trials)):
        _trial(trials[row], keep, out[row], start, shape, keys, numbers, query, batches, domain, data)


@compiled()
def advance_rows(
    out: Array, steps: Integers, trials: Integers, clipped: Integers, start: Array, shape: Array, keys: Keys,
    numbers: Packed, query: Packed, batches: Packed, domain: Packed, data: Packed,
) -> None:  # fmt: skip
    """One step per row, in place: `out` holds w, and room for its copy and the frame."""
    d, count, batch = len(start), len(shape), np.empty(batches[2], dtype=np.int64)
    work = np.empty(d + count + len(batch), dtype=start.dtype)
    for row in range(len(out)):
        w, frame = out[row, :d], out[row, 2 * d :].reshape(count, d)
        clipped[row, 0] = advance(
            w, frame, work, batch, steps[row], trials[row], keys, numbers, query, batches, domain, data
        )  # fmt: skip
        out[row, d : 2 * d] = w
