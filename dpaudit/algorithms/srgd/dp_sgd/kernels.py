"""The numba form of DP-SGD: one trial after the other, trials in parallel.

`keys`: of noise, batches, output; `numbers`: step sizes, noise, clip norm, whether the gradient is that of all
records, the width of a batch (made by `dp_sgd`); `batches`, `domain`, `data`: see `batch_kernels.plan`,
`domain_kernels.plan`, `loss_kernels.arrays`. Tuples are flat, because a parallel loop takes no nested ones.
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
    w: Array, y: Array, work: Array, batch: Integers, t: int, trial: int, keys: Keys, numbers: Packed, batches: Packed,
    domain: Packed, data: Packed,
) -> Any:  # fmt: skip
    """One step in place; y receives the noisy gradient; how many gradients were clipped."""
    step_sizes, noise, clip_norm, whole, _ = numbers
    clipped = 0
    if whole:
        loss_kernels.gradient(w, data, y)
    else:
        size = batch_kernels.draw_batch(batches, keys[2], keys[3], t, trial, batch)
        clipped = loss_kernels.clipped_sum(w, batch, size, clip_norm, data, work, y)
        for j in range(len(w)):
            y[j] /= w.dtype.type(batches[2])
    add_normals(y, noise, keys[0], keys[1], t, trial)
    for j in range(len(w)):
        w[j] -= step_sizes[t] * y[j]
    domain_kernels.project(w, domain)
    return clipped


@compiled()
def _chosen(keys: Keys, trial: int, steps: int) -> Any:
    """The index of the uniformly drawn iterate."""
    return np.int64(uniform_pair(keys[4], keys[5], 0, 0, trial)[0] * steps)


@compiled()
def _trial(
    trial: int, keep: bool, out: Array, start: Array, keys: Keys, numbers: Packed, batches: Packed, domain: Packed,
    data: Packed,
) -> None:  # fmt: skip
    d, steps, state = len(start) // 3, len(numbers[0]), start.copy()
    y, work, batch = start[:d].copy(), start[:d].copy(), np.empty(numbers[4], dtype=np.int64)
    chosen = _chosen(keys, trial, steps)
    for t in range(steps):
        if t == chosen:
            state[2 * d :] = state[:d]
        advance(state[:d], y, work, batch, t, trial, keys, numbers, batches, domain, data)
        for j in range(d):
            state[d + j] += state[j]
        if keep:
            out[t] = y
    if not keep:
        out[0] = state


@compiled(parallel=True)
def run(
    trials: Integers, keep: bool, out: Array, start: Array, keys: Keys, numbers: Packed, batches: Packed,
    domain: Packed, data: Packed,
) -> None:  # fmt: skip
    """All steps of all trials; `out` receives transcripts if `keep`, the last states otherwise."""
    for row in numba.prange(len(trials)):
        _trial(trials[row], keep, out[row], start, keys, numbers, batches, domain, data)


@compiled()
def advance_rows(
    out: Array, steps: Integers, trials: Integers, clipped: Integers, _: Array, keys: Keys, numbers: Packed,
    batches: Packed, domain: Packed, data: Packed,
) -> None:  # fmt: skip
    """One step per row, in place: `out` holds (state, room for y)."""
    d, work = out.shape[1] // 4, out[0, : out.shape[1] // 4].copy()
    batch = np.empty(numbers[4], dtype=np.int64)
    for row in range(len(out)):
        state, t, trial = out[row], steps[row], trials[row]
        if t == _chosen(keys, trial, len(numbers[0])):
            state[2 * d : 3 * d] = state[:d]
        clipped[row, 0] = advance(
            state[:d], state[3 * d :], work, batch, t, trial, keys, numbers, batches, domain, data
        )  # fmt: skip
        for j in range(d):
            state[d + j] += state[j]
