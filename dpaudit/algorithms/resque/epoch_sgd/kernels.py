"""The numba form of EpochSGD: one row after the other; draws as in `shared.kernels`.

`plan`: r, rho, lambda; `schedule`: rows (first sample, length, eta) of the epochs.
"""

from __future__ import annotations

import numpy as np

from dpaudit.algorithms.resque.shared.kernels import draw_sample, project, weight
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.kernels import Packed, compiled


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
    x: Array, total: Array, first: int, count: int, schedule: Array, trial: int, keys: Packed, centre: Array,
    plan: Packed, oracle: Packed, work: Array,
) -> bool:  # fmt: skip
    """`count` steps in place from step `first` of all epochs; whether the last one projected x."""
    k, outside = 0, False
    work[2, :] = 0.0
    for step in range(first, first + count):
        while step >= schedule[k, 0] + schedule[k, 1]:
            k += 1
        t = step - int(schedule[k, 0])
        outside = advance(x, total, t, schedule[k], trial, keys, centre, plan, oracle, work)
    return outside


@compiled()
def run(
    states: Array, first_steps: Integers, trials: Integers, outside: Integers, count: int, schedule: Array,
    keys: Packed, centre: Array, plan: Packed, oracle: Packed,
) -> None:  # fmt: skip
    """`count` steps of every row from the step that `first_steps` says, in place: `states`, (rows, 2 d), holds x and
    the sum; `outside`, (rows,), receives whether the last step projected x."""
    d, work = len(centre), np.zeros((3, len(centre)))
    for row in range(len(states)):
        outside[row] = solve(
            states[row, :d], states[row, d:], first_steps[row], count, schedule, trials[row], keys, centre, plan,
            oracle, work,
        )  # fmt: skip
