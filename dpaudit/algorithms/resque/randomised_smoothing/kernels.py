"""The numba form of accelerated randomised smoothing: one trial after the other, trials in parallel.

`keys`, `batches`: see `perturbed_batches.kernels`; `numbers`: start, momentum, radii, strengths (made by
`randomised_smoothing`); `domain`, `data`: see `domain_kernels.plan`, `loss_kernels.arrays`.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.resque.perturbed_batches.kernels import mean_gradient
from dpaudit.noise.kernels import compiled
from dpaudit.problems import domain_kernels

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


@compiled()
def advance(
    state: Array, g: Array, t: int, trial: int, keys: Any, numbers: Any, batches: Any, domain: Any, data: Any,
    flat: Array, work: Array, batch: Any,
) -> None:  # fmt: skip
    """One step in place; g receives the gradient."""
    start, momentum, radii, strengths = numbers
    d, theta = len(g), momentum[t]
    x, z, total = state[:d], state[d : 2 * d], state[2 * d : 3 * d]
    other = state.dtype.type(1) - theta
    for j in range(d):
        x[j] = other * x[j]  # what both mixtures share
        work[d + j] = x[j] + theta * z[j]
    mean_gradient(work[d:], radii[t], t, trial, keys, batches, data, flat, work[:d], batch, g)
    for j in range(d):
        total[j] += g[j] / theta
        z[j] = start[j] - total[j] / strengths[t]
    domain_kernels.project(z, domain)
    for j in range(d):
        x[j] += theta * z[j]


@compiled()
def _trial(trial: int, keep: bool, out: Array, keys: Any, numbers: Any, batches: Any, domain: Any, data: Any) -> None:
    start, size = numbers[0], batches[2]
    d, state = len(start), np.zeros(3 * len(start), dtype=start.dtype)
    state[:d], state[d : 2 * d] = start, start
    g, work, flat = np.empty_like(start), np.empty_like(state[: 2 * d]), np.empty(size * d, dtype=start.dtype)
    batch = np.empty(size, dtype=np.int64)
    for t in range(len(numbers[2])):
        advance(state, g, t, trial, keys, numbers, batches, domain, data, flat, work, batch)
        if keep:
            out[t] = g
    if not keep:
        out[0] = state


@compiled(parallel=True)
def run(
    trials: Integers, keep: bool, out: Array, keys: Any, numbers: Any, batches: Any, domain: Any, data: Any
) -> None:
    """All steps of all trials; `out` receives transcripts if `keep`, the last states otherwise."""
    for row in numba.prange(len(trials)):
        _trial(trials[row], keep, out[row], keys, numbers, batches, domain, data)


@compiled()
def advance_rows(
    out: Array, steps: Integers, trials: Integers, ways: Any, keys: Any, numbers: Any, batches: Any, domain: Any,
    data: Any,
) -> None:  # fmt: skip
    """One step per row, in place: `out` holds (state, room for g)."""
    d, size = len(numbers[0]), batches[2]
    work, flat = np.empty(2 * d, dtype=out.dtype), np.empty(size * d, dtype=out.dtype)
    batch = np.empty(size, dtype=np.int64)
    for row in range(len(out)):
        state, g = out[row, : 3 * d], out[row, 3 * d :]
        advance(state, g, steps[row], trials[row], keys, numbers, batches, domain, data, flat, work, batch)
