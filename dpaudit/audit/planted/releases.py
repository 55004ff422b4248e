"""Small releases, correct and with the bugs that such code has had.

Each function is release(data, trials, broken) -> (trials, ...) of one claimed (EPSILON, 0)-DP release unless it says
otherwise; `release_targets` has the pairs of data sets in which the bugs show, and the sources.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from numpy.typing import NDArray

from dpaudit.audit.planted._laplace import laplace
from dpaudit.noise.stream import Stream, Trials

Array = NDArray[np.float64]

EPSILON = 1.0
LOWER, UPPER = 1.0, 4.0
KEYS, ABSENT = 8, -1e6
RUNS = 40
WIDTH = 4
SEEDS = 2**16
ANSWERS = 8


def sum_of_squares(data: Array, trials: Trials, broken: bool) -> Array:
    """Records in [LOWER, UPPER]. Broken: the lower bound is used twice in the sensitivity of the squares."""
    sensitivity = LOWER**2 if broken else max(LOWER**2, UPPER**2)
    return np.asarray((data**2).sum() + sensitivity / EPSILON * laplace(trials, 1)[:, 0])


def best_difference(data: Array, trials: Trials, broken: bool) -> Array:
    """The exponential mechanism on differences of two errors, data (candidates,), each moved by 2 by one record.

    Broken: only one of the two terms is thought to move, sensitivity 2 instead of 4.
    """
    sensitivity = 2.0 if broken else 4.0
    gumbel = -np.log(-np.log(trials.stream.uniforms(trials.numbers, 0, len(data))))
    return np.asarray(np.argmax(EPSILON * data / (2 * sensitivity) + gumbel, axis=1), dtype=np.float64)


def mean(data: Array, trials: Trials, broken: bool) -> Array:
    """The mean of records in [0, 1]. Broken: noise for the number of records at hand, which is private itself.

    Correct: sum and number, each with half of the budget, (trials, 2).
    """
    noise = laplace(trials, 2)
    if broken:
        return np.asarray(data.mean() + noise[:, 0] / (len(data) * EPSILON))
    return np.asarray(np.array([data.sum(), len(data)]) + 2 / EPSILON * noise)


def median(data: Array, trials: Trials, broken: bool) -> Array:
    """The median of records in [0, 1]. Broken: noise for what one record can do to it on these data."""
    middle = len(data) // 2
    ordered = np.sort(data)
    local = float(max(ordered[middle + 1] - ordered[middle], ordered[middle] - ordered[middle - 1]))
    sensitivity = max(local, 0.01) if broken else 1.0
    return np.asarray(ordered[middle] + sensitivity / EPSILON * laplace(trials, 1)[:, 0])


def counts_by_key(data: Array, trials: Trials, broken: bool) -> Array:
    """Noisy counts of the keys 0, ..., KEYS - 1, (trials, KEYS). Broken: only of keys that occur, the others ABSENT."""
    counts = np.bincount(data.astype(np.int64), minlength=KEYS).astype(np.float64)
    noisy = counts + laplace(trials, KEYS) / EPSILON
    return np.where(counts > 0, noisy, ABSENT) if broken else noisy


def best_of_runs(data: Array, trials: Trials, broken: bool) -> Array:
    """The best of RUNS runs, each a sum with Gaussian noise; claimed 1-GDP. Broken: noise for one run."""
    scale = 1.0 if broken else math.sqrt(RUNS)
    return np.asarray((data.sum() + scale * trials.stream.normals(trials.numbers, 0, RUNS)).max(axis=1))


def seeded(data: Array, trials: Trials, broken: bool) -> Array:
    """Sums (WIDTH,) with Gaussian noise; claimed 1-GDP. Broken: the generator of the noise has 16 bits of seed."""
    if not broken:
        return np.asarray(data + trials.stream.normals(trials.numbers, 0, WIDTH))
    seeds = (trials.stream.uniforms(trials.numbers, 0, 1)[:, 0] * SEEDS).astype(np.int64)
    return np.asarray(data + every_noise()[seeds])


@cache
def every_noise() -> Array:
    """What a generator of standard normal noise with 16 bits of seed can make, (SEEDS, WIDTH)."""
    return Stream(0, "a generator with a short seed").normals(np.arange(SEEDS), 0, WIDTH)


def vector(data: Array, trials: Trials, broken: bool) -> Array:
    """A vector of l2 norm 1 at most, with Laplace noise. Broken: noise for the l2 norm, where the l1 norm counts."""
    sensitivity = 1.0 if broken else math.sqrt(len(data))
    return np.asarray(data + sensitivity / EPSILON * laplace(trials, len(data)))


def visits(data: Array, trials: Trials, broken: bool) -> Array:
    """How many visits there were, from the numbers of the visitors. Broken: each may come as often as they like."""
    counted = len(data) if broken else len(np.unique(data))
    return np.asarray(counted + laplace(trials, 1)[:, 0] / EPSILON)


def answer(data: Array, trials: Trials, broken: bool) -> Array:
    """Randomised response over ANSWERS answers. Broken: true with the chance that is right for two answers."""
    odds = math.exp(EPSILON) / (1 if broken else ANSWERS - 1)
    uniforms = trials.stream.uniforms(trials.numbers, 0, 2)
    other = (data[0] + 1 + np.floor(uniforms[:, 1] * (ANSWERS - 1))) % ANSWERS
    return np.asarray(np.where(uniforms[:, 0] < odds / (1 + odds), data[0], other))
