"""Exact p-values of the statistical checks: binomial and hypergeometric counts, chi-square and gamma sums,
correlations.

Two-sided p-values are twice the smaller tail, at most 1: under the null, P(p <= alpha) <= alpha for every alpha, also
for discrete counts. All arguments broadcast.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betainc, gammainc, gammaincc, gammaln

Array = NDArray[np.float64]


def binomial_lower(count: ArrayLike, trials: ArrayLike, rate: ArrayLike) -> Array:
    """P(X <= count) for X ~ Binomial(trials, rate); 0 <= count <= trials."""
    k, n, p = np.broadcast_arrays(count, trials, rate)
    left = np.maximum(n - k, 1)  # betainc needs positive parameters
    return np.where(k >= n, 1.0, betainc(left, k + 1.0, 1.0 - p))


def binomial_upper(count: ArrayLike, trials: ArrayLike, rate: ArrayLike) -> Array:
    """P(X >= count) for X ~ Binomial(trials, rate); 0 <= count <= trials."""
    k, n, p = np.broadcast_arrays(count, trials, rate)
    return np.where(k <= 0, 1.0, betainc(np.maximum(k, 1.0), n - k + 1.0, p))


def binomial_two_sided(count: ArrayLike, trials: ArrayLike, rate: ArrayLike) -> Array:
    """Twice the smaller tail, at most 1."""
    return two_sided(binomial_lower(count, trials, rate), binomial_upper(count, trials, rate))


def binomial_coincidence(trials: int, rate: float) -> float:
    """P(X = Y) for independent X, Y ~ Binomial(trials, rate), rounded up."""
    return _coincidence(binomial_probabilities(trials, rate))


def binomial_probabilities(trials: int, rate: float) -> Array:
    """P(X = k) for k = 0, ..., trials; 0 <= rate <= 1."""
    k = np.arange(trials + 1.0)
    if rate in (0.0, 1.0):
        return np.asarray(k == trials * rate, dtype=np.float64)
    logs = gammaln(trials + 1.0) - gammaln(k + 1) - gammaln(trials - k + 1)
    return np.asarray(np.exp(logs + k * np.log(rate) + (trials - k) * np.log1p(-rate)))


def hypergeometric_probabilities(records: int, first: int, second: int) -> Array:
    """P(overlap = k), k = 0, ..., min(first, second), of two uniform subsets of these sizes; sizes up to
    `records`."""
    k = np.arange(min(first, second) + 1.0)

    def log_binomial(top: float, chosen: Array) -> Array:
        fits = (chosen >= 0) & (chosen <= top)
        safe = np.clip(chosen, 0, top)
        logs = gammaln(top + 1) - gammaln(safe + 1) - gammaln(top - safe + 1)
        return np.where(fits, logs, -np.inf)

    whole = log_binomial(records, np.array(float(second)))
    return np.asarray(np.exp(log_binomial(first, k) + log_binomial(records - first, second - k) - whole))


def tails(probabilities: Array) -> tuple[Array, Array]:
    """P(X <= k) and P(X >= k) for each k; at most 1."""
    lower, upper = np.cumsum(probabilities), np.cumsum(probabilities[::-1])[::-1]
    return np.minimum(lower, 1.0), np.minimum(upper, 1.0)


def two_sided(lower: ArrayLike, upper: ArrayLike) -> Array:
    """Twice the smaller of two tail probabilities, at most 1."""
    return np.asarray(np.minimum(1.0, 2 * np.minimum(lower, upper)), dtype=np.float64)


def gamma_two_sided(total: float, shape: float) -> float:
    """For a sum that is Gamma(shape, 1): half a chi-square with 2 shape degrees of freedom, or a sum of
    exponentials."""
    return float(two_sided(gammainc(shape, total), gammaincc(shape, total)))


def correlation_two_sided(cosine: float, count: int) -> float:
    """For the cosine of two independent vectors of `count` >= 2 coordinates, one of them spherically symmetric.

    (1 + cosine)/2 is Beta((count - 1)/2, (count - 1)/2): exact for Gaussian vectors of any scale, no mean taken off.
    """
    half, at = (count - 1) / 2, min(max((1 + cosine) / 2, 0.0), 1.0)
    return float(two_sided(betainc(half, half, at), betainc(half, half, 1 - at)))


def _coincidence(probabilities: Array) -> float:
    return min(1.0, float(np.sum(probabilities**2)) * (1 + 1e-9))
