"""The numba form of RRPSGD: one trial after the other, trials in parallel.

`keys`: of noise, records, round; `sums`: P(R <= t); `numbers`: step sizes, noise, clip norm (made by `rrpsgd`);
`batches`, `data`: see `batch_kernels.plan`, `loss_kernels.arrays`.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.packed import Keys, Packed
from dpaudit.noise.kernels import add_normals, compiled, uniform_pair
from dpaudit.problems import domain_kernels, loss_kernels
from dpaudit.sampling import batch_kernels

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


@compiled()
def advance(
    theta: Array, y: Array, batch: Integers, t: int, trial: int, keys: Keys, numbers: Packed, batches: Packed,
    data: Packed,
) -> Any:  # fmt: skip
    """One step in place; y receives the noisy gradient; whether the gradient was clipped."""
    step_sizes, noise, clip_norm = numbers
    batch_kernels.draw_batch(batches, keys[2], keys[3], t, trial, batch)
    loss_kernels.record_gradient(theta, batch[0], data, y)
    clipped = domain_kernels.clip(y, clip_norm) > clip_norm
    add_normals(y, noise, keys[0], keys[1], t, trial)
    for j in range(len(theta)):
        theta[j] -= step_sizes[t] * y[j]
    return clipped


@compiled()
def _steps(keys: Keys, sums: Array, trial: int) -> Any:
    """R - 1."""
    uniform, made = uniform_pair(keys[4], keys[5], 0, 0, trial)[0], 0
    while made < len(sums) and sums[made] <= uniform:
        made += 1
    return made


@compiled()
def _trial(
    trial: int, keep: bool, out: Array, start: Array, keys: Keys, sums: Array, numbers: Packed, batches: Packed,
    data: Packed,
) -> None:  # fmt: skip
    theta, y, batch = start.copy(), np.empty_like(start), np.empty(1, dtype=np.int64)
    for t in range(_steps(keys, sums, trial)):
        advance(theta, y, batch, t, trial, keys, numbers, batches, data)
        if keep:
            out[t] = y
    if not keep:
        out[0] = theta


@compiled(parallel=True)
def run(
    trials: Integers, keep: bool, out: Array, start: Array, keys: Keys, sums: Array, numbers: Packed, batches: Packed,
    data: Packed,
) -> None:  # fmt: skip
    """All steps of all trials; `out`, of zeros, receives transcripts if `keep`, the outputs otherwise."""
    for row in numba.prange(len(trials)):
        _trial(trials[row], keep, out[row], start, keys, sums, numbers, batches, data)


@compiled()
def advance_rows(
    out: Array, steps: Integers, trials: Integers, clipped: Integers, start: Array, keys: Keys, sums: Array,
    numbers: Packed, batches: Packed, data: Packed,
) -> None:  # fmt: skip
    """One step per row, in place: `out` holds (state, zeros for y)."""
    d, batch = len(start), np.empty(1, dtype=np.int64)
    for row in range(len(out)):
        t, trial = steps[row], trials[row]
        if t < _steps(keys, sums, trial):
            clipped[row, 0] = advance(out[row, :d], out[row, d:], batch, t, trial, keys, numbers, batches, data)
