"""The numba form of phased SGD: one row after the other.

`key`: of the noise; `numbers`: the first record of each phase and the number after the last, the step sizes, the
standard deviations of the noise, whether iterates are averaged after each step; `domain`, `data`: see
`domain_kernels.packed`, `loss_kernels.arrays`.
"""

from __future__ import annotations

import numpy as np

from dpaudit.algorithms.packed import Keys, Packed
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.kernels import add_normals, compiled
from dpaudit.problems import domain_kernels, loss_kernels


@compiled()
def advance(
    w: Array, work: Array, phase: int, trial: int, key: Keys, numbers: Packed, domain: Packed, data: Packed
) -> None:
    """One phase in place; `work`: (2, d), scratch."""
    firsts, step_sizes, noise, after = numbers
    gradient, total, count = work[0], work[1], firsts[phase + 1] - firsts[phase]
    total[:] = 0
    for record in range(firsts[phase], firsts[phase + 1]):
        if not after:
            _add(w, total)
        loss_kernels.record_gradient(w, record, data, gradient)
        for j in range(len(w)):
            w[j] -= step_sizes[phase] * gradient[j]
        domain_kernels.project(w, domain)
        if after:
            _add(w, total)
    for j in range(len(w)):
        w[j] = total[j] / w.dtype.type(count)
    add_normals(w, noise[phase], key[0], key[1], phase, trial)


@compiled()
def _add(w: Array, total: Array) -> None:
    for j in range(len(w)):
        total[j] += w[j]


@compiled()
def run(
    states: Array, first_phases: Integers, trials: Integers, released: Array, ways: Integers, count: int, key: Keys,
    numbers: Packed, domain: Packed, data: Packed,
) -> None:  # fmt: skip
    """`count` phases of every row, see `stepwise.Kernels`."""
    work = np.empty((2, states.shape[1]), dtype=states.dtype)
    for row in range(len(states)):
        for made in range(count):
            advance(states[row], work, first_phases[row] + made, trials[row], key, numbers, domain, data)
            if released.shape[1]:
                domain_kernels.copy(states[row], released[row, made])
