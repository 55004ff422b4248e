"""The numba form of DP-SVRG: one trial after the other, trials in parallel.

`keys`: of noise and records; `numbers`: step size, noise, strength of the regulariser, m, n, its kind (made by
`dp_svrg`); `data`: see `loss_kernels.arrays`. A state holds x, the anchor, the gradient there, the sum of the epoch.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.packed import Keys, Packed
from dpaudit.noise.kernels import add_normals, compiled, uniform_pair
from dpaudit.problems import loss_kernels, prox_kernels

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


@compiled()
def advance(
    state: Array, y: Array, work: Array, step: int, trial: int, keys: Keys, numbers: Packed, data: Packed
) -> Any:
    """One inner step in place; `y` receives the noisy gradient; the drawn record."""
    step_size, noise, strength, inner_steps, records, kind = numbers
    d = len(y)
    x, anchor, v, total = state[:d], state[d : 2 * d], state[2 * d : 3 * d], state[3 * d :]
    if step % inner_steps == 0:
        anchor[:], total[:] = x, 0
        loss_kernels.gradient(x, data, v)
    record: Any = np.int64(uniform_pair(keys[2], keys[3], 0, step, trial)[0] * records)
    loss_kernels.record_gradient(x, record, data, y)
    loss_kernels.record_gradient(anchor, record, data, work)
    for j in range(d):
        y[j] = (y[j] - work[j]) + v[j]
    add_normals(y, noise, keys[0], keys[1], step, trial)
    for j in range(d):
        x[j] = prox_kernels.prox(x[j] - step_size * y[j], step_size, kind, strength)
        total[j] += x[j]
    if (step + 1) % inner_steps == 0:
        for j in range(d):
            x[j] = total[j] / y.dtype.type(inner_steps)
    return record


@compiled()
def _trial(
    trial: int, keep: bool, out: Array, start: Array, steps: int, keys: Keys, numbers: Packed, data: Packed
) -> None:
    d, state = len(start) // 4, start.copy()
    y, work = start[:d].copy(), start[:d].copy()
    for step in range(steps):
        advance(state, y, work, step, trial, keys, numbers, data)
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
    """One step per row, in place: `out` holds (state, room for y); `ways` receives the records."""
    d = len(start) // 4
    work = start[:d].copy()
    for row in range(len(out)):
        state = out[row]
        ways[row, 0] = advance(state[: 4 * d], state[4 * d :], work, steps[row], trials[row], keys, numbers, data)
