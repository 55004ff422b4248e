"""Vectors of noise alone, under attacks that learn and compete: the auditor must stay silent.

What: releases eight standard normal coordinates and never looks at the records.
Why: learned attacks overfit what they are fitted on, and the best of several attacks looks good by luck. Both would
turn into false alarms if the trials that fitted or chose them were counted too; the claim is epsilon 0, so any
advantage is one.
Neighbours: one record replaced by its opposite. The adversary sees all coordinates.
"""

from __future__ import annotations

import numpy as np

from dpaudit.arithmetic.arrays import Array
from dpaudit.attacks import likelihood_ratio
from dpaudit.attacks.histogram import Histogram
from dpaudit.attacks.learned_classifier import LearnedClassifier
from dpaudit.noise.stream import Trials
from dpaudit.records.mechanism import Constant
from dpaudit.records.privacy import Neighbours, View, claim
from dpaudit.records.target import Control, Target, TrialPlan

COORDINATES = 8

TARGET = Target(
    name="null/gaussian-attacks",
    title="Noise alone, under attacks that learn and compete",
    view=View.TRANSCRIPT,
    claim=claim(mu=0.0, neighbours=Neighbours.REPLACE_ONE, source="nothing of the data is released"),
    trials=TrialPlan(smoke=20_000, standard=100_000, deep=400_000),
    needs=(("sklearn", "mia"),),
    control=Control.NULL,
    truth=Constant(),
    effect="the auditor raises false alarms with learned attacks: none of its refutations can be trusted",
)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """One record (coordinates,) and its opposite."""
    record = rng.normal(size=COORDINATES)
    return record, -record


def run(data: Array, trials: Trials) -> Array:
    """Noise alone, shape (trials, coordinates)."""
    return trials.stream.normals(trials.numbers, 0, COORDINATES)


def ratio(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio that an adversary would use who believes that the record is released."""
    return likelihood_ratio.gaussian(outputs, data, neighbour, 1.0)


def first(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The first coordinate, signed as the record's."""
    return np.asarray(np.sign(data[0]) * outputs[:, 0])


ATTACKS = {
    "ratio": ratio,
    "first": first,
    "logistic": LearnedClassifier("logistic"),
    "boosting": LearnedClassifier("boosting"),
    "histogram": Histogram(values=2),
}
