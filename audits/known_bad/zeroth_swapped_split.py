"""Noisy-ZOGD calibrated with one meaning of beta_t and run with the other: a planted bug that the paper invites.

What: two steps along one of four directions with beta_t = 1.
Why: theorem 3.2 gives the share beta_t of the noise to the directions, equation (3) and theorem 3.1 give it to the
isotropic part. Calibrated by the first and run by the second, d - K of d parts of the noise go where nothing has to
be hidden: mu is too large by sqrt(d/K) = 2.
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

RECORDS, STEPS, DIMENSION, DIRECTIONS = 5, 2, 4, 1
STEP_SIZE, CLIP_NORM = 0.7, 0.5
CLAIMED_NOISE = 2 * CLIP_NORM * math.sqrt(STEPS) / RECORDS
STEEP = 1e9 * np.arange(1.0, DIMENSION + 1)

PARAMS = noisy_zogd.Params(
    start=(0.0,) * DIMENSION,
    steps=STEPS,
    batches=Batches("all records", RECORDS, RECORDS),
    directions=DIRECTIONS,
    step_size=STEP_SIZE,
    perturbation=0.5,
    clip_norm=CLIP_NORM,
    noise=CLAIMED_NOISE,
    variance_share=1.0,
    noise_split="isotropic",  # the bug
)
SPREAD = STEP_SIZE * CLAIMED_NOISE / math.sqrt(DIMENSION)
"""Standard deviation of the noise along each direction."""

TARGET = Target(
    name="known-bad/zeroth-swapped-split",
    title="Noisy-ZOGD with the two meanings of beta_t mixed up",
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
    truth=SelfComposed(Gaussian(math.sqrt(STEPS) / 2), STEPS),
    effect="epsilon 10.0 at delta 1e-5 where 4.4 is promised; sqrt(d/K) times the mu in larger models",
    repair="zeroth/noisy-zogd",
    bug=PlantedBug(
        "Chien, Chen, Li (2025), https://arxiv.org/abs/2506.00158, theorem 3.2 against equation (3)",
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
    return noisy_zogd.cpu(PARAMS, linear(data), trials)


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of the moves along the frames, with the noise that is really there."""
    points = outputs[:, :, :DIMENSION]
    frames = outputs[:, :, DIMENSION:].reshape(len(outputs), STEPS, DIRECTIONS, DIMENSION)
    moves = np.diff(points, axis=1, prepend=0.0)
    along = (frames @ moves[..., None])[..., 0]
    means = (_clipped_slopes(records, frames) * (-STEP_SIZE / DIRECTIONS) for records in (data, neighbour))
    return likelihood_ratio.gaussian(along, *means, SPREAD)


def _clipped_slopes(records: Array, frames: Array) -> Array:
    """Means of the clipped slopes along every direction, shape (trials, steps, K)."""
    return np.clip(frames @ records.T, -CLIP_NORM, CLIP_NORM).mean(axis=-1)
