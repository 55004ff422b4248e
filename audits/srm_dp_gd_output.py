"""DP-GD of this package, its output alone.

What: two epochs of two full gradients; an epoch ends at the mean of its two points, so that w^2 is the start less
gamma (y_1 + y_2/2 + y_3 + y_4/2).
Why: the claim is that of the transcript, 1-GDP; the output weighs the noisy gradients unequally and is exactly
3/sqrt(10) = 0.949-GDP.
Worst-case neighbours: linear losses; one record of norm L is turned into its opposite.
The adversary sees the output and knows the other records.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.rbcd import dp_gd
from dpaudit.attacks import likelihood_ratio
from dpaudit.noise.stream import Trials
from dpaudit.problems.losses import linear
from dpaudit.records.mechanism import Gaussian
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan

Array = NDArray[np.float64]

RECORDS, LIPSCHITZ, STEP_SIZE = 6, 5.0, 0.1
WORST = np.array([3.0, 4.0])
WEIGHTS = np.array([1.0, 0.5, 1.0, 0.5])

PARAMS = dp_gd.Params(
    start=(0.0, 0.0),
    step_sizes=(STEP_SIZE, STEP_SIZE),
    epochs=2,
    inner_steps=2,
    noise=2 * LIPSCHITZ * 2 / RECORDS,
    lipschitz=LIPSCHITZ,
    records=RECORDS,
)

TARGET = Target(
    name="srm/dp-gd-output",
    title="DP-GD, the output after two epochs",
    view=View.FINAL_MODEL,
    claim=PrivacyClaim(
        GaussianDP(1.0),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source="Wang, Ye, Xu (2017), noisy gradient descent, with the exact Gaussian composition",
    ),
    trials=TrialPlan(smoke=50_000, standard=2_000_000, deep=10_000_000),
    truth=Gaussian(math.sqrt(10) / 3),
    effect="a published model leaks more about a record than even the whole transcript should",
)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Gradients of the linear losses, shape (6, 2), norm at most L; the first one is turned around."""
    data = rng.uniform(-1, 1, size=(RECORDS, 2)) * WORST
    neighbour = data.copy()
    data[0], neighbour[0] = WORST, -WORST
    return data, neighbour


def run(data: Array, trials: Trials) -> Array:
    """w^2, shape (trials, 2)."""
    return dp_gd.cpu(PARAMS, linear(data), trials, release="final")


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of the output, which is normal."""
    mean, other = (-STEP_SIZE * WEIGHTS.sum() * records.mean(axis=0) for records in (data, neighbour))
    spread = STEP_SIZE * PARAMS.noise * float(np.linalg.norm(WEIGHTS))
    return likelihood_ratio.gaussian(outputs, mean, other, spread)
