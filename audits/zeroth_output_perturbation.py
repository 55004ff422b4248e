"""Noisy-ZOGD with the noise of its last step alone, output perturbation, corrected.

What: three steps on the interval [-R, R]; what is promised rests on the noise of the last step only.
Why: two runs may stand at opposite ends before the last step, 2 R apart, and the last step moves each by up to
eta Delta on its own data: the sensitivity is 2 R + 2 eta Delta. The paper takes 2 R
(zeroth/output-perturbation-as-printed). With R = 0.25, eta Delta = 0.625 and noise 1 the claim is 1.75-GDP.
Worst-case neighbours: a linear loss of slope Delta, and of slope -Delta, which drive the runs to opposite ends.
The adversary sees w_T.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms import noisy_zogd
from dpaudit.batches import Batches
from dpaudit.domains import ball
from dpaudit.noise import Trials
from dpaudit.privacy import GaussianDP, Neighbours, PrivacyClaim, View
from dpaudit.problems import linear
from dpaudit.target import Target, TrialPlan

Array = NDArray[np.float64]

RADIUS, STEPS = 0.25, 3
STEP_SIZE, NOISE, CLIP_NORM = 1.0, 1.0, 0.625

PARAMS = noisy_zogd.Params(
    start=(0.0,),
    steps=STEPS,
    batches=Batches("all records", 1, 1),
    directions=1,
    step_size=STEP_SIZE,
    perturbation=0.5,
    clip_norm=CLIP_NORM,
    noise=NOISE,
    variance_share=0.0,
    domain=ball(RADIUS, (0.0,)),
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
    """One linear loss on the line, of slope Delta, and of slope -Delta in the neighbour."""
    return np.array([[CLIP_NORM]]), np.array([[-CLIP_NORM]])


def run(data: Array, trials: Trials) -> Array:
    """Last iterates w_T in [-R, R], shape (trials,)."""
    return noisy_zogd.cpu(PARAMS, linear(data), trials, release="final")[:, 0]


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """How far down w_T is."""
    return np.asarray(-outputs)
