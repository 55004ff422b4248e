"""The Renyi divergence from below, from a two-valued view of the scores, and what it says of an RDP claim.

No function of an output has a larger Renyi divergence than the output (data processing inequality), so that the
divergence of "score >= t" on D from that on D' is a lower bound. The held-out trials choose t; Clopper-Pearson bounds
on both rates hold together at confidence 1 - alpha; above the diagonal the two-valued divergence rises with the true
positive rate and falls with the false positive rate, so that the corner of both bounds is a bound for it, in both
orders of the neighbours and at every order at once.

A Renyi divergence alone says nothing of epsilon at delta: an (epsilon, delta)-DP mechanism may have an infinite one.
The epsilon given here is that of the same pair of rates. It is small where a few rare outputs carry the divergence:
two values see little of them, and what 1/n of the outputs does, n trials cannot see.

Promises: all its bounds, on the divergence of the order that chose the threshold, on epsilon and on mu, hold at once
with probability at least 1 - alpha.

Assumes: the trials of a side are independent and alike. Held-out trials of one side must tell nothing about counted
ones of the other; beyond that the sides may depend on each other.

Decides: no. No audit uses it; it is there to be compared with.

Sources: van Erven, Harremoes, "Renyi divergence and Kullback-Leibler divergence" (2014), theorem 9; Mironov, "Renyi
differential privacy" (2017).

Example:

    >>> import numpy as np
    >>> from dpaudit.estimators.renyi_lower import divergence_lower
    >>> rng = np.random.default_rng(1)
    >>> found = divergence_lower(rng.normal(1.0, size=5_000), rng.normal(size=5_000), order=2.0, alpha=0.05)
    >>> 0 < found < 1  # the truth is order mu^2 / 2 = 1
    True
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from dpaudit.arithmetic.arrays import Array
from dpaudit.estimators.bound import Bound, check_levels, checked_scores
from dpaudit.estimators.clopper_pearson import OperatingPoint
from dpaudit.estimators.held_out_threshold import split
from dpaudit.records.errors import ContentError

NAME = "Renyi"
ASSUMES = ""
COVERS = True
SOURCE = "van Erven, Harremoes (2014), theorem 9; Clopper, Pearson (1934)"

ORDER = 8.0
"""The order whose divergence chooses the threshold for `lower_bound`."""


def two_valued_divergence(false_positive_rate: ArrayLike, true_positive_rate: ArrayLike, order: float) -> Array:
    """The larger of both Renyi divergences of a test with these rates, order > 1; 0 on or below the diagonal."""
    if not 1 < order < math.inf:
        raise ContentError(f"order must be finite and above 1, got {order}")
    f, t = np.broadcast_arrays(
        np.asarray(false_positive_rate, dtype=np.float64), np.asarray(true_positive_rate, dtype=np.float64)
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        yes, no, other_yes, other_no = np.log(t), np.log1p(-t), np.log(f), np.log1p(-f)
        forward = np.logaddexp(order * yes + (1 - order) * other_yes, order * no + (1 - order) * other_no)
        backward = np.logaddexp(order * other_yes + (1 - order) * yes, order * other_no + (1 - order) * no)
    found = np.maximum(np.maximum(forward, backward) / (order - 1), 0.0)
    return np.asarray(np.where(t > f, found, 0.0), dtype=np.float64)  # NaN, of 0^order 0^(1 - order), only where t = f


def divergence_lower(positive: ArrayLike, negative: ArrayLike, order: float, alpha: float) -> float:
    """Lower bound on the larger of both Renyi divergences of `order` > 1, confidence 1 - alpha; at least 0.

    An (order, epsilon)-RDP claim with a smaller epsilon is refuted.
    """
    point = _point(positive, negative, order, alpha)
    return float(two_valued_divergence(point.false_positive_rate_upper, point.true_positive_rate_lower, order))


def lower_bound(
    positive: ArrayLike, negative: ArrayLike, delta: float, alpha: float, rng: np.random.Generator
) -> Bound:
    """What the test that shows most divergence of order 8 says of epsilon and mu. `rng` is not used."""
    check_levels(delta, alpha, pure=False)
    point = _point(positive, negative, ORDER, alpha)
    pair = (point.false_positive_rate_upper, point.true_positive_rate_lower)
    return Bound(point.epsilon_lower(delta), point.mu_lower(), (pair,), alpha)


def _point(positive: ArrayLike, negative: ArrayLike, order: float, alpha: float) -> OperatingPoint:
    x, y = checked_scores(positive, negative)
    check_levels(0.5, alpha)
    return split(x, y).best_point(lambda f, t: two_valued_divergence(f, t, order), alpha)
