"""How many trials the rank test needs to catch a mechanism whose law is known, before any trial is run.

The statistic that is best for the law of the scores has a normal law where trials are many: it must lie as many
standard deviations from what the claim allows as alpha and the power take together. A real audit has to learn the shape
from a tenth of its trials, which costs power: `_CAUTION`. Where trials are few the tails are not normal: the number is
then tried in a few simulated audits, and raised until they catch the mechanism as often as asked.

Promises: no error probability. It is a forecast, checked by simulated audits where trials are few; that it holds is
measured and not derived.

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
from dpaudit.estimators.rank_test import best_statistic, split_p_value
from dpaudit.estimators.shapes import Shape, gaussian_shape, laplace_shape
from dpaudit.records.errors import ContentError
from dpaudit.records.privacy import Guarantee

_CAUTION = 1.2
"""Deviations that are asked for over those of a test that knows the shape. Measured, not derived: 40 audits each of
Gaussian and Laplace mechanisms against five claims, where 0.9 is stated, were caught with probability 0.8 to 1. Of 14
forecasts at 0.9, 100 or 200 audits each, ranks alone caught 0.75 to 1, ranks and counts together 0.88 to 1."""
_MANY = 20_000
"""Trials from which on the normal law is trusted without simulated audits."""
_FEWEST_AUDITS, _MOST_AUDITS = 12, 100
"""Simulated audits: so many that one may be missed of those that a chance asks for. A dozen cannot tell 0.99 from 0.9:
the held-out tenth of few trials suggests a wrong shape now and then, which no normal law foresees."""
_STEP = 1.15
"""Numbers of trials are tried in steps that do not hang on alpha, so that a smaller one never needs fewer."""
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
    wanted = _CAUTION * float(ndtri(power) - ndtri(alpha))

    def apart(trials: int) -> bool:
        if trials > _MOST:
            raise ContentError("no number of trials up to 1e12 tells the mechanism from the claimed guarantee")
        counted = counted_trials(trials)
        return best_statistic(law.shape, curve_of(guarantee), counted, counted)[1] >= wanted

    normal = max(least, least_integer(apart, _FEWEST, parts=100))
    if normal >= _MANY:
        return normal
    steps = (math.ceil(least * _STEP**step) for step in range(math.ceil(math.log(_MANY / least, _STEP)) + 1))
    tried = (trials for trials in steps if trials >= normal and caught(law, guarantee, trials, alpha, power))
    found = next(tried, None)
    if found is None:
        raise ContentError("the ranks of so few trials do not tell the mechanism from the claimed guarantee")
    return found


def caught(law: Law, guarantee: Guarantee, trials: int, alpha: float, power: float) -> bool:
    """Does the rank test at level `alpha` refute `guarantee` in a share of at least `power` of simulated audits?"""
    refuted, audits = 0, min(max(_FEWEST_AUDITS, math.ceil(1 / (1 - power))), _MOST_AUDITS)
    for seed in range(audits):
        rng = np.random.default_rng([seed, trials])
        scores = split(law.noise(rng, trials) + law.shift, law.noise(rng, trials))
        refuted += split_p_value(scores, guarantee, rng) <= alpha
        if refuted + audits - 1 - seed < power * audits:
            return False
    return True
