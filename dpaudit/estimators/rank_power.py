"""How many trials the rank test needs to catch a mechanism whose law is known, before any trial is run.

The statistic that is best for the law of the scores has a normal law where trials are many: it must lie as many
standard deviations from what the claim allows as alpha and the power take together. A real audit has to learn the shape
from a tenth of its trials, which costs power, and where trials are few the tails are not normal. So audits are
simulated, each says by how many deviations it is beyond the claim, and the number of trials is moved until the share
that the power leaves out is below the critical deviation. Deviations grow as the root of the number.

Promises: no error probability. It is a forecast; how near it comes is measured (`benchmarks/forecasts.py`) and not
derived.

Assumes: scores whose law is known, and the same on both sides but for a shift.

Decides: no. `dpaudit power`, and the forecast before an audit, use it.

Example:

    >>> from dpaudit.estimators.rank_power import gaussian_law, trials_needed
    >>> from dpaudit.records.privacy import GaussianDP
    >>> 100 < trials_needed(gaussian_law(1.5), GaussianDP(1.0), alpha=1e-6) < 1_000  # two thirds of the noise
    True
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from dpaudit.arithmetic.arrays import Array
from dpaudit.arithmetic.roots import least_integer
from dpaudit.estimators.curves import curve_of
from dpaudit.estimators.held_out_threshold import split
from dpaudit.estimators.power import counted_trials
from dpaudit.estimators.rank_test import best_statistic, split_deviations
from dpaudit.estimators.shapes import Shape, gaussian_shape, laplace_shape
from dpaudit.records.errors import ContentError
from dpaudit.records.privacy import Guarantee

_MANY = 50_000
"""Trials from which on audits are not simulated: the shape is known, and the law normal."""
_AUDITS = 60
"""Simulated audits at each number of trials, and more where the chance is so near 1 that they could not show it."""
_MOST_AUDITS = 400
_ROUNDS, _NEAR, _FARTHEST = 6, 0.05, 3.0
"""Numbers of trials that are tried; the relative move that ends it; the least deviations shown are the critical ones
over this, and a shape that takes so many times the trials of a known one is not learnt."""
_SIMULATED = 1.1
"""What a p-value pays for being simulated, as a factor."""
_FEWEST, _MOST = 20, 10**12


@dataclass(frozen=True)
class Law:
    """Scores of a mechanism: noise(rng, n) on D', the same moved by `shift` on D; shape: their ROC curve."""

    shape: Shape
    shift: float
    noise: Callable[[np.random.Generator, int], Array]


def gaussian_law(mu: float) -> Law:
    """A Gaussian mechanism with this mu."""
    return Law(gaussian_shape(mu), mu, lambda rng, number: rng.normal(size=number))


def laplace_law(epsilon: float) -> Law:
    """A Laplace mechanism with this epsilon."""
    return Law(laplace_shape(epsilon), epsilon, lambda rng, number: rng.laplace(size=number))


def trials_needed(law: Law, guarantee: Guarantee, alpha: float, power: float = 0.9, least: int = _FEWEST) -> int:
    """Trials a side, at least `least`, with which the rank test at level `alpha` refutes `guarantee` with `power`.

    Raises ContentError if 10^12 do not suffice, as when there is no violation, and where the shape cannot be learnt
    from a tenth of `_MANY` trials.
    """
    critical = -float(ndtri(alpha / _SIMULATED))
    wanted = critical + float(ndtri(power))

    def apart(trials: int) -> bool:
        if trials > _MOST:
            raise ContentError("no number of trials up to 1e12 tells the mechanism from the claimed guarantee")
        counted = counted_trials(trials)
        return best_statistic(law.shape, curve_of(guarantee), counted, counted)[1] >= wanted

    trials = started = max(least, least_integer(apart, _FEWEST, parts=100))
    for _ in range(_ROUNDS):
        if trials >= _MANY:
            break
        shown = max(deviations(law, guarantee, trials, power), critical / _FARTHEST)
        moved = max(least, math.ceil(trials * (critical / shown) ** 2))
        near, trials = abs(moved - trials) <= _NEAR * trials, moved
        if near:
            break
    if trials > max(_MANY, _FARTHEST * started):
        raise ContentError("the ranks of so few trials do not tell the mechanism from the claimed guarantee")
    return trials


def deviations(law: Law, guarantee: Guarantee, trials: int, power: float) -> float:
    """Deviations beyond the claim that a share `power` of simulated audits with so many trials shows at least."""
    found, audits = [], min(max(_AUDITS, math.ceil(6 / (1 - power))), _MOST_AUDITS)
    for seed in range(audits):
        rng = np.random.default_rng([seed, trials])
        scores = split(law.noise(rng, trials) + law.shift, law.noise(rng, trials))
        found.append(split_deviations(scores, guarantee, rng))
    return float(np.quantile(found, 1 - power))
