"""The numba form of DPZero: one row after the other.

`keys`: of noise, directions, batches; `numbers`: the kind of directions, eta, eta sigma, whether the noise is scalar;
`every`: all records; `query`: see `zeroth.kernels.mean_slopes`; `domain`, `data`: see `domain_kernels.packed`,
`loss_kernels.arrays`.
"""

from __future__ import annotations

import numpy as np

from dpaudit.algorithms.packed import Keys, Packed
from dpaudit.algorithms.zeroth.kernels import keep, mean_slopes, normal_at
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.kernels import Index, add_normals, compiled
from dpaudit.problems import domain_kernels
from dpaudit.sampling.direction_kernels import draw_frame


@compiled()
def advance(
    w: Array, frame: Array, work: Array, every: Integers, t: int, trial: int, keys: Keys, numbers: Packed,
    query: Packed, domain: Packed, data: Packed,
) -> Index:  # fmt: skip
    """One step in place; `frame` receives the direction; how many slopes were clipped."""
    code, eta, spread, scalar = numbers
    d, u = len(w), frame[0]
    draw_frame(code, keys[2], keys[3], t, trial, frame)
    slopes = work[d : d + 1]
    clipped = mean_slopes(w, frame, every, len(every), query, data, work[:d], work[d + 1 :], slopes)
    move = -eta * slopes[0]
    if scalar:
        move += spread * w.dtype.type(normal_at(keys[0], keys[1], 0, t, trial))
    for j in range(d):
        w[j] += move * u[j]
    if not scalar:
        add_normals(w, spread, keys[0], keys[1], t, trial)
    domain_kernels.project(w, domain)
    return clipped


@compiled()
def run(
    states: Array, first_steps: Integers, trials: Integers, released: Array, ways: Integers, count: int, keys: Keys,
    numbers: Packed, every: Integers, query: Packed, domain: Packed, data: Packed,
) -> None:  # fmt: skip
    """`count` steps of every row, see `stepwise.Kernels`."""
    d, kind = states.shape[1], states.dtype
    frame, work = np.empty((1, d), dtype=kind), np.empty(d + 1 + len(every), dtype=kind)
    for row in range(len(states)):
        w = states[row]
        for made in range(count):
            t = first_steps[row] + made
            ways[row, 0] = advance(w, frame, work, every, t, trials[row], keys, numbers, query, domain, data)
            if released.shape[1]:
                keep(w, frame, released[row, made])
