"""The numba form of AC-SA: one row after the other; draws as in `shared.kernels`.

`plan`: r, rho, lambda, L, T, and whether the index, the weight and the linear coefficient are those printed; `sizes`:
N_k; `source`: how gradients come about (SAMPLES, MOMENTS, LIMIT, EXACT), then c, a, kappa, M of `series`.
"""

from __future__ import annotations

import math

import numpy as np

from dpaudit.algorithms.resque.ac_sa.series import ORDER, REACH
from dpaudit.algorithms.resque.shared.kernels import draw_sample, project, weight
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.kernels import Packed, compiled, normal_pair
from dpaudit.problems.domain_kernels import copy
from dpaudit.problems.smoothing.kernels import ridge_smoothed_gradient

SAMPLES, MOMENTS, LIMIT, EXACT = range(4)
KEPT = 1 << 20
"""Numbers of a pool that are kept between the steps that use it again; larger pools are drawn again."""


@compiled()
def middle(ag: Array, x: Array, t: int, plan: Packed, out: Array) -> None:
    """out = x_t^md."""
    strength, alpha, gamma = plan[2], 2.0 / (t + 1.0), 4.0 * (plan[3] / plan[1] + plan[2]) / (t * (t + 1.0))
    below = gamma + (1.0 - alpha * alpha) * strength
    first = (1.0 - alpha) * (strength + gamma) / below
    if plan[6]:
        second = alpha * (1.0 - alpha) * (strength + gamma) / below
    else:
        second = alpha * ((1.0 - alpha) * strength + gamma) / below
    for a in range(len(x)):
        out[a] = first * ag[a] + second * x[a]


@compiled()
def update(ag: Array, x: Array, md: Array, estimate: Array, t: int, centre: Array, plan: Packed) -> bool:
    """x_t and x_t^ag in place, after the last t also x = x^ag; whether x was projected."""
    strength, alpha, gamma = plan[2], 2.0 / (t + 1.0), 4.0 * (plan[3] / plan[1] + plan[2]) / (t * (t + 1.0))
    near, far = gamma + strength * (1.0 - alpha), strength * alpha
    pull = strength if plan[7] else alpha * strength
    for a in range(len(x)):
        linear = alpha * estimate[a] + pull * (md[a] - centre[a])
        x[a] = (near * x[a] + far * md[a] - linear) / (near + far)
    outside = project(x, centre, plan[0])
    for a in range(len(x)):
        ag[a] = alpha * x[a] + (1.0 - alpha) * ag[a]
        if t == plan[4]:
            x[a] = ag[a]
    return outside


@compiled()
def sampled(
    md: Array, first: int, count: int, fresh: bool, trial: int, keys: Packed, centre: Array, radius: float,
    oracle: Packed, kept: Array, work: Array, out: Array,
) -> None:  # fmt: skip
    """out = the mean of `count` weighted gradients from sample `first` on; kept: (count, 2, d), or no rows."""
    out[:] = 0.0
    for m in range(count):
        row = m if len(kept) > 0 else -1
        if row < 0 or fresh:
            draw_sample(first + m, trial, keys, centre, radius, oracle, work)
            if row >= 0:
                copy(work[1], kept[row, 0])
                copy(work[2], kept[row, 1])
        xi, g = (kept[row, 0], kept[row, 1]) if row >= 0 else (work[1], work[2])
        w = weight(md, centre, xi, radius)
        for a in range(len(out)):
            out[a] += w * g[a]
    for a in range(len(out)):
        out[a] /= count


@compiled()
def moments(
    first: int,
    count: int,
    trial: int,
    keys: Packed,
    centre: Array,
    radius: float,
    oracle: Packed,
    work: Array,
    out: Array,
) -> None:
    """out = C of the pool of `count` samples from sample `first` on."""
    out[:] = 0.0
    for m in range(count):
        draw_sample(first + m, trial, keys, centre, radius, oracle, work)
        z, before, here = work[1, 0] / radius, 0.0, work[2, 0]
        for j in range(len(out)):
            out[j] += here
            before, here = here, (z * here - math.sqrt(j * 1.0) * before) / math.sqrt(j + 1.0)
    for j in range(len(out)):
        out[j] /= count


@compiled()
def limits(block: int, count: int, trial: int, keys: Packed, source: Packed, out: Array) -> None:
    """out = C drawn from the limit law; the normals of step `block` of the limit part."""
    _, mean, a, kappa, size = source
    inner = 0.0
    for j in range(0, len(out), 2):
        out[j], out[j + 1] = normal_pair(keys[4], keys[5], j // 2, block, trial)
        inner += a[j] * out[j] + a[j + 1] * out[j + 1]
    for j in range(len(out)):
        out[j] = mean[j] + size * (out[j] - kappa * a[j] * inner) / math.sqrt(count * 1.0)


@compiled()
def series(t: float, coefficients: Array) -> float:
    """sum_j C_j t^j/sqrt(j!); NaN beyond the reach."""
    if not abs(t) <= REACH:
        return np.nan
    total, power = 0.0, 1.0
    for j in range(len(coefficients)):
        total += coefficients[j] * power
        power *= t / math.sqrt(j + 1.0)
    return total


@compiled()
def gradient(
    md: Array, k: int, t: int, fresh: bool, trial: int, keys: Packed, centre: Array, plan: Packed, sizes: Integers,
    source: Packed, oracle: Packed, kept: Array, coefficients: Array, work: Array, out: Array,
) -> None:  # fmt: skip
    """out = the estimate at x_t^md of outer loop k (from 0)."""
    base, block, steps = 0, k * plan[4], plan[4]
    for earlier in range(k):
        base += steps * sizes[earlier]
    if not plan[5]:
        base, block, fresh = base + (t - 1) * sizes[k], block + t - 1, True
    if source[0] == EXACT:
        ridge_smoothed_gradient(md, plan[1], oracle, out)
    elif source[0] == SAMPLES:
        sampled(md, base, sizes[k], fresh, trial, keys, centre, plan[1], oracle, kept, work, out)
    else:
        if fresh and source[0] == MOMENTS:
            moments(base, sizes[k], trial, keys, centre, plan[1], oracle, work, coefficients)
        elif fresh:
            limits(block, sizes[k], trial, keys, source, coefficients)
        out[0] = series((md[0] - centre[0]) / plan[1], coefficients)


@compiled()
def scratch(d: int, plan: Packed, sizes: Integers, source: Packed) -> Packed:
    """What `solve` works in: samples that are kept, coefficients, the estimate, and the scratch of `draw_sample`."""
    longest = 0
    for k in range(len(sizes)):
        longest = max(longest, sizes[k])
    keep = plan[5] and source[0] == SAMPLES and longest * d <= KEPT
    return np.empty((longest if keep else 0, 2, d)), np.zeros(ORDER), np.zeros(d), np.zeros((3, d))


@compiled()
def solve(
    ag: Array, x: Array, md: Array, first: int, count: int, trial: int, keys: Packed, centre: Array, plan: Packed,
    sizes: Integers, source: Packed, oracle: Packed, room: Packed,
) -> bool:  # fmt: skip
    """`count` steps in place from step `first` of all loops, md receiving the last x^md; whether the last one projected
    x; `room`: see `scratch`."""
    kept, coefficients, estimate, work = room
    outside, again = False, source[0] == SAMPLES and len(kept) == 0
    for step in range(first, first + count):
        k, t = step // plan[4], step % plan[4] + 1
        middle(ag, x, t, plan, md)
        gradient(
            md, k, t, step == first or t == 1 or again, trial, keys, centre, plan, sizes, source, oracle, kept,
            coefficients, work, estimate,
        )  # fmt: skip
        outside = update(ag, x, md, estimate, t, centre, plan)
    return outside


@compiled()
def run(
    states: Array, middles: Array, first_steps: Integers, trials: Integers, outside: Integers, count: int, keys: Packed,
    centre: Array, plan: Packed, sizes: Integers, source: Packed, oracle: Packed,
) -> None:  # fmt: skip
    """`count` steps of every row from the step that `first_steps` says, in place: `states`, (rows, 2 d), holds x^ag and
    x; `middles`, (rows, d), and `outside`, (rows,), receive x^md and whether x was projected, of the last step."""
    d, room = len(centre), scratch(len(centre), plan, sizes, source)
    for row in range(len(states)):
        outside[row] = solve(
            states[row, :d], states[row, d:], middles[row], first_steps[row], count, trials[row], keys, centre, plan,
            sizes, source, oracle, room,
        )  # fmt: skip
