"""DP-SkGD on logistic losses with the usual canary, a record of largest norm whose label is flipped.

What: four steps of Algorithm 1 with block sampling on a logistic loss.
Why: this is the audit that a practitioner would do, and it has a blind factor of 2. The slopes of a logistic record
with label 1 and -1 add up to 1 at every point, so the flip moves the gradient by L_U/n, never by 2 L_U/n: the
transcript is exactly 1/2-GDP where 1-GDP is promised (epsilon 2.0 in place of 4.4), at all points and for any number
of steps. A calibration with half of the sensitivity passes it; known-bad/rbcd-half-sensitivity needs a linear loss.
Neighbours: one record of largest norm in every block, its label flipped.
The adversary sees every drawn block and every noisy gradient coordinate, and follows the iterates from them.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.rbcd import dp_skgd
from dpaudit.noise.stream import Trials
from dpaudit.problems.losses import Problem, logistic
from dpaudit.records.mechanism import Gaussian, SelfComposed
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan
from dpaudit.sampling.coordinates import block_uniform

Array = NDArray[np.float64]

RECORDS, EPOCHS, INNER_STEPS = 8, 2, 2
LONGEST = np.array([3.0, 4.0, 0.3, 0.4])
LIPSCHITZ = (5.0, 0.5)

PARAMS = dp_skgd.Params(
    start=(0.1, -0.2, 0.3, 0.0),
    step_sizes=(0.02, 0.02, 0.5, 0.5),
    epochs=EPOCHS,
    inner_steps=INNER_STEPS,
    sampler=block_uniform(((0, 1), (2, 3))),
    noise_scales=tuple(2 * bound * math.sqrt(EPOCHS * INNER_STEPS) / RECORDS for bound in LIPSCHITZ),
    lipschitz=LIPSCHITZ,
    records=RECORDS,
)

TARGET = Target(
    name="rbcd/dp-skgd-logistic",
    title="DP-SkGD on a logistic loss, canary with a flipped label",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        GaussianDP(1.0),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source="Maranjyan, Sadiev, Richtarik (2024), theorem 4.1, through its Gaussian mechanisms",
    ),
    trials=TrialPlan(smoke=50_000, standard=2_000_000, deep=10_000_000),
    truth=SelfComposed(Gaussian(4.0), 4),
    effect="a flipped label of a logistic model shows more clearly than theorem 4.1 promises",
)


def neighbours(rng: np.random.Generator) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
    """Features (records, 4) and labels (records,); the label of the first record is flipped in the neighbour."""
    features = rng.uniform(-1, 1, size=(RECORDS, 4)) * LONGEST
    features[0] = LONGEST
    labels = np.where(rng.random(RECORDS) < 0.5, -1.0, 1.0)
    flipped = labels.copy()
    flipped[0] = -labels[0]
    return (features, labels), (features, flipped)


def run(data: tuple[Array, Array], trials: Trials) -> Array:
    """Transcripts (trials, steps, 3): number of the block, its two noisy gradient coordinates."""
    return dp_skgd.cpu(PARAMS, logistic(*data), trials)


def score(outputs: Array, data: tuple[Array, Array], neighbour: tuple[Array, Array]) -> Array:
    """The log-likelihood ratio of the transcript, along the iterates that follow from it."""
    problems: list[Problem] = [logistic(*one) for one in (data, neighbour)]
    return dp_skgd.transcript_log_likelihood_ratio(PARAMS, *problems, outputs)
