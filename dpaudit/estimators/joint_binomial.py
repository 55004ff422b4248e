"""Exact unconditional test of one threshold: both counts in one statistic, the unknown false positive rate maximised
over.

At a threshold that the held-out trials choose, the counts are independent: f ~ Binomial(n, F) on D', t ~ Binomial(m,
T) on D, and a claim states T <= G(F). Two separate Clopper-Pearson bounds must both be unlucky before they fail; the
joint statistic t - s f, with a weight s > 0 that the held-out trials choose too, spends the whole error on the one
direction that matters. Its tail probability rises in T and falls in F, so that

    p = max over F of P(t - s f >= observed; F, G(F))

is exact up to the maximum, and on a cell [a, b] of false positive rates it is at most the probability at F = a, T =
G(b): cells are halved until their bound is within five percent of a value that is attained. F is confined to an
interval that fails with a small probability, which is added to p (Berger and Boos).

Promises: P(p <= u) <= u for every u in [0, 1] if the claim holds, and each of its bounds fails with probability at most
alpha.

Assumes: trials that are independent within a side and across the sides, and alike on each side.

Decides: no. No audit uses it; it is there to be compared with.

Sources: Barnard, "Significance tests for 2 x 2 tables" (1947); Berger, Boos, "P values maximized over a confidence set
for the nuisance parameter" (1994).

Example:

    >>> import numpy as np
    >>> from dpaudit.estimators.joint_binomial import p_value
    >>> from dpaudit.records.privacy import ApproximateDP
    >>> rng = np.random.default_rng(1)
    >>> scores, others = rng.laplace(2.0, size=2_000), rng.laplace(size=2_000)  # epsilon is 2
    >>> [p_value(scores, others, ApproximateDP(claimed, 1e-5), rng) < 0.05 for claimed in (1.0, 2.0)]
    [True, False]
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainc, gammaln, ndtri, xlog1py, xlogy

from dpaudit.arithmetic.arrays import Array
from dpaudit.arithmetic.roots import bisected
from dpaudit.estimators.bound import Bound, check_levels, checked_scores
from dpaudit.estimators.clopper_pearson import (
    OperatingPoint,
    excess,
    rate_lower,
    rate_upper,
    witnessed_epsilon,
    witnessed_mu,
)
from dpaudit.estimators.curves import Curve, GaussianCurve, curve_of
from dpaudit.estimators.held_out_threshold import Objective, split
from dpaudit.records.privacy import ApproximateDP, Guarantee

NAME = "joint binomial at a held-out threshold"
ASSUMES = "trials independent across the two sides"
COVERS = True
SOURCE = "Barnard (1947); Berger, Boos (1994)"

_CELLS, _MOST_CELLS, _PRECISION = 8, 200, 0.05
_CONFINED = 1e-4
_SMALLEST_CONFINED = 1e-11
_DEVIATIONS, _EXTRA, _BLOCKS = 7.5, 40.0, 60.0
_LARGEST = 60.0
_MARGIN, _LEAST, _HALVINGS = 1.2, 0.1, 9


@dataclass(frozen=True)
class JointTest:
    """The statistic t - weight f of the counts at one threshold; weight > 0, chosen without the counted trials."""

    point: OperatingPoint
    weight: float
    expected_rate: float
    """The false positive rate that the held-out trials predict."""

    @property
    def observed(self) -> float:
        """The statistic of the counts."""
        return self.point.true_positives - self.weight * self.point.false_positives

    def tail(self, false_rate: float, true_rate: float) -> float:
        """P(statistic >= observed) at these rates, from above: f beyond seven deviations is covered by 10^-11."""
        n, m = self.point.negatives, self.point.positives
        deviation = math.sqrt(n * false_rate * (1 - false_rate))
        width = _DEVIATIONS * deviation + _EXTRA
        f = np.arange(max(0, math.floor(n * false_rate - width)), min(n, math.ceil(n * false_rate + width)) + 1)
        log_chance = gammaln(n + 1) - gammaln(f + 1) - gammaln(n - f + 1) + xlogy(f, false_rate)
        starts = np.arange(0, len(f), max(1, int(deviation / _BLOCKS)))  # in a block the smallest f reaches most easily
        chance = np.add.reduceat(np.exp(log_chance + xlog1py(n - f, -false_rate)), starts)
        needed = np.ceil(self.observed + self.weight * f[starts] - 1e-9)
        inside = np.clip(needed, 1, m)
        reached = np.where(needed <= 0, 1.0, np.where(needed > m, 0.0, betainc(inside, m - inside + 1, true_rate)))
        return min(1.0, float(chance @ reached) + _SMALLEST_CONFINED)

    def highest_tail(self, curve: Curve, confined: float) -> float:
        """At least the tail probability at every false positive rate in the interval of error `confined`, plus that
        error.
        """
        point = self.point
        low = float(rate_lower(point.false_positives, point.negatives, confined / 2))
        high = float(rate_upper(point.false_positives, point.negatives, confined / 2))
        edges = np.linspace(low, high, _CELLS + 1)
        cells = [self._cell(curve, a, b) for a, b in pairwise(edges.tolist())]
        heapq.heapify(cells)
        attained = max(cell[1] for cell in cells)
        for _ in range(_MOST_CELLS):
            bound, _, a, b = cells[0]
            if -bound <= attained * (1 + _PRECISION):
                break
            halves = [self._cell(curve, a, (a + b) / 2), self._cell(curve, (a + b) / 2, b)]
            attained = max(attained, *(half[1] for half in halves))
            heapq.heapreplace(cells, halves[0])
            heapq.heappush(cells, halves[1])
        return min(1.0, -cells[0][0] + confined)

    def normal_deviate(self, curve: Curve) -> float:
        """How far the statistic lies above its mean at the expected rate, in standard deviations: not a bound."""
        n, m, false = self.point.negatives, self.point.positives, self.expected_rate
        true = float(curve.value(np.array([false]))[0])
        variance = m * true * (1 - true) + self.weight**2 * n * false * (1 - false)
        return (self.observed - m * true + self.weight * n * false) / math.sqrt(max(variance, 1e-12))

    def _cell(self, curve: Curve, low: float, high: float) -> tuple[float, float, float, float]:
        """Minus the bound on the cell, a value attained in it, its ends."""
        reached = curve.value(np.array([low, high]))
        return -self.tail(low, float(reached[1])), self.tail(low, float(reached[0])), low, high


def p_value(positive: ArrayLike, negative: ArrayLike, guarantee: Guarantee, rng: np.random.Generator) -> float:
    """p-value of "the scores come from a mechanism that keeps `guarantee`", exact; 1 if a side is empty. At least
    10^-10.
    """
    positive, negative = checked_scores(positive, negative)
    curve = curve_of(guarantee)
    test = _chosen(positive, negative, lambda f, t: excess(f, t, guarantee), 0.05, lambda _: curve)
    return 1.0 if test is None else test.highest_tail(curve, 1e-10)


def lower_bound(
    positive: ArrayLike, negative: ArrayLike, delta: float, alpha: float, rng: np.random.Generator
) -> Bound:
    """Bounds on epsilon at delta and on mu, each at confidence 1 - alpha; nothing of the region."""
    check_levels(delta, alpha)
    positive, negative = checked_scores(positive, negative)

    def polygon(epsilon: float) -> Curve:
        return curve_of(ApproximateDP(epsilon, delta))

    epsilon = _inverted(positive, negative, lambda f, t: witnessed_epsilon(f, t, delta), polygon, alpha)
    return Bound(epsilon, _inverted(positive, negative, witnessed_mu, GaussianCurve, alpha), (), alpha)


def _chosen(
    positive: Array, negative: Array, objective: Objective, alpha: float, family: Callable[[float], Curve]
) -> JointTest | None:
    """The counts at the best held-out threshold, weighted as the curve of the family rises where the counts are
    expected.
    """
    scores = split(positive, negative)
    if not (len(scores.positive) and len(scores.negative)):
        return None
    choice = scores.choose(objective, alpha)
    point = scores.count(choice, alpha)
    if not (len(scores.held_positive) and len(scores.held_negative)):
        return JointTest(point, len(scores.positive) / len(scores.negative), 0.5)
    thresholds, false_rate, true_rate = scores.predicted()
    at = int(np.searchsorted(thresholds, choice.threshold))  # it is one of them
    false, true = (float(np.clip(rate[at], 1e-9, 1 - 1e-9)) for rate in (false_rate, true_rate))
    bounds = (
        rate_upper(false * point.negatives, point.negatives, alpha),
        rate_lower(true * point.positives, point.positives, alpha),
    )
    guess = float(np.clip(objective(*map(np.atleast_1d, bounds))[0], 0.0, _LARGEST))
    slope = float(family(guess).slope(np.array([false]))[0])
    return JointTest(point, max(slope, 1e-6) * point.positives / point.negatives, false)


def _inverted(
    positive: Array, negative: Array, objective: Objective, family: Callable[[float], Curve], alpha: float
) -> float:
    """The largest parameter of a rising family that the test rejects, from below; at least 0."""
    test = _chosen(positive, negative, objective, alpha, family)
    if test is None:
        return 0.0
    confined = max(alpha * _CONFINED, 2 * _SMALLEST_CONFINED)
    most = max(_MARGIN * _last_beyond(test, family, float(-ndtri(alpha))), _LEAST)
    return bisected(
        lambda parameter: test.highest_tail(family(parameter), confined) <= alpha, 0.0, most, halvings=_HALVINGS
    ).inside


def _last_beyond(test: JointTest, family: Callable[[float], Curve], deviate: float) -> float:
    """The largest parameter, to 10^-5, under which the statistic lies so many deviations above its mean; 0 if none."""
    return bisected(
        lambda parameter: test.normal_deviate(family(parameter)) >= deviate, 0.0, _LARGEST, width=1e-5
    ).inside
