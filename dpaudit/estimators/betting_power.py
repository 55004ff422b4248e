"""How many pairs of trials bets need to catch a mechanism whose law is known, before any trial is run.

Bets are simulated as they are made, on scores of that law, and each simulation says after how many pairs it refutes.
The pairs that are enough for the asked share of the simulations are the forecast.

Promises: no error probability. It is a forecast; how near it comes is measured (`benchmarks/forecasts.py`) and not
derived.

Assumes: scores whose law is known, and the same on both sides but for a shift.

Decides: no. `dpaudit power` uses it for targets with `early_stop`.

Example:

    >>> from dpaudit.estimators.betting_power import pairs_needed
    >>> from dpaudit.estimators.rank_power import gaussian_law
    >>> from dpaudit.records.privacy import GaussianDP
    >>> pairs_needed(gaussian_law(2.0), GaussianDP(1.0), alpha=1e-3) < 400  # half of the noise
    True
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import ndtri

from dpaudit.arithmetic.arrays import Array
from dpaudit.estimators.betting import BettingTest
from dpaudit.estimators.rank_power import Law
from dpaudit.records.errors import ContentError
from dpaudit.records.privacy import Guarantee

MOST = 1_000_000
"""Pairs of one simulation."""
_SIMULATIONS, _MOST_SIMULATIONS = 200, 1_000
_HOPELESS = 10
"""Simulations of which one at least refutes, where most do."""
_FIRST = 4_096
"""Pairs that are drawn at once, in the beginning; the next portions are twice as large."""


def pairs_needed(law: Law, guarantee: Guarantee, alpha: float, power: float = 0.9) -> int:
    """Pairs after which bets at level `alpha` have refuted `guarantee` with probability `power`, in (0, 1).

    ContentError if `MOST` do not suffice, also where none of the first simulations refutes.
    """
    simulations = max(_SIMULATIONS, min(math.ceil(20 / (1 - power)), _MOST_SIMULATIONS))
    allowed = int((1 - power) * simulations)
    stopped: list[int] = []
    for seed in range(simulations):
        stopped.append(_stopped(law, guarantee, alpha, np.random.default_rng(seed)))
        if stopped.count(0) > allowed or (len(stopped) == _HOPELESS and not any(stopped)):
            raise ContentError(f"{MOST:,} pairs do not suffice for bets to tell the mechanism from the claim")
    return int(np.quantile([found or MOST for found in stopped], power, method="higher"))


def _stopped(law: Law, guarantee: Guarantee, alpha: float, rng: np.random.Generator) -> int:
    """After how many pairs one simulation refutes; 0 if not within MOST."""
    bets, size = BettingTest((guarantee,), alpha), _FIRST
    while bets.pairs < MOST and not bets.refuted[0]:
        bets.update(*_scores(law, rng, min(size, MOST - bets.pairs)))
        size *= 2
    return int(bets.stopped[0])


def _scores(law: Law, rng: np.random.Generator, number: int) -> tuple[Array, Array]:
    """Scores on D and on D' whose ROC curve is that of the law, (number,) each."""
    shape = law.shape
    true = ndtri(rng.random(number))
    inside = np.clip(true, shape.true_quantiles[0], shape.true_quantiles[-1])
    positive = -(np.interp(inside, shape.true_quantiles, shape.false_quantiles) + true - inside)
    return positive, -ndtri(rng.random(number))
