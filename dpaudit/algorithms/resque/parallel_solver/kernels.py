"""The numba forms of the non-private oracles and of the parallel solver, one trial after the other.

`setting`: r, rho, L, phi_0/(lambda r^2), error of the search/(lambda r^2), reach, needed, repetitions, levels, whether
AC-SA is the solver, whether its lines are those printed; `keys`: two words each of draws, choices, limit (unused),
levels; `counts`: ball oracle calls, rounds, queries, depth, then bias-reduced steps by level; `bounds`: R, lambda_star,
the largest lambda, the last A, the most search calls and iterations, phi/(lambda r^2). Addresses: `setting`.
"""

from __future__ import annotations

import math

import numpy as np

from dpaudit.algorithms.resque.ac_sa import kernels as ac_sa
from dpaudit.algorithms.resque.ac_sa.series import ORDER
from dpaudit.algorithms.resque.ball_acceleration.kernels import COLUMNS, mix
from dpaudit.algorithms.resque.ball_acceleration.setting import HIGH, LOW
from dpaudit.algorithms.resque.epoch_sgd import kernels as epoch_sgd
from dpaudit.algorithms.resque.parallel_solver.setting import CALL, OracleSetting
from dpaudit.algorithms.resque.shared.kernels import pool_keys, project
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.kernels import Packed, compiled, uniform_pair
from dpaudit.noise.stream import Stream
from dpaudit.problems.domain_kernels import copy

COUNTS = 4
BALL_CALL, PROXIMAL_CALL, SEARCH_CALL, CALLS = 0, 1, 8, 1 << 16
"""Iteration i of a solver makes its calls at i CALLS + these; search call j from SEARCH_CALL + j repetitions on."""


def setting_of(params: OracleSetting) -> Packed:
    """What the kernels read as `setting`."""
    floats = (
        params.ball_radius, params.smoothing_radius, params.lipschitz,
        1 / (params.acceleration_constant * params.log_ratio**2), 1 / params.search_accuracy, params.reach,
    )  # fmt: skip
    integers = (params.needed, params.repetitions, params.levels)
    return (*(float(value) for value in floats), *integers, params.solver == "ac_sa", params.lines == "printed")


def keys_of(stream: Stream) -> tuple[int, ...]:
    """What the kernels read as `keys`."""
    return pool_keys(stream) + stream.keys("limit", "levels")


@compiled()
def epoch_schedule(strength: float, iterations: int) -> Array:
    """The rows of `epoch_sgd.epochs`."""
    count, start = 0, 0
    while start + (16 << count) <= iterations:
        start += 16 << count
        count += 1
    rows, start, eta = np.empty((count, 3)), 0, 1.0 / (4.0 * strength)
    for k in range(count):
        rows[k, 0], rows[k, 1], rows[k, 2] = start, 16 << k, eta
        start, eta = start + (16 << k), eta / 2.0
    return rows


@compiled()
def ball_oracle(
    y: Array, strength: float, error: float, trial: int, keys: Packed, setting: Packed, oracle: Packed, x: Array,
    counts: Array,
) -> int:  # fmt: skip
    """x = an answer of the ball oracle at y; one call and its queries are counted; the depth is returned."""
    d, lipschitz = len(y), setting[2]
    first: Packed = np.int64(0)
    centre, other = np.empty(d), np.empty_like(x)
    copy(y, centre)
    copy(y, x)
    counts[0] += 1
    if not setting[9]:
        iterations, steps = math.ceil(48.0 * lipschitz * lipschitz / (strength * error)), first
        schedule = epoch_schedule(strength, iterations)
        for k in range(len(schedule)):
            steps += int(schedule[k, 1])
        plan = (setting[0], setting[1], strength)
        epoch_sgd.solve(x, other, first, steps, schedule, trial, keys, centre, plan, oracle, np.empty((3, d)))
        counts[2] += 2 * iterations
        return int(steps)
    square = setting[0] * setting[0]
    loops = max(0, math.ceil(math.log2(strength * square / error)))
    steps = math.ceil(4.0 * math.sqrt(lipschitz / (setting[1] * strength) + 1.0))
    one = 48.0 * lipschitz * lipschitz / (strength * strength * square * steps)
    sizes = np.empty(loops, dtype=np.int64)
    for k in range(loops):
        sizes[k] = math.ceil(2.0 ** (k + 1) * one)
        counts[2] += steps * sizes[k]
    printed = setting[10]
    plan_acsa = (setting[0], setting[1], strength, lipschitz, steps, printed, printed, printed)
    source = (first, np.zeros(ORDER), np.zeros(ORDER), 0.0, 0.0)
    room, md = ac_sa.scratch(d, plan_acsa, sizes, source), np.empty_like(x)
    copy(y, other)
    ac_sa.solve(x, other, md, first, steps * loops, trial, keys, centre, plan_acsa, sizes, source, oracle, room)
    return steps * loops


@compiled()
def level_of(trial: int, keys: Packed) -> int:
    """J with P(J = j) = 2^-j, from one uniform."""
    uniform, _ = uniform_pair(keys[6], keys[7], 0, 0, trial)
    level, edge = 1, 0.5
    while uniform <= edge:
        level, edge = level + 1, edge / 2.0
    return level


@compiled()
def combine(low: Array, high: Array, base: Array, level: int) -> None:
    """base += 2^J (high - low), in place."""
    factor = 2.0**level
    for a in range(len(base)):
        base[a] += factor * (high[a] - low[a])


@compiled()
def proximal_oracle(
    y: Array, strength: float, trial: int, keys: Packed, setting: Packed, oracle: Packed, x: Array, counts: Array
) -> int:
    """x = the bias-reduced answer; calls at trial, trial + CALL, trial + 2 CALL; the depth is returned."""
    error, level, depth = setting[3] * strength * setting[0] * setting[0], level_of(trial, keys), 0
    reduced, answers = level <= setting[8], np.empty((3, len(x)), dtype=x.dtype)
    counts[COUNTS + (level if reduced else 0)] += 1
    for i in range(3 if reduced else 1):
        missed = error if i == 0 else error / 2.0 ** (level if i == 1 else level - 1)
        made = ball_oracle(y, strength, missed, trial + i * CALL, keys, setting, oracle, answers[i], counts)
        depth = max(depth, made)
    copy(answers[0], x)
    if reduced:
        combine(answers[2], answers[1], x, level)
    return depth


@compiled()
def chosen(points: Array, reach: float, needed: int) -> int:
    """The first point with `needed` points within reach, else the first with most."""
    best, most = 0, -1
    for i in range(len(points)):
        count = 0
        for j in range(len(points)):
            square = 0.0
            for a in range(points.shape[1]):
                square += (points[j, a] - points[i, a]) ** 2
            count += math.sqrt(square) <= reach
        if count >= needed:
            return i
        if count > most:
            best, most = i, count
    return best


@compiled()
def search_oracle(
    y: Array, strength: float, trial: int, keys: Packed, setting: Packed, oracle: Packed, points: Array, x: Array,
    counts: Array,
) -> int:  # fmt: skip
    """x = the aggregate of independent answers, `points` (repetitions, d); the depth of one is returned."""
    error, depth = setting[4] * strength * setting[0] * setting[0], 0
    for i in range(len(points)):
        depth = ball_oracle(y, strength, error, trial + i * CALL, keys, setting, oracle, points[i], counts)
    copy(points[chosen(points, setting[5], setting[6])], x)
    return depth


@compiled()
def run_oracle(
    trials: Integers, tally: Array, out: Array, y: Array, strength: float, search: bool, keys: Packed, setting: Packed,
    oracle: Packed,
) -> None:  # fmt: skip
    """One oracle call per trial at y; `tally` (trials, COUNTS + LEVELS) and points `out` (trials, d)."""
    points, depth = np.empty((setting[7], len(y)), dtype=y.dtype), 0
    for row in range(len(trials)):
        x, counts = out[row], tally[row]
        if search:
            depth = search_oracle(y, strength, trials[row], keys, setting, oracle, points, x, counts)
        else:
            depth = proximal_oracle(y, strength, trials[row], keys, setting, oracle, x, counts)
        counts[1], counts[3] = 1, depth


@compiled()
def search(
    x: Array, v: Array, weight: float, trial: int, keys: Packed, setting: Packed, bounds: Packed, oracle: Packed,
    points: Array, y: Array, z: Array, counts: Array,
) -> Packed:  # fmt: skip
    """lambda and the calls of the search oracle; as `ball_acceleration.kernels.search`."""
    ball_radius, low, high, calls = setting[0], bounds[1], bounds[2], 0
    while calls < bounds[4]:
        strength = low if calls == 0 else math.sqrt(low * high)
        mix(x, v, weight, strength, y)
        address = trial + (SEARCH_CALL + calls * setting[7]) * CALL
        counts[3] += search_oracle(y, strength, address, keys, setting, oracle, points, z, counts)
        counts[1] += 1
        calls += 1
        square = 0.0
        for a in range(len(x)):
            square += (z[a] - y[a]) ** 2
        moved = math.sqrt(square)
        if moved <= HIGH * ball_radius and (calls == 1 or moved >= LOW * ball_radius):
            return strength, calls
        if calls > 1 and moved > HIGH * ball_radius:
            low = strength
        elif calls > 1:
            high = strength
    return high, calls


@compiled()
def finish(v: Array, weight: float, strength: float, y: Array, z: Array, radius: float, origin: Array) -> float:
    """v after the answer z of the proximal oracle, in place; a is returned."""
    a = (1.0 + math.sqrt(1.0 + 4.0 * strength * weight)) / (2.0 * strength)
    for j in range(len(v)):
        v[j] -= 0.5 * a * strength * (y[j] - z[j])
    project(v, origin, radius)
    return a


@compiled()
def run(
    trials: Integers, columns: Array, out: Array, keys: Packed, setting: Packed, bounds: Packed, oracle: Packed,
    first_weight: float, project_end: bool,
) -> None:  # fmt: skip
    """All trials from x = v = 0; `columns` (trials, COLUMNS + COUNTS + LEVELS), points `out` (trials, d)."""
    d, points = out.shape[1], np.empty((setting[7], out.shape[1]), dtype=out.dtype)
    room = np.zeros((4, d), dtype=out.dtype)
    v, y, z, origin = room[0], room[1], room[2], room[3]
    for row in range(len(trials)):
        x, counts, number, calls = out[row], columns[row, COLUMNS:], 0, 0
        weight, lowest, highest = first_weight, np.inf, 0.0
        x[:] = 0.0
        v[:] = 0.0
        counts[:] = 0.0
        while number < bounds[5] and weight < bounds[3]:
            address = trials[row] + number * CALLS * CALL
            strength, made = search(x, v, weight, address, keys, setting, bounds, oracle, points, y, z, counts)
            mix(x, v, weight, strength, y)
            error = bounds[6] * strength * setting[0] * setting[0]
            first = ball_oracle(y, strength, error, address + BALL_CALL * CALL, keys, setting, oracle, x, counts)
            second = proximal_oracle(y, strength, address + PROXIMAL_CALL * CALL, keys, setting, oracle, z, counts)
            counts[1] += 1
            counts[3] += max(first, second)
            weight += finish(v, weight, strength, y, z, bounds[0], origin)
            lowest, highest, calls, number = min(lowest, strength), max(highest, strength), calls + made, number + 1
        columns[row, 0], columns[row, 1], columns[row, 2], columns[row, 3] = weight, number, calls, lowest
        columns[row, 4], columns[row, 5] = highest, weight >= bounds[3]
        if project_end:
            project(x, origin, bounds[0])


@compiled()
def replay(before: Array, out: Array, radius: float) -> None:
    """Rows (x, v, A, lambda, z): `out` (rows, 2 d + 1) receives y, then v and A after the answer z."""
    d = (before.shape[1] - 2) // 3
    origin = np.zeros(d, dtype=before.dtype)
    for row in range(len(before)):
        x, z, y, v = before[row, :d], before[row, 2 * d + 2 :], out[row, :d], out[row, d : 2 * d]
        weight, strength = before[row, 2 * d], before[row, 2 * d + 1]
        copy(before[row, d : 2 * d], v)
        mix(x, v, weight, strength, y)
        out[row, 2 * d] = weight + finish(v, weight, strength, y, z, radius, origin)


@compiled()
def join(
    parts: Array, trials: Integers, out: Array, choices: Integers, search: bool, setting: Packed, keys: Packed
) -> None:
    """Rows of answers (rows, calls, d) made into one, `out` (rows, d); `choices`: the run taken, or J (0: none)."""
    for row in range(len(parts)):
        choices[row] = chosen(parts[row], setting[5], setting[6]) if search else 0
        copy(parts[row, choices[row]], out[row])
        if not search:
            level = level_of(trials[row], keys)
            if level <= setting[8]:
                choices[row] = level
                combine(parts[row, 2], parts[row, 1], out[row], level)
