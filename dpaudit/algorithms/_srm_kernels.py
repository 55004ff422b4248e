"""The numba form of DP-SRM: one trial after the other, trials in parallel.

`keys`: the two key words of the noise, of the batches, of the output; `plan`: T, n, b0, b, 1 - gamma, the
longest step, the largest rate, the length where they meet, sigma_0, sigma (made by `dp_srm`); `data`: see
`problem_kernels.arrays`.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from dpaudit import problem_kernels
from dpaudit.noise_kernels import compiled, normal_pair, uniform_pair

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


@compiled()
def draw_batch(key0: int, key1: int, step: int, trial: int, records: int, size: int, batch: Any) -> None:
    """`size` different records by Floyd's method, in the order in which they were drawn."""
    taken = np.zeros(records, dtype=np.bool_)
    for a in range(size):
        pair = uniform_pair(key0, key1, a // 2, step, trial)
        candidate = np.int64(pair[a % 2] * (records - size + a + 1))
        batch[a] = records - size + a if taken[candidate] else candidate
        taken[batch[a]] = True


@compiled()
def advance(
    previous: Array, theta: Array, fed_back: Array, step: int, trial: int, keys: Any, plan: Any, data: Any
) -> Any:
    """One step in place; 1 is returned where the rate was 1/(2 n0 L)."""
    _, records, first_batch, batch_size, memory, longest, largest_rate, switch, first_noise, later_noise = plan
    size, sigma = (batch_size, later_noise) if step > 0 else (first_batch, first_noise)
    batch, v, old = np.empty(size, dtype=np.int64), np.empty_like(theta), np.zeros_like(theta)
    draw_batch(keys[2], keys[3], step, trial, records, size, batch)
    problem_kernels.batch_gradient(theta, batch, size, data, v)
    if step > 0:
        problem_kernels.batch_gradient(previous, batch, size, data, old)
    square = 0.0
    for j in range(len(theta)):
        normal = theta.dtype.type(normal_pair(keys[0], keys[1], j // 2, step, trial)[j % 2])
        recursion = memory * (fed_back[j] - old[j]) if step > 0 else 0.0
        fed_back[j] = v[j] + recursion + sigma * normal
        square += fed_back[j] * fed_back[j]
    length = np.sqrt(square)
    eta = largest_rate if length <= switch else longest / length
    for j in range(len(theta)):
        previous[j] = theta[j]
        theta[j] -= eta * fed_back[j]
    return length <= switch


@compiled(parallel=True)
def run(start: Array, trials: Integers, keys: Any, plan: Any, data: Any, keep: bool, out: Array) -> None:
    """All steps of all trials; `out` receives transcripts if `keep`, the chosen iterates otherwise."""
    for row in numba.prange(len(trials)):
        previous, theta, fed_back = start.copy(), start.copy(), np.zeros_like(start)
        chosen = np.int64(uniform_pair(keys[4], keys[5], 0, 0, trials[row])[0] * plan[0])
        for step in range(plan[0]):
            if not keep and step == chosen:
                out[row, 0] = theta
            advance(previous, theta, fed_back, step, trials[row], keys, plan, data)
            if keep:
                out[row, step] = fed_back


@compiled()
def replay(states: Array, steps: Integers, trials: Integers, keys: Any, plan: Any, data: Any) -> Any:
    """One step per row, in place; 1 where the rate was 1/(2 n0 L)."""
    d, short = states.shape[1] // 3, np.empty(len(states), dtype=np.int64)
    for row in range(len(states)):
        parts = states[row, :d], states[row, d : 2 * d], states[row, 2 * d :]
        short[row] = advance(parts[0], parts[1], parts[2], steps[row], trials[row], keys, plan, data)
    return short
