"""The epsilon of a mechanism, of a promise or of a guarantee, enclosed from both sides.

An enclosure is of the epsilon of the worst mechanism that fits the description, over all data, queries and neighbours:
lower <= epsilon <= upper. A claim takes the upper end, so that an audit is never refuted by the rounding of an
accountant; the lower end is realised by some mechanism, not by every run.

    Gaussian compositions    mu-GDP with mu^2 = sum of 1/noise_multiplier^2 (Dong, Roth, Su 2022, corollary 3.3), up to
                             a root
    other compositions       loss distributions (`loss_distributions`). Poisson samples: both orders of the dominating
                             pair (Zhu, Dong, Wang 2022, theorem 11). Samples of fixed size and with replacement, under
                             replace-one: from above the hockey-stick curve that holds for both orders (Balle, Barthe,
                             Gaboardi 2018, theorems 9 and 10; Dong, Roth, Su 2022, theorem 4.2), from below the
                             realised pair in either order. Pure DP: randomised response (Kairouz, Oh, Viswanath 2015)
    with Concentrated or     from above Renyi divergences added up and converted by dp-accounting (Canonne, Kamath,
    ApproximateRenyi         Steinke 2020, proposition 12) at the best order; from below a Gaussian that keeps it

Failures. An event of probability f on both data sets costs f of delta and log 1/(1 - f) of epsilon; a shift by g in
total variation costs (1 + e^epsilon) g of delta (Carmon, Jambulapati, Jin, Lee, Liu, Sidford, Tian 2023, corollary 1).
From below, the mechanism that tells everything with that probability. Where delta is not above them, nothing holds:
the upper end is infinite, and `reason` says so.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from dpaudit.accounting.composition import (
    Flat,
    flattened,
    gaussian_parameter,
    largest_order,
    loss_parts,
    refuse_neighbours,
    renyi_divergence,
)
from dpaudit.accounting.loss_distributions import LARGEST_LOSS, composed_epsilon
from dpaudit.accounting.tradeoff import LARGEST_RENYI_ORDER
from dpaudit.records.errors import ContentError, MissingPackageError
from dpaudit.records.mechanism import Mechanism, Promise
from dpaudit.records.privacy import ApproximateDP, GaussianDP, Guarantee, Neighbours, PrivacyProfile

__all__ = [
    "EpsilonBounds", "claimed_epsilon", "epsilon_bounds", "epsilon_upper", "gaussian_epsilon", "gaussian_parameter",
    "profile", "promised_epsilon",
]  # fmt: skip

_SMALLEST_ORDER = 1.011
"""The conversion of dp-accounting does without orders up to 1.01."""
_LEAST = 1e-15
_LEAST_READ = 1e-12
"""The least delta at which sums of losses can be read in float64: the epsilon there is a lower bound on that at 0."""
_ROUND_UP = 1 + 1e-9
"""More than the roundings of Renyi divergences."""


@dataclass(frozen=True)
class EpsilonBounds:
    """lower <= epsilon <= upper, both equal (to 1e-9) where the epsilon is known up to a root.

    reason: why the upper end is infinite; empty if it is not.
    """

    lower: float
    upper: float
    reason: str = ""


def gaussian_epsilon(delta: float, mu: float) -> float:
    """The smallest epsilon >= 0 such that mu-GDP implies (epsilon, delta)-DP; 0 < delta < 1, mu >= 0.

    Raises MissingPackageError without dp-accounting, ContentError for a delta or mu out of range.
    """
    _check_delta(delta)
    if not 0 <= mu < math.inf:
        raise ContentError(f"mu must be finite and at least 0, got {mu}")
    if mu == 0:
        return 0.0
    with np.errstate(divide="ignore"):  # at a tiny mu the package takes the logarithm of 0, and gets it right
        return float(_package().get_epsilon_gaussian(1 / mu, delta))


def promised_epsilon(promise: Promise, delta: float) -> EpsilonBounds:
    """The epsilon of what a run promises at `delta`, under its own neighbouring relation."""
    return epsilon_bounds(promise.mechanism, delta, promise.neighbours)


def epsilon_bounds(mechanism: Mechanism, delta: float, neighbours: Neighbours) -> EpsilonBounds:
    """An enclosure of the epsilon of `mechanism` at `delta`, in [0, 1); at 0 it is that of pure DP.

    Raises ContentError for what cannot be accounted, or not under `neighbours`, MissingPackageError where
    dp-accounting is needed and absent.
    """
    if delta != 0:
        _check_delta(delta)
    refuse_neighbours(mechanism, neighbours)
    flat = flattened(mechanism)
    if flat.unbounded:
        return EpsilonBounds(math.inf, math.inf, f"{flat.unbounded} promises nothing: its budget is infinite")
    if delta == 0:
        return _pure(flat)
    if not flat.leaves:
        epsilon = gaussian_epsilon(delta, flat.mu)
        return EpsilonBounds(epsilon, epsilon)
    lower, (upper, reason) = _lower(flat, delta), _upper(flat, delta)
    return EpsilonBounds(min(lower, upper), upper, reason)


PROFILE_DELTAS = (1e-10, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.03, 0.1, 0.2, 0.3, 0.5)
"""Where `profile` reads a curve unless the caller says otherwise."""


@cache
def profile(
    mechanism: Mechanism, neighbours: Neighbours, label: str, deltas: tuple[float, ...] = PROFILE_DELTAS
) -> PrivacyProfile:
    """What `mechanism` guarantees at every one of `deltas`, rounded up: the points with a finite epsilon.

    The one point (infinity, largest delta) where nothing is guaranteed.
    """
    points: list[tuple[float, float]] = []
    for delta in sorted(deltas):
        epsilon = epsilon_upper(mechanism, delta, neighbours)
        if epsilon < math.inf:
            points.append((min(epsilon, points[-1][0]) if points else epsilon, delta))
    return PrivacyProfile(tuple(points) or ((math.inf, max(deltas)),), label)


def epsilon_upper(mechanism: Mechanism, delta: float, neighbours: Neighbours) -> float:
    """The upper end of `epsilon_bounds` alone, several times as fast."""
    _check_delta(delta)
    refuse_neighbours(mechanism, neighbours)
    flat = flattened(mechanism)
    if flat.unbounded:
        return math.inf
    return _upper(flat, delta)[0] if flat.leaves else gaussian_epsilon(delta, flat.mu)


def claimed_epsilon(guarantee: Guarantee, delta: float) -> float:
    """The epsilon that `guarantee` promises at `delta`, in [0, 1), rounded up; infinite where it promises nothing.

    RDP is converted by dp-accounting (Canonne, Kamath, Steinke 2020, proposition 12), which
    raises MissingPackageError when absent.
    """
    if isinstance(guarantee, ApproximateDP):
        return guarantee.epsilon if delta >= guarantee.delta else math.inf
    if isinstance(guarantee, PrivacyProfile):
        return min((epsilon for epsilon, point in guarantee.points if point <= delta), default=math.inf)
    if isinstance(guarantee, GaussianDP):
        if delta == 0:
            return math.inf if guarantee.mu > 0 else 0.0
        return gaussian_epsilon(delta, guarantee.mu)
    return _converted(min(guarantee.order, LARGEST_RENYI_ORDER), guarantee.epsilon, delta)


def _pure(flat: Flat) -> EpsilonBounds:
    """At delta = 0: Laplace mechanisms, randomised responses and samples of one reach the sum of their epsilons,
    Gaussians none."""
    if flat.squared > 0:
        return EpsilonBounds(math.inf, math.inf, "Gaussian noise keeps no epsilon at delta = 0")
    if flat.pure < math.inf:
        return EpsilonBounds(flat.pure / _ROUND_UP, flat.pure)
    return EpsilonBounds(_lower(flat, _LEAST_READ), math.inf, "no finite epsilon is known at delta = 0")


def _lower(flat: Flat, delta: float) -> float:
    """Of the mechanism that tells everything with the failure probability, and else keeps the promise exactly."""
    told = flat.told
    if told > delta:
        return math.inf
    left = max((delta - told) / (1 - told), _LEAST)  # the epsilon falls with delta: a larger one is a lower bound
    worst = flat.representative()
    if not worst.leaves:
        return gaussian_epsilon(left, worst.mu)
    return max(composed_epsilon(parts, left, upper=False) for parts in loss_parts(worst, left, upper=False))


def _upper(flat: Flat, delta: float) -> tuple[float, str]:
    lost = flat.event + 2 * flat.shift
    if lost >= delta:
        return math.inf, f"delta = {delta:.4g} is not above the failures, which take {lost:.4g} of it"

    @cache
    def without_failure(left: float) -> float:
        if flat.renyi_only:
            return _renyi_epsilon(flat, left)
        found = max(composed_epsilon(parts, left, upper=True) for parts in loss_parts(flat, left, upper=True))
        return min(found, flat.pure)

    epsilon = _with_failures(without_failure, delta, flat)
    if math.isfinite(epsilon):
        return epsilon, ""
    if flat.renyi_only:
        return epsilon, f"no order gives a finite epsilon at delta = {delta:.4g}"
    return epsilon, f"losses above {LARGEST_LOSS:g} have more than delta = {delta:.4g}"


def _with_failures(without: Callable[[float], float], delta: float, flat: Flat) -> float:
    """The least epsilon that pays for itself: the shift costs more delta the larger epsilon is."""
    cost, epsilon = -math.log1p(-flat.event), 0.0
    for _ in range(200):
        left = delta - flat.event - (1 + math.exp(min(epsilon, 700.0))) * flat.shift
        needed = without(left) + cost if left > 0 else math.inf
        if needed <= epsilon or needed == math.inf:
            return max(needed, epsilon)
        epsilon = needed * (1 + 1e-12)
    return math.inf


def _renyi_epsilon(flat: Flat, delta: float) -> float:
    """The best conversion over all orders; each order is a bound, so that the search need not be exact."""
    from scipy.optimize import minimize_scalar  # a third of the start of every command, which few need

    def converted(log: float) -> float:
        order = min(1 + math.exp(log), most)
        return _converted(order, renyi_divergence(flat, order) * _ROUND_UP, delta)

    most = largest_order(flat)
    if most <= _SMALLEST_ORDER:
        return _converted(most, renyi_divergence(flat, most) * _ROUND_UP, delta)
    low, high = math.log(_SMALLEST_ORDER - 1), math.log(most - 1)
    grid = [low + (high - low) * i / 60 for i in range(61)]
    values = [converted(log) for log in grid]
    best = min(range(61), key=values.__getitem__)
    around = grid[max(best - 1, 0)], grid[min(best + 1, 60)]
    found = minimize_scalar(converted, bounds=around, method="bounded", options={"xatol": 1e-9})
    return min(values[best], float(found.fun))


def _converted(order: float, epsilon: float, delta: float) -> float:
    return float(_package().rdp.compute_epsilon([order], [epsilon], delta)[0])


def _check_delta(delta: float) -> None:
    if not 0 < delta < 1:
        raise ContentError(f"delta must be in (0, 1), got {delta}")


def _package() -> Any:
    try:
        import dp_accounting
    except ImportError as error:
        raise MissingPackageError("dp-accounting", "accountants") from error
    return dp_accounting
