"""What so many trials can show: limit of detection, smallest violation caught, trials needed.

Computed before any trial is run, for the test that the game uses: the Clopper-Pearson bounds
at one threshold, on the trials that the held-out part leaves. The alternative is a Gaussian
mechanism with a known likelihood ratio, or, where epsilon is quoted at delta 0, which Gaussian
noise never keeps, a Laplace mechanism. A real audit has to find its threshold, which costs
power: the calculation takes the best threshold and `FOUND` of the counted trials.

Promises: no error probability. `limit_of_detection` is the bound that perfectly separated scores would give;
`smallest_violation` is a forecast, whose allowance for the search of a threshold is measured and not derived.

Assumes: a Gaussian mechanism, or at delta 0 a Laplace mechanism, whose likelihood ratio is the score.

Decides: between CONSISTENT and INCONCLUSIVE alone. It refutes nothing; a game that refuted nothing is INCONCLUSIVE
where its counts could not have shown a violation. Its numbers are printed with every game on two data sets, and
`dpaudit power` forecasts trials with it. Of a game that may stop early the numbers are those of counts, which do not
decide there: bets may see less.

Example:

    >>> from dpaudit.estimators.power import limit_of_detection, trials_needed
    >>> from dpaudit.records.privacy import GaussianDP
    >>> round(limit_of_detection(trials=1_000, alpha=0.05, delta=1e-5), 1)
    5.7
    >>> trials_needed(2.0, GaussianDP(1.0), alpha=1e-6) < 10_000  # half of the noise that mu = 1 needs
    True
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from scipy.special import bdtrik, ndtr

from dpaudit.accounting.epsilon import gaussian_epsilon
from dpaudit.arithmetic.arrays import Array
from dpaudit.arithmetic.roots import bisected, least_integer
from dpaudit.estimators.clopper_pearson import excess, rate_lower, rate_upper, witnessed_epsilon
from dpaudit.estimators.held_out_threshold import HELD_OUT, SHARES
from dpaudit.records.errors import ContentError
from dpaudit.records.privacy import Guarantee

FOUND = 2 / 3
"""Trials that the best threshold needs over those that the chosen one needs. Measured, not derived: audits of
Gaussian mechanisms at the edge were caught with probability 0.91 to 1.00 where 0.9 is stated,
0.86 to 0.95 against the claim of no leakage at all, where no threshold stands out. Of Laplace mechanisms against pure
DP, where no threshold stands out either, the counts alone catch 0.3 to 1.0, and with the ranks all of 40 audits."""

_CUTS = np.linspace(-8.0, 8.0, 161)
_NEAR = 0.4
_LARGEST_MU = 40.0
_MOST_TRIALS = 10**12


def counted_trials(trials: int) -> int:
    """How many of `trials` trials a side are counted, the held-out part taken off."""
    return trials - int(HELD_OUT * trials)


def limit_of_detection(trials: int, alpha: float, delta: float) -> float:
    """The largest lower bound on epsilon at `delta` that `trials` trials a side can give at level `alpha`.

    That of perfectly separated scores: no false positive, no miss, alpha shared at best. At least 0.
    """
    counted = counted_trials(trials)
    upper = np.array([float(rate_upper(0, counted, alpha * (1 - share))) for share in SHARES])
    lower = np.array([float(rate_lower(counted, counted, alpha * share)) for share in SHARES])
    return max(0.0, float(witnessed_epsilon(upper, lower, delta).max()))


def refutes(
    mu: float, guarantee: Guarantee, trials: int, alpha: float, power: float = 0.9, *, pure: bool = False
) -> bool:
    """True if an audit of a Gaussian mechanism with this `mu` refutes `guarantee` with probability >= `power`.

    pure: of a Laplace mechanism with this epsilon instead.

    Both counts are taken at their (1 - power)/2 quantiles on the bad side; both are at least
    as good with probability `power` (union bound), of `FOUND` of the counted trials.
    """
    return bool(np.any(_margins(mu, guarantee, trials, alpha, power, _CUTS, pure) > 0))


def _margins(
    mu: float,
    guarantee: Guarantee,
    trials: int,
    alpha: float,
    power: float,
    cuts: Array,
    pure: bool = False,
) -> Array:
    """How far above the curve of `guarantee` each threshold gets with probability >= `power`."""
    counted = int(FOUND * counted_trials(trials))
    unlucky = (1 - power) / 2
    law = _laplace if pure else ndtr
    false_rate, miss_rate = law(-cuts - mu / 2), law(cuts - mu / 2)
    false_count = _quantile(1 - unlucky, counted, false_rate)
    miss_count = _quantile(1 - unlucky, counted, miss_rate)
    upper, lower = rate_upper(false_count, counted, alpha / 2), rate_lower(counted - miss_count, counted, alpha / 2)
    return excess(upper, lower, guarantee)


def smallest_violation(guarantee: Guarantee, trials: int, alpha: float, delta: float, power: float = 0.9) -> float:
    """The smallest epsilon at `delta` of a Gaussian mechanism that is caught violating `guarantee` with `power`.

    Of a Laplace mechanism at delta 0. To 0.1 % in mu, from above; infinite if so few trials cannot catch even mu = 40.
    """
    mu = _smallest_mu(guarantee, trials, alpha, power, pure=delta == 0)
    return math.inf if mu is None else _epsilon(delta, mu)


def chances(
    guarantee: Guarantee, trials: int, alpha: float, delta: float, powers: Sequence[float]
) -> list[tuple[float, float]]:
    """Each of the ascending `powers` with the smallest epsilon at `delta` that is caught at least so often.

    As in `smallest_violation`, at thresholds near the one that is best for 0.9; empty if even mu = 40 is not caught.
    """
    pure = delta == 0
    middle = _smallest_mu(guarantee, trials, alpha, 0.9, pure=pure)
    if middle is None:
        return []
    best = _CUTS[np.argmax(_margins(middle, guarantee, trials, alpha, 0.9, _CUTS, pure))]
    near = np.linspace(best - _NEAR, best + _NEAR, 9)
    found = [(power, _smallest_mu(guarantee, trials, alpha, power, tuple(near), pure=pure)) for power in powers]
    return [(power, _epsilon(delta, mu)) for power, mu in found if mu is not None]


def _epsilon(delta: float, mu: float) -> float:
    """Of a Gaussian mechanism, or at delta 0 of a Laplace mechanism, whose shift is `mu` scales of its noise."""
    return gaussian_epsilon(delta, mu) if delta else mu


def _laplace(x: Array) -> Array:
    """The distribution function of Laplace noise of scale 1."""
    return np.asarray(np.where(x < 0, np.exp(-np.abs(x)) / 2, 1 - np.exp(-np.abs(x)) / 2), dtype=np.float64)


@lru_cache(maxsize=64)
def _smallest_mu(
    guarantee: Guarantee,
    trials: int,
    alpha: float,
    power: float,
    cuts: tuple[float, ...] = tuple(_CUTS),
    *,
    pure: bool = False,
) -> float | None:
    """The smallest mu that is caught with `power` at one of the thresholds, to 0.1 % from above; None if 40 is not."""

    def caught(mu: float) -> bool:
        return bool(np.any(_margins(mu, guarantee, trials, alpha, power, np.array(cuts), pure) > 0))

    if not caught(_LARGEST_MU):
        return None
    return bisected(caught, _LARGEST_MU, 0.0, relative=1e-3).inside


def trials_needed(mu: float, guarantee: Guarantee, alpha: float, power: float = 0.9, *, pure: bool = False) -> int:
    """Trials a side with which a Gaussian mechanism with this `mu` is caught violating `guarantee` (to 1 %).

    pure: a Laplace mechanism with this epsilon instead. Raises ContentError if 10^12 do not suffice, as when there is
    no violation.
    """

    def caught(trials: int) -> bool:
        if trials > _MOST_TRIALS:
            raise ContentError(f"no number of trials up to 1e12 tells mu = {mu} from the claimed guarantee")
        return refutes(mu, guarantee, trials, alpha, power, pure=pure)

    return least_integer(caught, 2, parts=100)


def _quantile(probability: float, trials: int, rate: Array) -> Array:
    """The `probability` quantile of binomial counts, rounded up; 0 where the count is 0 that often."""
    never = np.exp(trials * np.log1p(-np.minimum(rate, 1 - 1e-16))) >= probability
    count = np.ceil(bdtrik(probability, float(trials), rate))
    return np.where(never, 0.0, np.clip(np.nan_to_num(count, nan=float(trials)), 0.0, float(trials)))
