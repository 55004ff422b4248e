"""The numba form of `dpaudit.sampling.batches`, one batch at a time, for compiled algorithms."""

from __future__ import annotations

import numpy as np

from dpaudit.arithmetic.arrays import Integers
from dpaudit.noise.kernels import Index, compiled, uniform_pair
from dpaudit.records.assumptions import KINDS
from dpaudit.sampling.batches import Batches

_ALL, _WITHOUT, _WITH, _POISSON, _ORDER = (
    KINDS.index(kind) for kind in ("all records", "without replacement", "with replacement", "Poisson", "in order")
)


def packed(batches: Batches) -> tuple[int, int, int, float]:
    """What `draw_batch` reads: kind, records, size, rate."""
    return batches.code, batches.records, batches.size, batches.rate


@compiled()
def draw_batch(plan: tuple[int, int, int, float], key0: int, key1: int, step: int, trial: int, batch: Integers) -> int:
    """Fill `batch` (int64, `Batches.width` places) with the records of the step; how many they are."""
    kind, records, size, rate = plan
    if kind in (_ALL, _ORDER):
        for a in range(size):
            batch[a] = a if kind == _ALL else step * size + a
        return size
    if kind == _POISSON:
        return _poisson(records, rate, key0, key1, step, trial, batch)
    for a in range(0, size, 2):
        first, second = uniform_pair(key0, key1, a // 2, step, trial)
        for offset in range(min(2, size - a)):
            uniform, place = (second if offset else first), a + offset
            if kind == _WITH:
                batch[place] = np.int64(uniform * records)
            else:
                batch[place] = _untaken(np.int64(uniform * (records - size + place + 1)), records - size, place, batch)
    return size


@compiled()
def _untaken(candidate: Index, offset: int, place: int, batch: Integers) -> Index:
    """Floyd's step: the candidate, or the newest record where the batch has it already."""
    for a in range(place):
        if batch[a] == candidate:
            return offset + place
    return candidate


@compiled()
def _poisson(records: int, rate: float, key0: int, key1: int, step: int, trial: int, batch: Integers) -> int:
    count = 0
    for block in range((records + 1) // 2):
        first, second = uniform_pair(key0, key1, block, step, trial)
        if first < rate:
            batch[count] = 2 * block
            count += 1
        if 2 * block + 1 < records and second < rate:
            batch[count] = 2 * block + 1
            count += 1
    return count
