"""Discrete Laplace noise by a loop, whose time gives the noise away, and by inversion, with the same work always.

What: a count plus the difference of two geometric variables at epsilon 1; the release is its value and the time that it
took. With the bug each variable is drawn by tossing a coin until it fails, the textbook sampler of the mechanism
(Ghosh, Roughgarden, Sundararajan 2009); put right it is the whole part of a logarithm of one uniform.
Why: the values alone are 1-DP. The two loops make as many rounds as the two variables say: their sum, which is what the
time tells, is even exactly if the noise is, so that the released count and the time together give the parity of the
true count away: epsilon is infinite (Jin, McMurtry, Rubinstein, Ohrimenko 2022). By inversion every line is executed
once.
Worst-case neighbours: a count of 10 and one of 11.
The adversary sees the noisy count and how long it took. Time is the number of lines of Python that the sampler executes
(`dpaudit.audit.timing.lines`): the same on every machine, so that the control never depends on a busy one; the wall
clock is `dpaudit.audit.timing.nanoseconds`. Whether a line with a logarithm takes the same time for every argument is
not tested here, nor is the rounding of its result.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable

from dpaudit.attacks.running_time import Timing
from dpaudit.audit import timing
from dpaudit.content.audits import Audit, planted
from dpaudit.records.mechanism import PureDP
from dpaudit.records.privacy import View, claim
from dpaudit.records.target import PlantedBug, Target, Tier, TrialPlan

EPSILON, COUNT = 1.0, 10
CONTINUE = math.exp(-EPSILON)
TRIALS = TrialPlan(smoke=2_000, standard=20_000, deep=50_000)

CONSTANT_WORK = Target(
    name="dpaudit/discrete-laplace-constant-work",
    title="Discrete Laplace mechanism with a sampler of constant work",
    view=View.TRANSCRIPT,
    claim=claim(
        epsilon=EPSILON,
        source="Ghosh, Roughgarden, Sundararajan (2009), and every line of the sampler is executed once",
    ),
    trials=TRIALS,
    effect="who can time a query would learn more from a noisy count than its epsilon allows",
)
LOOP = planted(
    CONSTANT_WORK,
    "known-bad/timing-geometric",
    "Discrete Laplace mechanism with a sampler whose time depends on its noise",
    source="Ghosh, Roughgarden, Sundararajan (2009), of the released values alone",
    trials=TRIALS,
    effect="who can time a query learns from one noisy count whether the true count is even or odd: no privacy is left",
    bug=PlantedBug("Jin et al. (2022), https://arxiv.org/abs/2112.05307", Tier.GAME, 2_000),
    truth=PureDP(math.inf),
)


def by_inversion(source: random.Random) -> int:
    """k with probability proportional to exp(-EPSILON k), from one uniform in (0, 1]."""
    return math.floor(-math.log(1.0 - source.random()) / EPSILON)


def by_tosses(source: random.Random) -> int:
    """How often a coin of probability exp(-EPSILON) comes up before it fails."""
    rounds = 0
    while source.random() < CONTINUE:
        rounds += 1
    return rounds


def audit(target: Target, geometric: Callable[[random.Random], int]) -> Audit:
    """Noisy counts and the time that each took, shape (trials, 2); the noise is k with weight exp(-EPSILON |k|)."""

    def discrete_laplace(source: random.Random) -> int:
        return geometric(source) - geometric(source)

    return Audit(
        target,
        neighbours=lambda rng: (COUNT, COUNT + 1),
        run=lambda data, trials: timing.measured(
            lambda source: data + discrete_laplace(source), trials.seeds(), timing.lines
        ),
        attacks={"timing": Timing(answer=float)},
    )


AUDITS = (audit(CONSTANT_WORK, by_inversion), audit(LOOP, by_tosses))
