"""The sparse vector technique that releases the noisy answer: a planted bug that the auditor must find.

What: twelve queries, an end after the first noisy answer above the noisy threshold, which is then released itself
(iSVT4; algorithm 3 of Lyu, Su, Li 2017). Why: a released answer says that the threshold lies below it. If it is
small, the threshold is too, and six answers below such a threshold tell much more about the data than six below an
unknown one; no epsilon holds. Worst-case neighbours: one record that raises the first six answers by 1 and lowers the
last. The adversary sees what is said of each query and the released answer.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpaudit.audit.planted import sparse_vector
from dpaudit.noise.stream import Trials
from dpaudit.records.privacy import ApproximateDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Control, PlantedBug, Target, Tier, TrialPlan
from dpaudit.records.verdict import Outcome

Array = NDArray[np.float64]

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
    effect="twelve questions show one person's record at an epsilon above 1.8, not 1, and further ones show it better",
    repair="discrete/sparse-vector",
    bug=PlantedBug("Lyu, Su, Li (2017), https://arxiv.org/abs/1603.01699, algorithm 3", Tier.GAME, 20_000),
)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Exact answers (queries,) on both sides: ten rise by one, two fall."""
    return np.repeat([-0.5, 1.0], [10, 2]), np.repeat([0.5, 0.0], [10, 2])


def run(data: Array, trials: Trials) -> Array:
    """What is said of each query, then the released answers, shape (trials, 2 queries)."""
    return np.asarray(MECHANISM.run(data, trials), dtype=np.float64)


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of position and released answer, rounded so that it does not see the last bits."""
    codes, released = np.split(outputs, 2, axis=1)
    above = codes == sparse_vector.ABOVE
    position = np.where(above.any(axis=1), above.argmax(axis=1), len(data))
    value = released.sum(axis=1)
    return np.round(log_likelihood(position, value, data) - log_likelihood(position, value, neighbour), 6)


def log_likelihood(position: NDArray[np.int64], value: Array, answers: Array) -> Array:
    """Of a noisy threshold above all noisy answers before `position` and below `value`; the grid ends at 40 scales."""
    from scipy.stats import laplace

    scale = MECHANISM.query_scale
    grid = np.linspace(-40, 40, 8001) * MECHANISM.threshold_scale
    mass = laplace.pdf(grid, scale=MECHANISM.threshold_scale) * (grid[1] - grid[0])
    found = np.empty(len(value))
    for place, answer in enumerate(answers):
        here = position == place
        below = np.interp(value[here], grid, np.cumsum(mass))
        found[here] = np.log(below) + laplace.logpdf(value[here], answer, scale)
        mass = mass * laplace.cdf(grid, answer, scale)
    found[position == len(answers)] = np.log(mass.sum())
    return found
