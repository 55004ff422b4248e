"""The numba form of DP-CD: one trial after the other, trials in parallel.

`keys`: of noise and coordinates; `numbers`: step sizes, noise scales, K, kind and strength of the regulariser (made by
`dp_cd`); `data`: see `loss_kernels.arrays`.
"""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.packed import Keys, Packed
from dpaudit.noise.kernels import compiled, normal_pair, uniform_pair
from dpaudit.problems import loss_kernels, prox_kernels

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


@compiled()
def advance(
    theta: Array, total: Array, out: Array, step: int, trial: int, keys: Keys, numbers: Packed, data: Packed
) -> None:
    """One inner step in place; `out` receives the coordinate and its noisy partial derivative."""
    step_sizes, noise_scales, inner_steps, kind, strength = numbers
    chosen = np.empty(1, dtype=np.int64)
    chosen[0] = np.int64(uniform_pair(keys[2], keys[3], 0, step, trial)[0] * len(theta))
    j = chosen[0]
    loss_kernels.partial(theta, chosen, 1, data, out[1:])
    out[0] = j
    out[1] += noise_scales[j] * theta.dtype.type(normal_pair(keys[0], keys[1], 0, step, trial)[0])
    theta[j] = prox_kernels.prox(theta[j] - step_sizes[j] * out[1], step_sizes[j], kind, strength)
    first, last = step % inner_steps == 0, (step + 1) % inner_steps == 0
    for i in range(len(theta)):
        total[i] = theta[i] if first else total[i] + theta[i]
        if last:
            theta[i] = total[i] / theta.dtype.type(inner_steps)


@compiled()
def _trial(
    trial: int, keep: bool, out: Array, start: Array, steps: int, keys: Keys, numbers: Packed, data: Packed
) -> None:
    d, state, released = len(start) // 2, start.copy(), start[:1].repeat(2)
    for step in range(steps):
        advance(state[:d], state[d:], released, step, trial, keys, numbers, data)
        if keep:
            out[step] = released
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
    """One step per row, in place: `out` holds (theta, sum, room for the coordinate and y); `ways`: the coordinates."""
    d = len(start) // 2
    for row in range(len(out)):
        state = out[row]
        advance(state[:d], state[d : 2 * d], state[2 * d :], steps[row], trials[row], keys, numbers, data)
        ways[row, 0] = np.int64(state[2 * d])
