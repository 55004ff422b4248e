"""The numba form of phased SGD: one trial after the other, trials in parallel.

`key`: of the noise; `numbers`: the first record of each phase and the number after the last, the step sizes, the
standard deviations of the noise, whether iterates are averaged after each step; `domain`, `data`: see
`domain_kernels.plan`, `loss_kernels.arrays`.
"""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.packed import Keys, Packed
from dpaudit.noise.kernels import add_normals, compiled
from dpaudit.problems import domain_kernels, loss_kernels

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


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
            total += w
        loss_kernels.record_gradient(w, record, data, gradient)
        for j in range(len(w)):
            w[j] -= step_sizes[phase] * gradient[j]
        domain_kernels.project(w, domain)
        if after:
            total += w
    for j in range(len(w)):
        w[j] = total[j] / w.dtype.type(count)
    add_normals(w, noise[phase], key[0], key[1], phase, trial)


@compiled()
def _trial(
    trial: int, keep: bool, out: Array, start: Array, key: Keys, numbers: Packed, domain: Packed, data: Packed
) -> None:
    w, work = start.copy(), np.empty((2, len(start)), dtype=start.dtype)
    for phase in range(len(numbers[1])):
        advance(w, work, phase, trial, key, numbers, domain, data)
        if keep:
            out[phase] = w
    if not keep:
        out[0] = w


@compiled(parallel=True)
def run(
    trials: Integers, keep: bool, out: Array, start: Array, key: Keys, numbers: Packed, domain: Packed, data: Packed
) -> None:
    """All phases of all trials; `out` receives transcripts if `keep`, the last points otherwise."""
    for row in numba.prange(len(trials)):
        _trial(trials[row], keep, out[row], start, key, numbers, domain, data)


@compiled()
def advance_rows(
    out: Array, phases: Integers, trials: Integers, ways: Integers, start: Array, key: Keys, numbers: Packed,
    domain: Packed, data: Packed,
) -> None:  # fmt: skip
    """One phase per row, in place: `out` holds (w, room for the same again)."""
    d, work = len(start), np.empty((2, len(start)), dtype=out.dtype)
    for row in range(len(out)):
        advance(out[row, :d], work, phases[row], trials[row], key, numbers, domain, data)
        out[row, d:] = out[row, :d]
