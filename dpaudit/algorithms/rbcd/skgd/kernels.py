"""The numba form of SkGD: one trial after the other, trials in parallel.

`keys`: of the sets; `sets`: cumulative probabilities, members and sizes of the sets, rates (made by `skgd`); `data`:
see `loss_kernels.arrays`.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.packed import Keys, Packed
from dpaudit.noise.kernels import compiled, uniform_pair
from dpaudit.problems import loss_kernels

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


@compiled()
def advance(theta: Array, work: Array, step: int, trial: int, keys: Keys, sets: Packed, data: Packed) -> Any:
    """One step in place; the number of the set."""
    cumulative, members, sizes, rates = sets
    number = np.searchsorted(cumulative, uniform_pair(keys[0], keys[1], 0, step, trial)[0], side="right")
    chosen, size = members[number], sizes[number]
    loss_kernels.partial(theta, chosen, size, data, work)
    for a in range(size):
        theta[chosen[a]] -= rates[chosen[a]] * work[a]
    return number


@compiled()
def _trial(
    trial: int, keep: bool, out: Array, start: Array, steps: int, keys: Keys, sets: Packed, data: Packed
) -> None:
    theta, work = start.copy(), start.copy()
    for step in range(steps):
        advance(theta, work, step, trial, keys, sets, data)
        if keep:
            out[step] = theta
    if not keep:
        out[0] = theta


@compiled(parallel=True)
def run(
    trials: Integers, keep: bool, out: Array, start: Array, steps: int, keys: Keys, sets: Packed, data: Packed
) -> None:
    """All steps of all trials; `out` receives transcripts if `keep`, the last iterates otherwise."""
    for row in numba.prange(len(trials)):
        _trial(trials[row], keep, out[row], start, steps, keys, sets, data)


@compiled()
def advance_rows(
    out: Array, steps: Integers, trials: Integers, ways: Integers, start: Array, _: int, keys: Keys, sets: Packed,
    data: Packed,
) -> None:  # fmt: skip
    """One step per row, in place: `out` holds theta, and room for its copy; `ways`: the numbers of the sets."""
    d, work = len(start), start.copy()
    for row in range(len(out)):
        ways[row, 0] = advance(out[row, :d], work, steps[row], trials[row], keys, sets, data)
        out[row, d:] = out[row, :d]
