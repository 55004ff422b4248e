"""The numba form of DP-SkGD: one trial after the other, trials in parallel.

`keys`: the two key words of the noise, then of the sets; `numbers`: cumulative probabilities, members and
sizes of the sets, deviations, rates, K (made by `dp_skgd`); `data`: see `loss_kernels.arrays`.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.packed import Keys, Packed
from dpaudit.noise.kernels import compiled, normal_pair, uniform_pair
from dpaudit.problems import loss_kernels

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


@compiled()
def advance(
    theta: Array, total: Array, out: Array, step: int, trial: int, keys: Keys, numbers: Packed, data: Packed
) -> Any:
    """One inner step in place; `out` receives the released values; the number of the set is returned."""
    cumulative, members, sizes, deviations, rates, inner_steps = numbers
    uniform, _ = uniform_pair(keys[2], keys[3], 0, step, trial)
    number = np.searchsorted(cumulative, uniform, side="right")
    size, chosen, deviation = sizes[number], members[number], deviations[number]
    if step % inner_steps == 0:
        total[:] = 0.0
    out[:] = 0.0
    loss_kernels.partial(theta, chosen, size, data, out)
    for a in range(0, size, 2):
        first, second = normal_pair(keys[0], keys[1], a // 2, step, trial)
        out[a] += deviation * theta.dtype.type(first)
        if a + 1 < size:
            out[a + 1] += deviation * theta.dtype.type(second)
    for a in range(size):
        theta[chosen[a]] -= rates[chosen[a]] * out[a]
    for j in range(len(theta)):
        total[j] += theta[j]
    if (step + 1) % inner_steps == 0:
        for j in range(len(theta)):
            theta[j] = total[j] / inner_steps
    return number


@compiled()
def _trial(
    trial: int, keep: bool, out: Array, start: Array, steps: int, keys: Keys, numbers: Packed, data: Packed
) -> None:
    d, state, released = len(start) // 2, start.copy(), np.zeros(numbers[1].shape[1], dtype=start.dtype)
    for step in range(steps):
        number = advance(state[:d], state[d:], released, step, trial, keys, numbers, data)
        if keep:
            out[step, 0] = number
            out[step, 1:] = released
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
    """One step per row, in place: `out` holds (theta, sum, room for the set and y); `ways`: the numbers of the sets."""
    d = len(start) // 2
    for row in range(len(out)):
        state = out[row]
        number = advance(
            state[:d], state[d : 2 * d], state[2 * d + 1 :], steps[row], trials[row], keys, numbers, data
        )  # fmt: skip
        state[2 * d] = number
        ways[row, 0] = number
