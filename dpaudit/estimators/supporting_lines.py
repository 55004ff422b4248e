"""Supporting lines of a trade-off curve: what a guarantee says of every test, as linear inequalities.

A guarantee allows a test with false positive rate x a true positive rate of at most g(x), g concave. That is the same
as all

    true positive rate <= slope * false positive rate + intercept(slope),    intercept(slope) = max over x of g(x) -
    slope * x

together, and intercept(e^epsilon) is the delta at epsilon (Dong, Roth, Su 2022, proposition 2.12). The lines hold for
[0, 1]-valued tests too, and for D and D' exchanged, so that slopes from 1 on, in both orders, carry the whole curve.
Linear inequalities between expectations are what one can bet on and what one can bound with any mean estimator.

Promises: every test satisfies every line if the guarantee holds, with D and D' in either order.

Assumes: nothing of the trials.

Decides: as a part. `betting` bets against these lines.

Example:

    >>> from dpaudit.estimators.supporting_lines import supporting_lines
    >>> from dpaudit.records.privacy import ApproximateDP
    >>> slopes, intercepts = supporting_lines(ApproximateDP(1.0, 1e-5))
    >>> slopes.round(3).tolist(), intercepts.round(6).tolist()
    ([2.718], [1e-05])
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import log_ndtr, ndtr

from dpaudit.accounting.tradeoff import largest_true_positive_rate
from dpaudit.arithmetic.arrays import Array
from dpaudit.records.privacy import ApproximateDP, GaussianDP, Guarantee, PrivacyProfile, RenyiDP

LINES = 8
"""Slopes that stand for a smooth curve; between two of them the intercepts lose little."""

_TAIL = 3.5
"""Smooth Gaussian curves are followed down to a false positive rate of about Phi(-3.5) = 2e-4."""
_ROUND_UP = 1e-12
_GRID = 600


def supporting_lines(guarantee: Guarantee, lines: int = LINES) -> tuple[Array, Array]:
    """Slopes, at least 1, and intercepts, rounded up; (lines,) each, fewer for polygons, none for a void promise."""
    if isinstance(guarantee, ApproximateDP):
        return _polygon(((guarantee.epsilon, guarantee.delta),))
    if isinstance(guarantee, PrivacyProfile):
        return _polygon(guarantee.points)
    if isinstance(guarantee, GaussianDP):
        return _gaussian(guarantee.mu, lines)
    return _renyi(guarantee, lines)


def largest_area(guarantee: Guarantee) -> float:
    """The largest area under a receiver operating characteristic that the guarantee allows, to 1e-4; in [1/2, 1]."""
    rates = np.linspace(0.0, 1.0, 2001)
    return float(np.trapezoid(largest_true_positive_rate(rates, guarantee), rates))


def gaussian_delta(epsilon: ArrayLike, mu: float) -> Array:
    """The delta of a mu-GDP curve at each epsilon >= 0; mu > 0. Balle and Wang (2018), theorem 8."""
    loss = np.asarray(epsilon, dtype=np.float64)
    return np.asarray(ndtr(mu / 2 - loss / mu) - np.exp(loss + log_ndtr(-mu / 2 - loss / mu)), dtype=np.float64)


def _polygon(points: tuple[tuple[float, float], ...]) -> tuple[Array, Array]:
    finite = [(epsilon, delta) for epsilon, delta in points if epsilon < 700]
    epsilons, deltas = (np.array([point[i] for point in finite], dtype=np.float64) for i in (0, 1))
    return np.exp(epsilons), deltas + _ROUND_UP


def _gaussian(mu: float, lines: int) -> tuple[Array, Array]:
    if mu == 0:
        return np.ones(1), np.full(1, _ROUND_UP)
    epsilons = np.linspace(0.0, min(mu * mu / 2 + _TAIL * mu, 700.0), lines)
    return np.exp(epsilons), gaussian_delta(epsilons, mu) + _ROUND_UP


def _renyi(guarantee: RenyiDP, lines: int) -> tuple[Array, Array]:
    """The curve is concave, so its maximum over x lies beside the best point of a grid, which is refined there."""
    if guarantee.epsilon == math.inf:
        return np.empty(0), np.empty(0)
    grid = np.concatenate([[0.0], np.geomspace(1e-12, 1.0, _GRID)])
    allowed = largest_true_positive_rate(grid, guarantee)
    steepest = math.log1p(guarantee.epsilon) + 2 * math.sqrt(guarantee.epsilon) + guarantee.epsilon
    slopes = np.exp(np.linspace(0.0, min(steepest, 20.0), lines))
    best = np.argmax(allowed - slopes[:, None] * grid, axis=1)
    ends = grid[np.maximum(best - 1, 0)], grid[np.minimum(best + 1, _GRID)]
    fine = np.linspace(*ends, _GRID, axis=1)
    above = largest_true_positive_rate(fine.ravel(), guarantee).reshape(fine.shape)
    # Between two points the curve is at most its value at the right one, the line at least that at the left one.
    intercepts = (above[:, 1:] - slopes[:, None] * fine[:, :-1]).max(axis=1)
    return slopes, intercepts + _ROUND_UP
