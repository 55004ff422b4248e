"""A band below the whole ROC curve: bounds at all thresholds at once, from all trials.

The level of the k-th largest of n scores, the probability that one more score is at least as high, follows Beta(k, n +
1 - k), whatever the distribution (with ties it is at most that large, respectively the rate at that score at least
that large). So U_k, the Beta distribution function at the level, is uniform, and the band bounds each level at the
same local error g: from above on D', from below on D. All bounds hold unless the smallest of all the U is below g. Its
law, over a geometric choice of ranks in both tails of both sides, does not depend on the distribution: it is
simulated, and g is the floor(alpha (N + 1))-th smallest of N draws, so that the band fails with probability at most
alpha, simulation included (the observed one and the draws are exchangeable).

At each chosen score on D, the true positive rate is at least its bound, and the false positive rate at most the bound
at the highest chosen score on D' that is strictly lower. No trial is held out, no threshold is chosen, and everything
that is read off the band (epsilon at every delta, mu, the region) holds at once.

Promises: everything that is read off the band holds at once with probability at least 1 - alpha.

Assumes: trials that are independent within a side and across the sides, and alike on each side.

Decides: no. No audit uses it; the band of the report is made of Clopper-Pearson bounds, which let the sides depend on
each other.

Sources: Berk, Jones, "Goodness-of-fit test statistics that dominate the Kolmogorov statistics" (1979); Aldor-Noiman,
Brown, Buja, Rolke, Stine, "The power to see: a new graphical test of normality" (2013).

Example:

    >>> import numpy as np
    >>> from dpaudit.estimators.simultaneous_band import lower_bound
    >>> rng = np.random.default_rng(1)
    >>> found = lower_bound(rng.laplace(1.0, size=5_000), rng.laplace(size=5_000), 1e-5, 0.05, rng)  # epsilon is 1
    >>> 0.5 < found.epsilon_lower < 1
    True
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainc, betaincc, betainccinv, betaincinv

from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.estimators.bound import Bound, check_levels, checked_scores
from dpaudit.estimators.clopper_pearson import witnessed_epsilon, witnessed_mu
from dpaudit.estimators.shapes import geometric_ranks
from dpaudit.records.errors import ContentError

NAME = "simultaneous band"
ASSUMES = "trials independent across the two sides"
COVERS = True
SOURCE = "Berk, Jones (1979); Aldor-Noiman, Brown, Buja, Rolke, Stine (2013)"

Ranks = Integers

_RANKS = 24
_SIMULATIONS = 2_000


def lower_bound(
    positive: ArrayLike, negative: ArrayLike, delta: float, alpha: float, rng: np.random.Generator
) -> Bound:
    """Bounds on epsilon at delta and on mu, and the band as region; all hold at once with probability 1 - alpha."""
    check_levels(delta, alpha)
    false_rate, true_rate = band(positive, negative, alpha, rng)
    if not len(false_rate):
        return Bound(0.0, 0.0, (), alpha)
    epsilon = max(0.0, float(witnessed_epsilon(false_rate, true_rate, delta).max()))
    mu = max(0.0, float(witnessed_mu(false_rate, true_rate).max()))
    return Bound(epsilon, mu, tuple(zip(false_rate.tolist(), true_rate.tolist(), strict=True)), alpha)


def band(positive: ArrayLike, negative: ArrayLike, alpha: float, rng: np.random.Generator) -> tuple[Array, Array]:
    """Upper bounds of false positive rates and lower bounds of true positive rates at some thresholds, all at once.

    From the highest threshold down; empty if a side is empty.
    """
    if not 0 < alpha < 1:
        raise ContentError(f"alpha must be in (0, 1), got {alpha}")
    positive, negative = checked_scores(positive, negative)
    if not (len(positive) and len(negative)):
        return np.empty(0), np.empty(0)
    positive, negative = np.sort(positive), np.sort(negative)
    ranks = [geometric_ranks(len(side), _RANKS) for side in (positive, negative)]
    error = _local_error(len(positive), len(negative), ranks[0], ranks[1], alpha, rng)
    # An error too small to compute with bounds nothing.
    true_rate = np.nan_to_num(betaincinv(ranks[0], len(positive) + 1.0 - ranks[0], error), nan=0.0)
    upper = np.nan_to_num(betainccinv(ranks[1], len(negative) + 1.0 - ranks[1], error), nan=1.0)
    false_rate = np.append(upper, 1.0)
    thresholds = positive[len(positive) - ranks[0]]
    chosen = negative[len(negative) - ranks[1]]  # descending
    lower = len(chosen) - np.searchsorted(chosen[::-1], thresholds, side="left")  # the first one strictly lower
    return np.asarray(false_rate[lower], dtype=np.float64), np.asarray(true_rate, dtype=np.float64)


def _local_error(
    positives: int, negatives: int, positive_ranks: Ranks, negative_ranks: Ranks, alpha: float, rng: np.random.Generator
) -> float:
    """The error of each single bound at which all of them together fail with probability at most alpha."""
    draws = max(_SIMULATIONS, int(np.ceil(20 / alpha)))
    place = int(alpha * (draws + 1))
    if draws > 100 * _SIMULATIONS:  # too rare to simulate: the union bound
        return alpha / (len(positive_ranks) + len(negative_ranks))
    below = _levels(positives, positive_ranks, draws, rng)
    above = _levels(negatives, negative_ranks, draws, rng)
    smallest = np.minimum(
        betainc(positive_ranks, positives + 1.0 - positive_ranks, below).min(axis=1),
        betaincc(negative_ranks, negatives + 1.0 - negative_ranks, above).min(axis=1),
    )
    return float(np.partition(smallest, place - 1)[place - 1])


def _levels(trials: int, ranks: Ranks, draws: int, rng: np.random.Generator) -> Array:
    """Levels of the scores with these ranks, (draws, ranks)."""
    spacings = rng.standard_gamma(np.diff(np.concatenate([[0], ranks, [trials + 1]])), size=(draws, len(ranks) + 1))
    sums = np.cumsum(spacings, axis=1)
    return np.asarray(sums[:, :-1] / sums[:, -1:], dtype=np.float64)
