"""The numba form of STORM: one trial after the other, trials in parallel.

`keys`: of batches, output; `numbers`: k, w, c (made by `storm`); `batches`, `data`: see `batch_kernels.plan`,
`loss_kernels.arrays`.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.packed import Keys, Packed
from dpaudit.noise.kernels import compiled, uniform_pair
from dpaudit.problems import domain_kernels, loss_kernels
from dpaudit.sampling import batch_kernels

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


@compiled()
def advance(
    state: Array, new: Array, old: Array, batch: Integers, t: int, trial: int, keys: Keys, numbers: Packed,
    batches: Packed, data: Packed,
) -> None:  # fmt: skip
    """One step in place."""
    d, (rate_factor, offset, momentum_factor) = len(new), numbers
    previous, x, estimate = state[:d], state[d : 2 * d], state[2 * d : 3 * d]
    one = state.dtype.type(1)
    size = batch_kernels.draw_batch(batches, keys[0], keys[1], t, trial, batch)
    loss_kernels.batch_gradient(x, batch, size, data, new)
    if t > 0:
        loss_kernels.batch_gradient(previous, batch, size, data, old)
    keep = one - state[4 * d]
    state[4 * d + 1] += domain_kernels.squared_norm(new)
    rate = rate_factor * np.exp(np.log(offset + state[4 * d + 1]) / state.dtype.type(-3))
    state[4 * d] = momentum_factor * (rate * rate)
    for j in range(d):
        estimate[j] = new[j] + keep * (estimate[j] - old[j]) if t > 0 else new[j]
        previous[j] = x[j]
        x[j] -= rate * estimate[j]


@compiled()
def _chosen(keys: Keys, trial: int, steps: int) -> Any:
    """The index of the uniformly drawn iterate."""
    return np.int64(uniform_pair(keys[2], keys[3], 0, 0, trial)[0] * steps)


@compiled()
def _trial(
    trial: int, keep: bool, out: Array, start: Array, keys: Keys, steps: int, numbers: Packed, batches: Packed,
    data: Packed,
) -> None:  # fmt: skip
    state, d, chosen = start.copy(), (len(start) - 2) // 4, _chosen(keys, trial, steps)
    new, old, batch = np.empty_like(start[:d]), np.empty_like(start[:d]), np.empty(batches[2], dtype=np.int64)
    for t in range(steps):
        if t == chosen:
            state[3 * d : 4 * d] = state[d : 2 * d]
        advance(state, new, old, batch, t, trial, keys, numbers, batches, data)
        if keep:
            out[t] = state[2 * d : 3 * d]
    if not keep:
        out[0] = state


@compiled(parallel=True)
def run(
    trials: Integers, keep: bool, out: Array, start: Array, keys: Keys, steps: int, numbers: Packed, batches: Packed,
    data: Packed,
) -> None:  # fmt: skip
    """All steps of all trials; `out` receives the estimates if `keep`, the last states otherwise."""
    for row in numba.prange(len(trials)):
        _trial(trials[row], keep, out[row], start, keys, steps, numbers, batches, data)


@compiled()
def advance_rows(
    out: Array, steps: Integers, trials: Integers, ways: Integers, start: Array, keys: Keys, total: int,
    numbers: Packed, batches: Packed, data: Packed,
) -> None:  # fmt: skip
    """One step per row, in place: `out` holds (state, room for d_t)."""
    d = (len(start) - 2) // 4
    new, old, batch = np.empty_like(out[0, :d]), np.empty_like(out[0, :d]), np.empty(batches[2], dtype=np.int64)
    for row in range(len(out)):
        state, t, trial = out[row], steps[row], trials[row]
        if t == _chosen(keys, trial, total):
            state[3 * d : 4 * d] = state[d : 2 * d]
        advance(state[: 4 * d + 2], new, old, batch, t, trial, keys, numbers, batches, data)
        state[4 * d + 2 :] = state[2 * d : 3 * d]
