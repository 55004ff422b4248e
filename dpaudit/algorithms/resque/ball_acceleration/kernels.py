"""The numba forms of the proximal oracles, the search for lambda and ball acceleration, one instance at a time.

`objective`: shape, L, mu, u; `plan`: R, r, lambda_star, the largest lambda,
C_stop R^2/eps, the error of the search, phi/(lambda r^2), Delta, sigma (the errors already times `oracle_error`), the
most search calls, the most iterations. Noise: see `setting`; `key`: its two words.
"""

from __future__ import annotations

import math

import numba
import numpy as np

from dpaudit.algorithms.resque.ball_acceleration.objectives import Objective, Shape
from dpaudit.algorithms.resque.ball_acceleration.setting import BALL_SLOT, HIGH, LOW, PROXIMAL_SLOT, SLOTS, BallSetting
from dpaudit.algorithms.resque.shared.kernels import project
from dpaudit.noise.kernels import Packed, compiled, normal_pair
from dpaudit.problems.smoothing.ridges import Array, Integers

_HUBER, _LARGEST, _RIDGE = int(Shape.HUBER), int(Shape.LARGEST), int(Shape.RIDGE)
COLUMNS = 6
"""Before the point: A, iterations, search calls, lowest and highest lambda, whether A reached its target."""


def objective_arrays(objective: Objective, dtype: str) -> Packed:
    """Centres, then what the kernels read as `objective`."""
    centres, axis = (np.ascontiguousarray(part, dtype=dtype) for part in (objective.centres, objective.axis))
    return centres, (int(objective.shape), float(objective.lipschitz), float(objective.threshold), axis)


def plan_of(params: BallSetting, last_weight: float) -> Packed:
    """What the kernels read as `plan`."""
    share = params.oracle_error
    floats = (
        params.radius, params.ball_radius, params.smallest_strength, params.largest_strength, last_weight,
        share * params.ball_radius / params.search_divisor, share * params.ball_error, share * params.bias,
        share * params.deviation,
    )  # fmt: skip
    return (*(float(value) for value in floats), params.search_calls, params.most_iterations)


@compiled()
def level(sizes: Array, spent: float, length: float) -> float:
    """tau for sizes in rising order: see `objectives`."""
    first, second, d = 0.0, 0.0, len(sizes)
    for k in range(1, d + 1):
        edge, drop, square, total = sizes[d - k], 0.0, 0.0, 0.0
        for i in range(d - k, d):
            drop += sizes[i] - edge
            square += (sizes[i] - edge) ** 2
            total += sizes[i]
        if drop < spent:
            first = (total - spent) / k
        if square < length * length:
            mean, rest = total / k, length * length
            for i in range(d - k, d):
                rest -= (sizes[i] - mean) ** 2
            second = mean - math.sqrt(max(rest, 0.0) / k)
    return max(first, second, 0.0)


@compiled()
def proximal(y: Array, centre: Array, strength: float, ball_radius: float, objective: Packed, out: Array) -> None:
    """out = argmin over |x - y| <= r of F(x) + (lambda/2)|x - y|^2."""
    shape, lipschitz, threshold, axis = objective
    pull, along, square = lipschitz / strength, 0.0, 0.0
    if shape == _LARGEST:
        tau = level(np.sort(np.abs(y - centre)), pull, ball_radius)
        for a in range(len(y)):
            out[a] = centre[a] + min(max(y[a] - centre[a], -tau), tau)
        return
    for a in range(len(y)):
        along += axis[a] * (y[a] - centre[a])
        square += (y[a] - centre[a]) ** 2
    size = abs(along) if shape == _RIDGE else math.sqrt(square)
    step = min(size, pull)
    if shape == _HUBER:
        step = pull if size - pull >= threshold else size * pull / (threshold + pull)
    share = min(step, ball_radius) / size if size > 0.0 else 0.0
    for a in range(len(y)):
        out[a] = y[a] - share * (along * axis[a] if shape == _RIDGE else y[a] - centre[a])


@compiled()
def wander(point: Array, length: float, step: int, trial: int, key: Packed, round_: bool) -> None:
    """point += length times a random unit vector, or times normals over sqrt(d) where not `round_`."""
    d = len(point)
    normals, square = np.empty(d), 0.0
    for a in range(0, d, 2):
        first, second = normal_pair(key[0], key[1], a // 2, step, trial)
        normals[a] = first
        if a + 1 < d:
            normals[a + 1] = second
    for a in range(d):
        square += normals[a] * normals[a]
    scale = length / math.sqrt(square if round_ else d * 1.0)
    for a in range(d):
        point[a] += scale * normals[a]


@compiled()
def mix(x: Array, v: Array, weight: float, strength: float, out: Array) -> float:
    """out = y = (A x + a v)/(A + a); a is returned."""
    a = (1.0 + math.sqrt(1.0 + 4.0 * strength * weight)) / (2.0 * strength)
    for j in range(len(x)):
        out[j] = (weight * x[j] + a * v[j]) / (weight + a)
    return a


@compiled()
def search(
    x: Array,
    v: Array,
    weight: float,
    slot: int,
    trial: int,
    key: Packed,
    centre: Array,
    objective: Packed,
    plan: Packed,
) -> Packed:
    """lambda and the calls made; the noise of call j lies at step slot + j."""
    ball_radius, low, high = plan[1], plan[2], plan[3]
    y, z, calls = np.empty_like(x), np.empty_like(x), 0
    while calls < plan[9]:
        strength = low if calls == 0 else math.sqrt(low * high)
        mix(x, v, weight, strength, y)
        proximal(y, centre, strength, ball_radius, objective, z)
        if plan[5] > 0.0:
            wander(z, plan[5], slot + calls, trial, key, True)
        calls += 1
        square = 0.0
        for j in range(len(x)):
            square += (z[j] - y[j]) ** 2
        moved = math.sqrt(square)
        if moved <= HIGH * ball_radius and (calls == 1 or moved >= LOW * ball_radius):
            return strength, calls
        if calls > 1 and moved > HIGH * ball_radius:
            low = strength
        elif calls > 1:
            high = strength
    return high, calls


@compiled()
def iterate(
    x: Array, v: Array, weight: float, number: int, trial: int, key: Packed, centre: Array, objective: Packed,
    plan: Packed, y: Array,
) -> Packed:  # fmt: skip
    """One iteration in place; y receives the query point; A, lambda and search calls are returned."""
    slot, ball_radius = number * SLOTS, plan[1]
    strength, calls = search(x, v, weight, slot, trial, key, centre, objective, plan)
    a = mix(x, v, weight, strength, y)
    z, pulled = np.empty_like(x), np.empty_like(x)
    proximal(y, centre, strength, ball_radius, objective, z)
    for j in range(len(x)):
        x[j] = z[j]
        pulled[j] = y[j]
    if plan[6] > 0.0:
        length = plan[6] * strength * ball_radius * ball_radius / (objective[1] + 2.0 * strength * ball_radius)
        wander(x, length, slot + BALL_SLOT, trial, key, True)
        project(x, pulled, ball_radius)
    if plan[8] > 0.0:
        z[0] += plan[7] / strength
        wander(z, math.sqrt(plan[8] ** 2 - plan[7] ** 2) / strength, slot + PROXIMAL_SLOT, trial, key, False)
    for j in range(len(x)):
        v[j] -= 0.5 * a * strength * (y[j] - z[j])
        pulled[j] = 0.0
    project(v, pulled, plan[0])
    return weight + a, strength, calls


@compiled()
def accelerate(
    x: Array,
    v: Array,
    trial: int,
    key: Packed,
    centre: Array,
    objective: Packed,
    plan: Packed,
    first_weight: float,
    out: Array,
) -> None:
    """The whole run from x = v = 0, in place; `out` (COLUMNS,) receives the counts."""
    x[:] = 0.0
    v[:] = 0.0
    y, weight, calls, number = np.empty_like(x), first_weight, 0, 0
    lowest, highest = np.inf, 0.0
    while number < plan[10] and weight < plan[4]:
        weight, strength, made = iterate(x, v, weight, number, trial, key, centre, objective, plan, y)
        lowest, highest, calls, number = min(lowest, strength), max(highest, strength), calls + made, number + 1
    out[0], out[1], out[2], out[3], out[4], out[5] = weight, number, calls, lowest, highest, weight >= plan[4]


@compiled(parallel=True)
def run(
    trials: Integers, key: Packed, centres: Array, objective: Packed, plan: Packed, first_weight: float,
    project_end: bool, out: Array,
) -> None:  # fmt: skip
    """All instances; `out` (instances, COLUMNS + d)."""
    d = centres.shape[1]
    for row in numba.prange(len(trials)):
        x, v, counts = np.zeros_like(centres[row]), np.zeros_like(centres[row]), np.zeros(COLUMNS)
        accelerate(x, v, trials[row], key, centres[row], objective, plan, first_weight, counts)
        if project_end:
            project(x, np.zeros_like(x), plan[0])
        for j in range(COLUMNS):
            out[row, j] = counts[j]
        for j in range(d):
            out[row, COLUMNS + j] = x[j]


@compiled(parallel=True)
def run_search(
    x: Array, v: Array, weights: Array, slots: Integers, trials: Integers, key: Packed, centres: Array,
    objective: Packed, plan: Packed, out: Array,
) -> None:  # fmt: skip
    """One search per row; `out` (rows, 2): lambda, calls."""
    for row in numba.prange(len(trials)):
        strength, calls = search(
            x[row], v[row], weights[row], slots[row], trials[row], key, centres[row], objective, plan
        )
        out[row, 0], out[row, 1] = strength, calls


@compiled()
def replay(
    before: Array,
    steps: Integers,
    trials: Integers,
    key: Packed,
    centres: Array,
    objective: Packed,
    plan: Packed,
    out: Array,
) -> Packed:
    """One iteration per row from (x, v, A); `out` (rows, 3 d + 2): lambda, y, x, v, A; search calls are returned."""
    d, made = centres.shape[1], np.zeros(len(before), dtype=np.int64)
    for row in range(len(before)):
        x, v, y = before[row, :d].copy(), before[row, d : 2 * d].copy(), np.empty_like(before[row, :d])
        weight, strength, made[row] = iterate(
            x, v, before[row, 2 * d], steps[row], trials[row], key, centres[row], objective, plan, y
        )
        out[row, 0], out[row, 3 * d + 1] = strength, weight
        out[row, 1 : 1 + d], out[row, 1 + d : 1 + 2 * d], out[row, 1 + 2 * d : 1 + 3 * d] = y, x, v
    return made
