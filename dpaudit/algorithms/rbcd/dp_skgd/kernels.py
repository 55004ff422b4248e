"""The numba form of DP-SkGD: one trial after the other, trials in parallel.

`keys`: the two key words of the noise, then of the sets; `plan`: cumulative probabilities, members and
sizes of the sets, deviations, rates, K (made by `dp_skgd`); `data`: see `problem_kernels.arrays`.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from dpaudit.noise.kernels import compiled, normal_pair, uniform_pair
from dpaudit.problems import loss_kernels

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


@compiled()
def advance(theta: Array, total: Array, out: Array, step: int, trial: int, keys: Any, plan: Any, data: Any) -> Any:
    """One inner step in place; `out` receives the released values; the number of the set is returned."""
    cumulative, members, sizes, deviations, rates, inner_steps = plan
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


@compiled(parallel=True)
def run(start: Array, steps: int, trials: Integers, keys: Any, plan: Any, data: Any, keep: bool, out: Array) -> None:
    """All steps of all trials; `out` receives transcripts if `keep`, final iterates otherwise."""
    for row in numba.prange(len(trials)):
        theta, total = start.copy(), np.zeros_like(start)
        released = np.zeros(plan[1].shape[1], dtype=start.dtype)
        for step in range(steps):
            number = advance(theta, total, released, step, trials[row], keys, plan, data)
            if keep:
                out[row, step, 0] = number
                out[row, step, 1:] = released
        if not keep:
            out[row, 0] = theta


@compiled()
def replay(before: Array, steps: Integers, trials: Integers, keys: Any, plan: Any, data: Any, out: Array) -> Any:
    """One step per row, from the states `before`; `out`: (theta, sum, set, released); the numbers of the sets."""
    d, numbers = before.shape[1] // 2, np.empty(len(before), dtype=np.int64)
    for row in range(len(before)):
        theta, total, released = before[row, :d].copy(), before[row, d:].copy(), np.zeros_like(out[row, 2 * d + 1 :])
        numbers[row] = advance(theta, total, released, steps[row], trials[row], keys, plan, data)
        out[row, :d], out[row, d : 2 * d], out[row, 2 * d + 1 :] = theta, total, released
        out[row, 2 * d] = numbers[row]
    return numbers
