"""The numba form of the couplings of Noisy-ZOGD: one row after the other.

`keys`: of noise, directions, batches of W; of the isotropic and of the directional noise of W'; of noise, directions,
batches of the stream of W'. `numbers`: the kind of directions, K, eta/K, standard deviations (T, 2), how often the mean
of (6) is added; `query`, `batches`, `domain`: as in `noisy_zogd`; `own`, `other`: the two problems, see
`loss_kernels.arrays`.
"""

from __future__ import annotations

import numpy as np

from dpaudit.algorithms.packed import Keys, Packed
from dpaudit.algorithms.zeroth.kernels import keep, mean_slopes, normal_at
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.kernels import Scalar, add_normals, compiled
from dpaudit.problems import domain_kernels
from dpaudit.sampling.batch_kernels import draw_batch
from dpaudit.sampling.direction_kernels import combine, draw_frame


@compiled()
def advance(
    state: Array, noise: Array, frame: Array, second: Array, work: Array, batch: Integers, clipped: Integers, t: int,
    trial: int, keys: Keys, numbers: Packed, query: Packed, batches: Packed, domain: Packed, own: Packed, other: Packed,
) -> None:  # fmt: skip
    """One step of (W, W') in place; `noise` receives G and <Y', u_k>, `frame` and `second` the frames, `clipped` the
    counts of clipped slopes."""
    code, count, pace, spreads, shifted = numbers
    d, along, kind = len(state) // 2, spreads[t, 0], state.dtype.type
    w, v, point, values = state[:d], state[d:], work[:d], work[d + 2 * count :]
    moves, same = work[d : d + count], work[d + count : d + 2 * count]
    draw_frame(code, keys[2], keys[3], t, trial, frame)
    size = draw_batch(batches, keys[4], keys[5], t, trial, batch)
    clipped[0] = mean_slopes(w, frame, batch, size, query, own, point, values, moves)
    for k in range(count):
        noise[k] = along * kind(normal_at(keys[0], keys[1], d + k, t, trial))
        moves[k] = noise[k] - pace * moves[k]
    _finish(w, moves, frame, spreads[t, 1], keys[0], keys[1], t, trial, domain)

    draw_frame(code, keys[12], keys[13], t, trial, second)
    size = draw_batch(batches, keys[14], keys[15], t, trial, batch)
    clipped[1] = mean_slopes(v, second, batch, size, query, other, point, values, moves)
    if shifted > 0:
        clipped[2] = mean_slopes(v, second, batch, size, query, own, point, values, same)
    for k in range(count):
        noise[count + k] = along * kind(normal_at(keys[8], keys[9], d + k, t, trial))
        if shifted > 0:
            noise[count + k] -= shifted * (pace * (moves[k] - same[k]))
            moves[k] = same[k]
        moves[k] = noise[count + k] - pace * moves[k]
    _finish(v, moves, second, spreads[t, 1], keys[6], keys[7], t, trial, domain)


@compiled()
def _finish(
    w: Array, moves: Array, frame: Array, across: Scalar, key0: int, key1: int, t: int, trial: int, domain: Packed
) -> None:
    combine(moves, frame, w)
    add_normals(w, across, key0, key1, t, trial)
    domain_kernels.project(w, domain)


@compiled()
def run(
    states: Array, first_steps: Integers, trials: Integers, released: Array, ways: Integers, count: int, keys: Keys,
    numbers: Packed, query: Packed, batches: Packed, domain: Packed, own: Packed, other: Packed,
) -> None:  # fmt: skip
    """`count` steps of every row, see `stepwise.Kernels`."""
    width, directions, batch = states.shape[1], numbers[1], np.empty(batches[2], dtype=np.int64)
    noise, frames = np.empty(2 * directions, dtype=states.dtype), np.empty((2, directions, width // 2), states.dtype)
    work = np.empty(width // 2 + 2 * directions + len(batch), dtype=states.dtype)
    for row in range(len(states)):
        for made in range(count):
            advance(
                states[row], noise, frames[0], frames[1], work, batch, ways[row], first_steps[row] + made, trials[row],
                keys, numbers, query, batches, domain, own, other,
            )  # fmt: skip
            if released.shape[1]:
                domain_kernels.copy(states[row], released[row, made, :width])
                keep(noise, frames[0], released[row, made, width:])
