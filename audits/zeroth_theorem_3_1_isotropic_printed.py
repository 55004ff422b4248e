"""Noisy-ZOGD with isotropic noise, calibrated by theorem 3.1 as it is printed.

What: two steps of equation (3) along two of four directions, with b_dir = 0 and
sigma = (Delta/n) sqrt(T d/K).
Why: for isotropic noise the theorem promises Renyi DP of T d Delta^2/(2 n^2 K sigma^2) alpha = alpha/2. The factor
d/K is right, since only the part of the noise along the frame hides anything; the sensitivity is not: it is 2 Delta,
as in the other half of the theorem (zeroth/theorem-3.1-as-printed). The run is 2-GDP.
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
from dpaudit.records.mechanism import Concentrated, Gaussian, SelfComposed
from dpaudit.records.privacy import ApproximateDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan
from dpaudit.records.verdict import Outcome
from dpaudit.sampling.batches import Batches

Array = NDArray[np.float64]

RECORDS, STEPS, DIMENSION, DIRECTIONS = 5, 2, 4, 2
STEP_SIZE, CLIP_NORM = 0.7, 0.5
NOISE = CLIP_NORM / RECORDS * math.sqrt(STEPS * DIMENSION / DIRECTIONS)
SPREAD = STEP_SIZE * NOISE / math.sqrt(DIMENSION)
"""Standard deviation of the noise along each direction."""
STEEP = 1e9 * np.array([1.0, -2.0, 0.5, 0.3])

PARAMS = noisy_zogd.Params(
    start=(0.0,) * DIMENSION,
    steps=STEPS,
    batches=Batches("all records", RECORDS, RECORDS),
    directions=DIRECTIONS,
    step_size=STEP_SIZE,
    perturbation=0.5,
    clip_norm=CLIP_NORM,
    noise=NOISE,
    variance_share=0.0,
)

TARGET = Target(
    name="zeroth/theorem-3.1-isotropic-as-printed",
    title="Noisy-ZOGD calibrated by theorem 3.1 as printed, isotropic noise",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        ApproximateDP(4.729, 1e-5),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source="Chien, Chen, Li (2025), theorem 3.1 as printed, b_dir = 0: Renyi DP of all orders",
    ),
    trials=TrialPlan(smoke=20_000, standard=1_000_000, deep=1_000_000),
    expects=Outcome.REFUTED,
    truth=SelfComposed(Gaussian(math.sqrt(STEPS) / 2), STEPS),
    claimed_mechanism=Concentrated(0.5),
    effect="epsilon 10.0 at delta 1e-5 where 4.7 is printed",
    repair="zeroth/noisy-zogd",
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
    """The log-likelihood ratio of the moves along the frames; across them there is noise without data."""
    points = outputs[:, :, :DIMENSION]
    frames = outputs[:, :, DIMENSION:].reshape(len(outputs), STEPS, DIRECTIONS, DIMENSION)
    moves = np.diff(points, axis=1, prepend=0.0)
    along = (frames @ moves[..., None])[..., 0]
    means = (_clipped_slopes(records, frames) * (-STEP_SIZE / DIRECTIONS) for records in (data, neighbour))
    return likelihood_ratio.gaussian(along, *means, SPREAD)


def _clipped_slopes(records: Array, frames: Array) -> Array:
    """Means of the clipped slopes along every direction, shape (trials, steps, K)."""
    return np.clip(frames @ records.T, -CLIP_NORM, CLIP_NORM).mean(axis=-1)
