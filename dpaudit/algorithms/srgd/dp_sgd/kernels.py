"""The numba form of DP-SGD: one row after the other.

`keys`: of noise, batches, output; `numbers`: step sizes, noise, clip norm, whether the gradient is that of all
records, the width of a batch (made by `dp_sgd`); `batches`, `domain`, `data`: see `batch_kernels.packed`,
`domain_kernels.packed`, `loss_kernels.arrays`.
"""

from __future__ import annotations

import numpy as np

from dpaudit.algorithms.packed import Keys, Packed
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.kernels import Index, add_normals, compiled, uniform_pair
from dpaudit.problems import domain_kernels, loss_kernels
from dpaudit.sampling import batch_kernels


@compiled()
def advance(
    w: Array, y: Array, work: Array, batch: Integers, t: int, trial: int, keys: Keys, numbers: Packed, batches: Packed,
    domain: Packed, data: Packed,
) -> Index:  # fmt: skip
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
def _chosen(keys: Keys, trial: int, steps: int) -> Index:
    """The index of the uniformly drawn iterate."""
    return np.int64(uniform_pair(keys[4], keys[5], 0, 0, trial)[0] * steps)


@compiled()
def run(
    states: Array, first_steps: Integers, trials: Integers, released: Array, ways: Integers, count: int, keys: Keys,
    numbers: Packed, batches: Packed, domain: Packed, data: Packed,
) -> None:  # fmt: skip
    """`count` steps of every row, see `stepwise.Kernels`."""
    d, work = released.shape[2], np.empty((2, released.shape[2]), dtype=states.dtype)
    y, batch = work[0], np.empty(numbers[4], dtype=np.int64)
    for row in range(len(states)):
        w, total, trial = states[row, :d], states[row, d : 2 * d], trials[row]
        chosen = _chosen(keys, trial, len(numbers[0]))
        for made in range(count):
            t = first_steps[row] + made
            if t == chosen:
                domain_kernels.copy(w, states[row, 2 * d :])
            ways[row, 0] = advance(w, y, work[1], batch, t, trial, keys, numbers, batches, domain, data)
            for j in range(d):
                total[j] += w[j]
            if released.shape[1]:
                domain_kernels.copy(y, released[row, made])
