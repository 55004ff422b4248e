"""The numba form of the Gaussian mechanism on coordinates: one trial after the other, trials in parallel.

`keys`: of the noise; `numbers`: U, the coordinates that are released at all, the noise (made by `coordinate_gaussian`);
`data`: see `loss_kernels.arrays`.
"""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.packed import Keys, Packed
from dpaudit.noise.kernels import add_normals, compiled
from dpaudit.problems import loss_kernels

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


@compiled()
def release(point: Array, trial: int, out: Array, keys: Keys, numbers: Packed, data: Packed) -> None:
    """The release from `point`."""
    chosen, kept, noise = numbers
    gradient = np.empty_like(point)
    loss_kernels.gradient(point, data, gradient)
    out[:] = 0
    add_normals(out, noise, keys[0], keys[1], 0, trial)
    for j in range(len(point)):
        out[j] = kept[j] * gradient[j] + chosen[j] * out[j]


@compiled(parallel=True)
def run(trials: Integers, _: bool, out: Array, point: Array, keys: Keys, numbers: Packed, data: Packed) -> None:
    """The releases of all trials, which are transcripts and outputs alike."""
    for row in numba.prange(len(trials)):
        release(point, trials[row], out[row, 0], keys, numbers, data)


@compiled()
def advance_rows(
    out: Array, _: Integers, trials: Integers, ways: Integers, point: Array, keys: Keys, numbers: Packed, data: Packed
) -> None:
    """One release per row, in place: `out` holds the point, and room for the release."""
    d = len(point)
    for row in range(len(out)):
        release(out[row, :d], trials[row], out[row, d:], keys, numbers, data)
