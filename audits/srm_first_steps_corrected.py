"""DP-SRM stopped early: what the first of T steps costs.

What: the run of the target srm/first-steps-printed: the first estimate of a run that is planned for 100 steps.
Why: the exact epsilon of one estimate is 0.302 at delta = 1e-3, three times the share 10/100 of the plan's epsilon.
Worst-case neighbours: linear losses with gradient -G; one record has G in the data set and -G in its neighbour.
The adversary sees the estimate, not the batch, and knows the other records.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.srm import dp_srm
from dpaudit.algorithms.srm.accounting.calibration import Plan, calibrate
from dpaudit.noise.stream import Trials
from dpaudit.problems.losses import linear
from dpaudit.records.mechanism import FixedSizeSampled, Gaussian
from dpaudit.records.privacy import ApproximateDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan

Array = NDArray[np.float64]

RECORDS, PLANNED_STEPS, LIPSCHITZ = 13, 100, 1.0
SHARE = 0.281
"""beta, the largest feasible one to three digits."""
PLANNED = calibrate(Plan(RECORDS, PLANNED_STEPS, 1, 1, LIPSCHITZ, 1.0, 0.1, 1.0), epsilon=10.0, delta=1e-3, share=SHARE)
NOISE_MULTIPLIER = PLANNED.first_noise / (2 * LIPSCHITZ)
MECHANISM = FixedSizeSampled(1, RECORDS, Gaussian(NOISE_MULTIPLIER))
EPSILON = 0.30188
"""Of MECHANISM at delta = 1e-3, `accounting.epsilon_bounds`, rounded up."""

PARAMS = dp_srm.Params(
    start=(0.0,),
    steps=1,
    records=RECORDS,
    first_batch=1,
    batch=1,
    momentum=1.0,
    accuracy=0.1,
    divisor=1.0,
    smoothness=1.0,
    lipschitz=LIPSCHITZ,
    first_noise=PLANNED.first_noise,
    noise=PLANNED.noise,
)

TARGET = Target(
    name="srm/first-steps-corrected",
    title="DP-SRM after one of a hundred steps, with its exact epsilon",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        ApproximateDP(EPSILON, 1e-3),
        Neighbours.REPLACE_ONE,
        delta=1e-3,
        source="Wang, Jayaraman, Evans, Gu (2023), theorem 5.1, with the exact law of one sampled step",
    ),
    trials=TrialPlan(smoke=400_000, standard=1_000_000, deep=10_000_000),
    truth=MECHANISM,
    claimed_mechanism=MECHANISM,
    effect="one estimate tells more about a record than its exact law says",
)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Gradients of the linear losses, shape (13, 1): -G but for one record, which is G in the data set."""
    neighbour = np.full((RECORDS, 1), -LIPSCHITZ)
    data = neighbour.copy()
    data[int(rng.integers(RECORDS))] = LIPSCHITZ
    return data, neighbour


def run(data: Array, trials: Trials) -> Array:
    """The first noisy estimate, shape (trials, 1, 1)."""
    return dp_srm.cpu(PARAMS, linear(data), trials)


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of a mixture: the record is drawn with probability 1/n."""
    seen = (outputs[:, 0, 0] + LIPSCHITZ) / (2 * LIPSCHITZ)
    odds = np.exp((seen - 0.5) / NOISE_MULTIPLIER**2)
    return np.asarray(np.log1p((odds - 1) / RECORDS))
