"""The numba form of ball iteration: one row after the other.

`keys`, `batches`: see `perturbed_batches.kernels`; `numbers`: inner step sizes, radius of the ball, smoothing,
whether the inner iterates are averaged (made by `ball_iteration`); `data`: see `loss_kernels.arrays`.
"""

from __future__ import annotations

import numpy as np

from dpaudit.algorithms.packed import Keys, Packed
from dpaudit.algorithms.resque.perturbed_batches.kernels import mean_gradient
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.kernels import compiled
from dpaudit.problems import domain_kernels


@compiled()
def run(
    states: Array, first_steps: Integers, trials: Integers, released: Array, ways: Integers, count: int, keys: Keys,
    numbers: Packed, batches: Packed, data: Packed,
) -> None:  # fmt: skip
    """`count` inner steps of every row, see `stepwise.Kernels`; its way: whether the step left the ball."""
    step_sizes, radius, smoothing, averaged = numbers
    d, size, inner_steps = released.shape[2], batches[2], len(step_sizes)
    g, work = np.empty(d, dtype=states.dtype), np.empty(d, dtype=states.dtype)
    flat, batch = np.empty(size * d, dtype=states.dtype), np.empty(size, dtype=np.int64)
    for row in range(len(states)):
        centre, y, total = states[row, :d], states[row, d : 2 * d], states[row, 2 * d :]
        for made in range(count):
            t = first_steps[row] + made
            mean_gradient(y, smoothing, t, trials[row], keys, batches, data, flat, work, batch, g)
            for j in range(d):
                total[j] += y[j]
                y[j] = (y[j] - step_sizes[t % inner_steps] * g[j]) - centre[j]
            ways[row, 0] = domain_kernels.clip(y, radius) > radius
            for j in range(d):
                y[j] += centre[j]
            if t % inner_steps == inner_steps - 1:
                for j in range(d):
                    centre[j] = total[j] / states.dtype.type(inner_steps) if averaged else y[j]
                    y[j] = centre[j]
                    total[j] = 0
            if released.shape[1]:
                domain_kernels.copy(g, released[row, made])
