"""mu and epsilon if the scores are normal with equal variances: a conditional number, never a decision.

If the scores are N(a + mu s, s^2) on D and N(a, s^2) on D', the t statistic of the two samples has Student's noncentral
t distribution with noncentrality mu / sqrt(1/n + 1/n'), and inverting it gives an exact one-sided confidence bound on
mu. The distribution is integrated numerically, to a relative error below 10^-11. A threshold on such scores shows every
mu-GDP curve below that mu, and epsilon at delta follows (Balle, Wang 2018, theorem 8).

No test of fit can vouch for the assumption. It matters in the far tail, at probabilities near delta, of which n
trials show nothing: the sum of 20 Laplace noises passes the guard below, and its bound then exceeds the true epsilon.
`docs/validity.md` has the real error for such cases. The guard refuses what is visibly not normal: skewness and
kurtosis of the pooled standardised scores and the ratio of variances, each by its asymptotic normal law, 1 % in all.
Its power, measured: `docs/validity.md` says how often it lets each law through.

Promises: if the scores are normal with equal variances, each of its two bounds fails with probability at most alpha; if
they are not, nothing.

Assumes: normal scores with equal variances on D and D', and trials that are independent within a side and across the
sides.

Decides: no. No audit uses it, and none prints its number; `docs/statistics.md` shows what it would give.

Sources: Johnson, Welch, "Applications of the non-central t-distribution" (1940); the conversion of mu to epsilon as
an audit, Nasr et al., "Tight auditing of differentially private machine learning" (2023), who do not bound the error
of the fit.

Example:

    >>> import numpy as np
    >>> from dpaudit.estimators.conditional_gaussian import guard, lower_bound
    >>> rng = np.random.default_rng(2)
    >>> scores, others = rng.normal(1.0, size=500), rng.normal(size=500)  # mu is 1
    >>> guard(scores, others).passes, 0.7 < lower_bound(scores, others, 1e-5, 0.05, rng).mu_lower < 1
    (True, True)
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import erfc, ndtr

from dpaudit.arithmetic.arrays import Array
from dpaudit.arithmetic.roots import bisected
from dpaudit.estimators.bound import Bound, check_levels, checked_scores
from dpaudit.estimators.supporting_lines import gaussian_delta

NAME = "conditional Gaussian"
ASSUMES = "the scores are normal with equal variances on D and D', trials independent across the two sides"
COVERS = True
SOURCE = "Johnson, Welch (1940); Nasr et al. (2023)"

GUARD_ALPHA = 0.01
"""How often the guard refuses scores that are normal with equal variances, in large samples."""

_FEWEST = 20
"""Trials a side below which skewness and kurtosis say nothing."""
_DISTINCT = 0.9
"""Share of scores that must differ: normal ones all do, counts and answers do not."""
_NODES = np.linspace(-14.0, 10.0, 1001)
"""Of the trapezoidal rule, in asymptotic standard deviations of the logarithm of the estimated scale."""
_HALVINGS = 60
_LARGEST_MU, _LARGEST_EPSILON = 60.0, 2000.0


@dataclass(frozen=True)
class Guard:
    """Two-sided p-values of normal scores with equal variances; `passes` if none is below a third of 1 %."""

    skewness: float
    kurtosis: float
    variances: float

    @property
    def passes(self) -> bool:
        """Nothing speaks against the assumption; which is not to say that it holds."""
        return min(self.skewness, self.kurtosis, self.variances) >= GUARD_ALPHA / 3


def guard(positive: ArrayLike, negative: ArrayLike) -> Guard:
    """What the moments say of the assumption; p-values 0 for infinite, often equal or fewer than 20 scores a side."""
    x, y = checked_scores(positive, negative)
    if min(len(x), len(y)) < _FEWEST or not (np.isfinite(x).all() and np.isfinite(y).all()):
        return Guard(0.0, 0.0, 0.0)
    x, y = _scaled(x, y)
    if min(float(x.var()), float(y.var())) == 0 or any(len(np.unique(side)) < _DISTINCT * len(side) for side in (x, y)):
        return Guard(0.0, 0.0, 0.0)
    pooled = np.concatenate([(side - side.mean()) / side.std() for side in (x, y)])
    number = len(pooled)
    skewness = float((pooled**3).mean()) / math.sqrt(6 / number)
    kurtosis = (float((pooled**4).mean()) - 3 + 6 / number) / math.sqrt(24 / number)
    ratio = math.log(float(x.var() / y.var())) / math.sqrt(2 / len(x) + 2 / len(y))
    return Guard(*(float(erfc(abs(z) / math.sqrt(2))) for z in (skewness, kurtosis, ratio)))


def lower_bound(
    positive: ArrayLike, negative: ArrayLike, delta: float, alpha: float, rng: np.random.Generator
) -> Bound:
    """Bounds on mu and epsilon, conditional on normal scores; 0 where the guard refuses. `rng` is not used."""
    x, y = checked_scores(positive, negative)
    check_levels(delta, alpha, pure=False)
    if not guard(x, y).passes:
        return Bound(0.0, 0.0, (), alpha)
    x, y = _scaled(x, y)
    freedom, root = len(x) + len(y) - 2, math.sqrt(1 / len(x) + 1 / len(y))
    scale = math.sqrt((float(((x - x.mean()) ** 2).sum()) + float(((y - y.mean()) ** 2).sum())) / freedom)
    statistic = float(x.mean() - y.mean()) / (scale * root)
    mu = max(0.0, min(noncentrality_lower(statistic, freedom, alpha) * root, _LARGEST_MU))
    return Bound(epsilon_at(mu, delta), mu, (), alpha)


def noncentrality_lower(statistic: float, freedom: int, alpha: float) -> float:
    """The noncentrality at which a t statistic is exceeded with probability alpha; at least 0.

    freedom: at least 38, as the guard leaves it; with fewer the quadrature below loses digits.
    """
    most = max(statistic, 0.0) + 10.0
    return bisected(lambda mean: exceedance(statistic, freedom, mean) < alpha, 0.0, most, halvings=_HALVINGS).inside


def exceedance(statistic: float, freedom: int, noncentrality: float) -> float:
    """P(T > statistic) for Student's noncentral t: the mean of Phi(noncentrality - statistic S), freedom * S^2 being
    chi-squared.

    By the trapezoidal rule in log S, whose error falls exponentially with the nodes for integrands that vanish at both
    ends.
    """
    log_scale = _NODES / math.sqrt(2 * freedom)
    density = np.exp(freedom * (log_scale - np.expm1(2 * log_scale) / 2))
    return float(density @ ndtr(noncentrality - statistic * np.exp(log_scale)) / density.sum())


def epsilon_at(mu: float, delta: float) -> float:
    """The epsilon >= 0 of a mu-GDP curve at delta, from below, to 1e-9."""
    if mu == 0 or 2 * float(ndtr(mu / 2)) - 1 <= delta:
        return 0.0
    return bisected(
        lambda epsilon: bool(gaussian_delta(epsilon, mu) > delta), 0.0, _LARGEST_EPSILON, halvings=_HALVINGS
    ).inside


def _scaled(x: Array, y: Array) -> tuple[Array, Array]:
    """Centred and at most 1 in size, so that no power of a score overflows or is lost."""
    x, y = x / 4 - float(y[0]) / 4, y / 4 - float(y[0]) / 4
    largest = max(float(np.abs(x).max()), float(np.abs(y).max())) or 1.0
    return x / largest, y / largest
