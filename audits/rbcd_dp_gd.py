"""Noisy gradient descent on all records, which is what DP-SkGD with S = [d] is.

What: two steps of full-batch gradient descent with noise 2 L sqrt(T)/n on every coordinate.
Why: the baseline of the paper with the simplest law, and the repair of its remark that DP-SkGD with S = [d] is
DP-SGD (rbcd/dp-sgd-with-full-batch-noise). The claim, 1-GDP, is met with equality.
Worst-case neighbours: a linear loss, one record of norm L turned into its opposite.
The adversary sees every noisy gradient.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.rbcd import dp_gd
from dpaudit.attacks import likelihood_ratio
from dpaudit.noise.stream import Trials
from dpaudit.problems.losses import linear
from dpaudit.records.mechanism import Gaussian, SelfComposed
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan

Array = NDArray[np.float64]

RECORDS, STEPS = 10, 2
WORST = np.array([0.6, 0.8])

PARAMS = dp_gd.Params(
    start=(0.0, 0.0),
    step_sizes=(0.1, 0.1),
    epochs=1,
    inner_steps=STEPS,
    noise=2 * math.sqrt(STEPS) / RECORDS,
    lipschitz=1.0,
    records=RECORDS,
)

TARGET = Target(
    name="rbcd/dp-gd",
    title="Noisy gradient descent, transcript of two steps",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        GaussianDP(1.0),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source="Maranjyan, Sadiev, Richtarik (2024), theorem 4.1 for S = [d], through its Gaussian mechanisms",
    ),
    trials=TrialPlan(smoke=50_000, standard=5_000_000, deep=10_000_000),
    truth=SelfComposed(Gaussian(math.sqrt(STEPS)), STEPS),
    effect="noisy gradient descent leaks more about a record than its noise was calibrated for",
)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Records, shape (records, 2), norm at most 1; the first is turned around in the neighbour."""
    data = rng.uniform(-1, 1, size=(RECORDS, 2)) * WORST
    neighbour = data.copy()
    data[0], neighbour[0] = WORST, -WORST
    return data, neighbour


def run(data: Array, trials: Trials) -> Array:
    """Transcripts (trials, steps, 2): the noisy gradients."""
    return dp_gd.cpu(PARAMS, linear(data), trials)


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of the transcript."""
    return likelihood_ratio.gaussian(outputs, data.mean(axis=0), neighbour.mean(axis=0), PARAMS.noise)
