"""The numba form of AC-SA: one trial after the other, trials in parallel; draws as in `shared.kernels`.

`plan`: r, rho, lambda, L, T, and whether the index, the weight and the linear coefficient are those printed; `sizes`:
N_k; `source`: how gradients come about (SAMPLES, MOMENTS, LIMIT, EXACT), then c, a, kappa, M of `series`.
"""

from __future__ import annotations

import math

import numba
import numpy as np

from dpaudit.algorithms.resque.ac_sa.series import ORDER, REACH
from dpaudit.algorithms.resque.shared.kernels import draw_sample, project, weight
from dpaudit.noise.kernels import Packed, compiled, normal_pair
from dpaudit.problems.smoothing.kernels import ridge_smoothed_gradient
from dpaudit.problems.smoothing.ridges import Array, Integers

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
                kept[row, 0], kept[row, 1] = work[1], work[2]
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
def solve(
    ag: Array,
    x: Array,
    trial: int,
    keys: Packed,
    centre: Array,
    plan: Packed,
    sizes: Integers,
    source: Packed,
    oracle: Packed,
) -> None:
    """The whole run from x = x^ag = centre, in place."""
    d, longest = len(centre), 0
    for k in range(len(sizes)):
        longest = max(longest, sizes[k])
    keep = plan[5] and source[0] == SAMPLES and longest * d <= KEPT
    kept = np.zeros((longest if keep else 0, 2, d))
    md, estimate, work, coefficients = np.zeros_like(x), np.zeros(d), np.zeros((3, d)), np.zeros(ORDER)
    for a in range(d):
        ag[a] = centre[a]
        x[a] = centre[a]
    for k in range(len(sizes)):
        for t in range(1, plan[4] + 1):
            middle(ag, x, t, plan, md)
            gradient(
                md, k, t, t == 1 or (source[0] == SAMPLES and not keep), trial, keys, centre, plan, sizes, source,
                oracle, kept, coefficients, work, estimate,
            )  # fmt: skip
            update(ag, x, md, estimate, t, centre, plan)


@compiled(parallel=True)
def run(
    trials: Integers,
    keys: Packed,
    centre: Array,
    plan: Packed,
    sizes: Integers,
    source: Packed,
    oracle: Packed,
    out: Array,
) -> None:
    """All trials; `out` (trials, d) receives x_T^ag."""
    for row in numba.prange(len(trials)):
        solve(out[row], np.zeros_like(out[row]), trials[row], keys, centre, plan, sizes, source, oracle)


@compiled()
def replay(
    before: Array, steps: Integers, trials: Integers, keys: Packed, centre: Array, plan: Packed, sizes: Integers,
    source: Packed, oracle: Packed, out: Array,
) -> Packed:  # fmt: skip
    """One step per row from the states `before` (x^ag, x); `out` (rows, 3 d): x^md, x^ag, x; which were projected."""
    d, outside = len(centre), np.zeros(len(before), dtype=np.int64)
    estimate, work, coefficients, kept = np.zeros(d), np.zeros((3, d)), np.zeros(ORDER), np.zeros((0, 2, d))
    for row in range(len(before)):
        ag, x, k, t = before[row, :d].copy(), before[row, d:].copy(), steps[row] // plan[4], steps[row] % plan[4] + 1
        md = np.zeros_like(x)
        middle(ag, x, t, plan, md)
        gradient(
            md, k, t, True, trials[row], keys, centre, plan, sizes, source, oracle, kept, coefficients, work,
            estimate,
        )  # fmt: skip
        outside[row] = update(ag, x, md, estimate, t, centre, plan)
        out[row, :d], out[row, d : 2 * d], out[row, 2 * d :] = md, ag, x
    return outside
