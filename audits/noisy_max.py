"""Report noisy max, the position alone: the twin of two planted bugs.

What: the position of the largest of five noisy answers, noise Laplace(2/epsilon).
Why: epsilon-DP as long as nothing but the position is released.
Worst-case neighbours: one record that raises one answer by 1 and lowers the four others.
The adversary sees the position.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpaudit.attacks.histogram import Histogram
from dpaudit.audit.planted import noisy_max
from dpaudit.noise.stream import Trials
from dpaudit.records.privacy import ApproximateDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan

Array = NDArray[np.float64]

QUERIES = 5

TARGET = Target(
    name="discrete/noisy-max",
    title="Report noisy max, position only",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        ApproximateDP(1.0, 0.0), Neighbours.REPLACE_ONE, delta=1e-5, source="Dwork, Roth (2014), claim 3.9"
    ),
    trials=TrialPlan(smoke=100_000, standard=1_000_000, deep=4_000_000),
    effect="the name of the largest answer tells more about one person than was agreed",
)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Exact answers (queries,): the first is ahead by one in the data set, behind by one in its neighbour."""
    answers = np.zeros(QUERIES)
    answers[0] = 1.0
    return answers, 1.0 - answers


def run(data: Array, trials: Trials) -> NDArray[np.int64]:
    """The position of the largest noisy answer, shape (trials,)."""
    return noisy_max.index(data, 1.0, trials)


def first(outputs: NDArray[np.int64], data: Array, neighbour: Array) -> Array:
    """1 if the answer that the data set raises was the largest."""
    return (outputs == 0).astype(np.float64)


ATTACKS = {"first": first, "histogram": Histogram()}
