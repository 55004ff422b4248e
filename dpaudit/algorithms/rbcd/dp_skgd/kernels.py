"""The numba form of DP-SkGD: one row after the other.

`keys`: the two key words of the noise, then of the sets; `numbers`: cumulative probabilities, members and
sizes of the sets, deviations, rates, K (made by `dp_skgd`); `data`: see `loss_kernels.arrays`.
"""

from __future__ import annotations

import numpy as np

from dpaudit.algorithms.packed import Keys, Packed
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.kernels import Index, compiled, normal_pair, uniform_pair
from dpaudit.problems import loss_kernels
from dpaudit.sampling import coordinate_kernels


@compiled()
def advance(
    theta: Array, total: Array, out: Array, step: int, trial: int, keys: Keys, numbers: Packed, data: Packed
) -> Index:
    """One inner step in place; `out` receives the set and the noisy partial derivatives; the number of the set."""
    cumulative, members, sizes, deviations, rates, inner_steps = numbers
    block = np.int64(0)  # a bare 0 is a type of its own to numba, for which it compiles once more
    uniform, _ = uniform_pair(keys[2], keys[3], block, step, trial)
    number = coordinate_kernels.draw_set(cumulative, uniform)
    size, chosen, deviation = sizes[number], members[number], deviations[number]
    if step % inner_steps == 0:
        total[:] = 0.0
    out[:] = 0.0
    out[0], y = number, out[1:]
    loss_kernels.partial(theta, chosen, size, data, y)
    for a in range(0, size, 2):
        first, second = normal_pair(keys[0], keys[1], a // 2, step, trial)
        y[a] += deviation * theta.dtype.type(first)
        if a + 1 < size:
            y[a + 1] += deviation * theta.dtype.type(second)
    for a in range(size):
        theta[chosen[a]] -= rates[chosen[a]] * y[a]
    for j in range(len(theta)):
        total[j] += theta[j]
    if (step + 1) % inner_steps == 0:
        for j in range(len(theta)):
            theta[j] = total[j] / inner_steps
    return number


@compiled()
def run(
    states: Array, first_steps: Integers, trials: Integers, released: Array, ways: Integers, count: int, keys: Keys,
    numbers: Packed, data: Packed,
) -> None:  # fmt: skip
    """`count` steps of every row, see `stepwise.Kernels`."""
    d, spare = states.shape[1] // 2, np.empty(released.shape[2], dtype=states.dtype)
    for row in range(len(states)):
        theta, total = states[row, :d], states[row, d:]
        for made in range(count):
            out = released[row, made] if released.shape[1] else spare
            ways[row, 0] = advance(theta, total, out, first_steps[row] + made, trials[row], keys, numbers, data)
