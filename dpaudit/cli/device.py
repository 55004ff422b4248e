"""Devices for torch: whether one can be used, and whether the noise has the same bits there.

A device that is absent is reported with the reason, as NOT_RUN, never skipped in silence.
"""

from __future__ import annotations

import numpy as np

from dpaudit.noise.stream import Stream
from dpaudit.noise.tensors import why_unavailable
from dpaudit.records.verdict import Evidence, Outcome

ENGINE = "noise"


def usable(device: str) -> bool:
    """Whether torch is installed and can compute on `device`."""
    return not why_unavailable(device)


def check_noise(device: str, seed: int, count: int = 1_000_000) -> Evidence:
    """Compare `count` normals made on `device`, and their float32 forms, with the NumPy or numba ones, bit by bit.

    The trial numbers reach beyond 2^32, so that every word of the counter is used. CONSISTENT (a
    search: these draws and no others), REFUTED with the first address that differs, or NOT_RUN.
    """
    reason = why_unavailable(device)
    if reason:
        return Evidence(ENGINE, Outcome.NOT_RUN, reason)
    stream, step = Stream(seed, f"device/{device}"), 3
    width = 50
    trials = np.arange(max(1, count // width)) * 4_294_967_311 % (1 << 62)
    expected = stream.normals(trials, step, width)
    made = stream.torch_normals(trials, step, width, device)
    rounded = made.float().cpu().numpy()
    found = made.cpu().numpy()
    different = (found.view(np.int64) != expected.view(np.int64)) | (
        rounded.view(np.int32) != expected.astype(np.float32).view(np.int32)
    )
    numbers = (("compared", expected.size), ("different", int(different.sum())))
    if not different.any():
        detail = f"all {expected.size} draws have the same bits on {device}"
        return Evidence(ENGINE, Outcome.CONSISTENT, detail, numbers)
    row, index = (int(i) for i in np.argwhere(different)[0])
    return Evidence(
        ENGINE,
        Outcome.REFUTED,
        f"{int(different.sum())} of {expected.size} draws on {device} differ; first: trial {trials[row]}, step {step}, "
        f"index {index}: {found[row, index]!r} instead of {expected[row, index]!r}",
        numbers,
    )
