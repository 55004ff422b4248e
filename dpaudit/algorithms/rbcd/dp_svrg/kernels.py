"""The numba form of DP-SVRG: one row after the other.

`keys`: of noise and records; `numbers`: step size, noise, strength of the regulariser, m, n, its kind (made by
`dp_svrg`); `data`: see `loss_kernels.arrays`. A state holds x, the anchor, the gradient there, the sum of the epoch.
"""

from __future__ import annotations

import numpy as np

from dpaudit.algorithms.packed import Keys, Packed
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.kernels import Index, add_normals, compiled, uniform_pair
from dpaudit.problems import loss_kernels, prox_kernels


@compiled()
def advance(
    state: Array, y: Array, work: Array, step: int, trial: int, keys: Keys, numbers: Packed, data: Packed
) -> Index:
    """One inner step in place; `y` receives the noisy gradient; the drawn record."""
    step_size, noise, strength, inner_steps, records, kind = numbers
    d = len(y)
    x, anchor, v, total = state[:d], state[d : 2 * d], state[2 * d : 3 * d], state[3 * d :]
    if step % inner_steps == 0:
        for j in range(d):
            anchor[j], total[j] = x[j], 0
        loss_kernels.gradient(x, data, v)
    block = np.int64(0)  # a bare 0 is a type of its own to numba, for which it compiles once more
    record = np.int64(uniform_pair(keys[2], keys[3], block, step, trial)[0] * records)
    loss_kernels.record_gradient(x, record, data, y)
    loss_kernels.record_gradient(anchor, record, data, work)
    for j in range(d):
        y[j] = (y[j] - work[j]) + v[j]
    add_normals(y, noise, keys[0], keys[1], step, trial)
    for j in range(d):
        x[j] = prox_kernels.prox(x[j] - step_size * y[j], step_size, kind, strength)
        total[j] += x[j]
    if (step + 1) % inner_steps == 0:
        for j in range(d):
            x[j] = total[j] / y.dtype.type(inner_steps)
    return record


@compiled()
def run(
    states: Array, first_steps: Integers, trials: Integers, released: Array, ways: Integers, count: int, keys: Keys,
    numbers: Packed, data: Packed,
) -> None:  # fmt: skip
    """`count` steps of every row, see `stepwise.Kernels`."""
    d = released.shape[2]
    spare, work = np.empty(d, dtype=states.dtype), np.empty(d, dtype=states.dtype)
    for row in range(len(states)):
        for made in range(count):
            y = released[row, made] if released.shape[1] else spare
            ways[row, 0] = advance(states[row], y, work, first_steps[row] + made, trials[row], keys, numbers, data)
