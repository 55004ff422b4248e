"""The numba form of DPZero: one trial after the other, trials in parallel.

`keys`: of noise, directions, batches; `numbers`: T, the kind of directions, n, eta, eta sigma, whether the noise is
scalar; `query`: see `zeroth.kernels.mean_slopes`; `domain`, `data`: see `domain_kernels.plan`,
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
from dpaudit.sampling.direction_kernels import draw_frame

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


@compiled()
def advance(
    w: Array, frame: Array, work: Array, every: Integers, t: int, trial: int, keys: Keys, numbers: Packed,
    query: Packed, domain: Packed, data: Packed,
) -> Any:  # fmt: skip
    """One step in place; `frame` receives the direction; how many slopes were clipped."""
    _, code, _, eta, spread, scalar = numbers
    d, u = len(w), frame[0]
    draw_frame(code, keys[2], keys[3], t, trial, frame)
    slopes = work[d : d + 1]
    clipped = mean_slopes(w, frame, every, len(every), query, data, work[:d], work[d + 1 :], slopes)
    move = -eta * slopes[0]
    if scalar:
        move += spread * w.dtype.type(normal_at(keys[0], keys[1], 0, t, trial))
    for j in range(d):
        w[j] += move * u[j]
    if not scalar:
        add_normals(w, spread, keys[0], keys[1], t, trial)
    domain_kernels.project(w, domain)
    return clipped


@compiled()
def _trial(
    trial: int, keep: bool, out: Array, start: Array, keys: Keys, numbers: Packed, query: Packed, domain: Packed,
    data: Packed,
) -> None:  # fmt: skip
    d, w, every = len(start), start.copy(), np.arange(numbers[2])
    frame, work = np.empty((1, d), dtype=w.dtype), np.empty(d + 1 + len(every), dtype=w.dtype)
    for t in range(numbers[0]):
        advance(w, frame, work, every, t, trial, keys, numbers, query, domain, data)
        if keep:
            out[t, :d] = w
            out[t, d:] = frame[0]
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
    """One step per row, in place: `out` holds w, and room for its copy and the direction."""
    d, every = len(start), np.arange(numbers[2])
    work = np.empty(d + 1 + len(every), dtype=start.dtype)
    for row in range(len(out)):
        w, frame = out[row, :d], out[row, 2 * d :].reshape(1, d)
        clipped[row, 0] = advance(w, frame, work, every, steps[row], trials[row], keys, numbers, query, domain, data)
        out[row, d : 2 * d] = w
