"""Rank tests of a whole trade-off curve, and the bounds on epsilon and mu that their inversion gives.

A test is a step statistic (see `least_favourable`): scores on D count by how many scores on D' they exceed, with
weights at a few ranks in both tails. Its p-value is exact against any claimed curve, whatever the weights. The weights
are chosen to be best for a shape of the ROC curve that the first tenth of the trials suggests (`shapes`): with mean
shifts D and covariance C of the counts the best linear statistic has weights proportional to C^-1 D, here under the
condition that none is negative. With few trials the shape is fixed in advance: a mechanism of the claim's kind that
leaks a little more than can go unnoticed.

Larger epsilon (at fixed delta) and larger mu allow more: the tail probability of an observed statistic rises in them.
The lower bound is a value whose tail probability is, by an upper limit from simulation, below alpha. Candidates are
tried from the highest down; the limits of all of them together fail with probability alpha/1000, which is taken from
alpha.

Promises: P(p <= u) <= u for every u in [0, 1] if the claim holds, whatever the law of the scores; the bound on epsilon
and the bound on mu each fail with probability at most alpha.

Assumes: trials that are independent within a side and across the sides, and alike on each side.

Decides: yes. It has half of the error probability of a game with a fixed number of trials, but for a thousandth, and
makes the p-values that null controls are held to. It prints `mu_lower_95`, and with more than 4,000 trials a side
`epsilon_lower_95`, where nine in ten of up to 40 held-out scores, 20 a side, are distinct. Of the canaries of one
training it gives numbers that are printed as conditional, since canaries are not independent trials; they refute
nothing, and may make the outcome INCONCLUSIVE.

Example:

    >>> import numpy as np
    >>> from dpaudit.estimators.rank_test import p_value
    >>> from dpaudit.records.privacy import GaussianDP
    >>> rng = np.random.default_rng(1)
    >>> scores, others = rng.normal(1.5, size=2_000), rng.normal(size=2_000)  # mu is 1.5
    >>> [p_value(scores, others, GaussianDP(mu), rng) < 0.001 for mu in (1.0, 1.5)]
    [True, False]
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq, nnls

from dpaudit.arithmetic.arrays import Array
from dpaudit.arithmetic.roots import bisected
from dpaudit.estimators.bound import Bound, check_levels, checked_scores
from dpaudit.estimators.curves import Curve, GaussianCurve, curve_of
from dpaudit.estimators.held_out_threshold import HELD_OUT, Scores, split
from dpaudit.estimators.least_favourable import StepStatistic, log_bound, p_value_of, tail_probability
from dpaudit.estimators.shapes import Shape, covariance, estimate, gaussian_shape, geometric_ranks, laplace_shape
from dpaudit.records.privacy import ApproximateDP, GaussianDP, Guarantee

NAME = "whole-curve rank test"
ASSUMES = "trials independent across the two sides"
COVERS = True
SOURCE = (
    "Dong, Roth, Su (2022) for curves; Lehmann (1955) for the order of ranks; Maurer, Pontil (2009) for the simulation"
)

FEW = 200
"""Trials on the smaller side below which none is held out."""

_RANKS = 10
_NOTICED = 3.0
"""Standard deviations by which the shape that is fixed in advance is beyond the claim."""
AIMED = 2.2
"""Standard deviations at which a design for a bound is best: the critical 1.64 and some bad luck."""
_BY_CURVE = 1 / 3
"""How much a statistic for a learned shape heeds the spread that the claim allows. Without it, the tests of a claim of
delta 0 looked at levels near its corners, where the claim allows counts that vary widely: at epsilon 4 against 0.8 of
the noise, 9,000 trials a side refuted in one audit of ten where 5,800 refuted in all.
"""
_STEEP = 1e9
"""No slope counts for more."""
_LARGEST = 60.0
_HALVINGS = 15
_CAUTION = (1.0, 0.97, 0.8, 0.5)
_TYPICAL = 0.21
"""The tail probability over W at 0.05 for a normal law, with the width of the limit; at other levels the second try is
right.
"""
_FINAL = 7_000
_SPENT = 1e-3


def p_value(positive: ArrayLike, negative: ArrayLike, guarantee: Guarantee, rng: np.random.Generator) -> float:
    """p-value of "the scores come from a mechanism that keeps `guarantee`": P(p <= u) <= u for all u, if it does.

    positive, negative: scores on D and on D', (trials,), larger looks more like D; ContentError for NaN. 1 if a side
    is empty. It uses 10,000 simulated draws of the statistic and is precise to a few parts in ten at 0.05 and at 10^-9
    alike.
    """
    positive, negative = checked_scores(positive, negative)
    if not (len(positive) and len(negative)):
        return 1.0
    few = min(len(positive), len(negative)) < FEW
    return split_p_value(split(positive, negative, 0.0 if few else HELD_OUT), guarantee, rng)


def split_p_value(scores: Scores, guarantee: Guarantee, rng: np.random.Generator) -> float:
    """`p_value` of the counted part of scores that are split; the held-out part, if there is one, chooses the test."""
    if not (len(scores.positive) and len(scores.negative)):
        return 1.0
    curve = curve_of(guarantee)
    return p_value_of(*_observed(scores, guarantee, curve, rng), curve, rng)


def _observed(
    scores: Scores, guarantee: Guarantee, curve: Curve, rng: np.random.Generator
) -> tuple[StepStatistic, float]:
    """The statistic that tests the claim, and its value."""
    shape = None
    if is_enough(min(len(scores.held_positive), len(scores.held_negative))):
        shape = estimate(scores.held_positive, scores.held_negative, rng, pure=is_pure(guarantee))
    statistic = chosen_statistic(shape, guarantee, curve, len(scores.positive), len(scores.negative))
    return statistic, statistic.observed(scores.positive, scores.negative, rng)


def is_enough(held_out: int) -> bool:
    """Do so many held-out trials a side choose the statistic? Fewer choose nothing."""
    return held_out >= HELD_OUT * FEW


def is_pure(guarantee: Guarantee) -> bool:
    """Has the claim delta 0?"""
    return isinstance(guarantee, ApproximateDP) and guarantee.delta == 0


def chosen_statistic(
    shape: Shape | None, guarantee: Guarantee, curve: Curve, positives: int, negatives: int
) -> StepStatistic:
    """The best statistic for a shape, or, without one or where it shows no violation, for a planned one."""
    best = None if shape is None else best_statistic(shape, curve, positives, negatives, _BY_CURVE)[0]
    return best or planned_statistic(guarantee, positives, negatives)


def lower_bound(
    positive: ArrayLike, negative: ArrayLike, delta: float, alpha: float, rng: np.random.Generator
) -> Bound:
    """Bounds on epsilon at delta and on mu, each at confidence 1 - alpha; nothing of the region."""
    check_levels(delta, alpha)
    positive, negative = checked_scores(positive, negative)
    if min(len(positive), len(negative)) < 2:
        return Bound(0.0, 0.0, (), alpha)
    held_out = max(HELD_OUT, 1.0 / min(len(positive), len(negative)))
    return split_lower_bound(split(positive, negative, held_out), delta, alpha, rng)


def split_lower_bound(scores: Scores, delta: float, alpha: float, rng: np.random.Generator) -> Bound:
    """`lower_bound` of the counted part of scores that are split; 0 where a side is empty or none is held out."""
    if not all(map(len, (scores.positive, scores.negative, scores.held_positive, scores.held_negative))):
        return Bound(0.0, 0.0, (), alpha)
    shape = estimate(scores.held_positive, scores.held_negative, rng, pure=delta == 0)
    found = [
        _inverted(scores, shape, family, alpha, rng)
        for family in (lambda epsilon: curve_of(ApproximateDP(epsilon, delta)), GaussianCurve)
    ]
    return Bound(found[0], found[1], (), alpha)


@lru_cache(maxsize=64)
def planned_statistic(guarantee: Guarantee, positives: int, negatives: int) -> StepStatistic:
    """The test against a mechanism of the claim's kind that leaks more: with so many trials it is just noticed."""
    curve = curve_of(guarantee)
    kind = _more_leaking(guarantee, curve)

    def noticed(excess: float) -> bool:
        return best_statistic(kind(excess), curve, positives, negatives)[1] >= _NOTICED

    excess = bisected(noticed, _LARGEST, 0.0, halvings=_HALVINGS).inside
    fallback = StepStatistic(np.array([(negatives + 1) // 2]), np.ones(1), negatives, positives)
    return best_statistic(kind(excess), curve, positives, negatives)[0] or fallback


def _more_leaking(guarantee: Guarantee, curve: Curve) -> Callable[[float], Shape]:
    """Shapes that lie the further above the curve the larger their argument is."""
    if isinstance(guarantee, GaussianDP):
        return lambda excess: gaussian_shape(guarantee.mu + excess)
    if isinstance(guarantee, ApproximateDP) and math.isfinite(guarantee.epsilon):
        return lambda excess: laplace_shape(guarantee.epsilon + excess)
    from scipy.special import ndtr, ndtri

    at = np.linspace(-6.0, 6.0, 601)
    claimed = np.maximum.accumulate(np.clip(ndtri(curve.value(ndtr(at))), -8.0, 8.0))
    return lambda excess: Shape(at, claimed + excess)


def best_statistic(
    shape: Shape | Curve, curve: Curve, positives: int, negatives: int, by_curve: float = 0.0
) -> tuple[StepStatistic | None, float]:
    """The linear statistic that tells `shape` from `curve` best, and by how many standard deviations; None if none
    does.

    by_curve: the share, in [0, 1], of the covariance under `curve` in the one that counts, the rest being that under
    `shape`. An error probability is reckoned under the curve and power under the shape; the best statistics lie
    between (Anderson, Bahadur, "Classification into two multivariate normal distributions with different covariance
    matrices", 1962).
    """
    ranks = geometric_ranks(negatives, _RANKS)
    levels = ranks / (negatives + 1)

    def spread(law: Shape | Curve) -> Array:
        return covariance(law.value(levels), np.minimum(law.slope(levels), _STEEP), levels, positives, negatives)

    matrix = (1 - by_curve) * spread(shape)
    if by_curve:
        matrix = matrix + by_curve * spread(curve)
    root = np.linalg.cholesky(matrix + np.diag(1e-9 * np.diag(matrix) + 1e-30))
    shifts = shape.value(levels) - curve.value(levels)
    scale = 1 / max(float(np.abs(shifts).max()), 1e-300)
    gains, _ = nnls(root.T, np.linalg.solve(root, shifts * scale))
    deviations = math.sqrt(max(float(gains @ shifts) / scale, 0.0))
    used = gains > 1e-3 * gains.max()
    if not used.any() or deviations <= 0:
        return None, 0.0
    return StepStatistic(ranks[used], gains[used] / gains.max(), negatives, positives), deviations


def _inverted(
    scores: Scores, shape: Shape, family: Callable[[float], Curve], alpha: float, rng: np.random.Generator
) -> float:
    """The largest parameter of a rising family that the best statistic for it rejects, from below; at least 0."""
    sizes = len(scores.positive), len(scores.negative)

    def reached(parameter: float) -> bool:
        return best_statistic(shape, family(parameter), *sizes, _BY_CURVE)[1] >= AIMED

    aimed = bisected(reached, 0.0, _LARGEST, halvings=_HALVINGS).inside
    statistic = best_statistic(shape, family(aimed), *sizes, _BY_CURVE)[0]
    if statistic is None:
        return 0.0
    observed = statistic.observed(scores.positive, scores.negative, rng)
    ceiling = _ceiling(statistic, observed, family)
    typical = _TYPICAL  # tail probability over W, which hardly depends on the parameter
    for cautious in _CAUTION:

        def excess(parameter: float, limit: float = math.log(cautious * alpha / typical)) -> float:
            return log_bound(statistic, observed, family(parameter)) - limit

        if excess(0.0) >= 0 or ceiling <= 0:
            continue
        candidate = float(brentq(excess, 0.0, ceiling, xtol=1e-4)) if excess(ceiling) > 0 else ceiling
        error = alpha * _SPENT / len(_CAUTION)
        limit = tail_probability(statistic, observed, family(candidate), rng, error=error, simulations=_FINAL)
        if limit <= alpha * (1 - _SPENT):
            return candidate
        typical = limit / math.exp(log_bound(statistic, observed, family(candidate)))
    return 0.0


def _ceiling(statistic: StepStatistic, observed: float, family: Callable[[float], Curve]) -> float:
    """A parameter under which the observed statistic is no surprise: its tail probability counts as 1."""
    return bisected(lambda parameter: statistic.ordinary(observed, family(parameter)), _LARGEST, 0.0, width=1e-3).inside
