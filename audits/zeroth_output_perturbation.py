"""Noisy-ZOGD with the noise of its last step alone, output perturbation, corrected.

What: three steps along both directions of the plane, projected onto the disc of radius R; what is promised rests on
the noise of the last step only.
Why: two runs may stand on opposite sides before the last step, 2 R apart, and the last step moves each by up to
eta Delta/K on its own data: the sensitivity is 2 R + 2 eta Delta/K. The paper takes 2 R
(zeroth/output-perturbation-as-printed). With R = 0.25, eta Delta/K = 0.625 and noise 1 in each coordinate the claim is
1.75-GDP. That a record is smooth is used: K slopes of one gradient have norm Delta together.
Worst-case neighbours: a linear loss with a slope of norm Delta, and its opposite, which drive the runs to opposite
sides.
The adversary sees w_T.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.zeroth import noisy_zogd
from dpaudit.noise.stream import Trials
from dpaudit.problems.domains import ball
from dpaudit.problems.losses import linear
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan
from dpaudit.sampling.batches import Batches

Array = NDArray[np.float64]

RADIUS, STEPS = 0.25, 3
STEP_SIZE, NOISE, CLIP_NORM = 1.0, 2**0.5, 1.25
SLOPE = CLIP_NORM * np.array([0.6, 0.8])

PARAMS = noisy_zogd.Params(
    start=(0.0, 0.0),
    steps=STEPS,
    batches=Batches("all records", 1, 1),
    directions=2,
    step_size=STEP_SIZE,
    perturbation=0.5,
    clip_norm=CLIP_NORM,
    noise=NOISE,
    variance_share=0.0,
    domain=ball(RADIUS, (0.0, 0.0)),
)

TARGET = Target(
    name="zeroth/output-perturbation",
    title="Noisy-ZOGD with the noise of its last step alone",
    view=View.HIDDEN_STATE,
    claim=PrivacyClaim(
        GaussianDP(1.75),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source="Chien, Chen, Li (2025), appendix A.3, corrected: the last step parts two runs by more than 2 R",
    ),
    trials=TrialPlan(smoke=200_000, standard=1_000_000, deep=3_000_000),
    effect="the last iterate leaks more about a record than the noise of the last step allows",
)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """The slope of one linear loss in the plane, of norm Delta, and its opposite; shape (1, 2)."""
    return SLOPE[None], -SLOPE[None]


def run(data: Array, trials: Trials) -> Array:
    """Last iterates w_T in the disc, shape (trials, 2)."""
    return noisy_zogd.cpu(PARAMS, linear(data), trials, release="final")


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """How far down the slope of `data` w_T is."""
    return np.asarray(-outputs @ data[0])
