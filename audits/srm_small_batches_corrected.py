"""DP-SRM on batches of one record, with the noise that they need.

What: the run of the target srm/small-batches-printed with 2.7 times its noise: the least, to 0.2 %, with which the
exact composition of ten sampled Gaussian mechanisms is (4, 1e-5)-DP.
Why: the exact accountant has no conditions on batches or orders, and needs no others.
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
from dpaudit.records.target import Target, TrialPlan

Array = NDArray[np.float64]

RECORDS, STEPS, LIPSCHITZ = 50, 10, 1.0
NOISE_MULTIPLIER = 0.579
"""The least multiplier of three digits with which `accounting.epsilon_bounds` of MECHANISM gives at most 4."""
MECHANISM = SelfComposed(FixedSizeSampled(1, RECORDS, Gaussian(NOISE_MULTIPLIER)), STEPS)
EPSILON = 3.983
"""Of MECHANISM at delta = 1e-5, rounded up."""

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
    first_noise=2 * LIPSCHITZ * NOISE_MULTIPLIER,
    noise=2 * LIPSCHITZ * NOISE_MULTIPLIER,
)

TARGET = Target(
    name="srm/small-batches-corrected",
    title="DP-SRM with batches of one record and the noise that they need",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        ApproximateDP(EPSILON, 1e-5),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source="Wang, Jayaraman, Evans, Gu (2023), theorem 5.1, with the exact composition",
    ),
    trials=TrialPlan(smoke=200_000, standard=1_000_000, deep=10_000_000),
    truth=MECHANISM,
    claimed_mechanism=MECHANISM,
    effect="the exact accountant of sampled steps does not give enough noise for batches of one record",
)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Gradients of the linear losses, shape (50, 1): -G but for one record, which is G in the data set."""
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
    odds = np.exp((seen - 0.5) / NOISE_MULTIPLIER**2)
    return np.asarray(np.log1p((odds - 1) / RECORDS).sum(axis=1))
