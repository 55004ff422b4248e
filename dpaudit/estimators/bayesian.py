"""A Bayesian credible bound from the joint posterior of both error rates: shown as such, with no coverage.

The counts of one test are binomial; with Jeffreys' prior Beta(1/2, 1/2) on each, the false positive rate and the true
positive rate are independent beta variables given the counts. The bound on epsilon is the alpha quantile of its
posterior: with posterior probability 1 - alpha the pair of rates lies outside of what (epsilon, delta)-DP allows, on
either side of the diagonal; the same for mu. Being about both rates jointly, it is tighter than two separate
intervals.

A posterior probability is no error probability. How often the bound exceeds the truth is measured in
`docs/validity.md`, and is not promised; it decides nothing. The held-out trials choose the threshold.

Promises: nothing that holds with a stated probability: the bound is a quantile of a posterior, and how often it exceeds
the truth is measured and not bounded.

Assumes: trials that are independent and alike on each side, sides that are independent of each other, and Jeffreys'
prior on both rates. The prior matters most where little leaks: the bound is then above a true epsilon of 0 in nearly
every audit.

Decides: no. No audit uses it; it is there to be compared with.

Source: Zanella-Beguelin et al., "Bayesian estimation of differential privacy" (2023), section 4.

Example:

    >>> import numpy as np
    >>> from dpaudit.estimators.bayesian import lower_bound
    >>> rng = np.random.default_rng(1)
    >>> scores, others = rng.normal(size=(2, 500))  # nothing leaks
    >>> lower_bound(scores, others, delta=1e-5, alpha=0.05, rng=rng).epsilon_lower > 0  # and yet the bound is above 0
    True
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainc, betaincinv

from dpaudit.accounting.tradeoff import largest_true_positive_rate
from dpaudit.arithmetic.arrays import Array
from dpaudit.arithmetic.roots import bisected
from dpaudit.estimators.bound import Bound, check_levels, checked_scores
from dpaudit.estimators.clopper_pearson import OperatingPoint, witnessed_epsilon, witnessed_mu
from dpaudit.estimators.held_out_threshold import split
from dpaudit.records.privacy import ApproximateDP, GaussianDP, Guarantee

NAME = "Bayesian"
ASSUMES = "Jeffreys' prior on both error rates"
COVERS = False
SOURCE = "Zanella-Beguelin et al. (2023), section 4"

_NODES = 200
_HALVINGS = 26
_LARGEST_EPSILON, _LARGEST_MU = 30.0, 20.0


def lower_bound(
    positive: ArrayLike, negative: ArrayLike, delta: float, alpha: float, rng: np.random.Generator
) -> Bound:
    """The alpha quantiles of the posteriors of epsilon at delta and of mu; at least 0. `rng` is not used."""
    x, y = checked_scores(positive, negative)
    check_levels(delta, alpha)
    scores = split(x, y)
    point = scores.best_point(lambda f, t: witnessed_epsilon(f, t, delta), alpha)
    epsilon = _quantile(point, lambda value: ApproximateDP(value, delta), _LARGEST_EPSILON, alpha)
    point = scores.best_point(witnessed_mu, alpha)
    return Bound(epsilon, _quantile(point, GaussianDP, _LARGEST_MU, alpha), (), alpha)


def posterior_probability(point: OperatingPoint, guarantee: Guarantee) -> float:
    """The posterior probability that the pair of rates is one that `guarantee` allows."""
    levels = (np.arange(_NODES) + 0.5) / _NODES  # the midpoint rule in posterior quantiles
    negatives = point.negatives - point.false_positives
    false_rate = betaincinv(point.false_positives + 0.5, negatives + 0.5, levels)
    most = largest_true_positive_rate(false_rate, guarantee)
    least = 1 - largest_true_positive_rate(1 - false_rate, guarantee)
    return float(np.mean(_true_rate_below(point, most) - _true_rate_below(point, least)))


def _true_rate_below(point: OperatingPoint, rates: Array) -> Array:
    misses = point.positives - point.true_positives
    return np.asarray(betainc(point.true_positives + 0.5, misses + 0.5, rates), dtype=np.float64)


def _quantile(point: OperatingPoint, family: Callable[[float], Guarantee], most: float, alpha: float) -> float:
    """The parameter at which the posterior probability of a family that grows weaker with it is alpha."""
    if not (point.negatives and point.positives):
        return 0.0
    return bisected(
        lambda parameter: posterior_probability(point, family(parameter)) < alpha, 0.0, most, halvings=_HALVINGS
    ).inside
