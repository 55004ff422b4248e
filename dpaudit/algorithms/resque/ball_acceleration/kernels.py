"""The numba forms of the proximal oracles, the search for lambda and ball acceleration, one instance at a time.

`objective`: shape, L, mu, u; `plan`: R, r, lambda_star, the largest lambda,
C_stop R^2/eps, the error of the search, phi/(lambda r^2), Delta, sigma (the errors already times `oracle_error`), the
most search calls, the most iterations. Noise: see `setting`; `key`: its two words.
"""

from __future__ import annotations

import math

import numpy as np

from dpaudit.algorithms.resque.ball_acceleration.objectives import Objective, Shape
from dpaudit.algorithms.resque.ball_acceleration.setting import BALL_SLOT, HIGH, LOW, PROXIMAL_SLOT, SLOTS, BallSetting
from dpaudit.algorithms.resque.shared.kernels import project
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.kernels import Packed, compiled, normal_pair
from dpaudit.problems.domain_kernels import copy

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
def rising_sizes(y: Array, centre: Array, out: Array) -> None:
    """out = the numbers |y_a - c_a| in rising order."""
    for a in range(len(y)):
        size, place = abs(y[a] - centre[a]), a
        while place > 0 and out[place - 1] > size:
            out[place] = out[place - 1]
            place -= 1
        out[place] = size


@compiled()
def proximal(y: Array, centre: Array, strength: float, ball_radius: float, objective: Packed, out: Array) -> None:
    """out = argmin over |x - y| <= r of F(x) + (lambda/2)|x - y|^2."""
    shape, lipschitz, threshold, axis = objective
    pull, along, square = lipschitz / strength, 0.0, 0.0
    if shape == _LARGEST:
        rising_sizes(y, centre, out)
        tau = level(out, pull, ball_radius)
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
def draw(normals: Array, step: int, trial: int, key: Packed) -> float:
    """The normals of the step, and the sum of their squares."""
    d, square = len(normals), 0.0
    for a in range(0, d, 2):
        first, second = normal_pair(key[0], key[1], a // 2, step, trial)
        normals[a] = first
        if a + 1 < d:
            normals[a + 1] = second
    for a in range(d):
        square += normals[a] * normals[a]
    return square


@compiled()
def add(scale: float, values: Array, point: Array) -> None:
    """point += scale values."""
    for a in range(len(point)):
        point[a] += scale * values[a]


@compiled()
def mix(x: Array, v: Array, weight: float, strength: float, out: Array) -> float:
    """out = y = (A x + a v)/(A + a); a is returned."""
    a = (1.0 + math.sqrt(1.0 + 4.0 * strength * weight)) / (2.0 * strength)
    for j in range(len(x)):
        out[j] = (weight * x[j] + a * v[j]) / (weight + a)
    return a


@compiled()
def search(
    x: Array, v: Array, weight: float, slot: int, trial: int, key: Packed, centre: Array, objective: Packed,
    plan: Packed, y: Array, z: Array, normals: Array,
) -> Packed:  # fmt: skip
    """lambda and the calls made; the noise of call j lies at step slot + j; scratch: y, z, normals."""
    ball_radius, low, high, calls = plan[1], plan[2], plan[3], 0
    while calls < plan[9]:
        strength = low if calls == 0 else math.sqrt(low * high)
        mix(x, v, weight, strength, y)
        proximal(y, centre, strength, ball_radius, objective, z)
        if plan[5] > 0.0:
            add(plan[5] / math.sqrt(draw(normals, slot + calls, trial, key)), normals, z)
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
    plan: Packed, y: Array, z: Array, pulled: Array, normals: Array,
) -> Packed:  # fmt: skip
    """One iteration in place; y receives the query point, the last three are scratch; A, lambda and search calls."""
    slot, ball_radius = number * SLOTS, plan[1]
    strength, calls = search(x, v, weight, slot, trial, key, centre, objective, plan, y, z, normals)
    a = mix(x, v, weight, strength, y)
    proximal(y, centre, strength, ball_radius, objective, z)
    copy(z, x)
    copy(y, pulled)
    if plan[6] > 0.0:
        length = plan[6] * strength * ball_radius * ball_radius / (objective[1] + 2.0 * strength * ball_radius)
        add(length / math.sqrt(draw(normals, slot + BALL_SLOT, trial, key)), normals, x)
        project(x, pulled, ball_radius)
    if plan[8] > 0.0:
        z[0] += plan[7] / strength
        draw(normals, slot + PROXIMAL_SLOT, trial, key)
        add(math.sqrt(plan[8] ** 2 - plan[7] ** 2) / strength / math.sqrt(len(x) * 1.0), normals, z)
    for j in range(len(x)):
        v[j] -= 0.5 * a * strength * (y[j] - z[j])
        pulled[j] = 0.0
    project(v, pulled, plan[0])
    return weight + a, strength, calls


@compiled()
def run(
    trials: Integers, centres: Array, out: Array, key: Packed, objective: Packed, plan: Packed, first_weight: float,
    project_end: bool,
) -> None:  # fmt: skip
    """All instances from x = v = 0; `out`, (instances, COLUMNS + d), receives the counts and x."""
    d = centres.shape[1]
    room, normals = np.empty((4, d), dtype=centres.dtype), np.empty(d)
    v, y, z, pulled = room[0], room[1], room[2], room[3]
    for row in range(len(trials)):
        x, counts, weight, calls = out[row, COLUMNS:], out[row, :COLUMNS], first_weight, 0
        lowest, highest = np.inf, 0.0
        x[:] = 0.0
        v[:] = 0.0
        counts[:] = 0.0
        for number in range(plan[10]):
            if not weight < plan[4]:
                break
            weight, strength, made = iterate(
                x, v, weight, number, trials[row], key, centres[row], objective, plan, y, z, pulled, normals
            )
            lowest, highest, calls = min(lowest, strength), max(highest, strength), calls + made
            counts[1] = number + 1
        counts[0], counts[2], counts[3] = weight, calls, lowest
        counts[4], counts[5] = highest, weight >= plan[4]
        if project_end:
            pulled[:] = 0.0
            project(x, pulled, plan[0])


@compiled()
def run_search(
    x: Array, v: Array, weights: Array, slots: Integers, trials: Integers, centres: Array, out: Array, key: Packed,
    objective: Packed, plan: Packed,
) -> None:  # fmt: skip
    """One search per row; `out` (rows, 2): lambda, calls."""
    d = centres.shape[1]
    room, normals = np.empty((2, d), dtype=centres.dtype), np.empty(d)
    for row in range(len(trials)):
        out[row, 0], out[row, 1] = search(
            x[row], v[row], weights[row], slots[row], trials[row], key, centres[row], objective, plan, room[0],
            room[1], normals,
        )  # fmt: skip


@compiled()
def replay(
    before: Array, steps: Integers, trials: Integers, centres: Array, out: Array, made: Integers, key: Packed,
    objective: Packed, plan: Packed,
) -> None:  # fmt: skip
    """One iteration per row from (x, v, A); `out` (rows, 3 d + 2): lambda, y, x, v, A; `made`: the search calls."""
    d = centres.shape[1]
    room, normals = np.empty((2, d), dtype=centres.dtype), np.empty(d)
    for row in range(len(before)):
        y, x, v = out[row, 1 : 1 + d], out[row, 1 + d : 1 + 2 * d], out[row, 1 + 2 * d : 1 + 3 * d]
        copy(before[row, :d], x)
        copy(before[row, d : 2 * d], v)
        out[row, 3 * d + 1], out[row, 0], made[row] = iterate(
            x, v, before[row, 2 * d], steps[row], trials[row], key, centres[row], objective, plan, y, room[0], room[1],
            normals,
        )  # fmt: skip
