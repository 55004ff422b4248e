"""Pairs of laws of scores whose epsilon is known at any delta: what auditors are played on.

`known_laws(delta)` has them all. Each pair is symmetric, so that both orders of the data sets have the same epsilon:

    no signal           the same law on both sides, normal or of four values with ties and both infinities: epsilon 0
    randomised response scores 1 or 0, or both infinities, true with probability p = e^epsilon/(1 + e^epsilon)
    least favourable    what (epsilon, delta)-DP allows at most (Kairouz, Oh, Viswanath 2015, theorem 2.1): with
                        probability delta the output tells the data set, as an infinite score, else randomised response
    Laplace, Gaussian   in closed form (Balle, Wang 2018, theorem 8)
    logistic, t(3), t(10), sums of Laplace
                        shifted densities, their epsilon from the masses of 400,000 cells
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy.special import gammaln, kve

from dpaudit.accounting.epsilon import gaussian_epsilon
from dpaudit.arithmetic.arrays import Array

Draw = Callable[[np.random.Generator, int, bool], Array]
Density = Callable[[Array], Array]
Noise = Callable[[np.random.Generator, int], Array]

_CELLS = 400_001
_VALUES = (-math.inf, 0.0, 1.0, math.inf)


@dataclass(frozen=True)
class Law:
    """Scores with a known epsilon. draw: (generator, n, on the first data set?) -> scores (n,)."""

    name: str
    delta: float
    epsilon: float
    draw: Draw


@cache
def known_laws(delta: float) -> tuple[Law, ...]:
    """All laws whose epsilon at `delta`, in [0, 1), is finite; at delta 0 there is no Gaussian among them."""
    gaussian = [_shifted("Gaussian, mu 1", delta, gaussian_epsilon(delta, 1.0), 1.0, _normal)] if delta else []
    return (
        Law("no signal, normal", delta, 0.0, lambda rng, n, first: rng.normal(size=n)),
        Law("no signal, ties and infinities", delta, 0.0, lambda rng, n, first: rng.choice(_VALUES, n)),
        randomised_response("randomised response, epsilon 1", delta, _kept(1.0)),
        randomised_response("randomised response, epsilon 4", delta, _kept(4.0)),
        randomised_response("randomised response, infinite scores", delta, _kept(1.0), (-math.inf, math.inf)),
        Law("least favourable, epsilon 1", delta, 1.0, lambda rng, n, first: _least_favourable(rng, n, first, delta)),
        _shifted("Laplace, epsilon 1", delta, max(0.0, 1 + 2 * math.log1p(-delta)), 1.0, _laplace(1)),
        *gaussian,
        *(location.law(delta) for location in LOCATIONS),
    )


def randomised_response(name: str, delta: float, chance: float, values: tuple[float, float] = (0.0, 1.0)) -> Law:
    """The second of two values with this probability on the first data set, else the first; chance: above 1/2."""
    epsilon = math.log((chance - delta) / (1 - chance)) if chance - delta > 1 - chance else 0.0

    def draw(rng: np.random.Generator, n: int, first: bool) -> Array:
        return np.where(rng.random(n) < (chance if first else 1 - chance), values[1], values[0])

    return Law(name, delta, epsilon, draw)


def masses(density: Density, shift: float, reach: float) -> tuple[Array, Array]:
    """Of the cells of [-reach, reach] under the shifted density and under the density, each of sum 1."""
    cells = np.linspace(-reach, reach, _CELLS)
    first, second = density(cells - shift), density(cells)
    return first / first.sum(), second / second.sum()


_LOST = 2e-5
"""More than cells hide of the epsilon of a density: 9e-6 for t(3), below 1e-6 for the others, by another quadrature."""


def cell_epsilon(first: Array, second: Array, delta: float) -> float:
    """The epsilon at `delta`, in (0, 1), of two laws on the same cells, by bisection from above."""
    low, high = 0.0, 50.0
    if np.maximum(first - second, 0).sum() <= delta:
        return 0.0
    for _ in range(60):
        middle = (low + high) / 2
        exceeds = np.maximum(first - math.exp(middle) * second, 0).sum() > delta
        low, high = (middle, high) if exceeds else (low, middle)
    return high


def laplace_sum(x: Array, terms: int) -> Array:
    """The density of a sum of standard Laplace variables: a Bessel function (variance-gamma law)."""
    order, size = terms - 0.5, np.maximum(np.abs(x), 1e-6)
    logs = order * np.log(size) + np.log(kve(order, size)) - size - gammaln(terms) - order * math.log(2)
    return np.asarray(np.exp(logs) / math.sqrt(math.pi))


def logistic(x: Array) -> Array:
    """The density of the logistic law."""
    return np.asarray(0.25 / np.cosh(x / 2) ** 2)


def student(x: Array, degrees: float) -> Array:
    """The density of Student's t law."""
    log = gammaln((degrees + 1) / 2) - gammaln(degrees / 2) - math.log(degrees * math.pi) / 2
    return np.asarray(math.exp(log) * (1 + x * x / degrees) ** (-(degrees + 1) / 2))


def _normal(rng: np.random.Generator, n: int) -> Array:
    return rng.normal(size=n)


def _laplace(terms: int) -> Noise:
    return lambda rng, n: rng.laplace(size=(n, terms)).sum(1)


@dataclass(frozen=True)
class Location:
    """A law beside itself shifted. density: of the noise, in cells of [-reach, reach]; pure: the epsilon at delta 0
    where only the tail reaches it, None where it is the largest log ratio of the cells."""

    name: str
    noise: Noise
    shift: float
    density: Density
    reach: float
    pure: float | None = None

    def law(self, delta: float) -> Law:
        """The law with its epsilon at `delta`, in [0, 1)."""
        first, second = masses(self.density, self.shift, self.reach)
        if delta:
            epsilon = cell_epsilon(first, second, delta) + _LOST
        else:
            epsilon = float(np.log(first / second).max()) if self.pure is None else self.pure
        return _shifted(self.name, delta, epsilon, self.shift, self.noise)


_FIVE, _TWENTY = math.sqrt(10.0), math.sqrt(40.0)
"""Standard deviations of sums of so many Laplace variables."""
LOCATIONS = (
    Location("logistic, shift 1", lambda rng, n: rng.logistic(size=n), 1.0, logistic, 80, 1.0),
    Location("t(3), shift 1", lambda rng, n: rng.standard_t(3, n), 1.0, lambda x: student(x, 3), 2_000),
    Location("t(10), shift 1", lambda rng, n: rng.standard_t(10, n), 1.0, lambda x: student(x, 10), 400),
    Location("sum of 5 Laplace", _laplace(5), _FIVE, lambda x: laplace_sum(x, 5), 80, _FIVE),
    Location("sum of 20 Laplace", _laplace(20), _TWENTY, lambda x: laplace_sum(x, 20), 120, _TWENTY),
)
"""Sums are shifted by one standard deviation."""


def _shifted(name: str, delta: float, epsilon: float, shift: float, noise: Noise) -> Law:
    return Law(name, delta, epsilon, lambda rng, n, first: noise(rng, n) + (shift if first else 0.0))


def _kept(epsilon: float) -> float:
    return 1 / (1 + math.exp(-epsilon))


def _least_favourable(rng: np.random.Generator, n: int, first: bool, delta: float) -> Array:
    """The pair of (1, delta)-DP, as -inf, 0, 1 and inf."""
    side = rng.random(n) < (_kept(1.0) if first else 1 - _kept(1.0))
    return np.where(rng.random(n) < delta, math.inf if first else -math.inf, side.astype(np.float64))
