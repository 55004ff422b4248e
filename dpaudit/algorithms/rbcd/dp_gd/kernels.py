"""The numba form of DP-GD: one trial after the other, trials in parallel.

`keys`: of the noise; `numbers`: step sizes, noise, K (made by `dp_gd`); `data`: see `loss_kernels.arrays`.
"""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.packed import Keys, Packed
from dpaudit.noise.kernels import add_normals, compiled
from dpaudit.problems import loss_kernels

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


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
def _trial(
    trial: int, keep: bool, out: Array, start: Array, steps: int, keys: Keys, numbers: Packed, data: Packed
) -> None:
    d, state, y = len(start) // 2, start.copy(), start[: len(start) // 2].copy()
    for step in range(steps):
        advance(state[:d], state[d:], y, step, trial, keys, numbers, data)
        if keep:
            out[step] = y
    if not keep:
        out[0] = state


@compiled(parallel=True)
def run(
    trials: Integers, keep: bool, out: Array, start: Array, steps: int, keys: Keys, numbers: Packed, data: Packed
) -> None:
    """All steps of all trials; `out` receives transcripts if `keep`, the last states otherwise."""
    for row in numba.prange(len(trials)):
        _trial(trials[row], keep, out[row], start, steps, keys, numbers, data)


@compiled()
def advance_rows(
    out: Array, steps: Integers, trials: Integers, ways: Integers, start: Array, _: int, keys: Keys, numbers: Packed,
    data: Packed,
) -> None:  # fmt: skip
    """One step per row, in place: `out` holds (theta, sum, room for y)."""
    d = len(start) // 2
    for row in range(len(out)):
        state = out[row]
        advance(state[:d], state[d : 2 * d], state[2 * d :], steps[row], trials[row], keys, numbers, data)
