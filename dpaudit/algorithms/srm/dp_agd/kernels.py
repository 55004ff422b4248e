"""The numba form of DP-AGD: one row after the other.

`keys`: of noise, choices; `choice_cost`: grains of a choice; `costs`, `deviations`: of a fresh gradient and of a
growth, by level; `candidates`: step sizes; `scales`: C_grad, C_obj, scale of the Laplace noise, growth (all made by
`dp_agd`); `data`: see `loss_kernels.arrays`. The modes and the grains are those of `dp_agd`.
"""

from __future__ import annotations

import numpy as np

from dpaudit.algorithms.packed import Keys, Packed
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.kernels import Index, Scalar, add_normals, compiled, uniform_pair
from dpaudit.problems import domain_kernels, loss_kernels

_GRAINS, _LIMB, _UNCHOSEN = 1 << 40, 1 << 20, 10
_FRESH, _REFINE, _STOPPED = 0, 1, 2


@compiled()
def advance(
    state: Array, released: Array, work: Array, ways: Integers, t: int, trial: int, keys: Keys, choice_cost: int,
    costs: Integers, deviations: Array, candidates: Array, scales: Packed, data: Packed,
) -> None:  # fmt: skip
    """One step in place; `released` receives the noisy copy and the choice, `ways` what was done."""
    d, kind = len(work), state.dtype.type
    w, total, noisy, counts = state[:d], state[d : 2 * d], state[2 * d : 3 * d], state[3 * d :]
    mode, level, spent = np.int64(counts[0]), np.int64(counts[1]), np.int64(counts[2]) + _LIMB * np.int64(counts[3])
    released[:d], released[d] = kind(0), kind(-1)
    ways[0], ways[1], ways[2] = _STOPPED + _UNCHOSEN, 0, -1
    if mode == _STOPPED or spent + costs[mode, level] > _GRAINS:
        counts[0] = _STOPPED
        return
    spent += costs[mode, level]
    if mode == _FRESH:
        ways[1] = _clipped_sum(w, total, work, scales[0], data)
    copy = released[:d]
    domain_kernels.copy(total, copy)
    add_normals(copy, deviations[mode, level], keys[0], keys[1], t, trial)
    one = kind(1)
    for j in range(d):
        noisy[j] = copy[j] if mode == _FRESH else (noisy[j] + scales[3] * copy[j]) / (one + scales[3])
    if mode == _REFINE:
        level += 1
    ways[0], counts[0] = mode + _UNCHOSEN, _STOPPED
    if spent + choice_cost <= _GRAINS:
        spent += choice_cost
        chosen = _choose(w, noisy, work, t, trial, keys, candidates, scales, data)
        ways[0], ways[2], released[d] = mode, chosen, chosen
        counts[0] = _REFINE if candidates[chosen] == 0 else _FRESH
    counts[1], counts[2], counts[3] = level, spent % _LIMB, spent // _LIMB


@compiled()
def _clipped_sum(w: Array, total: Array, work: Array, bound: Scalar, data: Packed) -> Index:
    """total = the sum of the clipped gradients of all records; how many were clipped."""
    clipped = 0
    total[:] = 0
    for i in range(data[2]):
        loss_kernels.record_gradient(w, i, data, work)
        clipped += domain_kernels.clip(work, bound) > bound
        for j in range(len(w)):
            total[j] += work[j]
    return clipped


@compiled()
def _choose(
    w: Array, noisy: Array, work: Array, t: int, trial: int, keys: Keys, candidates: Array, scales: Packed, data: Packed
) -> Index:
    """Move w by the candidate of the least noisy value; its number."""
    length, zero = np.sqrt(domain_kernels.squared_norm(noisy)), w.dtype.type(0)
    chosen, least = 0, w.dtype.type(np.inf)
    for number in range(len(candidates)):
        for j in range(len(w)):
            work[j] = w[j] - candidates[number] * (noisy[j] / length)
        score = zero
        for i in range(data[2]):
            score += min(max(loss_kernels.record_value(work, i, data), zero), scales[1])
        score += scales[2] * w.dtype.type(_laplace(keys[2], keys[3], number, t, trial))
        if score < least:
            chosen, least = number, score
    for j in range(len(w)):
        w[j] -= candidates[chosen] * (noisy[j] / length)
    return chosen


@compiled()
def _laplace(key0: int, key1: int, number: int, t: int, trial: int) -> Scalar:
    """A standard Laplace number by the inverse distribution function."""
    first, second = uniform_pair(key0, key1, number // 2, t, trial)
    uniform = second if number % 2 else first
    return np.log(2 * uniform) if uniform < 0.5 else -np.log(2 * (1 - uniform))


@compiled()
def run(
    states: Array, first_steps: Integers, trials: Integers, released: Array, ways: Integers, count: int, keys: Keys,
    choice_cost: int, costs: Integers, deviations: Array, candidates: Array, scales: Packed, data: Packed,
) -> None:  # fmt: skip
    """`count` steps of every row, see `stepwise.Kernels`."""
    columns, kind = released.shape[2], states.dtype
    made, work = np.empty(columns, dtype=kind), np.empty(columns - 1, dtype=kind)
    for row in range(len(states)):
        for step in range(count):
            advance(
                states[row], made, work, ways[row], first_steps[row] + step, trials[row], keys, choice_cost, costs,
                deviations, candidates, scales, data,
            )  # fmt: skip
            if released.shape[1]:
                domain_kernels.copy(made, released[row, step])
