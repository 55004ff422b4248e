"""The numba form of RRPSGD: one row after the other.

`keys`: of noise, records, round; `sums`: P(R <= t); `numbers`: step sizes, noise, clip norm (made by `rrpsgd`);
`batches`, `data`: see `batch_kernels.packed`, `loss_kernels.arrays`.
"""

from __future__ import annotations

import numpy as np

from dpaudit.algorithms.packed import Keys, Packed
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.kernels import Index, Scalar, add_normals, compiled, uniform_pair
from dpaudit.problems import domain_kernels, loss_kernels
from dpaudit.sampling import batch_kernels


@compiled()
def advance(
    theta: Array, y: Array, batch: Integers, t: int, trial: int, keys: Keys, numbers: Packed, batches: Packed,
    data: Packed,
) -> Scalar:  # fmt: skip
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
def _steps(keys: Keys, sums: Array, trial: int) -> Index:
    """R - 1."""
    uniform, made = uniform_pair(keys[4], keys[5], 0, 0, trial)[0], 0
    while made < len(sums) and sums[made] <= uniform:
        made += 1
    return made


@compiled()
def run(
    states: Array, first_steps: Integers, trials: Integers, released: Array, ways: Integers, count: int, keys: Keys,
    sums: Array, numbers: Packed, batches: Packed, data: Packed,
) -> None:  # fmt: skip
    """`count` steps of every row, see `stepwise.Kernels`; from step R - 1 on nothing changes, `released` stays 0."""
    y, batch = np.empty(states.shape[1], dtype=states.dtype), np.empty(1, dtype=np.int64)
    for row in range(len(states)):
        first, trial = first_steps[row], trials[row]
        for t in range(first, min(first + count, _steps(keys, sums, trial))):
            ways[row, 0] = advance(states[row], y, batch, t, trial, keys, numbers, batches, data)
            if released.shape[1]:
                domain_kernels.copy(y, released[row, t - first])
