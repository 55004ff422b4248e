"""Noisy-ZOGD in a small ball, with the composition that corollary 3.3 should have fallen back to.

What: one step along 40 of 80 directions on one strongly convex quadratic loss (m = M = 1), eta = K/M, in a ball of
radius 1e-4; only w_1 is released.
Why: all hypotheses of corollary 3.3 hold, and its formula (29) goes to 0 with the radius
(zeroth/corollary-3.3-as-printed). A ball does not hide a step: projecting onto a small one keeps the direction of the
noisy move, and in high dimension the direction is nearly all of it. The claim is one Gaussian step for smooth records.
Worst-case neighbours: a record that pulls along an axis, moved to its opposite.
The adversary sees w_1, not the directions.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.zeroth import noisy_zogd
from dpaudit.noise.stream import Trials
from dpaudit.problems.domains import ball
from dpaudit.problems.losses import quadratic_minus_linear
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan
from dpaudit.sampling.batches import Batches

Array = NDArray[np.float64]

DIMENSION, DIRECTIONS, RADIUS = 80, 40, 1e-4
STEP_SIZE, CLIP_NORM = 40.0, 1.0
NOISE = 2 * CLIP_NORM / math.sqrt(DIMENSION)

PARAMS = noisy_zogd.Params(
    start=(0.0,) * DIMENSION,
    steps=1,
    batches=Batches("all records", 1, 1),
    directions=DIRECTIONS,
    step_size=STEP_SIZE,
    perturbation=1e-5,
    clip_norm=CLIP_NORM,
    noise=NOISE,
    variance_share=0.5,
    domain=ball(RADIUS, (0.0,) * DIMENSION),
)
SLOPE = CLIP_NORM - RADIUS - PARAMS.perturbation
"""Of the record at the start, so that its slopes are at most Delta wherever they are asked for."""

TARGET = Target(
    name="zeroth/corollary-3.3",
    title="Noisy-ZOGD in a small ball, composition for smooth records",
    view=View.HIDDEN_STATE,
    claim=PrivacyClaim(
        GaussianDP(1.6331),
        Neighbours.REPLACE_ONE,
        delta=0.01,
        source="Chien, Chen, Li (2025), accountant of public states for smooth records, corrected",
    ),
    trials=TrialPlan(smoke=4_000, standard=20_000, deep=100_000),
    effect="one step in a small ball leaks more about a record than its noise allows",
)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """The minimiser of the one record, shape (1, d), and its opposite."""
    record = np.zeros((1, DIMENSION))
    record[0, 0] = SLOPE
    return record, -record


def run(data: Array, trials: Trials) -> Array:
    """Last iterates w_1, shape (trials, d)."""
    return noisy_zogd.cpu(PARAMS, quadratic_minus_linear(np.eye(DIMENSION), data), trials, release="final")


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """How far w_1 lies on the side of the record, whichever frame was used."""
    return np.asarray(outputs @ (data[0] - neighbour[0]))
