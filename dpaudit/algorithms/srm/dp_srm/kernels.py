"""The numba form of DP-SRM: one row after the other.

`keys`: of noise, batches, output; `numbers`: gamma, 1 - gamma, C1, C2, longest step, length where the two printed rates
meet, constant rate; `noises`: sigma_0, sigma; `options`: T, whether vectors are clipped, whether the rate is constant
(all made by `dp_srm`); `first`, `later`, `data`: see `batch_kernels.packed`, `loss_kernels.arrays`.
"""

from __future__ import annotations

import numpy as np

from dpaudit.algorithms.packed import Keys, Packed
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.kernels import Index, Scalar, add_normals, compiled, uniform_pair
from dpaudit.problems import domain_kernels, loss_kernels
from dpaudit.records.assumptions import KINDS
from dpaudit.sampling import batch_kernels

_ALL = KINDS.index("all records")


@compiled()
def advance(
    previous: Array, theta: Array, fed_back: Array, new: Array, old: Array, work: Array, known: bool, batch: Integers,
    t: int, trial: int, keys: Keys, numbers: Packed, noises: Packed, options: Packed, first: Packed, later: Packed,
    data: Packed,
) -> tuple[Scalar, int, int]:  # fmt: skip
    """One step in place; `new` receives the gradient at theta^t, `old` that at theta^{t-1}, unless it is known.

    Whether the rate was that of short steps, and how many gradients and differences were clipped, are returned.
    """
    _, keep, _, _, longest, switch, constant_rate = numbers
    batches = later if t > 0 else first
    clipped, changed = 0, 0
    if options[1]:
        size = batch_kernels.draw_batch(batches, keys[2], keys[3], t, trial, batch)
        clipped, changed = _clipped_mean(previous, theta, new, old, work, batch, size, t, numbers, data)
        for j in range(len(theta)):
            fed_back[j] = keep * fed_back[j] + new[j] if t > 0 else new[j]
    else:
        _gradients(previous, theta, new, old, known, batch, t, trial, keys, batches, data)
        for j in range(len(theta)):
            fed_back[j] = new[j] + keep * (fed_back[j] - old[j]) if t > 0 else new[j]
    add_normals(fed_back, noises[1] if t > 0 else noises[0], keys[0], keys[1], t, trial)
    length = np.sqrt(domain_kernels.squared_norm(fed_back))
    rate = constant_rate if options[2] else longest / max(length, switch)
    for j in range(len(theta)):
        previous[j] = theta[j]
        theta[j] -= rate * fed_back[j]
    return length <= switch, clipped, changed


@compiled()
def _gradients(
    previous: Array, theta: Array, new: Array, old: Array, known: bool, batch: Integers, t: int, trial: int, keys: Keys,
    batches: Packed, data: Packed,
) -> None:  # fmt: skip
    """The mean gradients of the batch at both points."""
    if batches[0] == _ALL:
        loss_kernels.gradient(theta, data, new)
        if t > 0 and not known:
            loss_kernels.gradient(previous, data, old)
        return
    size = batch_kernels.draw_batch(batches, keys[2], keys[3], t, trial, batch)
    loss_kernels.batch_gradient(theta, batch, size, data, new)
    if t > 0:
        loss_kernels.batch_gradient(previous, batch, size, data, old)


@compiled()
def _clipped_mean(
    previous: Array, theta: Array, total: Array, change: Array, work: Array, batch: Integers, size: int, t: int,
    numbers: Packed, data: Packed,
) -> tuple[int, int]:  # fmt: skip
    """total = the mean of gamma clip(gradient) + (1 - gamma) clip(difference), or of clip(gradient) at step 0."""
    momentum, keep, gradient_clip, difference_clip = numbers[:4]
    clipped, changed, d = 0, 0, len(theta)
    total[:] = 0
    for a in range(size):
        loss_kernels.record_gradient(theta, batch[a], data, work)
        if t > 0:
            loss_kernels.record_gradient(previous, batch[a], data, change)
            for j in range(d):
                change[j] = work[j] - change[j]
            changed += domain_kernels.clip(change, difference_clip) > difference_clip
        clipped += domain_kernels.clip(work, gradient_clip) > gradient_clip
        for j in range(d):
            total[j] += momentum * work[j] + keep * change[j] if t > 0 else work[j]
    for j in range(d):
        total[j] /= total.dtype.type(size)
    return clipped, changed


@compiled()
def _chosen(keys: Keys, trial: int, steps: int) -> Index:
    """The index of the uniformly drawn iterate."""
    return np.int64(uniform_pair(keys[4], keys[5], 0, 0, trial)[0] * steps)


@compiled()
def run(
    states: Array, first_steps: Integers, trials: Integers, released: Array, ways: Integers, count: int, keys: Keys,
    numbers: Packed, noises: Packed, options: Packed, first: Packed, later: Packed, data: Packed,
) -> None:  # fmt: skip
    """`count` steps of every row, see `stepwise.Kernels`."""
    d, spare = released.shape[2], np.empty((3, released.shape[2]), dtype=states.dtype)
    batch = np.empty(max(first[2], later[2]), dtype=np.int64)
    for row in range(len(states)):
        state, trial = states[row], trials[row]
        previous, theta, fed_back = state[:d], state[d : 2 * d], state[2 * d : 3 * d]
        chosen = _chosen(keys, trial, options[0])
        for made in range(count):
            t = first_steps[row] + made
            if t == chosen:
                domain_kernels.copy(theta, state[3 * d :])
            # With all records, the gradient at theta^t is also the one that the next step takes off.
            known = made > 0 and (later if t > 1 else first)[0] == _ALL
            ways[row, 0], ways[row, 1], ways[row, 2] = advance(
                previous, theta, fed_back, spare[made % 2], spare[1 - made % 2], spare[2], known, batch, t, trial, keys,
                numbers, noises, options, first, later, data,
            )  # fmt: skip
            if released.shape[1]:
                domain_kernels.copy(fed_back, released[row, made])
