"""The numba form of the Gaussian mechanism on coordinates: one row after the other.

`keys`: of the noise; `numbers`: U, the coordinates that are released at all, the noise (made by `coordinate_gaussian`);
`data`: see `loss_kernels.arrays`.
"""

from __future__ import annotations

import numpy as np

from dpaudit.algorithms.packed import Keys, Packed
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.kernels import add_normals, compiled
from dpaudit.problems import loss_kernels


@compiled()
def advance(
    point: Array, gradient: Array, out: Array, step: int, trial: int, keys: Keys, numbers: Packed, data: Packed
) -> None:
    """The release from `point`, into `out`; `gradient`: work."""
    chosen, kept, noise = numbers
    loss_kernels.gradient(point, data, gradient)
    out[:] = 0
    add_normals(out, noise, keys[0], keys[1], step, trial)
    for j in range(len(point)):
        out[j] = kept[j] * gradient[j] + chosen[j] * out[j]


@compiled()
def run(
    states: Array, first_steps: Integers, trials: Integers, released: Array, ways: Integers, count: int, keys: Keys,
    numbers: Packed, data: Packed,
) -> None:  # fmt: skip
    """`count` steps of every row, see `stepwise.Kernels`."""
    d = released.shape[2]
    gradient, spare = np.empty(d, dtype=states.dtype), np.empty(d, dtype=states.dtype)
    for row in range(len(states)):
        for made in range(count):
            out = released[row, made] if released.shape[1] else spare
            advance(states[row], gradient, out, first_steps[row] + made, trials[row], keys, numbers, data)
