"""DP-CD of Mangold et al. on linear losses, in the case that attains its guarantee.

What: two epochs of two steps of proximal coordinate descent with an l1 regulariser, coordinates drawn uniformly.
Why: the baseline that the random block methods are measured against. Its noise 2 L_j sqrt(K T)/n on the partial
derivative of coordinate j is calibrated so that the claim, 1-GDP, is met with equality; the proximal step is
post-processing and must not change anything.
Worst-case neighbours: a linear loss, one record with |zeta_j| = L_j in every coordinate turned into its opposite.
The adversary sees every drawn coordinate and its noisy partial derivative.
"""

from __future__ import annotations

import math

import numpy as np

from dpaudit.algorithms.rbcd import dp_cd
from dpaudit.arithmetic.arrays import Array
from dpaudit.attacks import likelihood_ratio
from dpaudit.audit.structural import stepwise
from dpaudit.audit.structural.recording import Recorder
from dpaudit.content.audits import with_record
from dpaudit.noise.stream import Trials
from dpaudit.problems.losses import linear
from dpaudit.problems.prox import Regulariser
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.context import Level
from dpaudit.records.mechanism import Gaussian, SelfComposed
from dpaudit.records.privacy import Neighbours, View, claim
from dpaudit.records.target import Target, TrialPlan

RECORDS, EPOCHS, INNER_STEPS = 6, 2, 2
LIPSCHITZ = np.array([3.0, 0.2, 1.0])

PARAMS = dp_cd.Params(
    start=(0.0, 0.1, -0.1),
    step_sizes=(0.1, 0.5, 0.2),
    epochs=EPOCHS,
    inner_steps=INNER_STEPS,
    noise_scales=tuple(2 * LIPSCHITZ * math.sqrt(EPOCHS * INNER_STEPS) / RECORDS),
    lipschitz=tuple(LIPSCHITZ),
    records=RECORDS,
    regulariser=Regulariser("l1", 0.3),
)

TARGET = Target(
    name="rbcd/dp-cd",
    title="DP-CD with an l1 regulariser, transcript of four steps",
    view=View.TRANSCRIPT,
    claim=claim(
        mu=1.0,
        neighbours=Neighbours.REPLACE_ONE,
        source="Mangold, Bellet, Salmon, Tommasi (2022), theorem 3.1, through its Gaussian mechanisms",
    ),
    trials=TrialPlan(smoke=50_000, standard=5_000_000, deep=10_000_000),
    truth=SelfComposed(Gaussian(2.0), 4),
    claimed_mechanism=SelfComposed(Gaussian(2.0), 4),
    effect="private coordinate descent leaks more about a record than its noise was calibrated for",
    from_level=Level.STANDARD,
)

ASSUMPTIONS = Assumptions(checked_records=True)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Records, shape (records, 3), |zeta_j| <= L_j; the first is at the bounds, and turned around in the neighbour."""
    return with_record(rng.uniform(-1, 1, size=(RECORDS, 3)) * LIPSCHITZ, LIPSCHITZ, -LIPSCHITZ)


def run(data: Array, trials: Trials) -> Array:
    """Transcripts (trials, steps, 2): the drawn coordinate and its noisy partial derivative."""
    return dp_cd.cpu(PARAMS, linear(data), trials)


def instrument(data: Array, recorder: Recorder) -> None:
    """One training of the reference form, recorded and replayed step by step."""
    stepwise.instrument(dp_cd, PARAMS, linear(data), recorder)


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of the transcript; the drawn coordinates do not depend on the data."""
    drawn = outputs[:, :, 0].astype(np.int64)
    mean, other = (records.mean(axis=0)[drawn] for records in (data, neighbour))
    return likelihood_ratio.gaussian(outputs[:, :, 1], mean, other, np.array(PARAMS.noise_scales)[drawn])
