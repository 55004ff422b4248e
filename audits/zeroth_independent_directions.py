"""Noisy-ZOGD along independent directions, which need not be orthogonal, with public iterates.

What: two steps along two independent points of the sphere in three dimensions, all noise along them.
Why: appendix B and prior work draw directions independently. Noise of equal size along each direction is then not
isotropic in their span, and the released move tells the K noisy slopes, as the directions are linearly independent
with probability 1. The claim, 1-GDP, is met with equality for b_dir = 1.
Worst-case neighbours: a linear record so steep that every slope is clipped to Delta or -Delta, turned into its
opposite, which turns the sign of all K slopes. The promise rests on clipping alone, so that no smoothness is needed.
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
from dpaudit.records.target import Target, TrialPlan
from dpaudit.sampling.batches import Batches

Array = NDArray[np.float64]

RECORDS, STEPS, DIMENSION, DIRECTIONS = 5, 2, 3, 2
STEP_SIZE, CLIP_NORM = 0.7, 0.5
NOISE = 2 * CLIP_NORM * math.sqrt(STEPS) / RECORDS
SPREAD = STEP_SIZE * NOISE / math.sqrt(DIRECTIONS)
"""Standard deviation of the noise along each direction."""
STEEP = 1e9 * np.array([1.0, -2.0, 0.5])

PARAMS = noisy_zogd.Params(
    start=(0.0,) * DIMENSION,
    steps=STEPS,
    batches=Batches("all records", RECORDS, RECORDS),
    directions=DIRECTIONS,
    step_size=STEP_SIZE,
    perturbation=0.5,
    clip_norm=CLIP_NORM,
    noise=NOISE,
    variance_share=1.0,
    frame="independent",
)

TARGET = Target(
    name="zeroth/noisy-zogd-independent-directions",
    title="Noisy-ZOGD along independent directions, public iterates",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        GaussianDP(1.0),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source="Chien, Chen, Li (2025), appendix B; composition of the steps given their directions",
    ),
    trials=TrialPlan(smoke=50_000, standard=800_000, deep=5_000_000),
    truth=SelfComposed(Gaussian(math.sqrt(STEPS)), STEPS),
    effect="independent directions leak more about a record than their noise was chosen for",
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
    """The log-likelihood ratio of the coefficients of the moves in the directions."""
    points = outputs[:, :, :DIMENSION]
    frames = outputs[:, :, DIMENSION:].reshape(len(outputs), STEPS, DIRECTIONS, DIMENSION)
    moves = np.diff(points, axis=1, prepend=0.0)
    along = np.linalg.solve(frames @ frames.swapaxes(2, 3), frames @ moves[..., None])[..., 0]
    means = (_clipped_slopes(records, frames) * (-STEP_SIZE / DIRECTIONS) for records in (data, neighbour))
    return likelihood_ratio.gaussian(along, *means, SPREAD)


def _clipped_slopes(records: Array, frames: Array) -> Array:
    """Means of the clipped slopes along every direction, shape (trials, steps, K)."""
    return np.clip(frames @ records.T, -CLIP_NORM, CLIP_NORM).mean(axis=-1)
