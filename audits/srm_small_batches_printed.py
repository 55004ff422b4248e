"""DP-SRM with the noise of theorem 5.1 where its side conditions fail: the noise formula alone protects nobody.

What: fifty records, ten estimates from one record each, momentum 1, and the noise of (2.3) and (2.5) for epsilon = 4,
delta = 1e-5, beta = 1/2.
Why: the variances do not see the batch, only the conditions do: sigma'^2 is 0.047 where 0.7 is required, and the order
is far too high. With so little noise a record shows whenever it is drawn, which is in a fifth of the runs.
Worst-case neighbours: linear losses with gradient -G; one record has G in the data set and -G in its neighbour.
The adversary sees every estimate v_p, not the batches, and knows the other records.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.srm import dp_srm
from dpaudit.algorithms.srm.accounting.calibration import Plan, calibrate
from dpaudit.noise.stream import Trials
from dpaudit.problems.losses import linear
from dpaudit.records.mechanism import FixedSizeSampled, Gaussian, SelfComposed
from dpaudit.records.privacy import ApproximateDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan
from dpaudit.records.verdict import Outcome

Array = NDArray[np.float64]

RECORDS, STEPS, LIPSCHITZ = 50, 10, 1.0
PRINTED = calibrate(Plan(RECORDS, STEPS, 1, 1, LIPSCHITZ, 1.0, 0.1, 1.0), epsilon=4.0, delta=1e-5, share=0.5)
NOISE_MULTIPLIER = PRINTED.noise / (2 * LIPSCHITZ)

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
    first_noise=PRINTED.first_noise,
    noise=PRINTED.noise,
)

TARGET = Target(
    name="srm/small-batches-printed",
    title="DP-SRM with batches of one record and the noise of theorem 5.1 as printed",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        ApproximateDP(4.0, 1e-5),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source="Wang, Jayaraman, Evans, Gu (2023), theorem 5.1, its noise without its side conditions",
    ),
    trials=TrialPlan(smoke=200_000, standard=1_000_000, deep=4_000_000),
    expects=Outcome.REFUTED,
    truth=SelfComposed(FixedSizeSampled(1, RECORDS, Gaussian(NOISE_MULTIPLIER)), STEPS),
    effect="whoever takes the noise formula without its conditions gets epsilon 38 at delta 1e-5 instead of 4",
    repair="srm/small-batches-corrected",
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
