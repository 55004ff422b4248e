"""Discrete Laplace noise by inversion: the same work whatever the noise, so that time tells nothing.

What: a count plus the difference of two geometric variables, each the whole part of a logarithm of one uniform, at
epsilon 1. The release is its value and the time that it took.
Why: the repair of `known-bad/timing-geometric`: the same law of the values, every line is executed once.
Worst-case neighbours: a count of 10 and one of 11.
The adversary sees the noisy count and how long it took, in lines of Python that the sampler executes. Whether a
line with a logarithm takes the same time for every argument is not tested here, nor is the rounding of its result.
"""

from __future__ import annotations

import math
import random

import numpy as np
from numpy.typing import NDArray

from dpaudit.attacks.running_time import Timing
from dpaudit.audit import timing
from dpaudit.noise.stream import Trials
from dpaudit.records.privacy import ApproximateDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan

EPSILON, COUNT = 1.0, 10
CLOCK = timing.lines

TARGET = Target(
    name="dpaudit/discrete-laplace-constant-work",
    title="Discrete Laplace mechanism with a sampler of constant work",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        ApproximateDP(EPSILON, 0.0),
        Neighbours.ADD_OR_REMOVE,
        delta=1e-5,
        source="Ghosh, Roughgarden, Sundararajan (2009), and every line of the sampler is executed once",
    ),
    trials=TrialPlan(smoke=2_000, standard=20_000, deep=50_000),
    effect="who can time a query would learn more from a noisy count than its epsilon allows",
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
    """k with probability proportional to exp(-EPSILON k), from one uniform in (0, 1]."""
    return math.floor(-math.log(1.0 - source.random()) / EPSILON)


ATTACKS = {"timing": Timing(answer=float)}
