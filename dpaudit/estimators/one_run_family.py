"""One training run with many canaries against the claimed mechanism with more or less noise: a conditional bound.

The claim is a mechanism: Gaussian noise, Poisson samples, a number of steps. Suppose that all of it is right but for
the noise, of which 1/leak is there. Each leak gives a curve (`accounting.inclusion`), which bounds how well canaries
that are in can be told from those that are out, and curves rise with the leak. The rank test refutes leaks, one fixed
statistic for all of them, and the bound is the epsilon of the largest leak on a grid that it refutes. No canary is
held out: the statistic is best for the claimed mechanism itself, and so known before the training.

The curve of a leak is rounded up: a leak is refuted only if the scores lie above everything that it allows. The epsilon
of the leak is rounded down.

`outside`: scores of canaries that no coin could include, made in the same way. They cost no training. The law of the
scores of those that are out is then nearly known, which is half of the uncertainty.

Promises: where the assumptions hold, the bound on epsilon fails with probability at most alpha, simulation included.

Assumes: the mechanism is the claimed one with another noise multiplier, the same in all steps. The scores of canaries
that are in are independent and alike, those of canaries that are out (and `outside`) as well, and both samples are
independent of each other: no canary shows in the score of another. Nothing else is assumed of the scores.

Decides: no. For a target with `canaries` whose claim is a mechanism it prints
`epsilon_if_canaries_are_alike_and_noise_alone_differs`.

Source: the least favourable law of ranks is that of `least_favourable`; Xiang, Wang, Chen, "Tight privacy audit in one
run" (2025), invert counts of errors over such a family.

Example:

    >>> import numpy as np
    >>> from dpaudit.estimators.one_run_family import family_bound
    >>> from dpaudit.records.mechanism import Gaussian
    >>> rng = np.random.default_rng(1)
    >>> included = rng.random(1_000) < 0.5
    >>> scores = rng.normal(size=1_000) + 2.0 * included  # half of the noise of the claim, mu = 1
    >>> bool(4.4 < family_bound(scores, included, Gaussian(1.0), 1e-5, 0.05, rng).epsilon_lower < 10)  # 9.99 in truth
    True
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from dpaudit.accounting.epsilon import epsilon_bounds, gaussian_parameter
from dpaudit.accounting.inclusion import inclusion_lines, with_leak
from dpaudit.arithmetic.arrays import Array
from dpaudit.estimators.bound import Bound, check_levels, checked_scores
from dpaudit.estimators.curves import Curve, GaussianCurve, PolygonCurve
from dpaudit.estimators.least_favourable import StepStatistic, log_bound, tail_probability
from dpaudit.estimators.one_run import checked
from dpaudit.estimators.rank_test import AIMED, best_statistic
from dpaudit.records.mechanism import Composed, Gaussian, Laplace, Mechanism, PoissonSampled, SelfComposed
from dpaudit.records.privacy import Neighbours

NAME = "one run, claimed mechanism with other noise"
ASSUMES = "the mechanism is the claimed one but for its noise; canaries are independent and alike"
COVERS = True
SOURCE = "Xiang, Wang, Chen (2025) for the family; Lehmann (1955) for the order of ranks"

_STEP = 0.0025
"""Of the grid of leaks, in their logarithm."""
_LEAST, _MOST = -1_000, 600
"""Ends of the grid: a twelfth of the claimed leak, and four and a half times it."""
_SIMULATIONS = 7_000
_SPENT = 1e-3
"""Share of alpha for the limits of all simulations together."""


def has_a_family(mechanism: Mechanism) -> bool:
    """Is it made of Gaussian and Laplace noise, Poisson samples and compositions, and of nothing else?"""
    match mechanism:
        case Gaussian() | Laplace():
            return True
        case PoissonSampled(_, inner) | SelfComposed(inner, _):
            return has_a_family(inner)
        case Composed(parts):
            return bool(parts) and all(map(has_a_family, parts))
    return False


def family_bound(
    scores: ArrayLike,
    included: ArrayLike,
    mechanism: Mechanism,
    delta: float,
    alpha: float,
    rng: np.random.Generator,
    outside: ArrayLike = (),
) -> Bound:
    """Lower bound on epsilon at `delta`, add-or-remove, confidence 1 - alpha, under the assumptions of the module.

    scores: (m,), larger where a canary looks included; included: (m,) booleans; outside: (k,) scores of canaries that
    could not be included. 0 where a side is empty or nothing is refuted. ContentError for NaN, other shapes, or a
    mechanism without a family (`has_a_family`).
    """
    check_levels(delta, alpha)
    values, coins = checked(scores, included)
    negative = np.concatenate([values[~coins], np.asarray(outside, dtype=np.float64)])
    leak = refuted_leak(values[coins], negative, mechanism, alpha, rng)
    return Bound(_epsilon(mechanism, leak, delta), 0.0, (), alpha)


def refutes(
    scores: ArrayLike, included: ArrayLike, mechanism: Mechanism, alpha: float, rng: np.random.Generator
) -> bool:
    """Is the claimed mechanism itself refuted? With probability at most `alpha` where it and the assumptions hold."""
    values, coins = checked(scores, included)
    test = _test(values[coins], values[~coins], mechanism, rng)
    return test is not None and _is_refuted(*test, curve_of_leak(mechanism, 0), alpha, alpha * _SPENT, rng)


def refuted_leak(
    positive: Array, negative: Array, mechanism: Mechanism, alpha: float, rng: np.random.Generator
) -> int | None:
    """The largest leak on the grid that is refuted, as its place; None if none is."""
    test = _test(positive, negative, mechanism, rng)
    if test is None:
        return None
    low, high = _LEAST - 1, _MOST + 1
    error = alpha * _SPENT / math.ceil(math.log2(high - low))
    while high - low > 1:
        middle = (low + high) // 2
        refuted = _is_refuted(*test, curve_of_leak(mechanism, middle), alpha, error, rng)
        low, high = (middle, high) if refuted else (low, middle)
    return low if low >= _LEAST else None


def _test(
    positive: Array, negative: Array, mechanism: Mechanism, rng: np.random.Generator
) -> tuple[StepStatistic, float] | None:
    """The statistic and what is observed of it; None where a side is empty or nothing can be noticed."""
    first, other = map(np.sort, checked_scores(positive, negative))
    statistic = planned_statistic(mechanism, len(first), len(other)) if len(first) and len(other) else None
    return None if statistic is None else (statistic, statistic.observed(first, other, rng))


def grid_leak(place: int) -> float:
    """The leak at this place of the grid; 1 at 0."""
    return math.exp(_STEP * place)


def curve_of_leak(mechanism: Mechanism, place: int) -> Curve:
    """The curve, from above, of the leak at this place of the grid."""
    return _curve(with_leak(mechanism, grid_leak(place)))


@lru_cache(maxsize=1024)
def planned_statistic(mechanism: Mechanism, positives: int, negatives: int) -> StepStatistic | None:
    """The statistic that tells the claimed mechanism best from one with as much more noise as it just notices."""
    claimed = curve_of_leak(mechanism, 0)
    low, high = _LEAST, 0
    while high - low > 1:
        middle = (low + high) // 2
        noticed = best_statistic(claimed, curve_of_leak(mechanism, middle), positives, negatives)[1] >= AIMED
        low, high = (middle, high) if noticed else (low, middle)
    return best_statistic(claimed, curve_of_leak(mechanism, low), positives, negatives)[0]


def _is_refuted(
    statistic: StepStatistic, observed: float, curve: Curve, alpha: float, error: float, rng: np.random.Generator
) -> bool:
    """Is the tail probability at most alpha? By its bound, which is exact, or by a limit from simulation, which is too
    low with probability `error`; alpha pays for all such errors."""
    alpha *= 1 - _SPENT
    if statistic.ordinary(observed, curve):
        return False
    if log_bound(statistic, observed, curve) <= math.log(alpha):
        return True
    return tail_probability(statistic, observed, curve, rng, error=error, simulations=_SIMULATIONS) <= alpha


@lru_cache(maxsize=4096)
def _curve(mechanism: Mechanism) -> Curve:
    mu = gaussian_parameter(mechanism)
    return PolygonCurve(inclusion_lines(mechanism)) if mu is None else GaussianCurve(mu)


@lru_cache(maxsize=4096)
def _epsilon(mechanism: Mechanism, place: int | None, delta: float) -> float:
    if place is None:
        return 0.0
    return epsilon_bounds(with_leak(mechanism, grid_leak(place)), delta, Neighbours.ADD_OR_REMOVE).lower
