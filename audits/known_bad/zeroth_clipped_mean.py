"""Noisy-ZOGD that clips the mean of the slopes in place of each of them: a planted bug.

What: two steps along one of two directions; the slopes of three records are averaged first and clipped then.
Why: clipping after averaging bounds the step, not the share of a record in it: one record can turn the whole mean,
which moves by 2 Delta and not by 2 Delta/n. mu is too large by n = 3. The same slip is known from clipped gradients.
Worst-case neighbours: a linear record so steep that every slope is clipped, turned into its opposite.
The adversary sees every iterate and every frame.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.zeroth import noisy_zogd
from dpaudit.attacks import likelihood_ratio
from dpaudit.noise.stream import Trials
from dpaudit.problems.losses import linear
from dpaudit.records.mechanism import Gaussian, SelfComposed
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Control, PlantedBug, Target, Tier, TrialPlan
from dpaudit.records.verdict import Outcome
from dpaudit.sampling.batches import Batches

Array = NDArray[np.float64]

RECORDS, STEPS, DIMENSION, DIRECTIONS = 3, 2, 2, 1
STEP_SIZE, CLIP_NORM = 0.7, 0.5
CLAIMED_NOISE = 2 * CLIP_NORM * math.sqrt(STEPS) / RECORDS
STEEP = 1e9 * np.arange(1.0, DIMENSION + 1)

PARAMS = noisy_zogd.Params(
    start=(0.0,) * DIMENSION,
    steps=STEPS,
    batches=Batches("all records", 1, 1),
    directions=DIRECTIONS,
    step_size=STEP_SIZE,
    perturbation=0.5,
    clip_norm=CLIP_NORM,
    noise=CLAIMED_NOISE,
    variance_share=1.0,
)
SPREAD = STEP_SIZE * CLAIMED_NOISE
"""Standard deviation of the noise along each direction."""

TARGET = Target(
    name="known-bad/zeroth-clipped-mean",
    title="Noisy-ZOGD that clips the mean of its slopes",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        GaussianDP(1.0),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source="Chien, Chen, Li (2025), theorem 3.1, corrected, before the bug",
    ),
    trials=TrialPlan(smoke=50_000, standard=500_000, deep=500_000),
    control=Control.KNOWN_BAD,
    expects=Outcome.REFUTED,
    truth=SelfComposed(Gaussian(math.sqrt(STEPS) / RECORDS), STEPS),
    effect="one record steers every step: epsilon 16.7 at delta 1e-5 with three records, more with others",
    repair="zeroth/noisy-zosgd",
    bug=PlantedBug(
        "Abadi et al. (2016), https://arxiv.org/abs/1607.00133, algorithm 1 with its clipping after the mean",
        Tier.GAME,
        50_000,
    ),
)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Slopes of linear losses, shape (records, d): the first record is steep, and its opposite in the neighbour."""
    data = rng.normal(size=(RECORDS, DIMENSION))
    neighbour = data.copy()
    data[0], neighbour[0] = STEEP, -STEEP
    return data, neighbour


def run(data: Array, trials: Trials) -> Array:
    """Transcripts (trials, steps, d + K d): every iterate and the frame that led to it."""
    return noisy_zogd.cpu(PARAMS, linear(data.mean(axis=0, keepdims=True)), trials)


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of the moves along the frames, with the noise that is really there."""
    points = outputs[:, :, :DIMENSION]
    frames = outputs[:, :, DIMENSION:].reshape(len(outputs), STEPS, DIRECTIONS, DIMENSION)
    moves = np.diff(points, axis=1, prepend=0.0)
    along = (frames @ moves[..., None])[..., 0]
    means = (_clipped_slopes(records, frames) * (-STEP_SIZE / DIRECTIONS) for records in (data, neighbour))
    return likelihood_ratio.gaussian(along, *means, SPREAD)


def _clipped_slopes(records: Array, frames: Array) -> Array:
    """Clipped means of the slopes along every direction, shape (trials, steps, K)."""
    return np.clip(frames @ records.mean(axis=0), -CLIP_NORM, CLIP_NORM)
