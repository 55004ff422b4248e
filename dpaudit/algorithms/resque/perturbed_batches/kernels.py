"""The numba form of `form`: the mean gradient of one batch, each record at its own perturbed point."""

from __future__ import annotations

from dpaudit.algorithms.packed import Keys, Packed
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.kernels import Scalar, add_normals, compiled
from dpaudit.problems import loss_kernels
from dpaudit.problems.domain_kernels import copy
from dpaudit.records.assumptions import KINDS
from dpaudit.sampling import batch_kernels

_ALL = KINDS.index("all records")


@compiled()
def mean_gradient(
    point: Array, radius: Scalar, t: int, trial: int, keys: Keys, batches: Packed, data: Packed, flat: Array,
    work: Array, batch: Integers, out: Array,
) -> None:  # fmt: skip
    """out = the mean over the batch of step t at `point`; scratch: flat (size d,), work (d,), batch (size,)."""
    d, size = len(point), batches[2]
    if radius == 0 and batches[0] == _ALL:
        loss_kernels.gradient(point, data, out)
        return
    batch_kernels.draw_batch(batches, keys[2], keys[3], t, trial, batch)
    if radius == 0:
        loss_kernels.batch_gradient(point, batch, size, data, out)
        return
    for a in range(size):
        copy(point, flat[a * d : (a + 1) * d])
    add_normals(flat, radius, keys[0], keys[1], t, trial)
    out[:] = 0
    for a in range(size):
        loss_kernels.record_gradient(flat[a * d : (a + 1) * d], batch[a], data, work)
        for j in range(d):
            out[j] += work[j]
    for j in range(d):
        out[j] /= point.dtype.type(size)
