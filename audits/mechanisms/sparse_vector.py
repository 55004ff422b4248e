"""The sparse vector technique in its correct form, and the four published forms that are not private.

What: eight queries against one noisy threshold, an end after three answers above it; the budget is shared by the
threshold and the answers, Laplace(2/epsilon) and Laplace(12/epsilon). The planted bugs are iSVT1 to iSVT4 of Lyu, Su,
Li 2017: no noise on the answers, no end, the noise for one positive, and the noisy answer released.
Why: the statistics that refute the broken forms must stay silent on the correct one. iSVT1: all answers meet the same
threshold, so that an answer of 0 above it and one of 1 below it cannot both be; no epsilon holds. iSVT2: every answer
adds to what the transcript tells; with eight the leak is above epsilon 2, without limit. iSVT3: the guarantee is
(1 + 6 most_positives)/4 = 4.75 times the claimed epsilon (their section 3.3). iSVT4: a released answer says that the
threshold lies below it. If it is small, the threshold is too, and six answers below such a threshold tell much more
about the data than six below an unknown one; no epsilon holds.
Worst-case neighbours: one record that raises four answers by 1 and lowers four others by 1; of iSVT4, with twelve
queries and an end after the first answer above, one that raises ten answers by 1 and lowers the last two.
The adversary sees what is said of each query and what is released, and knows the exact answers on both data sets.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.attacks.histogram import Histogram
from dpaudit.attacks.learned_classifier import LearnedClassifier
from dpaudit.audit.planted import sparse_vector
from dpaudit.audit.planted.sparse_vector import SparseVector
from dpaudit.content.audits import Attack, Audit, planted
from dpaudit.records.privacy import Neighbours, View, claim
from dpaudit.records.target import PlantedBug, Target, Tier, TrialPlan

Codes = Integers

REVEALING = sparse_vector.reveals_answer(epsilon=1.0, most_positives=1, threshold=0.0)
TRIALS = TrialPlan(smoke=20_000, standard=200_000, deep=1_000_000)

CORRECT = Target(
    name="discrete/sparse-vector",
    title="Sparse vector technique, at most three positives",
    view=View.TRANSCRIPT,
    claim=claim(epsilon=1.0, neighbours=Neighbours.REPLACE_ONE, source="Lyu, Su, Li (2017), theorem 2"),
    trials=TRIALS,
    needs=(("sklearn", "mia"),),
    effect="questions that are answered by above or below tell more about one person than was agreed",
)


def broken(number: int, name: str, title: str, effect: str, cost: int) -> Target:
    """The target of their algorithm `number`."""
    return planted(
        CORRECT,
        name,
        title,
        source=f"as stated for algorithm {number} of Lyu, Su, Li (2017)",
        trials=TRIALS,
        effect=effect,
        bug=PlantedBug(f"Lyu, Su, Li (2017), https://arxiv.org/abs/1603.01699, algorithm {number}", Tier.GAME, cost),
    )


NO_CAP = broken(
    6,
    "known-bad/sparse-vector-no-cap",
    "Sparse vector technique without an end",
    "eight questions show one person's record at an epsilon above 2, not 1, and every further one adds",
    5_000,
)
NO_QUERY_NOISE = broken(
    5,
    "known-bad/sparse-vector-no-query-noise",
    "Sparse vector technique without noise on the answers",
    "whether one person's record is there can be read off with certainty, not at epsilon 1",
    500,
)
NOISE_FOR_ONE = broken(
    4,
    "known-bad/sparse-vector-noise-for-one",
    "Sparse vector technique with the noise for one positive answer",
    "one person's record shows at an epsilon above 2, not 1; only 4.75 is guaranteed",
    5_000,
)
REVEALS_ANSWER = broken(
    3,
    "known-bad/sparse-vector-reveals-answer",
    "Sparse vector technique that releases the noisy answer",
    "twelve questions show one person's record at an epsilon above 1.8, not 1, and further ones show it better",
    20_000,
)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Exact answers (queries,) on both sides: four queries rise by one, four fall."""
    answers = np.repeat([0.0, 1.0], 4)
    return answers, 1.0 - answers


def agreement(outputs: Codes, data: Array, neighbour: Array) -> Array:
    """Queries with the answer that fits `data` less those that fit `neighbour`, of those that were asked."""
    says = np.where(outputs == sparse_vector.NOT_ASKED, 0, 2 * outputs - 1)
    return np.asarray(says @ (data - neighbour), dtype=np.float64)


def ratio_of_revealed(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of position and released answer, rounded so that it does not see the last bits."""
    codes, released = np.split(outputs, 2, axis=1)
    above = codes == sparse_vector.ABOVE
    position = np.where(above.any(axis=1), above.argmax(axis=1), len(data))
    value = released.sum(axis=1)
    return np.round(log_likelihood(position, value, data) - log_likelihood(position, value, neighbour), 6)


def log_likelihood(position: Codes, value: Array, answers: Array) -> Array:
    """Of a noisy threshold above all noisy answers before `position` and below `value`; the grid ends at 40 scales."""
    from scipy.stats import laplace

    scale = REVEALING.query_scale
    grid = np.linspace(-40, 40, 8001) * REVEALING.threshold_scale
    mass = laplace.pdf(grid, scale=REVEALING.threshold_scale) * (grid[1] - grid[0])
    found = np.empty(len(value))
    for place, answer in enumerate(answers):
        here = position == place
        below = np.interp(value[here], grid, np.cumsum(mass))
        found[here] = np.log(below) + laplace.logpdf(value[here], answer, scale)
        mass = mass * laplace.cdf(grid, answer, scale)
    found[position == len(answers)] = np.log(mass.sum())
    return found


def learned(target: Target, form: sparse_vector.Form) -> Audit:
    """What is said of each query, shape (trials, queries), under three attacks of which one learns."""
    attacks: dict[str, Attack] = {
        "agreement": agreement,
        "histogram": Histogram(),
        "logistic": LearnedClassifier("logistic"),
    }
    return Audit(target, neighbours, form(1.0, 3, 0.5).run, attacks=attacks)


def counted(target: Target, form: sparse_vector.Form) -> Audit:
    """The same answers under the fixed attack alone, which needs no package."""
    return Audit(replace(target, needs=()), neighbours, form(1.0, 3, 0.5).run, agreement)


def revealed(target: Target, mechanism: SparseVector) -> Audit:
    """What is said of each query, then the released answers, shape (trials, 2 queries)."""
    return Audit(
        replace(target, needs=(), trials=TrialPlan(smoke=200_000, standard=500_000, deep=1_000_000)),
        lambda rng: (np.repeat([-0.5, 1.0], [10, 2]), np.repeat([0.5, 0.0], [10, 2])),
        lambda data, trials: np.asarray(mechanism.run(data, trials), dtype=np.float64),
        ratio_of_revealed,
    )


AUDITS = (
    learned(CORRECT, sparse_vector.correct),
    learned(NO_CAP, sparse_vector.no_cap),
    counted(NO_QUERY_NOISE, sparse_vector.no_query_noise),
    counted(NOISE_FOR_ONE, sparse_vector.noise_for_one_positive),
    revealed(REVEALS_ANSWER, REVEALING),
)
