"""The numba form of accelerated randomised smoothing: one row after the other.

`keys`, `batches`: see `perturbed_batches.kernels`; `numbers`: start, momentum, radii, strengths (made by
`randomised_smoothing`); `domain`, `data`: see `domain_kernels.packed`, `loss_kernels.arrays`.
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
    numbers: Packed, batches: Packed, domain: Packed, data: Packed,
) -> None:  # fmt: skip
    """`count` steps of every row, see `stepwise.Kernels`."""
    start, momentum, radii, strengths = numbers
    d, size = released.shape[2], batches[2]
    g, y, work = np.empty_like(start), np.empty_like(start), np.empty_like(start)
    flat, batch = np.empty(size * d, dtype=states.dtype), np.empty(size, dtype=np.int64)
    for row in range(len(states)):
        x, z, total = states[row, :d], states[row, d : 2 * d], states[row, 2 * d :]
        for made in range(count):
            t = first_steps[row] + made
            theta = momentum[t]
            other = states.dtype.type(1) - theta
            for j in range(d):
                x[j] = other * x[j]  # what both mixtures share
                y[j] = x[j] + theta * z[j]
            mean_gradient(y, radii[t], t, trials[row], keys, batches, data, flat, work, batch, g)
            for j in range(d):
                total[j] += g[j] / theta
                z[j] = start[j] - total[j] / strengths[t]
            domain_kernels.project(z, domain)
            for j in range(d):
                x[j] += theta * z[j]
            if released.shape[1]:
                domain_kernels.copy(g, released[row, made])
