"""The numba form of EpochSGD: one trial after the other, trials in parallel; draws as in `shared.kernels`.

`plan`: r, rho, lambda; `schedule`: rows (first sample, length, eta) of the epochs.
"""

from __future__ import annotations

import numba
import numpy as np

from dpaudit.algorithms.resque.shared.kernels import draw_sample, project, weight
from dpaudit.noise.kernels import Packed, compiled
from dpaudit.problems.smoothing.ridges import Array, Integers


@compiled()
def advance(
    x: Array, total: Array, t: int, epoch: Packed, trial: int, keys: Packed, centre: Array, plan: Packed,
    oracle: Packed, work: Array,
) -> bool:  # fmt: skip
    """Position t of an epoch in place, t = 0 being line 7; whether x was projected."""
    ball_radius, radius, strength = plan
    start, length, eta = int(epoch[0]), int(epoch[1]), epoch[2]
    factor, pull = 0.0, eta * strength
    if t == 0:
        total[:] = 0.0
    else:
        draw_sample(start + t - 1, trial, keys, centre, radius, oracle, work)
        factor = eta * weight(x, centre, work[1], radius)
    for a in range(len(x)):
        x[a] = (x[a] + pull * centre[a] - factor * work[2, a]) / (1.0 + pull)
    outside = project(x, centre, ball_radius)
    for a in range(len(x)):
        total[a] += x[a]
        if t == length - 1:
            x[a] = total[a] / length
    return outside


@compiled()
def solve(
    x: Array,
    total: Array,
    schedule: Array,
    trial: int,
    keys: Packed,
    centre: Array,
    plan: Packed,
    oracle: Packed,
    work: Array,
) -> None:
    """The whole run from x = centre, in place."""
    for a in range(len(x)):
        x[a] = centre[a]
    work[2, :] = 0.0
    for k in range(len(schedule)):
        for t in range(int(schedule[k, 1])):
            advance(x, total, t, schedule[k], trial, keys, centre, plan, oracle, work)


@compiled(parallel=True)
def run(
    schedule: Array, trials: Integers, keys: Packed, centre: Array, plan: Packed, oracle: Packed, out: Array
) -> None:
    """All trials; `out` (trials, d) receives the last iterates."""
    for row in numba.prange(len(trials)):
        total, work = np.zeros_like(out[row]), np.zeros((3, len(centre)))
        solve(out[row], total, schedule, trials[row], keys, centre, plan, oracle, work)


@compiled()
def replay(
    before: Array, steps: Integers, schedule: Array, trials: Integers, keys: Packed, centre: Array, plan: Packed,
    oracle: Packed, out: Array,
) -> Packed:  # fmt: skip
    """One step per row from the states `before`; `out` (rows, 2 d): x and the sum; which were projected."""
    d, outside, work = len(centre), np.zeros(len(before), dtype=np.int64), np.zeros((3, len(centre)))
    for row in range(len(before)):
        k = 0
        while steps[row] >= schedule[k, 0] + schedule[k, 1]:
            k += 1
        x, total = before[row, :d].copy(), before[row, d:].copy()
        t = steps[row] - int(schedule[k, 0])
        work[2, :] = 0.0
        outside[row] = advance(x, total, t, schedule[k], trials[row], keys, centre, plan, oracle, work)
        out[row, :d], out[row, d:] = x, total
    return outside
