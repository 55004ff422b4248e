"""The numba form of the couplings of Noisy-ZOGD: one trial after the other, trials in parallel.

`keys`: of noise, directions, batches of W; of the isotropic and of the directional noise of W'; of noise, directions,
batches of the stream of W'. `numbers`: the kind of directions, K, eta/K, standard deviations (T, 2), how often the mean
of (6) is added; `query`, `batches`, `domain`: as in `noisy_zogd`; `own`, `other`: the two problems, see
`loss_kernels.arrays`.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.packed import Keys, Packed
from dpaudit.algorithms.zeroth.kernels import mean_slopes, normal_at
from dpaudit.noise.kernels import add_normals, compiled
from dpaudit.problems import domain_kernels
from dpaudit.sampling.batch_kernels import draw_batch
from dpaudit.sampling.direction_kernels import combine, draw_frame

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


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
    w: Array, moves: Array, frame: Array, across: Any, key0: int, key1: int, t: int, trial: int, domain: Packed
) -> None:
    combine(moves, frame, w)
    add_normals(w, across, key0, key1, t, trial)
    domain_kernels.project(w, domain)


@compiled()
def _trial(
    trial: int, keep: bool, out: Array, start: Array, keys: Keys, numbers: Packed, query: Packed, batches: Packed,
    domain: Packed, own: Packed, other: Packed,
) -> None:  # fmt: skip
    d, count, state, clipped = len(start) // 2, numbers[1], start.copy(), np.zeros(3, dtype=np.int64)
    noise, batch = np.empty(2 * count, dtype=start.dtype), np.empty(batches[2], dtype=np.int64)
    frames = np.empty((2, count, d), dtype=start.dtype)
    work = np.empty(d + 2 * count + len(batch), dtype=start.dtype)
    for t in range(len(numbers[3])):
        advance(
            state, noise, frames[0], frames[1], work, batch, clipped, t, trial, keys, numbers, query, batches, domain,
            own, other,
        )  # fmt: skip
        if keep:
            out[t, : 2 * d] = state
            out[t, 2 * d : 2 * d + 2 * count] = noise
            out[t, 2 * d + 2 * count :] = frames[0].reshape(count * d)
    if not keep:
        out[0] = state


@compiled(parallel=True)
def run(
    trials: Integers, keep: bool, out: Array, start: Array, keys: Keys, numbers: Packed, query: Packed, batches: Packed,
    domain: Packed, own: Packed, other: Packed,
) -> None:  # fmt: skip
    """All steps of all trials; `out` receives transcripts if `keep`, the last pairs otherwise."""
    for row in numba.prange(len(trials)):
        _trial(trials[row], keep, out[row], start, keys, numbers, query, batches, domain, own, other)


@compiled()
def advance_rows(
    out: Array, steps: Integers, trials: Integers, clipped: Integers, start: Array, keys: Keys, numbers: Packed,
    query: Packed, batches: Packed, domain: Packed, own: Packed, other: Packed,
) -> None:  # fmt: skip
    """One step per row, in place: `out` holds (W, W'), and room for the released row."""
    d, count, batch = len(start) // 2, numbers[1], np.empty(batches[2], dtype=np.int64)
    second = np.empty((count, d), dtype=start.dtype)
    work = np.empty(d + 2 * count + len(batch), dtype=start.dtype)
    for row in range(len(out)):
        state, rest = out[row, : 2 * d], out[row, 4 * d :]
        advance(
            state, rest[: 2 * count], rest[2 * count :].reshape(count, d), second, work, batch, clipped[row],
            steps[row], trials[row], keys, numbers, query, batches, domain, own, other,
        )  # fmt: skip
        out[row, 2 * d : 4 * d] = state
