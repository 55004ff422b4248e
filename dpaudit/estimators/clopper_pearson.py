"""Exact binomial bounds at one threshold, and what they say about epsilon, mu and a claimed curve.

How the error probability alpha is spent: one one-sided Clopper-Pearson bound on the false
positive rate (from above) and one on the true positive rate (from below), with error
alpha * (1 - share) and alpha * share. By the union bound both hold at once with probability
at least 1 - alpha, whatever the dependence of the two sides. Every statement here is a
function of these two numbers (both directions of epsilon, every delta, mu, the region of
trade-off curves that is ruled out), so all of them hold at once and none costs more alpha.
The threshold must not depend on the trials that are counted: see `held_out_threshold`.

Lemma: `dpaudit/BINOMIAL`, that a tail rises with the rate.

Promises: the bounds on both rates hold at once with probability at least 1 - alpha, and so does everything that is read
off them.

Assumes: the trials of a side are independent and alike, and neither the threshold nor the share of alpha depends on the
counted trials. The sides may depend on each other.

Decides: yes. Counts at one threshold have half of the error probability of a game with a fixed number of trials. A
Monte Carlo check of a claim bounds the frequency of an event from below with `rate_lower`; the plots and the tier for
auditors print its bounds.

Source: Clopper, Pearson, "The use of confidence or fiducial limits" (1934); the error rates
of a test as a bound on epsilon: Kairouz, Oh, Viswanath, "The composition theorem for
differential privacy" (2015), theorem 2.1.

Example:

    >>> from dpaudit.estimators.clopper_pearson import OperatingPoint
    >>> from dpaudit.records.privacy import ApproximateDP
    >>> point = OperatingPoint(0.0, false_positives=10, negatives=900, true_positives=200, positives=900, alpha=0.05)
    >>> round(point.epsilon_lower(1e-5), 2), point.contradicts(ApproximateDP(2.0, 1e-5))
    (2.26, True)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainccinv, betaincinv, ndtri

from dpaudit.accounting.tradeoff import largest_true_positive_rate
from dpaudit.arithmetic.arrays import Array
from dpaudit.records.errors import ContentError
from dpaudit.records.privacy import Guarantee

_ROUNDING = 1e-12
"""Relative slack of a contradiction: far above float64 rounding, far below any sampling error."""


def rate_lower(count: ArrayLike, trials: ArrayLike, alpha: float) -> Array:
    """Lower bound on a rate that holds with probability >= 1 - alpha; `count` successes of `trials`.

    0 for no success or no trial, and where alpha is so small that the bound cannot be computed. Counts may be
    fractional, for predictions.
    """
    count, trials = _counts(count, trials, alpha)
    inner = betaincinv(np.maximum(count, 1e-9), trials - count + 1, alpha)
    return np.asarray(np.where(count > 0, np.nan_to_num(inner, nan=0.0), 0.0), dtype=np.float64)


def rate_upper(count: ArrayLike, trials: ArrayLike, alpha: float) -> Array:
    """Upper bound on a rate that holds with probability >= 1 - alpha; 1 for all successes or no trial, and where alpha
    is so small that the bound cannot be computed.
    """
    count, trials = _counts(count, trials, alpha)
    inner = betainccinv(count + 1, np.maximum(trials - count, 1e-9), alpha)
    return np.asarray(np.where(count < trials, np.nan_to_num(inner, nan=1.0), 1.0), dtype=np.float64)


def witnessed_epsilon(false_positive_rate: ArrayLike, true_positive_rate: ArrayLike, delta: float) -> Array:
    """The epsilon that a test with these error rates refutes at `delta`, the better of both directions.

    A rate pair violates (e, delta)-DP for every e below the result; below 0 it refutes nothing,
    -inf if nothing can be said.
    """
    f, t = np.asarray(false_positive_rate, np.float64), np.asarray(true_positive_rate, np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        says_data = np.log(np.maximum(t - delta, 0.0)) - np.log(f)
        says_neighbour = np.log(np.maximum(1 - f - delta, 0.0)) - np.log1p(-t)
    return np.asarray(np.fmax(np.fmax(says_data, says_neighbour), -np.inf), dtype=np.float64)


def witnessed_mu(false_positive_rate: ArrayLike, true_positive_rate: ArrayLike) -> Array:
    """The mu that a test with these error rates refutes: no mechanism with a smaller one is mu-GDP.

    It assumes nothing about the distribution of the scores; -inf if nothing can be said.
    """
    with np.errstate(invalid="ignore"):
        return np.fmax(np.asarray(ndtri(true_positive_rate) - ndtri(false_positive_rate), np.float64), -np.inf)


def excess(false_positive_rate: ArrayLike, true_positive_rate: ArrayLike, guarantee: Guarantee) -> Array:
    """How far the rates lie above the curve of `guarantee`, in standard normal quantiles; > 0 is a contradiction."""
    allowed = largest_true_positive_rate(false_positive_rate, guarantee)
    with np.errstate(invalid="ignore"):
        return np.fmax(np.asarray(ndtri(true_positive_rate) - ndtri(allowed), np.float64), -np.inf)


@dataclass(frozen=True)
class OperatingPoint:
    """A test "score >= threshold says D" with its counts on trials that did not choose the threshold.

    false_positives of `negatives` trials on D', true_positives of `positives` trials on D;
    alpha: error probability of the two bounds together; share: the part of alpha that the
    bound on the true positive rate may use, in (0, 1), chosen without the counted trials.
    """

    threshold: float
    false_positives: int
    negatives: int
    true_positives: int
    positives: int
    alpha: float
    share: float = 0.5

    @property
    def false_positive_rate(self) -> float:
        """Observed share of trials on D' that the test calls D; 1 without a trial."""
        return self.false_positives / self.negatives if self.negatives else 1.0

    @property
    def true_positive_rate(self) -> float:
        """Observed share of trials on D that the test calls D; 0 without a trial."""
        return self.true_positives / self.positives if self.positives else 0.0

    @property
    def false_positive_rate_upper(self) -> float:
        """Upper bound on the false positive rate, error alpha * (1 - share)."""
        return float(rate_upper(self.false_positives, self.negatives, self.alpha * (1 - self.share)))

    @property
    def true_positive_rate_lower(self) -> float:
        """Lower bound on the true positive rate, error alpha * share."""
        return float(rate_lower(self.true_positives, self.positives, self.alpha * self.share))

    def epsilon_lower(self, delta: float) -> float:
        """Lower bound on epsilon at `delta` in [0, 1), confidence 1 - alpha; at least 0."""
        found = witnessed_epsilon(self.false_positive_rate_upper, self.true_positive_rate_lower, delta)
        return max(0.0, float(found))

    def mu_lower(self) -> float:
        """Lower bound on the mu of any mu-GDP guarantee that holds, confidence 1 - alpha; at least 0."""
        return max(0.0, float(witnessed_mu(self.false_positive_rate_upper, self.true_positive_rate_lower)))

    def contradicts(self, guarantee: Guarantee) -> bool:
        """True if the bounds rule `guarantee` out: wrong with probability at most alpha.

        The curve of a guarantee does not fall, so the true positive rate that it allows at the
        upper bound of the false positive rate is the most that it allows at the true one.
        """
        allowed = float(largest_true_positive_rate(self.false_positive_rate_upper, guarantee))
        return self.true_positive_rate_lower > allowed * (1 + _ROUNDING)


def _counts(count: ArrayLike, trials: ArrayLike, alpha: float) -> tuple[Array, Array]:
    count, trials = np.asarray(count, np.float64), np.asarray(trials, np.float64)
    if not np.all((count >= 0) & (count <= trials)):
        raise ContentError("a count must be between 0 and the number of trials")
    if not 0 < alpha < 1:
        raise ContentError(f"alpha must be in (0, 1), got {alpha}")
    return count, trials
