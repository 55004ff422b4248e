"""The numba form of SkGD: one row after the other.

`keys`: of the sets; `sets`: cumulative probabilities, members and sizes of the sets, rates (made by `skgd`); `data`:
see `loss_kernels.arrays`.
"""

from __future__ import annotations

import numpy as np

from dpaudit.algorithms.packed import Keys, Packed
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.kernels import Index, compiled, uniform_pair
from dpaudit.problems import domain_kernels, loss_kernels
from dpaudit.sampling import coordinate_kernels


@compiled()
def advance(theta: Array, work: Array, step: int, trial: int, keys: Keys, sets: Packed, data: Packed) -> Index:
    """One step in place; the number of the set."""
    cumulative, members, sizes, rates = sets
    block = np.int64(0)  # a bare 0 is a type of its own to numba, for which it compiles once more
    uniform, _ = uniform_pair(keys[0], keys[1], block, step, trial)
    number = coordinate_kernels.draw_set(cumulative, uniform)
    chosen, size = members[number], sizes[number]
    loss_kernels.partial(theta, chosen, size, data, work)
    for a in range(size):
        theta[chosen[a]] -= rates[chosen[a]] * work[a]
    return number


@compiled()
def run(
    states: Array, first_steps: Integers, trials: Integers, released: Array, ways: Integers, count: int, keys: Keys,
    sets: Packed, data: Packed,
) -> None:  # fmt: skip
    """`count` steps of every row, see `stepwise.Kernels`."""
    work = np.empty(states.shape[1], dtype=states.dtype)
    for row in range(len(states)):
        for made in range(count):
            ways[row, 0] = advance(states[row], work, first_steps[row] + made, trials[row], keys, sets, data)
            if released.shape[1]:
                domain_kernels.copy(states[row], released[row, made])
