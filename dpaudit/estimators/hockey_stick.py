"""The hockey-stick divergence from below: how much delta a claim needs at an epsilon that was asked for.

delta(epsilon) = sup over tests h of E_D h - e^epsilon E_D' h, or with D and D' exchanged. The first tenth of each
side chooses a test "score >= t" (or "score < t" for the exchanged order), the stake and the balance of a bet; the
other trials settle it. With n trials on D, k of which pass, and n' on D', k' of which pass, the evidence against
delta(epsilon) <= d is

    (1 + l (1 - m))^k (1 - l m)^(n - k) (1 - l r (s - m + d))^k' (1 + l r (m - d))^(n' - k'),    s = e^epsilon, r =
    n/n'.

If the sides are independent, its expectation is at most exp(n l (p - s q - d)), by log(1 + z) <= z, with p and q the
chances to pass: at most 1 if the claim holds. By Markov's inequality it reaches 1/alpha with probability at most alpha.
One bet on the difference replaces two intervals for two rates. Bounds are the largest value of a fixed grid up to which
all are refuted.

Lemma: `dpaudit/STICK`.

Promises: each of its bounds, on epsilon, on mu and on the divergence, fails with probability at most alpha.

Assumes: trials that are independent within a side and across the sides, and alike on each side.

Decides: no. No audit uses it; it is there to be compared with.

Sources: Waudby-Smith, Ramdas, "Estimating means of bounded random variables by betting" (2024); the divergence, Balle,
Barthe, Gaboardi, "Privacy amplification by subsampling" (2018), theorem 1.

Example:

    >>> import numpy as np
    >>> from dpaudit.estimators.hockey_stick import divergence_lower
    >>> rng = np.random.default_rng(1)
    >>> found = divergence_lower(rng.laplace(2.0, size=5_000), rng.laplace(size=5_000), epsilon=1.0, alpha=0.05)
    >>> 0.2 < found < 0.39  # the truth is 1 - e^-1/2 = 0.393
    True
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri

from dpaudit.arithmetic.arrays import Array
from dpaudit.estimators.bound import Bound, check_levels, checked_scores
from dpaudit.estimators.clopper_pearson import witnessed_epsilon, witnessed_mu
from dpaudit.estimators.held_out_threshold import Objective, Scores, split
from dpaudit.records.errors import ContentError

NAME = "hockey stick"
ASSUMES = "trials independent across the two sides"
COVERS = True
SOURCE = "Waudby-Smith, Ramdas (2024); Balle, Barthe, Gaboardi (2018), theorem 1"

_EPSILONS = 0.05 * np.expm1(np.linspace(0.0, math.log(300.0), 400))
_MUS = 0.02 * np.expm1(np.linspace(0.0, math.log(500.0), 300))
_DELTAS = np.concatenate([[0.0], np.geomspace(1e-7, 1.0, 500)[:-1]])
_STAKES = np.geomspace(1e-3, 0.98, 40)
"""Stakes that are compared, as shares of the largest that keeps every factor positive."""


@dataclass(frozen=True)
class Passed:
    """How many passed on the side that should pass, and on the other one; rate, other_rate: predicted chances."""

    passed: int
    trials: int
    other_passed: int
    other_trials: int
    rate: float
    other_rate: float


def divergence_lower(positive: ArrayLike, negative: ArrayLike, epsilon: float, alpha: float) -> float:
    """Lower bound on the larger of both hockey-stick divergences at epsilon >= 0, confidence 1 - alpha; at least 0."""
    x, y = checked_scores(positive, negative)
    check_levels(0.5, alpha)
    if not 0 <= epsilon < 700:
        raise ContentError(f"epsilon must be at least 0 and below 700, got {epsilon}")
    slope = math.exp(epsilon)

    def shown(false_rate: Array, true_rate: Array) -> Array:
        return np.maximum(true_rate - slope * false_rate, 1 - false_rate - slope * (1 - true_rate))

    return _prefix(_count(split(x, y), shown, alpha), _DELTAS, np.full(len(_DELTAS), slope), _DELTAS, alpha)


def lower_bound(
    positive: ArrayLike, negative: ArrayLike, delta: float, alpha: float, rng: np.random.Generator
) -> Bound:
    """Lower bounds on epsilon at delta and on mu, each at confidence 1 - alpha; no region. `rng` is not used."""
    x, y = checked_scores(positive, negative)
    check_levels(delta, alpha)
    scores = split(x, y)
    counted = _count(scores, lambda f, t: witnessed_epsilon(f, t, delta), alpha)
    epsilon = _prefix(counted, _EPSILONS, np.exp(_EPSILONS), np.full(len(_EPSILONS), delta), alpha)
    counted = _count(scores, witnessed_mu, alpha)
    # The tangent of each Gaussian curve at the predicted rate, from Phi(place + mu) and its derivative.
    place = float(ndtri(counted.other_rate))
    slopes = np.exp(-place * _MUS - _MUS**2 / 2)
    return Bound(epsilon, _prefix(counted, _MUS, slopes, ndtr(place + _MUS) - slopes * ndtr(place), alpha), (), alpha)


def log_evidence(counted: Passed, slopes: Array, intercepts: Array) -> Array:
    """log of the module's formula against "passing chance <= slope * other chance + intercept"; one for each line.

    The stake is the one that would grow fastest if the predicted chances were true; minus infinity where a factor is 0.
    """
    ratio = counted.trials / counted.other_trials
    balance = np.clip((counted.rate + slopes * counted.other_rate + intercepts) / 2, 1e-9, 1.0)
    cost = ratio * np.maximum(slopes - balance + intercepts, 0.0)
    most = 1 / np.maximum(np.maximum(balance, cost), ratio * np.maximum(intercepts - balance, 0.0))
    stakes = most[:, None] * _STAKES
    factors = np.stack([
        1 + stakes * (1 - balance)[:, None],
        1 - stakes * balance[:, None],
        1 - stakes * ratio * (slopes - balance + intercepts)[:, None],
        1 + stakes * ratio * (balance - intercepts)[:, None],
    ])  # fmt: skip
    logs = np.log(factors)
    share = counted.other_trials / counted.trials
    predicted = [counted.rate, 1 - counted.rate, share * counted.other_rate, share * (1 - counted.other_rate)]
    best = np.tensordot(predicted, logs, axes=1).argmax(axis=1)
    chosen = logs[:, np.arange(len(slopes)), best]
    counts = [counted.passed, counted.trials - counted.passed]
    counts += [counted.other_passed, counted.other_trials - counted.other_passed]
    return np.asarray(np.array(counts, dtype=np.float64) @ chosen, dtype=np.float64)


def _prefix(counted: Passed, values: Array, slopes: Array, intercepts: Array, alpha: float) -> float:
    """The last value before the first line that is not refuted; 0 if that is the first or a side is empty."""
    if not (counted.trials and counted.other_trials):
        return 0.0
    refuted = log_evidence(counted, slopes, intercepts) >= -math.log(alpha)
    first = int(np.cumprod(refuted).sum())
    return float(values[first - 1]) if first else 0.0


def _count(scores: Scores, objective: Objective, alpha: float) -> Passed:
    """The test that the held-out trials choose, in the order in which it shows more, on the other trials."""
    point = scores.count(scores.choose(objective, alpha), alpha)
    false_rate, true_rate = (
        (float(np.count_nonzero(held >= point.threshold)) + 0.5) / (len(held) + 1)
        for held in (scores.held_negative, scores.held_positive)
    )
    upper = np.log(true_rate) - np.log(false_rate)
    lower = np.log1p(-false_rate) - np.log1p(-true_rate)
    if upper >= lower:
        return Passed(
            point.true_positives, point.positives, point.false_positives, point.negatives, true_rate, false_rate
        )
    misses, rejections = point.positives - point.true_positives, point.negatives - point.false_positives
    return Passed(rejections, point.negatives, misses, point.positives, 1 - false_rate, 1 - true_rate)
