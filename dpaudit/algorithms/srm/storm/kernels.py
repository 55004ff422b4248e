"""The numba form of STORM: one row after the other.

`keys`: of batches, output; `numbers`: k, w, c (made by `storm`); `batches`, `data`: see `batch_kernels.packed`,
`loss_kernels.arrays`.
"""

from __future__ import annotations

import numpy as np

from dpaudit.algorithms.packed import Keys, Packed
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.kernels import Index, compiled, uniform_pair
from dpaudit.problems import domain_kernels, loss_kernels
from dpaudit.sampling import batch_kernels


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
def _chosen(keys: Keys, trial: int, steps: int) -> Index:
    """The index of the uniformly drawn iterate."""
    return np.int64(uniform_pair(keys[2], keys[3], 0, 0, trial)[0] * steps)


@compiled()
def run(
    states: Array, first_steps: Integers, trials: Integers, released: Array, ways: Integers, count: int, keys: Keys,
    steps: int, numbers: Packed, batches: Packed, data: Packed,
) -> None:  # fmt: skip
    """`count` steps of every row, see `stepwise.Kernels`."""
    d, work = released.shape[2], np.empty((2, released.shape[2]), dtype=states.dtype)
    batch = np.empty(batches[2], dtype=np.int64)
    for row in range(len(states)):
        state, trial = states[row], trials[row]
        chosen = _chosen(keys, trial, steps)
        for made in range(count):
            t = first_steps[row] + made
            if t == chosen:
                domain_kernels.copy(state[d : 2 * d], state[3 * d : 4 * d])
            advance(state, work[0], work[1], batch, t, trial, keys, numbers, batches, data)
            if released.shape[1]:
                domain_kernels.copy(state[2 * d : 3 * d], released[row, made])
