"""Renyi divergences of Gaussian mechanisms on hidden samples: published bounds and exact values.

s is the squared noise multiplier (variance over squared sensitivity), tau the rate of a sample, orders are above 1.
Values are divergences D_alpha(P || Q) = log E_Q[(P/Q)^alpha] / (alpha - 1), computed in logarithms or through expm1:
nothing overflows, and small divergences keep their digits (relative 1e-9 or better above 1e-12).

    theorem_9    upper bound for a subset without replacement, replace-one (Wang, Balle, Kasiviswanathan 2019)
    symmetrised  least bound for the same that holds for both orders of the neighbours at every epsilon, after the
                 trade-off function of Dong, Roth, Su (2022), theorem 4.2, and Balle, Barthe, Gaboardi (2018)
    line         (1 - tau) N(0, s) + tau N(1, s) against N(0, s): a pair that replace-one sampling realises, and the
                 worst pair of Poisson sampling (Mironov, Talwar, Zhang 2019)
    line_reversed, collinear, triangle    other pairs that replace-one sampling realises
    with_replacement                      b draws with replacement: sum_k P(K = k) N(k, s) against N(0, s)

Theorem 9 is stated for one order of the neighbours, but replacement is symmetric, so it covers both.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln, logsumexp, xlog1py, xlogy

from dpaudit.arithmetic.arrays import Array
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.validation import check_count, check_number

_MOST_POINTS = 4 * 10**8
"""Evaluations of one quadrature."""


def theorem_9(orders: ArrayLike, rate: float, variance: float) -> Array:
    """The bound for a Gaussian; between integers by the convexity of (alpha - 1) D_alpha; orders of any shape."""
    check_number("variance", variance, above=0.0)
    return theorem_9_of(orders, rate, lambda order: order / (2 * variance))


def theorem_9_of(orders: ArrayLike, rate: float, curve: Callable[[Array], Array], pure: float = math.inf) -> Array:
    """Theorem 9 for a base mechanism with the RDP curve `curve` and pure epsilon `pure`, in (0, inf]."""
    check_number("rate", rate, above=0.0, most=1.0)
    with np.errstate(over="ignore"):
        largest = float(np.expm1(pure))

    def cumulant(order: int) -> float:
        if order == 1:
            return 0.0
        j = np.arange(2, order + 1)
        epsilons = np.asarray(curve(j.astype(float)))
        caps = np.minimum(math.log(2), j * (np.log(largest) if largest > 0 else -np.inf))
        terms = (j - 1) * epsilons + caps
        terms[0] = min(terms[0], math.log(4 * math.expm1(epsilons[0])) if epsilons[0] < 700 else math.inf)
        return float(np.logaddexp(0.0, logsumexp(j * math.log(rate) + _log_binomials(order)[2:] + terms)))

    return _per_order(orders, lambda order: _interpolated(cumulant, order))


def line(orders: ArrayLike, rate: float, variance: float) -> Array:
    """D_alpha((1 - tau) N(0, s) + tau N(1, s) || N(0, s)): a finite sum at integers, else quadrature."""
    _check(rate, variance)

    def value(order: float) -> float:
        if order != int(order) or order > 1e5:
            return divergence(order, ((1 - rate, 0.0), (rate, 1.0)), ((1.0, 0.0),), variance)
        k = np.arange(2, int(order) + 1)
        logs = _log_binomials(int(order))[2:] + xlogy(k, rate) + xlog1py(order - k, -rate)
        return float(np.logaddexp(0.0, logsumexp(logs + _log_expm1(k * (k - 1) / (2 * variance))))) / (order - 1)

    return _per_order(orders, value)


def line_reversed(orders: ArrayLike, rate: float, variance: float) -> Array:
    """D_alpha(N(0, s) || (1 - tau) N(0, s) + tau N(1, s)), by quadrature."""
    _check(rate, variance)
    pair = ((1 - rate, 0.0), (rate, 1.0))
    return _per_order(orders, lambda order: divergence(order, ((1.0, 0.0),), pair, variance))


def collinear(orders: ArrayLike, rate: float, variance: float) -> Array:
    """D_alpha((1 - tau) N(0) + tau N(1/2) || (1 - tau) N(0) + tau N(-1/2)), all of variance s, by quadrature."""
    _check(rate, variance)
    first, second = ((1 - rate, 0.0), (rate, 0.5)), ((1 - rate, 0.0), (rate, -0.5))
    return _per_order(orders, lambda order: divergence(order, first, second, variance))


def triangle(
    orders: ArrayLike, rate: float, variance: float, sides: tuple[float, float, float] = (1.0, 1.0, 1.0)
) -> Array:
    """D_alpha((1 - tau) N(m) + tau N(x1) || (1 - tau) N(m) + tau N(x2)) in the plane, at integer orders.

    sides: |x1 - m|, |x2 - m| > 0, |x1 - x2|, by default equilateral. The direction across x2 - m is integrated in
    closed form after binomial expansion, the other one numerically. Absolute error 1e-13/(alpha - 1).
    """
    _check(rate, variance)
    first, second, between = (check_number(f"sides[{i}]", side, least=0.0) for i, side in enumerate(sides))
    if not (second > 0 and abs(first - second) - 1e-12 <= between <= first + second + 1e-12):
        raise ConfigurationError(f"sides must be those of a triangle with sides[1] > 0, got {sides}")
    along = (first**2 + second**2 - between**2) / (2 * second)
    across = max(0.0, first**2 - along**2)

    def value(order: float) -> float:
        if order != int(order):
            raise ConfigurationError(f"orders must be integers for a triangle, got {order}")
        k = np.arange(int(order) + 1)
        logs = _log_binomials(int(order)) + xlog1py(order - k, -rate) + xlogy(k, rate)
        logs = logs + (k**2 * across - k * first**2) / (2 * variance)
        centre = np.maximum(k * along, 0.0).max()
        ends = min(0.0, -order * second, float((k * along).min())), centre + second
        y, step = _points(ends, second, variance, order)
        base = -(y**2) / (2 * variance) + (1 - order) * _log_mixed(rate, (second * y - second**2 / 2) / variance)
        integrals = [logsumexp(base + power * along * y / variance) for power in k]
        whole = logsumexp(logs + np.array(integrals)) + math.log(step) - math.log(2 * math.pi * variance) / 2
        return max(0.0, float(whole)) / (order - 1)

    return _per_order(orders, value)


def with_replacement(orders: ArrayLike, draws: int, records: int, variance: float, reverse: bool = False) -> Array:
    """D_alpha(sum_k P(K = k) N(k, s) || N(0, s)) or the other order, K ~ Bin(draws, 1/records), by quadrature."""
    check_number("variance", variance, above=0.0)
    counted = tuple((float(w), float(k)) for k, w in enumerate(counts(draws, records)) if w > 0)
    single = ((1.0, 0.0),)
    first, second = (single, counted) if reverse else (counted, single)
    return _per_order(orders, lambda order: divergence(order, first, second, variance))


def counts(draws: int, records: int) -> Array:
    """P(K = k) for k = 0, ..., draws: how often a record is among `draws` uniform draws."""
    check_count("draws", draws)
    check_count("records", records)
    if records == 1:
        return np.append(np.zeros(draws), 1.0)
    k = np.arange(draws + 1)
    return np.asarray(np.exp(_log_binomials(draws) - k * math.log(records) + (draws - k) * math.log1p(-1 / records)))


def symmetrised(orders: ArrayLike, rate: float, variance: float) -> Array:
    """The divergence of the pair whose hockey-stick curve is the larger of both orders of `line` at every epsilon.

    Its law of losses has those of `line` above 0, those of the reversed pair below 0 and the rest at 0, so that
    E[e^{(alpha-1) loss}] - 1 = int_{1/2}^inf Q (r^alpha + r^{1-alpha} - r - 1), r = dP/dQ.
    """
    _check(rate, variance)
    nodes, weights = np.polynomial.legendre.leggauss(16)

    def value(order: float) -> float:
        far = 0.5 + order + math.sqrt(variance) * (12 + math.sqrt(-2 * math.log(rate)))
        panel = min(math.sqrt(variance) / 2, variance)
        edges = np.linspace(0.5, far, 2 + _limited(math.ceil((far - 0.5) / panel)))
        half = (edges[1] - edges[0]) / 2
        x = (edges[:-1, None] + half + half * nodes).ravel()
        loss = _log_mixed(rate, (x - 0.5) / variance)
        base = np.tile(np.log(weights * half), len(edges) - 1) - x**2 / (2 * variance)
        base -= math.log(2 * math.pi * variance) / 2
        with np.errstate(over="ignore", divide="ignore"):
            grown = np.where(order * loss < 30, np.expm1(np.minimum(order * loss, 30.0)), np.nan)
            small = grown + np.expm1((1 - order) * loss) - np.expm1(np.minimum(loss, 30.0))
            logs = np.where(order * loss < 30, np.log(np.maximum(small, 0.0)), order * loss)
        return float(np.logaddexp(0.0, logsumexp(base + logs))) / (order - 1)

    return _per_order(orders, value)


def gaussian_limit(rate: float, variance: float, steps: int) -> float:
    """mu of the Gaussian limit of `steps` releases of the `line` pair: tau sqrt(T (e^{1/s} - 1)) (many steps)."""
    _check(rate, variance)
    check_count("steps", steps)
    return rate * math.sqrt(steps * math.expm1(1 / variance))


Mixture = Sequence[tuple[float, float]]
"""(weight, mean) of normal laws with one variance."""


def divergence(order: float, first: Mixture, second: Mixture, variance: float) -> float:
    """D_order(first || second) of mixtures of normal laws on the line; trapezoid rule on an analytic integrand."""
    first, second = (tuple(part for part in mixture if part[0] > 0) for mixture in (first, second))
    means = [mean for _, mean in (*first, *second)]
    low, high = min(means), max(means)
    span = max(high - low, 1e-300)
    least = min(weight for weight, _ in (*first, *second))
    margin = math.sqrt(2 * variance * order * -math.log(least)) if least < 1 else 0.0
    centres = [order * a + (1 - order) * b for _, a in first for _, b in second]
    ends = min(*centres, low) - margin, max(*centres, high) + margin
    x, step = _points(ends, span, variance, order, len(means))
    top, bottom = _log_density(x, first, variance), _log_density(x, second, variance)
    loss = top - bottom
    grown = bottom + order * loss
    if float(grown.max()) > 300 or float(np.max(order * np.abs(loss) * (bottom > -745))) > 600:
        whole = logsumexp(grown) + math.log(step)
        return float(max(0.0, whole)) / (order - 1)
    with np.errstate(over="ignore", invalid="ignore"):
        excess = np.exp(bottom) * (np.expm1(order * loss) - order * np.expm1(loss))
        excess = np.where(bottom > -745, excess, np.exp(grown))
    return math.log1p(max(0.0, step * float(excess.sum()))) / (order - 1)


def _points(
    ends: tuple[float, float], span: float, variance: float, order: float, terms: int = 2
) -> tuple[Array, float]:
    """Points of a trapezoid rule and their distance; the mixtures have no zero nearer to the line than pi s/span."""
    deviation = math.sqrt(variance)
    step = min(deviation / 8, variance / (2 * span))
    low, high = ends[0] - 12 * deviation, ends[1] + 12 * deviation
    _limited(math.ceil((high - low) / step) * terms)
    return np.asarray(low + step * np.arange(math.ceil((high - low) / step) + 1), dtype=np.float64), step


def _limited(points: int) -> int:
    if points > _MOST_POINTS:
        raise ConfigurationError(
            f"the quadrature needs {points:.2g} evaluations, more than {_MOST_POINTS:.0e}; take a smaller order, a "
            "larger variance or fewer draws"
        )
    return points


def _log_density(x: Array, mixture: Mixture, variance: float) -> Array:
    total = np.full_like(x, -np.inf)
    for weight, mean in mixture:
        total = np.logaddexp(total, math.log(weight) - (x - mean) ** 2 / (2 * variance))
    return np.asarray(total - math.log(2 * math.pi * variance) / 2)


def _log_mixed(rate: float, loss: Array) -> Array:
    """log(1 - rate + rate e^loss), exact near 0."""
    near = np.log1p(rate * np.expm1(np.minimum(loss, 1.0)))
    far = loss + np.log(rate + (1 - rate) * np.exp(-np.maximum(loss, 1.0)))
    return np.where(loss < 1, near, far)


def _log_binomials(top: int) -> Array:
    """log C(top, j) for j = 0, ..., top."""
    if top > 10**5:
        j = np.arange(top + 1)
        return np.asarray(gammaln(top + 1) - gammaln(j + 1) - gammaln(top - j + 1))
    j = np.arange(1, top + 1)
    return np.append(0.0, np.cumsum(np.log((top - j + 1) / j)))


def _log_expm1(x: Array) -> Array:
    return np.where(x > 1, x + np.log1p(-np.exp(-np.maximum(x, 1.0))), np.log(np.expm1(np.minimum(x, 1.0))))


def _interpolated(cumulant: Callable[[int], float], order: float) -> float:
    low, high = cumulant(math.floor(order)), cumulant(math.ceil(order))
    return (low + (order - math.floor(order)) * (high - low)) / (order - 1)


def _per_order(orders: ArrayLike, value: Callable[[float], float]) -> Array:
    given = np.asarray(orders, dtype=np.float64)
    for order in given.ravel():
        check_number("orders", float(order), above=1.0)
    return np.array([value(float(order)) for order in given.ravel()]).reshape(given.shape)


def _check(rate: float, variance: float) -> None:
    check_number("rate", rate, above=0.0, most=1.0)
    check_number("variance", variance, above=0.0)
