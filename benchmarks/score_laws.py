"""Laws of scores whose epsilon at delta = 1e-5 and smallest mu are known, for benchmarks/validity.py.

In closed form, or by summing both densities over a fine grid.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from dpaudit.audit.laws import cell_epsilon, laplace_sum, logistic, masses, student
from dpaudit.estimators import conditional_gaussian

Floats = NDArray[np.float64]
Sample = Callable[[np.random.Generator, int], Floats]

DELTA = 1e-5


@dataclass(frozen=True)
class Law:
    """noise: centred draws, of which D has its own plus `shift`; epsilon at DELTA and the smallest mu of the pair."""

    name: str
    noise: Sample
    shift: float
    epsilon: float
    mu: float

    def scores(self, rng: np.random.Generator, trials: int) -> tuple[Floats, Floats]:
        """Trials on D and on D'."""
        return self.noise(rng, trials) + self.shift, self.noise(rng, trials)


@dataclass(frozen=True)
class RandomisedResponse(Law):
    """One bit, true with probability 1 / (1 + e^-shift)."""

    def scores(self, rng: np.random.Generator, trials: int) -> tuple[Floats, Floats]:
        """Trials on D and on D'."""
        keep = 1 / (1 + math.exp(-self.shift))
        return (rng.random(trials) < keep).astype(np.float64), (rng.random(trials) > keep).astype(np.float64)


def laws() -> tuple[Law, ...]:
    """The laws of the table with their exact privacy."""
    five, twenty = math.sqrt(10.0), math.sqrt(40.0)  # shifts by one standard deviation
    keep = 1 / (1 + math.exp(-1.0))
    gaussian = 0.26805116
    return (
        Law("no signal, Gaussian", lambda r, n: r.normal(size=n), 0.0, 0.0, 0.0),
        location("logistic, shift 1", lambda r, n: r.logistic(size=n), 1.0, logistic, 80),
        location("t(10), shift 1", lambda r, n: r.standard_t(10, n), 1.0, lambda x: student(x, 10), 400),
        location("sum of 5 Laplace", lambda r, n: r.laplace(size=(n, 5)).sum(1), five, lambda x: laplace_sum(x, 5), 80),
        location("sum of 20 Laplace", lambda r, n: r.laplace(size=(n, 20)).sum(1), twenty,
                 lambda x: laplace_sum(x, 20), 120),
        Law("Laplace, epsilon 1", lambda r, n: r.laplace(size=n), 1.0, 1 + 2 * math.log1p(-DELTA),
            2 * float(ndtri(1 - math.exp(-0.5) / 2))),
        RandomisedResponse("randomised response, epsilon 1", lambda r, n: r.normal(size=n), 1.0,
                           math.log((keep - DELTA) / (1 - keep)), 2 * float(ndtri(keep))),
        Law("Gaussian, (1, 1e-5)", lambda r, n: r.normal(size=n), gaussian,
            conditional_gaussian.epsilon_at(gaussian, DELTA), gaussian),
    )  # fmt: skip


def location(name: str, noise: Sample, shift: float, density: Callable[[Floats], Floats], reach: float) -> Law:
    """A shifted density, with its privacy from cell masses, of the most telling tests (Neyman and Pearson 1933)."""
    p, q = masses(density, shift, reach)
    order = np.argsort(-p / q, kind="stable")
    true_rate, false_rate = np.cumsum(p[order]), np.cumsum(q[order])
    inside = (np.minimum(false_rate, true_rate) > 1e-9) & (np.maximum(false_rate, true_rate) < 1 - 1e-9)
    return Law(
        name,
        noise,
        shift,
        cell_epsilon(p, q, DELTA),
        float((ndtri(true_rate[inside]) - ndtri(false_rate[inside])).max()),
    )
