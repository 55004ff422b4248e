"""The numba form of algorithms that are driven by noisy sums of gradients; `noisy_sums.form` says what they do.

`points`, (WIDTH, d): the rows X, Z, Y, SUM, BEFORE, HAT of `noisy_sums.form`, then three rows of scratch. `numbers`:
the schedule, the offsets, the mixing matrix (where it is dense), then integers: how gradients are had (GRADIENTS), the
batch size and where the next batch begins, the move, whether two sums are released, how noise is mixed, and rows of
its memory. Tuples are flat, because a parallel loop takes no nested ones; `domain`, `data`: see
`domain_kernels.plan`, `loss_kernels.arrays`.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.packed import Keys, Packed
from dpaudit.noise.kernels import add_normals, compiled
from dpaudit.problems import domain_kernels, loss_kernels

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

X, Z, Y, SUM, BEFORE, HAT = range(6)
TOTAL, WORK, OTHER = 6, 7, 8
WIDTH = 9
ETA, ETA_BEFORE, KEEP, CLIP, NOISE, RATIO, Y_STEP, Z_STEP, TAU = range(9)
STAY, STEP, LAZY, AVERAGE, ACCELERATE = range(5)
CURRENT, RUNNING, TREE, DENSE = range(4)
WHOLE, SINGLE, BATCH, CLIPPED = range(4)


@compiled()
def mix(noise: Array, memory: Array, how: int, matrix: Array, t: int, trial: int, key0: int, key1: int) -> None:
    """noise = sum over u <= t of mixing[t, u] xi_u; `memory` is 0 at first and kept from step to step."""
    one = memory.dtype.type(1)
    if how == RUNNING:
        add_normals(memory[0], one, key0, key1, t, trial)
        noise[:] = memory[0]
    elif how == TREE:
        depth, rest = 0, t + 1
        while rest:
            depth, rest = depth + 1, rest & (rest - 1)
        memory[depth, :] = memory[depth - 1]
        add_normals(memory[depth], one, key0, key1, t, trial)
        noise[:] = memory[depth]
    else:
        noise[:] = 0
        kept = noise if how == CURRENT else memory[t]
        add_normals(kept, one, key0, key1, t, trial)
        if how == DENSE:
            _combine(matrix[t], memory, t + 1, noise)


@compiled()
def _combine(coefficients: Array, memory: Array, count: int, noise: Array) -> None:
    for u in range(count):
        coefficient, row = coefficients[u], memory[u]
        if coefficient != 0:
            for j in range(len(noise)):
                noise[j] += coefficient * row[j]


@compiled()
def _mean_gradient(point: Array, t: int, batch: Integers, how: int, data: Packed, out: Array) -> None:
    if how == WHOLE:
        loss_kernels.gradient(point, data, out)
    elif how == SINGLE:
        loss_kernels.record_gradient(point, t, data, out)
    else:
        loss_kernels.batch_gradient(point, batch, len(batch), data, out)


@compiled()
def _mean_difference(points: Array, schedule: Array, t: int, batch: Integers, how: int, data: Packed) -> None:
    """points[TOTAL] = eta_t times the mean gradient at x - eta'_t times that at the point before."""
    total, work = points[TOTAL], points[WORK]
    eta, eta_before = schedule[t, ETA], schedule[t, ETA_BEFORE]
    if how == WHOLE and loss_kernels.is_affine(data):
        loss_kernels.affine_difference(points[X], eta, points[BEFORE], eta_before, data, work, total)
        return
    _mean_gradient(points[X], t, batch, how, data, work)
    for j in range(len(work)):
        total[j] = eta * work[j]
    if eta_before != 0:
        _mean_gradient(points[BEFORE], t, batch, how, data, work)
        for j in range(len(work)):
            total[j] -= eta_before * work[j]


@compiled()
def _clipped_difference(points: Array, schedule: Array, t: int, batch: Integers, data: Packed) -> Any:
    """points[TOTAL] = the mean of the clipped differences; how many were clipped."""
    total, work, other, clipped = points[TOTAL], points[WORK], points[OTHER], 0
    eta, eta_before, clip_norm = schedule[t, ETA], schedule[t, ETA_BEFORE], schedule[t, CLIP]
    total[:] = 0
    for a in range(len(batch)):
        loss_kernels.record_gradient(points[X], batch[a], data, work)
        for j in range(len(work)):
            work[j] *= eta
        if eta_before != 0:
            loss_kernels.record_gradient(points[BEFORE], batch[a], data, other)
            for j in range(len(work)):
                work[j] -= eta_before * other[j]
        clipped += domain_kernels.clip(work, clip_norm) > clip_norm
        for j in range(len(work)):
            total[j] += work[j]
    for j in range(len(total)):
        total[j] /= len(batch)
    return clipped


@compiled()
def advance(
    points: Array, memory: Array, batch: Integers, t: int, trial: int, keys: Keys, numbers: Packed, domain: Packed,
    data: Packed,
) -> Any:  # fmt: skip
    """One step in place; points[HAT] and points[OTHER] receive the noisy sums; how many differences were clipped."""
    schedule, offsets, matrix, gradients, _, stride, move, _, mixing, _ = numbers
    clipped = 0
    for a in range(len(batch)):
        batch[a] = t * stride + a
    if gradients == CLIPPED:
        clipped = _clipped_difference(points, schedule, t, batch, data)
    else:
        _mean_difference(points, schedule, t, batch, gradients, data)
    noise, total, g, hat, other = points[WORK], points[TOTAL], points[SUM], points[HAT], points[OTHER]
    mix(noise, memory, mixing, matrix, t, trial, keys[0], keys[1])
    keep, scale, ratio = schedule[t, KEEP], schedule[t, NOISE], schedule[t, RATIO]
    for j in range(len(g)):
        g[j] = keep * g[j] + total[j]
        noise[j] *= scale
    if len(offsets):
        for j in range(len(g)):
            noise[j] += offsets[t, j]
    for j in range(len(g)):
        hat[j] = g[j] + noise[j]
        other[j] = g[j] + ratio * noise[j]
    _move(points, schedule[t, Y_STEP], schedule[t, Z_STEP], schedule[t, TAU], move, domain)
    return clipped


@compiled()
def _move(points: Array, y_step: Any, z_step: Any, tau: Any, move: int, domain: Packed) -> None:
    x, y, z, hat, other = points[X], points[Y], points[Z], points[HAT], points[OTHER]
    points[BEFORE] = x
    if move == STEP:
        for j in range(len(x)):
            x[j] -= y_step * hat[j]
        domain_kernels.project(x, domain)
    elif move == LAZY:
        for j in range(len(x)):
            z[j] -= z_step * hat[j]
        x[:] = z
        domain_kernels.project(x, domain)
    elif move != STAY:
        for j in range(len(x)):
            z[j] -= z_step * other[j]
            y[j] = x[j]
        domain_kernels.project(z, domain)
        if move == ACCELERATE:
            for j in range(len(x)):
                y[j] -= y_step * hat[j]
            domain_kernels.project(y, domain)
        for j in range(len(x)):
            x[j] = (x.dtype.type(1) - tau) * y[j] + tau * z[j]


@compiled()
def _began(start: Array) -> Array:
    """The points before the first step."""
    points = np.zeros((WIDTH, len(start)), dtype=start.dtype)
    for row in (X, Z, Y, BEFORE):
        points[row] = start
    return points


@compiled()
def _trial(
    trial: int, keep: bool, out: Array, start: Array, rows: Integers, keys: Keys, numbers: Packed, domain: Packed,
    data: Packed,
) -> None:  # fmt: skip
    d, points, memory = len(start), _began(start), np.zeros((numbers[9], len(start)), dtype=start.dtype)
    batch = np.empty(numbers[4], dtype=np.int64)
    for t in range(len(numbers[0])):
        advance(points, memory, batch, t, trial, keys, numbers, domain, data)
        if keep:
            out[t, :d] = points[HAT]
            if numbers[7]:
                out[t, d:] = points[OTHER]
    if not keep:
        for a in range(len(rows)):
            out[0, a * d : (a + 1) * d] = points[rows[a]]


@compiled(parallel=True)
def run(
    trials: Integers, keep: bool, out: Array, start: Array, rows: Integers, keys: Keys, numbers: Packed, domain: Packed,
    data: Packed,
) -> None:  # fmt: skip
    """All steps of all trials; `out` receives transcripts if `keep`, the `rows` of the last points otherwise."""
    for a in numba.prange(len(trials)):
        _trial(trials[a], keep, out[a], start, rows, keys, numbers, domain, data)


@compiled()
def advance_rows(
    out: Array, steps: Integers, trials: Integers, clipped: Integers, start: Array, rows: Integers, keys: Keys,
    numbers: Packed, domain: Packed, data: Packed,
) -> None:  # fmt: skip
    """One step per row, in place: `out` holds (state, room for what is released)."""
    d, width, batch = len(start), len(rows) * len(start), np.empty(numbers[4], dtype=np.int64)
    for line in range(len(out)):
        points, memory = _began(start), np.zeros((numbers[9], d), dtype=start.dtype)
        for a in range(len(rows)):
            points[rows[a]] = out[line, a * d : (a + 1) * d]
        for t in range(steps[line]):
            mix(points[WORK], memory, numbers[8], numbers[2], t, trials[line], keys[0], keys[1])
        clipped[line, 0] = advance(points, memory, batch, steps[line], trials[line], keys, numbers, domain, data)
        for a in range(len(rows)):
            out[line, a * d : (a + 1) * d] = points[rows[a]]
        out[line, width : width + d] = points[HAT]
        if numbers[7]:
            out[line, width + d :] = points[OTHER]
