"""Random round private SGD of this package, its output alone.

What: three steps on one uniform record each; the law of the round puts all but 1e-12 on the last one. For linear losses
the output is the sum of three noisy gradients: one Gaussian mechanism on three draws with replacement (whose epsilon is
known up to a factor of 1.5 only, so that no tightness is stated).
Why: the claim is that of the transcript; the sum hides in which step the record was drawn, and tells less.
Worst-case neighbours: linear losses with gradients of norm G: one record is opposite to all others, or like them.
The adversary sees the output, not which record was drawn.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.srm import rrpsgd
from dpaudit.noise.stream import Trials
from dpaudit.problems.losses import linear
from dpaudit.records.mechanism import Gaussian, SelfComposed, WithReplacementSampled
from dpaudit.records.privacy import ApproximateDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan

Array = NDArray[np.float64]

STEPS, RECORDS, LIPSCHITZ, STEP_SIZE = 3, 4, 2.0, 0.1
NOISE_MULTIPLIER = 0.8
EPSILON = 5.61561
"""Of the transcript at delta = 1e-5, `accounting.epsilon_bounds`, rounded up."""

PARAMS = rrpsgd.Params(
    start=(0.0,),
    step_sizes=(STEP_SIZE,) * STEPS + (1e12,),
    records=RECORDS,
    noise=2 * NOISE_MULTIPLIER * LIPSCHITZ,
    lipschitz=LIPSCHITZ,
    smoothness=1.0,
    round_law="eta",
)

TARGET = Target(
    name="srm/rrpsgd-output",
    title="Random round private SGD, the output after three steps",
    view=View.FINAL_MODEL,
    claim=PrivacyClaim(
        ApproximateDP(EPSILON, 1e-5),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source="Zhang, Zheng, Mou, Wang (2017), with the exact composition of its sampled steps",
    ),
    trials=TrialPlan(smoke=50_000, standard=2_000_000, deep=10_000_000),
    claimed_mechanism=SelfComposed(WithReplacementSampled(1, RECORDS, Gaussian(NOISE_MULTIPLIER)), STEPS),
    effect="a published model leaks more about a record than even the whole transcript should",
)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Gradients of the linear losses, shape (4, 1): G but for one record, which is -G in the data set."""
    neighbour = np.full((RECORDS, 1), LIPSCHITZ)
    data = neighbour.copy()
    data[int(rng.integers(RECORDS))] = -LIPSCHITZ
    return data, neighbour


def run(data: Array, trials: Trials) -> Array:
    """theta^R, shape (trials, 1)."""
    return rrpsgd.cpu(PARAMS, linear(data), trials, release="final")


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of a mixture over how often the opposite record was drawn."""
    seen = (outputs[:, 0] / STEP_SIZE + STEPS * LIPSCHITZ) / (2 * LIPSCHITZ)
    times = np.arange(STEPS + 1)
    chances = np.array([math.comb(STEPS, k) * (RECORDS - 1.0) ** (STEPS - k) for k in times]) / RECORDS**STEPS
    odds = np.exp((seen[:, None] * times - times**2 / 2) / (STEPS * NOISE_MULTIPLIER**2))
    return np.asarray(np.log((odds * chances).sum(axis=1)))
