"""DP-SkGD of which only the final iterate w^T is released, on linear losses.

What: two epochs of three full steps of Algorithm 1, averaged as printed; only w^2 is seen.
Why: the proof of theorem 4.1 protects the whole transcript; most users publish w^T. On linear losses w^{t+1} - w^t is
the sum of the released steps with weights i/K, i = 1, ..., K, so that w^T is Gaussian too, with
mu_final^2/mu^2 = 3 (K + 1)/(2 (2 K + 1)): 6/7 for K = 3, 1 for K = 1, 3/4 in the limit. Hiding the transcript buys at
most 14 % of mu on these losses, so noise must not be lowered on the ground that only the model is released.
Worst-case neighbours: a linear loss, one record of norm L turned into its opposite.
The adversary sees w^T.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.rbcd import dp_skgd
from dpaudit.attacks import likelihood_ratio
from dpaudit.noise.stream import Trials
from dpaudit.problems.losses import linear
from dpaudit.records.mechanism import Gaussian
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan
from dpaudit.sampling.coordinates import full

Array = NDArray[np.float64]

RECORDS, EPOCHS, INNER_STEPS = 5, 2, 3
WORST, STEP_SIZE = np.array([0.6, 0.8]), 0.1
NOISE_SCALE = 2 * math.sqrt(EPOCHS * INNER_STEPS) / RECORDS
WEIGHTS = np.arange(1, INNER_STEPS + 1) / INNER_STEPS
"""How much of each released step of an epoch is in the average of its iterates."""

PARAMS = dp_skgd.Params(
    start=(0.0, 0.0),
    step_sizes=(STEP_SIZE, STEP_SIZE),
    epochs=EPOCHS,
    inner_steps=INNER_STEPS,
    sampler=full(2),
    noise_scales=(NOISE_SCALE,),
    lipschitz=(1.0,),
    records=RECORDS,
)

TARGET = Target(
    name="rbcd/dp-skgd-final-iterate",
    title="DP-SkGD on linear losses, only the averaged last iterate",
    view=View.FINAL_MODEL,
    claim=PrivacyClaim(
        GaussianDP(1.0),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source="Maranjyan, Sadiev, Richtarik (2024), theorem 4.1, through its Gaussian mechanisms",
    ),
    trials=TrialPlan(smoke=50_000, standard=5_000_000, deep=10_000_000),
    truth=Gaussian(math.sqrt(2 * (2 * INNER_STEPS + 1) / (3 * (INNER_STEPS + 1)))),
    effect="the released model alone leaks more about a record than the whole transcript was promised to",
)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Records, shape (records, 2), norm at most 1; the first is turned around in the neighbour."""
    data = rng.uniform(-1, 1, size=(RECORDS, 2)) * WORST
    neighbour = data.copy()
    data[0], neighbour[0] = WORST, -WORST
    return data, neighbour


def run(data: Array, trials: Trials) -> Array:
    """Final iterates w^T, shape (trials, 2)."""
    return dp_skgd.cpu(PARAMS, linear(data), trials, release="final")


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of w^T, which is Gaussian."""
    mean, other = (-STEP_SIZE * EPOCHS * WEIGHTS.sum() * records.mean(axis=0) for records in (data, neighbour))
    spread = STEP_SIZE * NOISE_SCALE * math.sqrt(EPOCHS * (WEIGHTS**2).sum())
    return likelihood_ratio.gaussian(outputs, mean, other, spread)
