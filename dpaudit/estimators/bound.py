"""What every estimator gives, and what every estimator file says of itself.

An estimator file has the names

    NAME      for tables
    ASSUMES   what must hold besides independent trials that are alike on each side; empty if nothing
    COVERS    True if each of its bounds fails with probability at most alpha, under ASSUMES
    SOURCE    author, year, number
    lower_bound(positive, negative, delta, alpha, rng) -> Bound

positive: scores of the trials on D, negative: of those on D', (trials,), larger where the output looks more like D.
Infinities are scores like any other; NaN is refused with ContentError. delta in [0, 1), where 0 is pure DP, of which
some say nothing and refuse it; alpha in (0, 1); rng takes every random choice. With a side empty, or one trial, nothing
can be said: the bounds are 0, never an exception.

Promises: nothing of its own; what a bound is worth, the estimator says that made it.

Assumes: nothing.

Decides: no. It is the record that estimators give.

Example:

    >>> from dpaudit.estimators.bound import checked_scores
    >>> positive, negative = checked_scores([1, float("inf")], [0])
    >>> positive.dtype, len(negative)
    (dtype('float64'), 1)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpaudit.arithmetic.arrays import Array
from dpaudit.records.errors import ContentError


@dataclass(frozen=True)
class Bound:
    """Lower bounds from one set of scores; each holds with probability at least 1 - alpha where the estimator COVERS.

    epsilon_lower: at the delta that was asked for, at least 0; mu_lower: of any mu-GDP guarantee that holds, at least
    0; region: pairs (false positive rate, true positive rate): every trade-off curve that holds must allow all of them
    at once, with the same probability; empty if the estimator says nothing of the curve.
    """

    epsilon_lower: float
    mu_lower: float
    region: tuple[tuple[float, float], ...]
    alpha: float


def checked_scores(positive: ArrayLike, negative: ArrayLike) -> tuple[Array, Array]:
    """Both sides as float64 vectors; ContentError for NaN or other shapes."""
    sides = []
    for side, values in (("D", positive), ("D'", negative)):
        scores = np.asarray(values, dtype=np.float64)
        if scores.ndim != 1:
            raise ContentError(f"the scores on {side} must be one number a trial, got shape {scores.shape}")
        if np.isnan(scores).any():
            raise ContentError(f"{int(np.isnan(scores).sum())} of {len(scores)} scores on {side} are NaN")
        sides.append(scores)
    return sides[0], sides[1]


def check_levels(delta: float, alpha: float, *, pure: bool = True) -> None:
    """Refuse an alpha outside of (0, 1) and a delta outside of [0, 1); NaN too. pure: delta may be 0."""
    if not (0 < delta < 1 or (pure and delta == 0)):
        allowed = "[0, 1)" if pure else "(0, 1), since this bound says nothing of pure DP"
        raise ContentError(f"delta must be in {allowed}, got {delta}")
    if not 0 < alpha < 1:
        raise ContentError(f"alpha must be in (0, 1), got {alpha}")
