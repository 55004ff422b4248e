"""Randomised response at exactly its claim: the auditor must stay silent, with all power and no slack.

What: releases one bit, the true one with probability e/(1 + e).
Why: the claim epsilon 1 is met with equality at every trial, and scores have two values: a bound that handles ties or
rounding wrongly, or that is too tight by a hair, refutes it. The exact epsilon is 1 and the audit must come near it.
Neighbours: the bit of one person is turned around. The adversary sees the released bit.
"""

from __future__ import annotations

import numpy as np

from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.attacks.histogram import Histogram
from dpaudit.noise.stream import Trials
from dpaudit.records.mechanism import PureDP
from dpaudit.records.privacy import Neighbours, View, claim
from dpaudit.records.target import Control, Target, TrialPlan

EPSILON = 1.0

TARGET = Target(
    name="null/randomised-response",
    title="Randomised response at its claim",
    view=View.TRANSCRIPT,
    claim=claim(
        epsilon=EPSILON,
        neighbours=Neighbours.REPLACE_ONE,
        source="Warner (1965); the likelihood ratio of the bit is e^epsilon",
    ),
    trials=TrialPlan(smoke=100_000, standard=1_000_000, deep=10_000_000),
    control=Control.NULL,
    truth=PureDP(EPSILON),
    effect="the auditor raises false alarms on tight claims: none of its refutations can be trusted",
    companion=True,
)


def neighbours(rng: np.random.Generator) -> tuple[int, int]:
    """A bit and its opposite."""
    bit = int(rng.integers(2))
    return bit, 1 - bit


def run(data: int, trials: Trials) -> Integers:
    """The released bit, shape (trials,)."""
    lies = trials.stream.uniforms(trials.numbers, 0, 1)[:, 0] > 1 / (1 + np.exp(-EPSILON))
    return np.where(lies, 1 - data, data)


def agrees(outputs: Integers, data: int, neighbour: int) -> Array:
    """1 if the released bit is that of the data set."""
    return (outputs == data).astype(np.float64)


ATTACKS = {"agrees": agrees, "histogram": Histogram()}
