"""Noisy-ZOGD of which only the last iterate is released, on steep losses that rest on clipping alone.

What: sixteen steps along one direction each in the plane; neither iterates nor directions are seen but w_T.
Why: the strongest case that we know without directions. Every slope is clipped, so that a step moves w_T by
(eta Delta/n) |<v, u>| along the record's slope v, 2/pi of eta Delta/n on average in the plane, where a record that
clipping leaves alone moves it by <v, u>^2, which is 1/2 (zeroth/last-iterate). Measured is 0.78 of the 1-GDP of
composition; in high dimensions, with all noise along the directions, it is sqrt(2/pi) = 0.80.
Worst-case neighbours: a linear record so steep that every slope is clipped, turned into its opposite.
The adversary sees w_T.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.zeroth import noisy_zogd
from dpaudit.noise.stream import Trials
from dpaudit.problems.losses import linear
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan
from dpaudit.sampling.batches import Batches

Array = NDArray[np.float64]

RECORDS, STEPS = 2, 16
STEP_SIZE, NOISE, SHARE = 1.0, 1.0, 0.5
CLIP_NORM = RECORDS * NOISE / 2 * math.sqrt((SHARE + (1 - SHARE) / 2) / STEPS)
"""For which composition is 1-GDP: T (2 Delta/n)^2 = sigma^2 (b_dir + (1 - b_dir)/d)."""
CANARY = 1e9 * np.array([0.6, 0.8])

PARAMS = noisy_zogd.Params(
    start=(0.0, 0.0),
    steps=STEPS,
    batches=Batches("all records", RECORDS, RECORDS),
    directions=1,
    step_size=STEP_SIZE,
    perturbation=0.5,
    clip_norm=CLIP_NORM,
    noise=NOISE,
    variance_share=SHARE,
)

TARGET = Target(
    name="zeroth/last-iterate-sign-canary",
    title="Noisy-ZOGD on clipped losses, only the last iterate",
    view=View.HIDDEN_STATE,
    claim=PrivacyClaim(
        GaussianDP(1.0),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source="Chien, Chen, Li (2025), theorem 3.1, corrected; the last iterate follows from all of them",
    ),
    trials=TrialPlan(smoke=50_000, standard=1_000_000, deep=3_000_000),
    effect="the last iterate alone leaks more about a record than all iterates together were promised to",
)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Slopes of two linear losses in the plane: a steep one, turned around in the neighbour, and a short one."""
    data = np.stack([CANARY, CLIP_NORM / 2 * rng.uniform(-1, 1, size=2)])
    neighbour = data.copy()
    neighbour[0] = -CANARY
    return data, neighbour


def run(data: Array, trials: Trials) -> Array:
    """Last iterates w_T, shape (trials, 2)."""
    return noisy_zogd.cpu(PARAMS, linear(data), trials, release="final")


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """How far w_T went against the slope of the record: the law of this coordinate is symmetric around the middle."""
    return np.asarray(-outputs @ (data[0] - neighbour[0]) / np.linalg.norm(data[0]))
