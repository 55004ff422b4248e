"""The sparse vector technique in its correct form: the twin of four planted bugs.

What: eight queries against one noisy threshold, an end after three answers above it.
Why: the same statistics that refute the broken forms must stay silent here. The budget is shared by the threshold and
the answers, Laplace(2/epsilon) and Laplace(12/epsilon).
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
from dpaudit.records.target import Target, TrialPlan

Array = NDArray[np.float64]

MECHANISM = sparse_vector.correct(epsilon=1.0, most_positives=3, threshold=0.5)

TARGET = Target(
    name="discrete/sparse-vector",
    title="Sparse vector technique, at most three positives",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        ApproximateDP(1.0, 0.0),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source="Lyu, Su, Li (2017), theorem 2",
    ),
    trials=TrialPlan(smoke=20_000, standard=200_000, deep=1_000_000),
    needs=(("sklearn", "mia"),),
    effect="questions that are answered by above or below tell more about one person than was agreed",
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
