"""Shapes of ROC curves: what the held-out trials say about the true one, so that a test can be designed for it.

Four descriptions of the held-out ROC are fitted, and the one with the best Bayesian information criterion is taken:
that of a Gaussian mechanism, that of a Laplace mechanism, a cubic on the normal quantile scale, and the counts as they
are. Where delta is above 0, held-out trials that overlap and hardly tell the first two apart count for the Gaussian
one: most such claims are of Gaussian noise, and a test for the wrong one of the two loses far more if the noise is
Gaussian. However wrong a shape may be, it can only cost power: the trials that are tested have no say in it.

The likelihood is the normal one of the counts of scores on D above chosen scores on D', with the covariance that the
binomial law of the counts and the Beta law of the levels give together.

Promises: nothing; no statement rests on a shape.

Assumes: nothing that a statement rests on.

Decides: no. `rank_test` chooses its weights for the shape of the held-out trials, and the counted ones decide.

Source: Schwarz, "Estimating the dimension of a model" (1978).

Example:

    >>> import numpy as np
    >>> from dpaudit.estimators.shapes import estimate
    >>> rng = np.random.default_rng(1)
    >>> shape = estimate(np.sort(rng.normal(1.0, size=500)), np.sort(rng.normal(size=500)), rng)
    >>> shape.value(np.array([0.1, 0.5])).round(1).tolist()
    [0.4, 0.8]
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import ndtr, ndtri

from dpaudit.arithmetic.arrays import Array
from dpaudit.estimators.least_favourable import Ranks, counts_above

_FEWEST_CUBIC, _FEWEST_COUNTS = 300, 10
"""Held-out trials of a side below which these shapes are not tried: the tails of a cubic need many."""

_PER_COUNT = 1.3
"""Log-likelihood that the counts as they are must gain a count: a true one-parameter shape then loses once in 300
times.
"""

_GAUSSIAN_FIRST = 3.0
"""Log-likelihood by which the Laplace shape must beat the Gaussian one where delta is above 0. With 10^4 trials a side,
a tenth held out, the bound on epsilon 1 at 1e-5 rises from 0.47 to 0.52 for Gaussian noise and stays for Laplace noise.
"""

_APART = 0.999
"""True positive rate at the median of D' above which scores hardly overlap: nothing tells the shapes apart there, and a
test for the Gaussian one looks where perfectly separated scores say nothing.
"""
_RANKS = 8
"""From each end, at which shapes are estimated."""
_SIZES = 20
_LARGEST_SIZE = 10.0
_QUANTILES = np.linspace(-8.0, 8.0, 1601)
_STEP = 1e-4
_LARGEST_EPSILON = 700.0
"""exp of more overflows; float64 tells the curve from one that allows everything at none of its levels."""


@dataclass(frozen=True)
class Shape:
    """A ROC curve on the normal quantile scale: quantiles of false and of true positive rates, both ascending."""

    false_quantiles: Array
    true_quantiles: Array

    def value(self, levels: Array) -> Array:
        """The true positive rate at false positive rates in (0, 1)."""
        return np.asarray(ndtr(self._quantile(ndtri(levels))), dtype=np.float64)

    def slope(self, levels: Array) -> Array:
        """Its derivative."""
        at = ndtri(levels)
        rise = (self._quantile(at + _STEP) - self._quantile(at - _STEP)) / (2 * _STEP)
        growth = np.exp((at**2 - self._quantile(at) ** 2) / 2)
        return np.asarray(np.clip(rise * growth, 1e-6, 1e9), dtype=np.float64)

    def _quantile(self, at: Array) -> Array:
        """Beyond the ends the difference of the quantiles stays what it is there."""
        return at + np.interp(at, self.false_quantiles, self.true_quantiles - self.false_quantiles)


@lru_cache(maxsize=128)
def gaussian_shape(mu: float) -> Shape:
    """The ROC curve of a Gaussian mechanism with this mu."""
    return Shape(_QUANTILES, _QUANTILES + mu)


@lru_cache(maxsize=128)
def laplace_shape(epsilon: float) -> Shape:
    """The ROC curve of a Laplace mechanism with this epsilon >= 0."""
    levels, flat = ndtr(_QUANTILES), math.exp(-min(epsilon, _LARGEST_EPSILON))
    middle = 1 - flat / (4 * np.maximum(levels, 1e-300))
    steep = np.minimum(levels, flat) / flat
    rates = np.where(levels < flat / 2, steep, np.where(levels < 0.5, middle, 1 - flat * (1 - levels)))
    low = ndtri(np.clip(rates, 1e-300, 1 - 2.0**-53))
    high = -ndtri(np.maximum(flat * ndtr(-_QUANTILES), 1e-300))  # precise near 1
    return Shape(_QUANTILES, np.where(levels < 0.5, low, high))


def geometric_ranks(trials: int, ranks: int) -> Ranks:
    """Ranks among 1..trials, about `ranks` from each end, geometric."""
    low = np.unique(np.round(np.geomspace(1, (trials + 1) / 2, ranks)).astype(np.int64))
    return np.unique(np.concatenate([low, trials + 1 - low]))


def covariance(rates: Array, slopes: Array, levels: Array, positives: int, negatives: int) -> Array:
    """Covariance of the shares of scores on D above chosen scores on D', of mean level `levels`, linearised."""
    counted = (np.minimum.outer(rates, rates) - np.outer(rates, rates)) / positives
    of_level = (np.minimum.outer(levels, levels) - np.outer(levels, levels)) / negatives
    return np.asarray(counted + np.outer(slopes, slopes) * of_level, dtype=np.float64)


def estimate(positive: Array, negative: Array, rng: np.random.Generator, *, pure: bool = False) -> Shape:
    """The shape that describes these ascending scores best; both sides need at least one.

    pure: what is tested has delta 0, which no Gaussian mechanism keeps.
    """
    counts = counts_above(ranks_of_estimate(len(negative)), positive, negative, rng)
    return estimate_of_counts(counts, len(positive), len(negative), pure=pure)


def ranks_of_estimate(negatives: int) -> Ranks:
    """At which ranks among the scores on D' a shape is estimated."""
    return geometric_ranks(negatives, _RANKS)


def estimate_of_counts(counts: Ranks, positives: int, negatives: int, *, pure: bool = False) -> Shape:
    """`estimate` of the numbers of scores on D above the scores on D' at `ranks_of_estimate`."""
    levels = ranks_of_estimate(negatives) / (negatives + 1)
    shares = (counts + 0.5) / (positives + 1)

    def likelihood(shape: Shape) -> float:
        return _log_likelihood(shape, levels, shares, positives, negatives)

    smaller = min(positives, negatives)
    parameter = math.log(smaller) / 2  # what each parameter of a shape must gain
    gaussian = _best_of(gaussian_shape, likelihood)
    first = 0.0 if pure or gaussian.value(np.array([0.5]))[0] > _APART else _GAUSSIAN_FIRST
    candidates = [(gaussian, parameter), (_best_of(laplace_shape, likelihood), parameter + first)]
    if smaller >= _FEWEST_CUBIC:
        candidates += [(_cubic(levels, shares, positives, negatives), 4 * parameter)]
    if smaller >= _FEWEST_COUNTS:
        candidates += [(_as_counted(levels, shares, positives), _PER_COUNT * len(levels))]
    return max(candidates, key=lambda candidate: likelihood(candidate[0]) - candidate[1])[0]


def _best_of(kind: Callable[[float], Shape], likelihood: Callable[[Shape], float]) -> Shape:
    """The most likely shape of a one-parameter kind: the best of a grid, refined between its neighbours."""
    sizes = np.concatenate([[0.0], np.geomspace(0.01, _LARGEST_SIZE, _SIZES)])
    best = int(np.argmax([likelihood(kind(float(size))) for size in sizes]))
    around = (float(sizes[max(best - 1, 0)]), float(sizes[min(best + 1, len(sizes) - 1)]))
    found = minimize_scalar(lambda size: -likelihood(kind(float(size))), bounds=around, method="bounded")
    return kind(float(found.x))


def _log_likelihood(shape: Shape, levels: Array, shares: Array, positives: int, negatives: int) -> float:
    rates, slopes = np.clip(shape.value(levels), 1e-9, 1 - 1e-9), shape.slope(levels)
    matrix = covariance(rates, slopes, levels, positives, negatives)
    matrix = matrix + np.diag((0.5 / positives) ** 2 + 1e-6 * np.diag(matrix))  # counts are whole numbers
    root = np.linalg.cholesky(matrix)
    residual = np.linalg.solve(root, shares - rates)
    return float(-residual @ residual / 2 - np.log(np.diag(root)).sum())


def _cubic(levels: Array, shares: Array, positives: int, negatives: int) -> Shape:
    """A cubic in the quantile of the false positive rate, weighted by the variances of the true one."""
    at, found = ndtri(levels), ndtri(shares)
    density, level_density = np.exp(-(found**2) / 2), np.exp(-(at**2) / 2)
    root_pi = math.sqrt(2 * math.pi)
    counted = shares * (1 - shares) / positives / (density / root_pi) ** 2
    of_level = levels * (1 - levels) / negatives / (level_density / root_pi) ** 2
    weight = 1 / np.sqrt(counted + of_level)
    fit = np.linalg.lstsq(np.vander(at, 4) * weight[:, None], (found - at) * weight, rcond=None)[0]
    inside = _QUANTILES[(at[0] <= _QUANTILES) & (at[-1] >= _QUANTILES)]
    inside = inside if len(inside) > 1 else at
    return Shape(inside, np.maximum.accumulate(inside + np.polyval(fit, inside)))


def _as_counted(levels: Array, shares: Array, positives: int) -> Shape:
    """The counts, half a standard error off towards the diagonal."""
    cautious = shares - 0.5 * np.sqrt(shares * (1 - shares) / positives)
    return Shape(ndtri(levels), np.maximum.accumulate(ndtri(np.maximum(cautious, levels * 0.5))))
