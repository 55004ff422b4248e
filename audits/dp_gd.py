"""DP-GD of this package, whole transcript, in the case that attains its guarantee.

What: two epochs of two full gradients, each with noise 2 L sqrt(4)/n.
Why: every step has sensitivity 2 L/n, so that four steps are 1-GDP exactly. It is the baseline that sampled methods are
measured against, and the factor 2 of a replaced record is easily forgotten in it.
Worst-case neighbours: linear losses; one record of norm L is turned into its opposite.
The adversary sees every noisy gradient and knows the other records.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.rbcd import dp_gd
from dpaudit.attacks import likelihood_ratio
from dpaudit.audit.structural import stepwise
from dpaudit.audit.structural.recording import Recorder
from dpaudit.noise.stream import Trials
from dpaudit.problems.losses import linear
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.mechanism import Gaussian
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan

Array = NDArray[np.float64]

RECORDS, EPOCHS, INNER_STEPS, LIPSCHITZ = 6, 2, 2, 5.0
WORST = np.array([3.0, 4.0])

PARAMS = dp_gd.Params(
    start=(0.0, 0.0),
    step_sizes=(0.1, 0.1),
    epochs=EPOCHS,
    inner_steps=INNER_STEPS,
    noise=2 * LIPSCHITZ * math.sqrt(EPOCHS * INNER_STEPS) / RECORDS,
    lipschitz=LIPSCHITZ,
    records=RECORDS,
)

TARGET = Target(
    name="srm/dp-gd",
    title="DP-GD, transcript of four full gradients",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        GaussianDP(1.0),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source="Wang, Ye, Xu (2017), noisy gradient descent, with the exact Gaussian composition",
    ),
    trials=TrialPlan(smoke=50_000, standard=2_000_000, deep=10_000_000),
    truth=Gaussian(1.0),
    claimed_mechanism=Gaussian(1.0),
    effect="models trained with noisy gradient descent leak more about a record than its noise was chosen for",
)

ASSUMPTIONS = Assumptions(checked_records=True)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Gradients of the linear losses, shape (6, 2), norm at most L; the first one is turned around."""
    data = rng.uniform(-1, 1, size=(RECORDS, 2)) * WORST
    neighbour = data.copy()
    data[0], neighbour[0] = WORST, -WORST
    return data, neighbour


def run(data: Array, trials: Trials) -> Array:
    """Noisy gradients, shape (trials, 4, 2)."""
    return dp_gd.cpu(PARAMS, linear(data), trials)


def instrument(data: Array, recorder: Recorder) -> None:
    """One training of the reference form, recorded and replayed step by step."""
    stepwise.instrument(dp_gd, PARAMS, linear(data), recorder)


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of all noisy gradients."""
    return likelihood_ratio.gaussian(outputs, data.mean(axis=0), neighbour.mean(axis=0), PARAMS.noise)
