"""Accelerated-DP-SRGD that takes the noise of prefix t at step t: a planted bug that the auditor must find.

What: three prefix sums; steps count from 0 and prefixes from 1, and the noise of step t is N_t in the place of N_{t+1}.
Why: N_0 is the empty sum: the first gradient is released as it is. The other releases look as they should.
Worst-case neighbours: the first item is 1, and zero in the neighbour.
The adversary sees every prefix sum and knows the other items.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpaudit.accounting.factorisations import tree_factors
from dpaudit.noise.stream import Trials
from dpaudit.records.mechanism import PureDP
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Control, PlantedBug, Target, Tier, TrialPlan
from dpaudit.records.verdict import Outcome

Array = NDArray[np.float64]

STEPS = 3
NOISE = math.sqrt(2)

TARGET = Target(
    name="known-bad/srgd-noise-one-step-late",
    title="Tree noise that comes one step late",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        GaussianDP(1.0),
        Neighbours.ZERO_OUT,
        delta=1e-5,
        source="Choquette-Choo, Ganesh, Thakurta (2024), lemma 5.6, for the indices before the bug",
    ),
    trials=TrialPlan(smoke=20_000, standard=100_000, deep=1_000_000),
    control=Control.KNOWN_BAD,
    expects=Outcome.REFUTED,
    truth=PureDP(math.inf),
    effect="the gradient of the first batch is released without noise: no privacy at all for its records",
    repair="srgd/prefix-sums",
    bug=PlantedBug(
        "Choquette-Choo, Ganesh, Thakurta (2024), https://arxiv.org/abs/2406.02716, section 2.2, with indices from 0",
        Tier.GAME,
        100,
    ),
)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Items, shape (3,); the first one is 1, and zero in the neighbour."""
    data = rng.uniform(-1, 1, size=STEPS)
    neighbour = data.copy()
    data[0], neighbour[0] = 1.0, 0.0
    return data, neighbour


def run(data: Array, trials: Trials) -> Array:
    """Prefix sums with the noise of the prefix before, shape (trials, 3)."""
    left, _ = tree_factors(STEPS)
    prefixes = (trials.stream.normals(trials.numbers, 0, STEPS)[:, None, :] * left).sum(axis=2)
    late = np.pad(prefixes, ((0, 0), (1, 0)))[:, :STEPS]  # the bug
    return np.asarray(np.cumsum(data) + NOISE * late)


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """How much nearer the first release is to that of the data set."""
    return np.asarray(np.abs(outputs[:, 0] - neighbour[0]) - np.abs(outputs[:, 0] - data[0]))
