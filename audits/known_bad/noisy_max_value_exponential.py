"""Report noisy max that releases the value, exponential noise: a planted bug that the auditor must find.

What: the largest of five noisy answers itself instead of its position, noise of scale 2/epsilon (v2b of Ding, Wang,
Wang, Zhang, Kifer 2018).
Why: Exponential noise is never negative, so that the noisy maximum is at least the largest answer: below 1 it is
possible on one side only, and no epsilon holds.
Worst-case neighbours: one record that raises all answers by 1.
The adversary sees the largest noisy answer.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpaudit.audit.planted import noisy_max
from dpaudit.noise.stream import Trials
from dpaudit.records.privacy import ApproximateDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Control, PlantedBug, Target, Tier, TrialPlan
from dpaudit.records.verdict import Outcome

Array = NDArray[np.float64]

QUERIES = 5

TARGET = Target(
    name="known-bad/noisy-max-value-exponential",
    title="Report noisy max that releases the value, exponential noise",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        ApproximateDP(1.0, 0.0),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source="the guarantee of the position, Dwork, Roth (2014), claim 3.9",
    ),
    trials=TrialPlan(smoke=20_000, standard=200_000, deep=1_000_000),
    control=Control.KNOWN_BAD,
    expects=Outcome.REFUTED,
    effect="a released maximum below the largest answer of the other data set proves which one it was",
    repair="discrete/noisy-max",
    bug=PlantedBug("Ding et al. (2018), https://arxiv.org/abs/1805.10277, algorithm 8", Tier.GAME, 5_000),
)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Exact answers (queries,): all 0 in the data set, all 1 in its neighbour."""
    return np.zeros(QUERIES), np.ones(QUERIES)


def run(data: Array, trials: Trials) -> Array:
    """The largest noisy answer, shape (trials,)."""
    return noisy_max.value_exponential(data, 1.0, trials)


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The smaller the maximum, the more it looks like the data set, whose answers are smaller."""
    return -outputs
