"""A noisy histogram at epsilon 1/2, with noise of scale 1/epsilon and, as a planted bug, of scale epsilon.

What: three counts with Laplace noise of scale 2; with the bug of scale 1/2 (algorithm 10 of Ding et al. 2018).
Why: the claim is met with equality, so the audit measures the auditor on a pure guarantee. At epsilon 1 nobody would
notice the bug; at 1/2 the noise is a quarter of what it must be and the guarantee is epsilon 2.
Worst-case neighbours: one record less in the first cell.
The adversary sees the noisy counts.
"""

from __future__ import annotations

import numpy as np

from dpaudit.arithmetic.arrays import Array
from dpaudit.audit.planted import histogram
from dpaudit.content.audits import Audit, planted
from dpaudit.records.mechanism import Laplace
from dpaudit.records.privacy import View, claim
from dpaudit.records.target import PlantedBug, Target, Tier, TrialPlan

EPSILON = 0.5
TRIALS = TrialPlan(smoke=20_000, standard=200_000, deep=1_000_000)

CORRECT = Target(
    name="discrete/histogram",
    title="Noisy histogram",
    view=View.TRANSCRIPT,
    claim=claim(epsilon=EPSILON, source="Dwork, McSherry, Nissim, Smith (2006), proposition 1"),
    trials=TRIALS,
    truth=Laplace(1 / EPSILON),
    effect="released counts tell more about one person than was agreed",
)
WRONG_SCALE = planted(
    CORRECT,
    "known-bad/histogram-wrong-scale",
    "Noisy histogram with the scale of its noise upside down",
    source="Dwork, McSherry, Nissim, Smith (2006), for noise of scale 1/epsilon",
    trials=TRIALS,
    effect="one person's record shows in the released counts at epsilon 2, not 1/2",
    bug=PlantedBug("Ding et al. (2018), https://arxiv.org/abs/1805.10277, algorithm 10", Tier.GAME, 500),
    truth=Laplace(EPSILON),
)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Counts (cells,) with one record more in the first cell, and without it."""
    counts = rng.integers(0, 20, size=3).astype(np.float64)
    return counts + np.array([1.0, 0.0, 0.0]), counts


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """Distance of the first noisy count from the middle of both, cut at both: monotone in the likelihood ratio.

    A difference of two distances is the same function of real numbers, but its last bits tell the sides apart: the
    noise is added in float64 (see `floating_point`).
    """
    middle = (data[0] + neighbour[0]) / 2
    return np.asarray(np.clip(outputs[:, 0] - middle, -0.5, 0.5))


AUDITS = (
    Audit(CORRECT, neighbours, lambda data, trials: histogram.correct(data, EPSILON, trials), score),
    Audit(WRONG_SCALE, neighbours, lambda data, trials: histogram.wrong_scale(data, EPSILON, trials), score),
)
