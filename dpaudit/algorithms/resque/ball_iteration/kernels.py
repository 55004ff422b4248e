"""The numba form of ball iteration: one trial after the other, trials in parallel.

`keys`, `batches`: see `perturbed_batches.kernels`; `numbers`: inner step sizes, radius of the ball, smoothing,
whether the inner iterates are averaged (made by `ball_iteration`); `data`: see `loss_kernels.arrays`.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.resque.perturbed_batches.kernels import mean_gradient
from dpaudit.noise.kernels import compiled
from dpaudit.problems import domain_kernels

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


@compiled()
def advance(
    state: Array, g: Array, t: int, trial: int, keys: Any, numbers: Any, batches: Any, data: Any, flat: Array,
    work: Array, batch: Any,
) -> Any:  # fmt: skip
    """One inner step in place; g receives the gradient; whether the step left the ball."""
    step_sizes, radius, smoothing, averaged = numbers
    d, inner, count = len(g), t % len(step_sizes), len(step_sizes)
    centre, y, total = state[:d], state[d : 2 * d], state[2 * d : 3 * d]
    mean_gradient(y, smoothing, t, trial, keys, batches, data, flat, work, batch, g)
    for j in range(d):
        total[j] += y[j]
        y[j] = (y[j] - step_sizes[inner] * g[j]) - centre[j]
    outside = domain_kernels.clip(y, radius) > radius
    for j in range(d):
        y[j] += centre[j]
    if inner == count - 1:
        for j in range(d):
            centre[j] = total[j] / state.dtype.type(count) if averaged else y[j]
            y[j] = centre[j]
            total[j] = 0
    return outside


@compiled()
def _trial(
    trial: int, keep: bool, out: Array, start: Array, steps: int, keys: Any, numbers: Any, batches: Any, data: Any
) -> None:
    state, d, size = start.copy(), len(start) // 3, batches[2]
    g, work, flat = np.empty_like(start[:d]), np.empty_like(start[:d]), np.empty(size * d, dtype=start.dtype)
    batch = np.empty(size, dtype=np.int64)
    for t in range(steps):
        advance(state, g, t, trial, keys, numbers, batches, data, flat, work, batch)
        if keep:
            out[t] = g
    if not keep:
        out[0] = state


@compiled(parallel=True)
def run(
    trials: Integers, keep: bool, out: Array, start: Array, steps: int, keys: Any, numbers: Any, batches: Any, data: Any
) -> None:
    """All steps of all trials; `out` receives transcripts if `keep`, the last states otherwise."""
    for row in numba.prange(len(trials)):
        _trial(trials[row], keep, out[row], start, steps, keys, numbers, batches, data)


@compiled()
def advance_rows(
    out: Array, steps: Integers, trials: Integers, outside: Any, start: Array, _: int, keys: Any, numbers: Any,
    batches: Any, data: Any,
) -> None:  # fmt: skip
    """One step per row, in place: `out` holds (state, room for g)."""
    d, size = len(start) // 3, batches[2]
    work, flat = np.empty(d, dtype=out.dtype), np.empty(size * d, dtype=out.dtype)
    batch = np.empty(size, dtype=np.int64)
    for row in range(len(out)):
        state, g = out[row, : 3 * d], out[row, 3 * d :]
        outside[row, 0] = advance(
            state, g, steps[row], trials[row], keys, numbers, batches, data, flat, work, batch
        )  # fmt: skip
