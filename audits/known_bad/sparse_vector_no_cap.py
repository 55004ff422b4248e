"""The sparse vector technique without an end: a planted bug that the auditor must find.

What: noise of scale 2/epsilon on the threshold and on each answer, however many are above it (iSVT2; algorithm 6 of
Lyu, Su, Li 2017).
Why: every answer adds to what the transcript tells; with eight of them the leak is above epsilon 2, and it has no
limit.
Worst-case neighbours: one record that raises four answers by 1 and lowers four others by 1.
The adversary sees what is said of each query, and knows the exact answers on both data sets.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpaudit.attacks.histogram import Histogram
from dpaudit.attacks.learned_classifier import LearnedClassifier
from dpaudit.audit.planted import sparse_vector
from dpaudit.noise.stream import Trials
from dpaudit.records.privacy import ApproximateDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Control, PlantedBug, Target, Tier, TrialPlan
from dpaudit.records.verdict import Outcome

Array = NDArray[np.float64]

MECHANISM = sparse_vector.no_cap(epsilon=1.0, most_positives=3, threshold=0.5)

TARGET = Target(
    name="known-bad/sparse-vector-no-cap",
    title="Sparse vector technique without an end",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        ApproximateDP(1.0, 0.0),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source="as stated for algorithm 6 of Lyu, Su, Li (2017)",
    ),
    trials=TrialPlan(smoke=20_000, standard=200_000, deep=1_000_000),
    needs=(("sklearn", "mia"),),
    control=Control.KNOWN_BAD,
    expects=Outcome.REFUTED,
    effect="eight questions show one person's record at an epsilon above 2, not 1, and every further one adds",
    repair="discrete/sparse-vector",
    bug=PlantedBug("Lyu, Su, Li (2017), https://arxiv.org/abs/1603.01699, algorithm 6", Tier.GAME, 5_000),
)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Exact answers (queries,) on both sides: four queries rise by one, four fall."""
    answers = np.repeat([0.0, 1.0], 4)
    return answers, 1.0 - answers


def run(data: Array, trials: Trials) -> NDArray[np.int64]:
    """What is said of each query, shape (trials, queries)."""
    return MECHANISM.run(data, trials)


def agreement(outputs: NDArray[np.int64], data: Array, neighbour: Array) -> Array:
    """Queries with the answer that fits `data` less those that fit `neighbour`, of those that were asked."""
    says = np.where(outputs == sparse_vector.NOT_ASKED, 0, 2 * outputs - 1)
    return np.asarray(says @ (data - neighbour), dtype=np.float64)


ATTACKS = {"agreement": agreement, "histogram": Histogram(), "logistic": LearnedClassifier("logistic")}
