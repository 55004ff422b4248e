"""Discrete Laplace noise from a loop that runs as long as the noise is large: a planted leak through time.

What: a count plus the difference of two geometric variables, each drawn by tossing a coin until it fails, the textbook
sampler of the discrete Laplace mechanism (Ghosh, Roughgarden, Sundararajan 2009) at epsilon 1.
Why: the values alone are 1-DP. The two loops make as many rounds as the two variables say: their sum, which is what the
time tells, is even exactly if the noise is, so that the released count and the time together give the parity of the
true count away: epsilon is infinite (Jin, McMurtry, Rubinstein, Ohrimenko 2022).
Worst-case neighbours: a count of 10 and one of 11.
The adversary sees the noisy count and how long it took. Time is the number of lines of Python that the sampler executes
(`dpaudit.audit.timing.lines`): the same on every machine, so that this control never depends on a busy one; the wall clock is
`dpaudit.audit.timing.nanoseconds`.
"""

from __future__ import annotations

import math
import random

import numpy as np
from numpy.typing import NDArray

from dpaudit.attacks.running_time import Timing
from dpaudit.audit import timing
from dpaudit.noise.stream import Trials
from dpaudit.records.mechanism import PureDP
from dpaudit.records.privacy import ApproximateDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Control, PlantedBug, Target, Tier, TrialPlan
from dpaudit.records.verdict import Outcome

EPSILON, COUNT = 1.0, 10
CONTINUE = math.exp(-EPSILON)
CLOCK = timing.lines

TARGET = Target(
    name="known-bad/timing-geometric",
    title="Discrete Laplace mechanism with a sampler whose time depends on its noise",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        ApproximateDP(EPSILON, 0.0),
        Neighbours.ADD_OR_REMOVE,
        delta=1e-5,
        source="Ghosh, Roughgarden, Sundararajan (2009), of the released values alone",
    ),
    trials=TrialPlan(smoke=2_000, standard=20_000, deep=50_000),
    control=Control.KNOWN_BAD,
    expects=Outcome.REFUTED,
    truth=PureDP(math.inf),
    effect="who can time a query learns from one noisy count whether the true count is even or odd: no privacy is left",
    bug=PlantedBug("Jin et al. (2022), https://arxiv.org/abs/2112.05307", Tier.GAME, 2_000),
    repair="dpaudit/discrete-laplace-constant-work",
)


def neighbours(rng: np.random.Generator) -> tuple[int, int]:
    """A count, and the count with one record more."""
    return COUNT, COUNT + 1


def run(data: int, trials: Trials) -> NDArray[np.float64]:
    """Noisy counts and the time that each took, shape (trials, 2)."""
    return timing.measured(lambda source: data + discrete_laplace(source), trials.seeds(), CLOCK)


def discrete_laplace(source: random.Random) -> int:
    """An integer k with probability proportional to exp(-EPSILON |k|)."""
    return geometric(source) - geometric(source)


def geometric(source: random.Random) -> int:
    """How often a coin of probability exp(-EPSILON) comes up before it fails."""
    rounds = 0
    while source.random() < CONTINUE:
        rounds += 1
    return rounds


ATTACKS = {"timing": Timing(answer=float)}
