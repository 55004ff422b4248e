"""DP-SRM stopped early: the first of T steps does not cost epsilon/T.

What: a run of 100 steps for which all conditions of theorem 5.1 hold (13 records, one in every batch, epsilon = 10,
delta = 1e-3, the feasible beta with the least noise), stopped after the first estimate.
Why: the proof ends with the claim that T' of T steps are (T' epsilon/T, delta)-DP: (0.1, 1e-3) for the first. Epsilon
falls like the square root of T', and delta would have to fall as well: one estimate has delta 0.0072 at epsilon 0.1.
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
from dpaudit.records.verdict import Outcome

Array = NDArray[np.float64]

RECORDS, PLANNED_STEPS, LIPSCHITZ = 13, 100, 1.0
SHARE = 0.281
"""beta, the largest feasible one to three digits."""
PLANNED = calibrate(Plan(RECORDS, PLANNED_STEPS, 1, 1, LIPSCHITZ, 1.0, 0.1, 1.0), epsilon=10.0, delta=1e-3, share=SHARE)
NOISE_MULTIPLIER = PLANNED.first_noise / (2 * LIPSCHITZ)

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
    name="srm/first-steps-printed",
    title="DP-SRM after one of a hundred steps, with the claim of theorem 5.1's proof",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        ApproximateDP(0.1, 1e-3),
        Neighbours.REPLACE_ONE,
        delta=1e-3,
        source="Wang, Jayaraman, Evans, Gu (2023), proof of theorem 5.1: (T' epsilon/T, delta) after T' steps",
    ),
    trials=TrialPlan(smoke=600_000, standard=1_000_000, deep=10_000_000),
    expects=Outcome.REFUTED,
    truth=FixedSizeSampled(1, RECORDS, Gaussian(NOISE_MULTIPLIER)),
    effect="whoever stops a run early and reports the share of epsilon spent reports 0.1 where 0.3 is true",
    repair="srm/first-steps-corrected",
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
