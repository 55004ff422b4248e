"""DP-SRM with noise for a record that comes or goes, claimed for one that is replaced: a planted bug.

What: three estimates from one of four records, momentum 1, noise G for the noise multiplier 1.
Why: a replaced record moves an estimate by 2 G/b, not by G/b, the step of theorem 5.1's proof that is forgotten most
easily: the noise multiplier is 1/2.
Worst-case neighbours: linear losses with gradient -G; one record has G in the data set and -G in its neighbour.
The adversary sees every estimate v_p, not the batches, and knows the other records.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.srm import dp_srm
from dpaudit.noise.stream import Trials
from dpaudit.problems.losses import linear
from dpaudit.records.mechanism import FixedSizeSampled, Gaussian, SelfComposed
from dpaudit.records.privacy import ApproximateDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Control, PlantedBug, Target, Tier, TrialPlan
from dpaudit.records.verdict import Outcome

Array = NDArray[np.float64]

RECORDS, STEPS, LIPSCHITZ = 4, 3, 2.0
CLAIMED = SelfComposed(FixedSizeSampled(1, RECORDS, Gaussian(1.0)), STEPS)
EPSILON = 3.82328
"""Of CLAIMED at delta = 1e-5, `accounting.epsilon_bounds`, rounded up."""

PARAMS = dp_srm.Params(
    start=(0.0,),
    steps=STEPS,
    records=RECORDS,
    first_batch=1,
    batch=1,
    momentum=1.0,
    accuracy=0.1,
    divisor=1.0,
    smoothness=1.0,
    lipschitz=LIPSCHITZ,
    first_noise=LIPSCHITZ,  # the bug
    noise=LIPSCHITZ,
)

TARGET = Target(
    name="known-bad/srm-replaced-record",
    title="DP-SRM with noise for a record that comes or goes",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        ApproximateDP(EPSILON, 1e-5),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source="Wang, Jayaraman, Evans, Gu (2023), theorem 5.1, for the noise before the bug",
    ),
    trials=TrialPlan(smoke=100_000, standard=500_000, deep=1_000_000),
    control=Control.KNOWN_BAD,
    expects=Outcome.REFUTED,
    truth=SelfComposed(FixedSizeSampled(1, RECORDS, Gaussian(0.5)), STEPS),
    claimed_mechanism=CLAIMED,
    effect="swapping one person for another shows in the transcript about as clearly as at epsilon 12, not 3.8",
    repair="srm/theorem-5.1",
    bug=PlantedBug(
        "https://github.com/google-deepmind/jax_privacy/blob/main/docs/sharp_edges_dp_training_pitfalls.md, "
        "neighbouring relations",
        Tier.GAME,
        100_000,
    ),
)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Gradients of the linear losses, shape (4, 1): -G but for one record, which is G in the data set."""
    neighbour = np.full((RECORDS, 1), -LIPSCHITZ)
    data = neighbour.copy()
    data[int(rng.integers(RECORDS))] = LIPSCHITZ
    return data, neighbour


def run(data: Array, trials: Trials) -> Array:
    """Noisy estimates, shape (trials, steps, 1)."""
    return dp_srm.cpu(PARAMS, linear(data), trials)


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of a mixture at every step: the record is drawn with probability 1/n."""
    seen = (outputs[:, :, 0] + LIPSCHITZ) / (2 * LIPSCHITZ)
    odds = np.exp((seen - 0.5) * 4)
    return np.asarray(np.log1p((odds - 1) / RECORDS).sum(axis=1))
