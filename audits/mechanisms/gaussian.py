"""The Gaussian mechanism on a bounded sum: the one target whose trade-off curve is known exactly.

What: releases q(D) + N(0, 1) for a sum of records in [-1/2, 1/2].
Why: the claim mu = 1 is met with equality, so the audit measures the auditor: epsilon_lower_95
over the exact 4.377 is its tightness, and a refutation here would be a bug of dpaudit.
Worst-case neighbours: one record moves from -1/2 to 1/2, the whole sensitivity of 1.
The adversary sees the released sum and knows all other records.
"""

from __future__ import annotations

import numpy as np

from dpaudit.arithmetic.arrays import Array
from dpaudit.attacks import likelihood_ratio
from dpaudit.noise.stream import Trials
from dpaudit.records.mechanism import Gaussian
from dpaudit.records.privacy import Neighbours, View, claim
from dpaudit.records.target import Target, TrialPlan

Records = Array

NOISE_SCALE = 1.0

TARGET = Target(
    name="dpaudit/gaussian-mechanism",
    title="Gaussian mechanism on a bounded sum",
    view=View.TRANSCRIPT,
    claim=claim(mu=1.0, neighbours=Neighbours.REPLACE_ONE, source="Dong, Roth, Su (2022), theorem 2.7"),
    trials=TrialPlan(smoke=1_000_000, standard=10_000_000, deep=10_000_000),
    truth=Gaussian(1.0),
    effect="a sum of bounded records would tell more about one record than its noise was chosen for",
)


def neighbours(rng: np.random.Generator) -> tuple[Records, Records]:
    """Twenty records in [-1/2, 1/2]; the first is 1/2 in the data set and -1/2 in its neighbour."""
    records = rng.uniform(-0.5, 0.5, size=20)
    data, neighbour = records.copy(), records.copy()
    data[0], neighbour[0] = 0.5, -0.5
    return data, neighbour


def run(data: Records, trials: Trials) -> Array:
    """The noisy sum, shape (trials,)."""
    noise = trials.stream.normals(trials.numbers, 0, 1)[:, 0]
    return np.asarray(data.sum() + NOISE_SCALE * noise)


def score(outputs: Array, data: Records, neighbour: Records) -> Array:
    """The log-likelihood ratio of the released sum."""
    return likelihood_ratio.gaussian(outputs, data.sum(), neighbour.sum(), NOISE_SCALE)
