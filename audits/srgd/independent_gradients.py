"""Accelerated descent with a fresh gradient every step, of this package, in the case that attains its guarantee.

What: four steps of two records in one pass, every clipped mean gradient with noise K/b of its own.
Why: a record is in one step only, so that the whole transcript is as private as one Gaussian mechanism, 1-GDP, however
long it is; a record that is used twice shows at once.
Worst-case neighbours: linear losses; the last record has five times the clip norm, and is zero in the neighbour.
The adversary sees every noisy weighted gradient and knows the other records.
"""

from __future__ import annotations

import numpy as np

from dpaudit.algorithms.srgd import independent_gradients
from dpaudit.arithmetic.arrays import Array
from dpaudit.attacks import likelihood_ratio
from dpaudit.audit.structural import stepwise
from dpaudit.audit.structural.recording import Recorder
from dpaudit.content.audits import with_record
from dpaudit.noise.stream import Trials
from dpaudit.problems.domains import clip
from dpaudit.problems.losses import linear
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.mechanism import Gaussian
from dpaudit.records.privacy import Neighbours, View, claim
from dpaudit.records.target import Target, TrialPlan
from dpaudit.sampling.batches import Batches

STEPS, BATCH, CLIP_NORM = 4, 2, 2.0
WEIGHTS = tuple(float(t) for t in range(1, STEPS + 2))

PARAMS = independent_gradients.Params(
    dimension=2,
    weights=WEIGHTS,
    scaling=3.0,
    batches=Batches("in order", STEPS * BATCH, BATCH),
    noise=CLIP_NORM / BATCH,
    lipschitz=10.0,
    clip_norm=CLIP_NORM,
)

TARGET = Target(
    name="srgd/independent-gradients",
    title="Accelerated descent with fresh noisy gradients, transcript of four steps",
    view=View.TRANSCRIPT,
    claim=claim(
        mu=1.0,
        neighbours=Neighbours.ZERO_OUT,
        source="Choquette-Choo, Ganesh, Thakurta (2024), section 5.5, with noise of one Gaussian mechanism",
    ),
    trials=TrialPlan(smoke=50_000, standard=2_000_000, deep=10_000_000),
    truth=Gaussian(1.0),
    claimed_mechanism=Gaussian(1.0),
    effect="models trained with this implementation leak more about a record than one noisy gradient should",
)

ASSUMPTIONS = Assumptions(ordered=True, checked_records=True)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Gradients of the linear losses, shape (8, 2); the last one is 5 K long, and zero in the neighbour."""
    return with_record(rng.normal(size=(STEPS * BATCH, 2)), (3 * CLIP_NORM, 4 * CLIP_NORM), 0.0, at=-1)


def run(data: Array, trials: Trials) -> Array:
    """Noisy gradients times t + 1, shape (trials, steps, 2)."""
    return independent_gradients.cpu(PARAMS, linear(data), trials)


def instrument(data: Array, recorder: Recorder) -> None:
    """One training of the reference form, recorded and replayed step by step."""
    stepwise.instrument(independent_gradients, PARAMS, linear(data), recorder)


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of all noisy gradients."""
    gradients = outputs / np.array(WEIGHTS[:-1])[:, None]
    mean, other = (clip(records, CLIP_NORM).reshape(STEPS, BATCH, 2).mean(axis=1) for records in (data, neighbour))
    return likelihood_ratio.gaussian(gradients, mean, other, PARAMS.noise)
