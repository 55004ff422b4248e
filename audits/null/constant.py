"""A release that does not depend on the data: the auditor must stay silent.

What: releases a standard normal draw and never looks at the records.
Why: the claim is epsilon 0, so every advantage that the audit reports is a false alarm; it may
report one with the probability of its share of the error budget and no more often. The score
is the one of a real attack, so that the statistics are exercised as in a real audit.
Neighbours: one record replaced by its opposite. The adversary sees the released number.
"""

from __future__ import annotations

import numpy as np

from dpaudit.arithmetic.arrays import Array
from dpaudit.attacks import likelihood_ratio
from dpaudit.noise.stream import Trials
from dpaudit.records.mechanism import Constant
from dpaudit.records.privacy import Neighbours, View, claim
from dpaudit.records.target import Control, Target, TrialPlan

TARGET = Target(
    name="null/constant",
    title="A release without the data",
    view=View.TRANSCRIPT,
    claim=claim(mu=0.0, neighbours=Neighbours.REPLACE_ONE, source="nothing of the data is released"),
    trials=TrialPlan(smoke=100_000, standard=1_000_000, deep=1_000_000),
    control=Control.NULL,
    truth=Constant(),
    effect="the auditor raises false alarms: none of its refutations can be trusted",
    companion=True,
)


def neighbours(rng: np.random.Generator) -> tuple[float, float]:
    """One record and its opposite."""
    record = float(rng.uniform(0.5, 1.0))
    return record, -record


def run(data: float, trials: Trials) -> Array:
    """Noise alone, shape (trials,)."""
    return np.asarray(trials.stream.normals(trials.numbers, 0, 1)[:, 0])


def score(outputs: Array, data: float, neighbour: float) -> Array:
    """The log-likelihood ratio that an adversary would use who believes that the record is released."""
    return likelihood_ratio.gaussian(outputs, data, neighbour, 1.0)
