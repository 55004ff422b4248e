"""Noisy-ZOGD of which only the last iterate is released, on linear losses.

What: sixteen steps along one direction each in the plane; neither iterates nor directions are seen but w_T.
Why: on linear losses nothing contracts, so that hiding the path saves only what the unseen directions hide. The claim
is composition, 1-GDP; measured is 0.61 of that mu. It is the repair of theorem 3.2 as displayed
(zeroth/theorem-3.2-as-displayed), whose window of one step would promise less than this run shows.
Neighbours: a linear record of norm Delta turned into its opposite, so that all assumptions of the theorem hold.
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
CANARY = CLIP_NORM * np.array([0.6, 0.8])

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
    name="zeroth/last-iterate",
    title="Noisy-ZOGD on linear losses, only the last iterate",
    view=View.HIDDEN_STATE,
    claim=PrivacyClaim(
        GaussianDP(1.0),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source="Chien, Chen, Li (2025), theorem 3.2 in the convention of its proof; composition is the best window",
    ),
    trials=TrialPlan(smoke=50_000, standard=1_000_000, deep=3_000_000),
    effect="the last iterate alone leaks more about a record than all iterates together were promised to",
)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Slopes of two linear losses in the plane, norm at most Delta; the first is turned around in the neighbour."""
    data = np.stack([CANARY, CLIP_NORM / 2 * rng.uniform(-1, 1, size=2)])
    neighbour = data.copy()
    neighbour[0] = -CANARY
    return data, neighbour


def run(data: Array, trials: Trials) -> Array:
    """Last iterates w_T, shape (trials, 2)."""
    return noisy_zogd.cpu(PARAMS, linear(data), trials, release="final")


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """How far w_T went against the slope of the record: the law of this coordinate is symmetric around the middle."""
    return np.asarray(-outputs @ (data[0] - neighbour[0]))
