"""DP-SkGD of which only the final iterate is released, on quadratic losses that the step forgets at once.

What: three epochs of two full steps of Algorithm 1 with Gamma = P M^-1 on ell = <w, M w>/2 - <zeta, w>.
Why: with the step sizes of the paper's theorems every step lands on the minimiser plus noise, so that only the last
epoch is in w^T: mu_final^2 = K (Delta/sigma)^2, a fraction 1/T of what the transcript shows. Beside the linear losses
(rbcd/dp-skgd-final-iterate), where nothing is forgotten, this is the other end of what hiding the transcript can buy;
an audit of the final model alone on such a loss would pass noise that is too small by sqrt(T).
Neighbours: one record zeta of norm L turned into its opposite; H is public and common to all records.
The adversary sees w^T.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.rbcd import dp_skgd
from dpaudit.attacks import likelihood_ratio
from dpaudit.noise.stream import Trials
from dpaudit.problems.losses import quadratic_minus_linear
from dpaudit.records.mechanism import Gaussian
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan
from dpaudit.sampling.coordinates import full

Array = NDArray[np.float64]

RECORDS, EPOCHS, INNER_STEPS = 5, 3, 2
WORST, SMOOTHNESS = np.array([0.6, 0.8]), np.array([2.0, 5.0])
NOISE_SCALE = 2 * math.sqrt(EPOCHS * INNER_STEPS) / RECORDS

PARAMS = dp_skgd.Params(
    start=(1.0, -1.0),
    step_sizes=tuple(1 / SMOOTHNESS),
    epochs=EPOCHS,
    inner_steps=INNER_STEPS,
    sampler=full(2),
    noise_scales=(NOISE_SCALE,),
    lipschitz=(1.0,),
    records=RECORDS,
)

TARGET = Target(
    name="rbcd/dp-skgd-final-iterate-quadratic",
    title="DP-SkGD on quadratic losses, only the averaged last iterate",
    view=View.FINAL_MODEL,
    claim=PrivacyClaim(
        GaussianDP(1.0),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source="Maranjyan, Sadiev, Richtarik (2024), theorem 4.1, through its Gaussian mechanisms",
    ),
    trials=TrialPlan(smoke=50_000, standard=5_000_000, deep=10_000_000),
    truth=Gaussian(math.sqrt(EPOCHS)),
    effect="the released model alone leaks more about a record than the whole transcript was promised to",
)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Records zeta, shape (records, 2), norm at most 1; the first is turned around in the neighbour."""
    data = rng.uniform(-1, 1, size=(RECORDS, 2)) * WORST
    neighbour = data.copy()
    data[0], neighbour[0] = WORST, -WORST
    return data, neighbour


def run(data: Array, trials: Trials) -> Array:
    """Final iterates w^T, shape (trials, 2)."""
    return dp_skgd.cpu(PARAMS, quadratic_minus_linear(np.diag(SMOOTHNESS), data), trials, release="final")


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of w^T: the minimiser plus the mean of K noises, divided by M."""
    mean, other = (records.mean(axis=0) / SMOOTHNESS for records in (data, neighbour))
    return likelihood_ratio.gaussian(outputs, mean, other, NOISE_SCALE / math.sqrt(INNER_STEPS) / SMOOTHNESS)
