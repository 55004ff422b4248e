"""Report noisy max: the position alone, and two planted bugs that release the value.

What: the position of the largest of five noisy answers, noise Laplace(2/epsilon). With the bugs the largest answer
itself, with Laplace and with exponential noise of this scale (v1b and v2b of Ding, Wang, Wang, Zhang, Kifer 2018).
Why: epsilon-DP as long as nothing but the position is released. The noisy maximum is small only if every noisy answer
is, so that each answer that moves adds epsilon/2 to the leak: 2.5 with five. Exponential noise is never negative, so
that the noisy maximum is at least the largest answer: below 1 it is possible on one side only, and no epsilon holds.
Worst-case neighbours: of the position, one record that raises one answer by 1 and lowers the four others; of the value,
one that raises all answers by 1.
The adversary sees what is released.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.attacks.histogram import Histogram
from dpaudit.audit.planted import noisy_max
from dpaudit.content.audits import Audit, planted
from dpaudit.records.context import Level
from dpaudit.records.privacy import Neighbours, View, claim
from dpaudit.records.target import PlantedBug, Target, Tier, TrialPlan

QUERIES = 5

POSITION = Target(
    name="discrete/noisy-max",
    title="Report noisy max, position only",
    view=View.TRANSCRIPT,
    claim=claim(epsilon=1.0, neighbours=Neighbours.REPLACE_ONE, source="Dwork, Roth (2014), claim 3.9"),
    trials=TrialPlan(smoke=100_000, standard=1_000_000, deep=4_000_000),
    effect="the name of the largest answer tells more about one person than was agreed",
)
VALUE = planted(
    POSITION,
    "known-bad/noisy-max-value",
    "Report noisy max that releases the value, Laplace noise",
    from_level=Level.STANDARD,
    source="the guarantee of the position, Dwork, Roth (2014), claim 3.9",
    trials=TrialPlan(smoke=20_000, standard=200_000, deep=1_000_000),
    effect="five answers show one person's record at an epsilon of 2.5, not 1, and each further one adds 1/2",
    bug=PlantedBug("Ding et al. (2018), https://arxiv.org/abs/1805.10277, algorithm 7", Tier.GAME, 5_000),
)
VALUE_EXPONENTIAL = replace(
    VALUE,
    name="known-bad/noisy-max-value-exponential",
    title="Report noisy max that releases the value, exponential noise",
    effect="a released maximum below the largest answer of the other data set proves which one it was",
    bug=PlantedBug("Ding et al. (2018), https://arxiv.org/abs/1805.10277, algorithm 8", Tier.GAME, 5_000),
)


def first_ahead(rng: np.random.Generator) -> tuple[Array, Array]:
    """Exact answers (queries,): the first is ahead by one in the data set, behind by one in its neighbour."""
    answers = np.zeros(QUERIES)
    answers[0] = 1.0
    return answers, 1.0 - answers


def all_smaller(rng: np.random.Generator) -> tuple[Array, Array]:
    """Exact answers (queries,): all 0 in the data set, all 1 in its neighbour."""
    return np.zeros(QUERIES), np.ones(QUERIES)


def first(outputs: Integers, data: Array, neighbour: Array) -> Array:
    """1 if the answer that the data set raises was the largest."""
    return (outputs == 0).astype(np.float64)


def small(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The smaller the maximum, the more it looks like the data set, whose answers are smaller."""
    return -outputs


AUDITS = (
    Audit(
        POSITION,
        first_ahead,
        lambda data, trials: noisy_max.index(data, 1.0, trials),
        attacks={"first": first, "histogram": Histogram()},
    ),
    Audit(VALUE, all_smaller, lambda data, trials: noisy_max.value(data, 1.0, trials), small),
    Audit(VALUE_EXPONENTIAL, all_smaller, lambda data, trials: noisy_max.value_exponential(data, 1.0, trials), small),
)
