"""Noisy-ZOGD of which only the last iterate is released, on quadratic losses that forget.

What: six steps in one dimension on 40 losses (w - x_i)^2/2 in the ball of radius 1, step size 0.8, so that a step
shrinks all distances to a fifth.
Why: the one audit in which hidden states do save something and the exact law is known. The path is Gaussian, as it
never meets the boundary (nine standard deviations away) and no slope is clipped: the last iterate is 0.49-GDP exactly.
The claim is the proved hidden-state bound, 1.58-GDP; composition gives 1.97-GDP. The gap from exact to proved is that
losses of any minimiser and the start of the window anywhere in the ball are covered.
Neighbours: one record moves from 1 to -1. All assumptions of the hidden-state bound hold.
The adversary sees w_T.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.zeroth import noisy_zogd
from dpaudit.attacks import likelihood_ratio
from dpaudit.noise.stream import Trials
from dpaudit.problems.domains import ball
from dpaudit.problems.losses import quadratic_minus_linear
from dpaudit.records.mechanism import Gaussian
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan
from dpaudit.sampling.batches import Batches

Array = NDArray[np.float64]

RECORDS, STEPS, STEP_SIZE, RADIUS = 40, 6, 0.8, 1.0
CLIP_NORM, NOISE = 2.01, 0.125
KEPT = (1 - STEP_SIZE) ** np.arange(STEPS)
"""What is left of each step in w_T, the last one first."""
SPREAD = STEP_SIZE * NOISE * math.sqrt((KEPT**2).sum())

PARAMS = noisy_zogd.Params(
    start=(0.0,),
    steps=STEPS,
    batches=Batches("all records", RECORDS, RECORDS),
    directions=1,
    step_size=STEP_SIZE,
    perturbation=0.01,
    clip_norm=CLIP_NORM,
    noise=NOISE,
    domain=ball(RADIUS, (0.0,)),
)

TARGET = Target(
    name="zeroth/hidden-state-quadratic",
    title="Noisy-ZOGD on quadratic losses, only the last iterate",
    view=View.HIDDEN_STATE,
    claim=PrivacyClaim(
        GaussianDP(1.5812),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source="Chien, Chen, Li (2025), theorem 3.2, corrected, as dpaudit.algorithms.zeroth.accounting.hidden_state proves it",
    ),
    trials=TrialPlan(smoke=40_000, standard=200_000, deep=1_000_000),
    truth=Gaussian(SPREAD / (STEP_SIZE * KEPT.sum() * 2 / RECORDS)),
    effect="the last iterate leaks more about a record than the hidden-state bound says",
)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Minimisers of the records, shape (records, 1), in [-1, 1]; the first is 1, and -1 in the neighbour."""
    half = rng.uniform(-1, 1, size=(RECORDS // 2 - 1, 1))
    data = np.concatenate([[[1.0]], half, -half, [[0.0]]])  # balanced, so that the path stays near the centre
    neighbour = data.copy()
    neighbour[0] = -1.0
    return data, neighbour


def run(data: Array, trials: Trials) -> Array:
    """Last iterates w_T, shape (trials, 1)."""
    return noisy_zogd.cpu(PARAMS, quadratic_minus_linear(np.eye(1), data), trials, release="final")


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of w_T, which is Gaussian."""
    mean, other = (STEP_SIZE * KEPT.sum() * records.mean() for records in (data, neighbour))
    return likelihood_ratio.gaussian(outputs, mean, other, SPREAD)
