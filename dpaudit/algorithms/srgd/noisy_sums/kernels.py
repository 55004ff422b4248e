"""The numba form of algorithms that are driven by noisy sums of gradients; `noisy_sums.form` says what they do.

`points`, (WIDTH, d): the rows X, Z, Y, SUM, BEFORE, HAT of `noisy_sums.form`, then four rows of scratch. `numbers`:
the schedule, the offsets, the mixing matrix (where it is dense), then integers: how gradients are had (GRADIENTS), the
batch size and where the next batch begins, the move, whether two sums are released, how noise is mixed, and rows of
its memory. `start`: of the points; `rows`: which of them are the state; `domain`, `data`: see `domain_kernels.packed`,
`loss_kernels.arrays`.
"""

from __future__ import annotations

import numpy as np

from dpaudit.algorithms.packed import Keys, Packed
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.kernels import Index, Scalar, add_normals, compiled
from dpaudit.problems import domain_kernels, loss_kernels

X, Z, Y, SUM, BEFORE, HAT = range(6)
TOTAL, WORK, OTHER, NOISE_ROW = 6, 7, 8, 9
WIDTH = 10
ETA, ETA_BEFORE, KEEP, CLIP, NOISE, RATIO, Y_STEP, Z_STEP, TAU = range(9)
STAY, STEP, LAZY, AVERAGE, ACCELERATE = range(5)
CURRENT, RUNNING, TREE, DENSE = range(4)
WHOLE, SINGLE, BATCH, CLIPPED = range(4)


@compiled()
def mix(noise: Array, memory: Array, how: int, matrix: Array, t: int, trial: int, key0: int, key1: int) -> None:
    """noise = sum over u <= t of mixing[t, u] xi_u; `memory` is 0 at first and kept from step to step."""
    place = 0 if how == RUNNING else t
    if how == TREE:
        place, rest = 0, t + 1
        while rest:
            place, rest = place + 1, rest & (rest - 1)
        domain_kernels.copy(memory[place - 1], memory[place])
    noise[:] = 0
    kept = noise if how == CURRENT else memory[place]
    add_normals(kept, memory.dtype.type(1), key0, key1, t, trial)
    if how == DENSE:
        _combine(matrix[t], memory, t + 1, noise)
    elif how != CURRENT:
        domain_kernels.copy(kept, noise)


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
    for old in range(2 if eta_before != 0 else 1):  # one call in a loop: every call compiles a copy of the gradients
        _mean_gradient(points[BEFORE if old else X], t, batch, how, data, work)
        for j in range(len(work)):
            total[j] = total[j] - eta_before * work[j] if old else eta * work[j]


@compiled()
def _clipped_difference(points: Array, schedule: Array, t: int, batch: Integers, data: Packed) -> Index:
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
def advance(points: Array, batch: Integers, t: int, numbers: Packed, domain: Packed, data: Packed) -> Index:
    """One step in place, with the noise in points[NOISE_ROW]; points[HAT] and points[OTHER] receive the noisy sums; how
    many differences were clipped."""
    schedule, offsets, _, gradients, _, stride, move, _, _, _ = numbers
    clipped: Index = 0
    for a in range(len(batch)):
        batch[a] = t * stride + a
    if gradients == CLIPPED:
        clipped = _clipped_difference(points, schedule, t, batch, data)
    else:
        _mean_difference(points, schedule, t, batch, gradients, data)
    noise, total, g, hat, other = points[NOISE_ROW], points[TOTAL], points[SUM], points[HAT], points[OTHER]
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
def _move(points: Array, y_step: Scalar, z_step: Scalar, tau: Scalar, move: int, domain: Packed) -> None:
    x, y, z, hat, other = points[X], points[Y], points[Z], points[HAT], points[OTHER]
    domain_kernels.copy(x, points[BEFORE])
    if move in (STEP, LAZY):
        for j in range(len(x)):
            if move == LAZY:
                z[j] -= z_step * hat[j]
                x[j] = z[j]
            else:
                x[j] -= y_step * hat[j]
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
def _begin(points: Array, state: Array, start: Array, rows: Integers) -> None:
    """The points before a step: `state` in the `rows`, in the others what they are before the first step."""
    points[:] = 0
    for row in (X, Z, Y, BEFORE):
        domain_kernels.copy(start, points[row])
    for a in range(len(rows)):
        domain_kernels.copy(state[a * len(start) :], points[rows[a]])


@compiled()
def run(
    states: Array, first_steps: Integers, trials: Integers, released: Array, ways: Integers, count: int, start: Array,
    rows: Integers, keys: Keys, numbers: Packed, domain: Packed, data: Packed,
) -> None:  # fmt: skip
    """`count` steps of every row, see `stepwise.Kernels`."""
    d, batch = len(start), np.empty(numbers[4], dtype=np.int64)
    points, memory = np.empty((WIDTH, d), dtype=start.dtype), np.empty((numbers[9], d), dtype=start.dtype)
    for line in range(len(states)):
        first, trial = first_steps[line], trials[line]
        _begin(points, states[line], start, rows)
        memory[:] = 0
        for t in range(first + count):  # noise remembers all steps before
            mix(points[NOISE_ROW], memory, numbers[8], numbers[2], t, trial, keys[0], keys[1])
            if t >= first:
                ways[line, 0] = advance(points, batch, t, numbers, domain, data)
                if released.shape[1]:
                    domain_kernels.copy(points[HAT], released[line, t - first, :d])
                if released.shape[1] and numbers[7]:
                    domain_kernels.copy(points[OTHER], released[line, t - first, d:])
        for a in range(len(rows)):
            domain_kernels.copy(points[rows[a]], states[line, a * d : (a + 1) * d])
