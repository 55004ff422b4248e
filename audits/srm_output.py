"""DP-SRM of this package, its output alone: one iterate, drawn at random.

What: algorithm 1 on all four records at every step, momentum 1, constant step, four estimates. The output is the point
before a uniformly drawn step: the start itself in a quarter of the runs, else the sum of up to three noisy gradients.
Why: the claim is that of the transcript of four estimates, 1-GDP; the output tells less, and nothing in a quarter of
the runs. Which step was drawn must not depend on the data.
Worst-case neighbours: linear losses with gradients of norm G; one record is turned around.
The adversary sees the output, not which step was drawn, and knows the other records.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.srm import dp_srm
from dpaudit.noise.stream import Trials
from dpaudit.problems.losses import linear
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan

Array = NDArray[np.float64]

RECORDS, STEPS, LIPSCHITZ, STEP_SIZE = 4, 4, 2.0, 0.1
NOISE = 2 * LIPSCHITZ * 2 / RECORDS

PARAMS = dp_srm.Params(
    start=(0.0,),
    steps=STEPS,
    records=RECORDS,
    first_batch=RECORDS,
    batch=RECORDS,
    momentum=1.0,
    accuracy=1.0,
    divisor=1.0,
    smoothness=1.0,
    lipschitz=LIPSCHITZ,
    first_noise=NOISE,
    noise=NOISE,
    step_rule="constant",
    step_size=STEP_SIZE,
)

TARGET = Target(
    name="srm/dp-srm-output",
    title="DP-SRM, the drawn iterate of a run of four estimates",
    view=View.HIDDEN_STATE,
    claim=PrivacyClaim(
        GaussianDP(1.0),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source="Wang, Jayaraman, Evans, Gu (2023), theorem 5.1, with the exact Gaussian composition",
    ),
    trials=TrialPlan(smoke=50_000, standard=2_000_000, deep=10_000_000),
    effect="a published model leaks more about a record than even the whole transcript should",
)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Gradients of the linear losses, shape (4, 1), norm at most G; the first one is turned around."""
    data = rng.uniform(-LIPSCHITZ, LIPSCHITZ, size=(RECORDS, 1))
    neighbour = data.copy()
    data[0], neighbour[0] = LIPSCHITZ, -LIPSCHITZ
    return data, neighbour


def run(data: Array, trials: Trials) -> Array:
    """The drawn iterate, shape (trials, 1)."""
    return dp_srm.cpu(PARAMS, linear(data), trials, release="final")


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of a mixture over the steps that were made before the output; 0 at the start."""
    point = -outputs[:, 0] / STEP_SIZE
    ratio = np.log(_density(point, data.mean())) - np.log(_density(point, neighbour.mean()))
    return np.where(point == 0, 0.0, ratio)


def _density(point: Array, gradient: float) -> Array:
    """Up to a factor, that of a sum of k = 1, ..., T - 1 noisy gradients, all k alike."""
    k = np.arange(1, STEPS)
    exponents = -((point[:, None] - k * gradient) ** 2) / (2 * k * NOISE**2)
    return np.asarray((np.exp(exponents) / np.sqrt(k)).sum(axis=1))
