"""The numba form of DP-CD: one row after the other.

`keys`: of noise and coordinates; `numbers`: step sizes, noise scales, K, kind and strength of the regulariser (made by
`dp_cd`); `data`: see `loss_kernels.arrays`.
"""

from __future__ import annotations

import numpy as np

from dpaudit.algorithms.packed import Keys, Packed
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.kernels import compiled, normal_pair, uniform_pair
from dpaudit.problems import loss_kernels, prox_kernels


@compiled()
def advance(
    theta: Array, total: Array, chosen: Integers, out: Array, step: int, trial: int, keys: Keys, numbers: Packed,
    data: Packed,
) -> None:  # fmt: skip
    """One inner step in place; `chosen` receives the coordinate, `out` also its noisy partial derivative."""
    step_sizes, noise_scales, inner_steps, kind, strength = numbers
    block = np.int64(0)  # a bare 0 is a type of its own to numba, for which it compiles once more
    j = np.int64(uniform_pair(keys[2], keys[3], block, step, trial)[0] * len(theta))
    chosen[0] = j
    loss_kernels.partial(theta, chosen, len(chosen), data, out[1:])
    out[0] = j
    out[1] += noise_scales[j] * theta.dtype.type(normal_pair(keys[0], keys[1], block, step, trial)[0])
    theta[j] = prox_kernels.prox(theta[j] - step_sizes[j] * out[1], step_sizes[j], kind, strength)
    first, last = step % inner_steps == 0, (step + 1) % inner_steps == 0
    for i in range(len(theta)):
        total[i] = theta[i] if first else total[i] + theta[i]
        if last:
            theta[i] = total[i] / theta.dtype.type(inner_steps)


@compiled()
def run(
    states: Array, first_steps: Integers, trials: Integers, released: Array, ways: Integers, count: int, keys: Keys,
    numbers: Packed, data: Packed,
) -> None:  # fmt: skip
    """`count` steps of every row, see `stepwise.Kernels`."""
    d, spare, chosen = states.shape[1] // 2, np.empty(2, dtype=states.dtype), np.empty(1, dtype=np.int64)
    for row in range(len(states)):
        theta, total = states[row, :d], states[row, d:]
        for made in range(count):
            out = released[row, made] if released.shape[1] else spare
            advance(theta, total, chosen, out, first_steps[row] + made, trials[row], keys, numbers, data)
        ways[row, 0] = chosen[0]
