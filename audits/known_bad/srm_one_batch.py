"""DP-SRM that draws its batch once: a planted bug that the auditor must find.

What: four estimates from one of four records, momentum 1; the record is drawn before the first step and stays.
Why: the claim composes four fresh draws. With one draw the steps are no longer independent: with probability 1/4 the
record is in all four, one Gaussian mechanism with half the noise.
Worst-case neighbours: linear losses with gradient -G; one record has G in the data set and -G in its neighbour.
The adversary sees every estimate, not the batch, and knows the other records.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpaudit.noise.stream import Trials
from dpaudit.records.mechanism import FixedSizeSampled, Gaussian, SelfComposed
from dpaudit.records.privacy import ApproximateDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Control, PlantedBug, Target, Tier, TrialPlan
from dpaudit.records.verdict import Outcome

Array = NDArray[np.float64]

RECORDS, STEPS, LIPSCHITZ = 4, 4, 2.0
NOISE_MULTIPLIER = 1.0
CLAIMED = SelfComposed(FixedSizeSampled(1, RECORDS, Gaussian(NOISE_MULTIPLIER)), STEPS)
EPSILON = 4.23714
"""Of CLAIMED at delta = 1e-5, `accounting.epsilon_bounds`, rounded up."""

TARGET = Target(
    name="known-bad/srm-one-batch",
    title="DP-SRM that draws its batch once",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        ApproximateDP(EPSILON, 1e-5),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source="Wang, Jayaraman, Evans, Gu (2023), theorem 5.1, with the exact composition of fresh batches",
    ),
    trials=TrialPlan(smoke=200_000, standard=500_000, deep=1_000_000),
    control=Control.KNOWN_BAD,
    expects=Outcome.REFUTED,
    truth=FixedSizeSampled(1, RECORDS, Gaussian(NOISE_MULTIPLIER / 2)),
    claimed_mechanism=CLAIMED,
    effect="a record that is drawn shows in every step: epsilon 8.0 where fresh batches give 4.2",
    repair="srm/theorem-5.1",
    bug=PlantedBug("Chua et al. (2024), https://arxiv.org/abs/2403.17673", Tier.GAME, 200_000),
)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Gradients of the linear losses, shape (4,): -G but for one record, which is G in the data set."""
    neighbour = np.full(RECORDS, -LIPSCHITZ)
    data = neighbour.copy()
    data[int(rng.integers(RECORDS))] = LIPSCHITZ
    return data, neighbour


def run(data: Array, trials: Trials) -> Array:
    """Noisy estimates, shape (trials, 4)."""
    drawn = trials.stream.part("batches").uniforms(trials.numbers, 0, 1)  # once, not at every step: the bug
    noise = trials.stream.part("noise").normals(trials.numbers, 0, STEPS)
    return np.asarray(data[(drawn * RECORDS).astype(np.int64)] + 2 * LIPSCHITZ * NOISE_MULTIPLIER * noise)


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """How much the estimates lie on the side of the one record, all steps alike."""
    return np.asarray((outputs + LIPSCHITZ).sum(axis=1))
