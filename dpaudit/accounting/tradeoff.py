"""Trade-off curves: what a guarantee allows a distinguisher, as functions of its error rates.

A test that says "this is D" is described by its false positive rate (on D') and its true
positive rate (on D). A guarantee bounds the true positive rate by a non-decreasing concave
function of the false positive rate, for both orders of D and D' at once. Everything here is
float64; relative errors are stated where they are not a few units in the last place.

Sources: Dong, Roth, Su, "Gaussian differential privacy" (2022), definitions 2.1 and 2.6,
proposition 2.4; Mironov, "Renyi differential privacy" (2017), for the data processing inequality.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri

from dpaudit.arithmetic.arrays import Array
from dpaudit.arithmetic.roots import bisected_arrays
from dpaudit.records.errors import ContentError
from dpaudit.records.privacy import ApproximateDP, GaussianDP, Guarantee, PrivacyProfile, RenyiDP

Rates = Array

_BISECTIONS = 200
"""Halvings of an interval of rates: more than the 1,075 binary orders of float64 near 0 ever need
in relative terms, because the search runs on the logit scale."""

LARGEST_RENYI_ORDER = 1e300
"""What holds at a larger order holds here too, and sums of logarithms times the order do not overflow. To float64 it is
the infinite order, which is pure DP (Mironov 2017, section 3)."""


def gaussian_tradeoff(false_positive_rate: ArrayLike, mu: float) -> Rates:
    """f_mu: the smallest false negative rate at each false positive rate in [0, 1] under mu-GDP, mu >= 0."""
    rates = _rates(false_positive_rate)
    return np.asarray(ndtr(-ndtri(rates) - _nonnegative("mu", mu)), dtype=np.float64)


def largest_true_positive_rate(false_positive_rate: ArrayLike, guarantee: Guarantee) -> Rates:
    """The largest true positive rate that `guarantee` allows at each false positive rate in [0, 1].

    (epsilon, delta)-DP gives a polygon, a profile the lowest of its polygons, mu-GDP the Gaussian curve; for
    (order, epsilon)-RDP it is what the data processing inequality leaves to a two-valued output, in both orders.
    """
    rates = _rates(false_positive_rate)
    if isinstance(guarantee, GaussianDP):
        return np.asarray(ndtr(ndtri(rates) + guarantee.mu), dtype=np.float64)
    if isinstance(guarantee, ApproximateDP):
        return _polygon_rate(rates, guarantee.epsilon, guarantee.delta)
    if isinstance(guarantee, PrivacyProfile):
        polygons = np.stack([_polygon_rate(rates, *point) for point in guarantee.points])
        return np.asarray(polygons.min(axis=0), dtype=np.float64)
    return _renyi_rate(rates, guarantee)


def describe(guarantee: Guarantee) -> str:
    """The guarantee in a few characters, for labels."""
    if isinstance(guarantee, GaussianDP):
        return f"{guarantee.mu:.4g}-GDP"
    if isinstance(guarantee, ApproximateDP):
        return f"({guarantee.epsilon:.4g}, {guarantee.delta:.3g})-DP"
    if isinstance(guarantee, PrivacyProfile):
        return guarantee.label
    return f"({guarantee.order:.4g}, {guarantee.epsilon:.4g})-RDP"


def _polygon_rate(rates: Rates, epsilon: float, delta: float) -> Rates:
    if epsilon == math.inf:
        return np.ones_like(rates)
    with np.errstate(over="ignore", invalid="ignore"):
        grown = np.where(rates > 0, rates * np.exp(epsilon), 0.0)
    mirrored = 1 - math.exp(-epsilon) * (1 - delta - rates)
    return np.minimum(np.minimum(grown + delta, mirrored), 1.0)


def _renyi_rate(rates: Rates, guarantee: RenyiDP) -> Rates:
    """Bisection on the logit of the true positive rate: the divergence grows with it above the diagonal."""
    order = min(guarantee.order, LARGEST_RENYI_ORDER)
    low = np.log(np.maximum(rates, 1e-320)) - np.log1p(-np.minimum(rates, 1 - 2.0**-53))
    high = np.full_like(rates, 740.0)
    _, high = bisected_arrays(
        lambda logit: _two_valued_divergence(logit, rates, order) <= guarantee.epsilon, low, high, _BISECTIONS
    )
    allowed = np.exp(-np.logaddexp(0.0, -high))  # rounded up: the end that no longer fits
    return np.where(rates >= 1, 1.0, np.where(rates <= 0, 0.0, np.minimum(allowed, 1.0)))


def _two_valued_divergence(logit: Rates, rates: Rates, order: float) -> Rates:
    """The larger of both Renyi divergences between Bernoulli(expit(logit)) and Bernoulli(rates)."""
    log_yes, log_no = -np.logaddexp(0.0, -logit), -np.logaddexp(0.0, logit)
    with np.errstate(divide="ignore"):
        base_yes, base_no = np.log(rates), np.log1p(-rates)
    with np.errstate(invalid="ignore"):
        forward = np.logaddexp(order * log_yes + (1 - order) * base_yes, order * log_no + (1 - order) * base_no)
        backward = np.logaddexp(order * base_yes + (1 - order) * log_yes, order * base_no + (1 - order) * log_no)
    return np.asarray(np.maximum(forward, backward) / (order - 1), dtype=np.float64)


def _rates(values: ArrayLike) -> Rates:
    rates = np.asarray(values, dtype=np.float64)
    if not np.all((rates >= 0) & (rates <= 1)):  # NaN fails here too
        raise ContentError("rates must be in [0, 1] and not NaN")
    return rates


def _nonnegative(name: str, value: float) -> float:
    if not value >= 0:
        raise ContentError(f"{name} must be at least 0, got {value}")
    return value
