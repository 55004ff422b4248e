"""The numba form of ZOGD: one trial after the other, trials in parallel.

`keys`: of noise, directions, batches; `numbers`: T, K, eta/K, the kind of directions, n; `query`: see
`zeroth.kernels.mean_slopes`; `domain`, `data`: see `domain_kernels.plan`, `loss_kernels.arrays`.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.packed import Keys, Packed
from dpaudit.algorithms.zeroth.kernels import mean_slopes
from dpaudit.noise.kernels import compiled
from dpaudit.problems import domain_kernels
from dpaudit.sampling.direction_kernels import combine, draw_frame

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


@compiled()
def advance(
    w: Array, frame: Array, work: Array, every: Integers, t: int, trial: int, keys: Keys, numbers: Packed,
    query: Packed, domain: Packed, data: Packed,
) -> Any:  # fmt: skip
    """One step in place; `frame` receives the directions; how many slopes were clipped."""
    d, count = len(w), len(frame)
    draw_frame(numbers[3], keys[2], keys[3], t, trial, frame)
    slopes, drift = work[d : d + count], work[:d]
    clipped = mean_slopes(w, frame, every, len(every), query, data, drift, work[d + count :], slopes)
    drift[:] = 0
    combine(slopes, frame, drift)
    for j in range(d):
        w[j] -= numbers[2] * drift[j]
    domain_kernels.project(w, domain)
    return clipped


@compiled()
def _trial(
    trial: int, keep: bool, out: Array, start: Array, keys: Keys, numbers: Packed, query: Packed, domain: Packed,
    data: Packed,
) -> None:  # fmt: skip
    d, count, w, every = len(start), numbers[1], start.copy(), np.arange(numbers[4])
    frame, work = np.empty((count, d), dtype=w.dtype), np.empty(d + count + len(every), dtype=w.dtype)
    for t in range(numbers[0]):
        advance(w, frame, work, every, t, trial, keys, numbers, query, domain, data)
        if keep:
            out[t, :d] = w
            out[t, d:] = frame.reshape(count * d)
    if not keep:
        out[0] = w


@compiled(parallel=True)
def run(
    trials: Integers, keep: bool, out: Array, start: Array, keys: Keys, numbers: Packed, query: Packed, domain: Packed,
    data: Packed,
) -> None:  # fmt: skip
    """All steps of all trials; `out` receives transcripts if `keep`, the last iterates otherwise."""
    for row in numba.prange(len(trials)):
        _trial(trials[row], keep, out[row], start, keys, numbers, query, domain, data)


@compiled()
def advance_rows(
    out: Array, steps: Integers, trials: Integers, clipped: Integers, start: Array, keys: Keys, numbers: Packed,
    query: Packed, domain: Packed, data: Packed,
) -> None:  # fmt: skip
    """One step per row, in place: `out` holds w, and room for its copy and the frame."""
    d, count, every = len(start), numbers[1], np.arange(numbers[4])
    work = np.empty(d + count + len(every), dtype=start.dtype)
    for row in range(len(out)):
        w, frame = out[row, :d], out[row, 2 * d :].reshape(count, d)
        clipped[row, 0] = advance(
            w, frame, work, every, steps[row], trials[row], keys, numbers, query, domain, data
        )  # fmt: skip
        out[row, d : 2 * d] = w
