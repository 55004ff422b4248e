"""The sparse vector technique that releases the noisy answer: a planted bug that the auditor must find.

What: seven queries, an end after the first noisy answer above the noisy threshold, which is then released itself
(iSVT4; algorithm 3 of Lyu, Su, Li 2017). Why: a released answer says that the threshold lies below it. If it is
small, the threshold is too, and six answers below such a threshold tell much more about the data than six below an
unknown one; no epsilon holds. Worst-case neighbours: one record that raises the first six answers by 1 and lowers the
last. The adversary sees what is said of each query and the released answer.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpaudit.noise import Trials
from dpaudit.planted import sparse_vector
from dpaudit.privacy import ApproximateDP, Neighbours, PrivacyClaim, View
from dpaudit.target import Control, Target, TrialPlan
from dpaudit.verdict import Outcome

Array = NDArray[np.float64]

QUERIES = 7
MECHANISM = sparse_vector.reveals_answer(epsilon=1.0, most_positives=1, threshold=0.0)

TARGET = Target(
    name="known-bad/sparse-vector-reveals-answer",
    title="Sparse vector technique that releases the noisy answer",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        ApproximateDP(1.0, 0.0),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source="as stated for algorithm 3 of Lyu, Su, Li (2017)",
    ),
    trials=TrialPlan(smoke=200_000, standard=500_000, deep=1_000_000),
    control=Control.KNOWN_BAD,
    expects=Outcome.REFUTED,
    effect="seven questions show one person's record at an epsilon above 1.4, not 1, and more questions show it better",
)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Exact answers (queries,) on both sides: all but the last rise by one, the last falls."""
    answers = np.repeat([-1.0, 1.0], [QUERIES - 1, 1])
    return answers, np.zeros(QUERIES)


def run(data: Array, trials: Trials) -> Array:
    """What is said of each query, then the released answers, shape (trials, 2 queries)."""
    return np.asarray(MECHANISM.run(data, trials), dtype=np.float64)


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """How small the released answer is, where it is the last one; what stopped earlier or never says nothing."""
    codes, released = np.split(outputs, 2, axis=1)
    return np.where(codes[:, -1] == sparse_vector.ABOVE, -released[:, -1], -np.inf)
