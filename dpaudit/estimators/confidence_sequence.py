"""Rates that are watched while trials come in: bounds that hold at every number of trials at once.

With p the rate, S_n its successes in the first n trials, and a Beta(1/2, 1/2) mixture over alternatives q,

    M_n(p) = integral of q^S_n (1 - q)^(n - S_n) dBeta(q) / (p^S_n (1 - p)^(n - S_n))

is a nonnegative martingale that starts at 1, since each q gives a likelihood ratio and a mixture of martingales is one.
So M_n(p) >= 1/alpha happens at any n with probability at most alpha (Ville 1939), and the p with M_n(p) < 1/alpha
hold the true rate at all n together with probability at least 1 - alpha. They form an interval, because the
likelihood has one peak, at S_n / n.

Promises: the intervals hold the true rate after every number of trials at once, with probability at least 1 - alpha.

Assumes: given what chose the test, each trial succeeds with the same probability, whatever came before it. Two sides
may depend on each other where each has half of the error probability.

Decides: no. It draws the band of the plot of epsilon over trials.

Sources: Robbins, "Statistical methods related to the law of the iterated logarithm" (1970); Howard, Ramdas, McAuliffe,
Sekhon, "Time-uniform, nonparametric, nonasymptotic confidence sequences" (2021), on mixtures.

Example:

    >>> from dpaudit.estimators.confidence_sequence import rate_interval
    >>> low, high = rate_interval([3, 40], [10, 100], alpha=0.05)  # after 10 trials, and after 100
    >>> [(round(a, 2), round(b, 2)) for a, b in zip(low.tolist(), high.tolist())]
    [(0.03, 0.75), (0.25, 0.57)]
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaln, log1p

from dpaudit.arithmetic.arrays import Array, Flags
from dpaudit.arithmetic.roots import bisected_arrays
from dpaudit.records.errors import ContentError

_PRIOR = 0.5
"""Both parameters of the mixing Beta distribution: Jeffreys' prior, as good in the tails as in the middle."""
_HALVINGS = 80
_SMALLEST_RATE = 1e-300


def rate_interval(successes: ArrayLike, trials: ArrayLike, alpha: float) -> tuple[Array, Array]:
    """Lower and upper bounds on a rate, each of the shape of `successes`; all hold at once, and at every other number
    of trials too, with probability at least 1 - alpha.

    successes: among the first `trials` trials of one sequence, at least 0 and at most `trials`.
    """
    count, number = np.broadcast_arrays(np.asarray(successes, np.float64), np.asarray(trials, np.float64))
    if not np.all((count >= 0) & (count <= number)):
        raise ContentError("successes must be between 0 and the number of trials")
    if not 0 < alpha < 1:
        raise ContentError(f"alpha must be in (0, 1), got {alpha}")
    missed = number - count
    least = log_mixture(count, missed) + np.log(alpha)  # the rates of the interval have at least this log-likelihood
    lower = _edge(count, missed, least)
    return lower, 1 - _edge(missed, count, least)


def log_mixture(successes: ArrayLike, failures: ArrayLike) -> Array:
    """Logarithm of the mixed likelihood of one order of so many successes and failures."""
    count, missed = np.asarray(successes, np.float64), np.asarray(failures, np.float64)
    return np.asarray(betaln(_PRIOR + count, _PRIOR + missed) - betaln(_PRIOR, _PRIOR), dtype=np.float64)


def _edge(count: Array, missed: Array, least: Array) -> Array:
    """The lower end of {p : p^count (1 - p)^missed > e^least}, from below, by bisection on the logarithm of p."""
    peak = count / np.maximum(count + missed, 1.0)

    def likely(log_rate: Array) -> Flags:
        rest = log1p(-np.minimum(np.exp(log_rate), 1 - 2.0**-53))
        return np.asarray(count * log_rate + np.where(missed > 0, missed * rest, 0.0) > least)

    highest, lowest = np.log(np.maximum(peak, _SMALLEST_RATE)), np.full_like(peak, np.log(_SMALLEST_RATE))
    _, below = bisected_arrays(likely, highest, lowest, _HALVINGS)
    return np.asarray(np.where(count > 0, np.exp(below), 0.0), dtype=np.float64)
