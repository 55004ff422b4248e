"""A noisy histogram with noise of scale epsilon instead of 1/epsilon: a planted bug that the auditor must find.

What: three counts with Laplace noise of scale 1/2 at a claimed epsilon of 1/2 (algorithm 10 of Ding et al. 2018).
Why: at epsilon 1 nobody would notice; at 1/2 the noise is a quarter of what it must be and the guarantee is epsilon 2.
Worst-case neighbours: one record less in the first cell.
The adversary sees the noisy counts.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpaudit.audit.planted import histogram
from dpaudit.noise.stream import Trials
from dpaudit.records.mechanism import Laplace
from dpaudit.records.privacy import ApproximateDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Control, PlantedBug, Target, Tier, TrialPlan
from dpaudit.records.verdict import Outcome

Array = NDArray[np.float64]

EPSILON = 0.5

TARGET = Target(
    name="known-bad/histogram-wrong-scale",
    title="Noisy histogram with the scale of its noise upside down",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        ApproximateDP(EPSILON, 0.0),
        Neighbours.ADD_OR_REMOVE,
        delta=1e-5,
        source="Dwork, McSherry, Nissim, Smith (2006), for noise of scale 1/epsilon",
    ),
    trials=TrialPlan(smoke=20_000, standard=200_000, deep=1_000_000),
    control=Control.KNOWN_BAD,
    expects=Outcome.REFUTED,
    truth=Laplace(EPSILON),
    effect="one person's record shows in the released counts at epsilon 2, not 1/2",
    repair="discrete/histogram",
    bug=PlantedBug("Ding et al. (2018), https://arxiv.org/abs/1805.10277, algorithm 10", Tier.GAME, 500),
)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Counts (cells,) with one record more in the first cell, and without it."""
    counts = rng.integers(0, 20, size=3).astype(np.float64)
    return counts + np.array([1.0, 0.0, 0.0]), counts


def run(data: Array, trials: Trials) -> Array:
    """Noisy counts, shape (trials, cells)."""
    return histogram.wrong_scale(data, EPSILON, trials)


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """Distance of the first noisy count from the middle of both, cut at both: monotone in the likelihood ratio.

    A difference of two distances is the same function of real numbers, but its last bits tell the sides apart: the
    noise is added in float64 (see float_laplace).
    """
    middle = (data[0] + neighbour[0]) / 2
    return np.asarray(np.clip(outputs[:, 0] - middle, -0.5, 0.5))
