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
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from dpaudit.arithmetic.roots import least_integer
from dpaudit.estimators.curves import curve_of
from dpaudit.estimators.held_out_threshold import HELD_OUT
from dpaudit.estimators.least_favourable import Ranks, log_bound
from dpaudit.estimators.power import counted_trials
from dpaudit.estimators.rank_test import best_statistic, chosen_statistic, is_enough, is_pure
from dpaudit.estimators.shapes import Shape, estimate_of_counts, gaussian_shape, laplace_shape, ranks_of_estimate
from dpaudit.records.errors import ContentError
from dpaudit.records.privacy import Guarantee

_ROUGH, _AUDITS, _LAST_AUDITS, _MOST_AUDITS = 20, 60, 240, 400
"""Simulated audits at each number of trials, and at the last one; more where the chance is so near 1 that they could
not show it."""
_ROUNDS, _NEAR, _FARTHEST = 12, 0.07, 2.0
"""Numbers of trials that are tried; the relative move before the last; the largest factor between two of them."""
_SIMULATED = 1.1
"""What a p-value pays for being simulated, as a factor."""
_FEWEST, _MOST = 20, 10**12


@dataclass(frozen=True)
class Law:
    """Scores of a mechanism, of one law on D' and the same moved by `shift` on D; shape: their ROC curve."""

    shape: Shape
    shift: float


def gaussian_law(mu: float) -> Law:
    """A Gaussian mechanism with this mu."""
    return Law(gaussian_shape(mu), mu)


def laplace_law(epsilon: float) -> Law:
    """A Laplace mechanism with this epsilon."""
    return Law(laplace_shape(epsilon), epsilon)


def trials_needed(
    law: Law, guarantee: Guarantee, alpha: float, power: float = 0.9, least: int = _FEWEST, *, rough: bool = False
) -> int:
    """Trials a side, at least `least`, with which the rank test at level `alpha` refutes `guarantee` with `power`.

    rough: by a third of the simulated audits, quickly. Raises ContentError if 10^12 do not suffice, as when there is no
    violation.
    """
    critical = -float(ndtri(alpha / _SIMULATED))
    wanted = critical + float(ndtri(power))

    def apart(trials: int) -> bool:
        counted = counted_trials(checked(trials))
        return best_statistic(law.shape, curve_of(guarantee), counted, counted)[1] >= wanted

    def moved(trials: int, audits: int) -> int:
        shown = deviations(law, guarantee, trials, power, audits)
        factor = (critical / max(shown, 1e-9)) ** 2
        return max(least, checked(math.ceil(trials * min(max(factor, 1 / _FARTHEST), _FARTHEST))))

    trials = max(least, least_integer(apart, _FEWEST, parts=100))
    for _ in range(_ROUNDS):
        before, trials = trials, moved(trials, _ROUGH if rough else _AUDITS)
        if abs(trials - before) <= _NEAR * before:
            break
    return trials if rough else moved(trials, _LAST_AUDITS)


def checked(trials: int) -> int:
    """Of all numbers of trials those that can be asked for."""
    if trials > _MOST:
        raise ContentError("no number of trials up to 1e12 tells the mechanism from the claimed guarantee")
    return trials


def deviations(law: Law, guarantee: Guarantee, trials: int, power: float, audits: int = _AUDITS) -> float:
    """Deviations beyond the claim that a share `power` of simulated audits with so many trials shows at least."""
    audits = max(audits, min(math.ceil(2 / (1 - power)), _MOST_AUDITS))
    found = [_shown(law, guarantee, trials, np.random.default_rng([seed, trials])) for seed in range(audits)]
    return float(np.quantile(found, 1 - power))


def _shown(law: Law, guarantee: Guarantee, trials: int, rng: np.random.Generator) -> float:
    """Deviations of one simulated audit: those of a normal law whose bound on the tail probability is the same.

    An audit looks at scores through few counts, which are drawn here whatever the number of trials.
    """
    held, curve, shape = int(HELD_OUT * trials), curve_of(guarantee), None
    if is_enough(held):
        counts = _counts(law.shape, ranks_of_estimate(held), held, rng)
        shape = estimate_of_counts(counts, held, held, pure=is_pure(guarantee))
    counted = trials - held
    statistic = chosen_statistic(shape, guarantee, curve, counted, counted)
    observed = float(_counts(law.shape, statistic.ranks, counted, rng) @ statistic.gains)
    return math.sqrt(-2 * log_bound(statistic, observed, curve))


def _counts(shape: Shape, ranks: Ranks, trials: int, rng: np.random.Generator) -> Ranks:
    """How many of `trials` scores on D lie above the ranks-th largest of as many on D'."""
    spacings = rng.dirichlet(np.diff(np.concatenate([[0], ranks, [trials + 1]])))
    rates = shape.value(np.clip(np.cumsum(spacings)[:-1], 1e-300, 1 - 2.0**-53))
    chances = np.maximum(np.diff(np.concatenate([[0.0], rates, [1.0]])), 0.0)
    return np.asarray(np.cumsum(rng.multinomial(trials, chances / chances.sum()))[:-1], dtype=np.int64)
