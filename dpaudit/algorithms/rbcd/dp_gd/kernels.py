"""The numba form of DP-GD: one row after the other.

`keys`: of the noise; `numbers`: step sizes, noise, K (made by `dp_gd`); `data`: see `loss_kernels.arrays`.
"""

from __future__ import annotations

import numpy as np

from dpaudit.algorithms.packed import Keys, Packed
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.kernels import add_normals, compiled
from dpaudit.problems import loss_kernels


@compiled()
def advance(
    theta: Array, total: Array, y: Array, step: int, trial: int, keys: Keys, numbers: Packed, data: Packed
) -> None:
    """One inner step in place; `y` receives the noisy gradient."""
    step_sizes, noise, inner_steps = numbers
    loss_kernels.gradient(theta, data, y)
    add_normals(y, noise, keys[0], keys[1], step, trial)
    first, last = step % inner_steps == 0, (step + 1) % inner_steps == 0
    for j in range(len(theta)):
        theta[j] -= step_sizes[j] * y[j]
    for j in range(len(theta)):
        total[j] = theta[j] if first else total[j] + theta[j]
    if last:
        for j in range(len(theta)):
            theta[j] = total[j] / theta.dtype.type(inner_steps)


@compiled()
def run(
    states: Array, first_steps: Integers, trials: Integers, released: Array, ways: Integers, count: int, keys: Keys,
    numbers: Packed, data: Packed,
) -> None:  # fmt: skip
    """`count` steps of every row, see `stepwise.Kernels`."""
    d = released.shape[2]
    spare = np.empty(d, dtype=states.dtype)
    for row in range(len(states)):
        theta, total = states[row, :d], states[row, d:]
        for made in range(count):
            y = released[row, made] if released.shape[1] else spare
            advance(theta, total, y, first_steps[row] + made, trials[row], keys, numbers, data)
