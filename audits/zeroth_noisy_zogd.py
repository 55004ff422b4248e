"""Noisy-ZOGD with public iterates, in the case that attains the corrected theorem 3.1.

What: two steps of equation (3) along two of three directions, half of the noise variance along them.
Why: replacing a record moves each clipped slope by 2 Delta/n, the K slopes of a step by 2 Delta sqrt(K)/n together;
noise that is calibrated to that makes the claim, 1-GDP, an equality. The printed theorem takes Delta in place of
2 Delta (zeroth/theorem-3.1-as-printed).
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
from dpaudit.audit.structural import stepwise
from dpaudit.audit.structural.recording import Recorder
from dpaudit.noise.stream import Trials
from dpaudit.problems.losses import linear
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.mechanism import Gaussian, SelfComposed
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan
from dpaudit.sampling.batches import Batches

Array = NDArray[np.float64]

RECORDS, STEPS, DIMENSION, DIRECTIONS = 5, 2, 3, 2
STEP_SIZE, CLIP_NORM, SHARE = 0.7, 0.5, 0.5
NOISE = 2 * CLIP_NORM / RECORDS * math.sqrt(STEPS / (SHARE + (1 - SHARE) * DIRECTIONS / DIMENSION))
SPREAD = STEP_SIZE * NOISE * math.sqrt(SHARE / DIRECTIONS + (1 - SHARE) / DIMENSION)
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
    variance_share=SHARE,
)

TARGET = Target(
    name="zeroth/noisy-zogd",
    title="Noisy-ZOGD with public iterates and frames, two steps",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        GaussianDP(1.0),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source="Chien, Chen, Li (2025), theorem 3.1, corrected: replacement moves a clipped slope by 2 Delta",
    ),
    trials=TrialPlan(smoke=50_000, standard=800_000, deep=5_000_000),
    truth=SelfComposed(Gaussian(math.sqrt(STEPS)), STEPS),
    claimed_mechanism=SelfComposed(Gaussian(math.sqrt(STEPS)), STEPS),
    effect="zeroth-order training leaks more about a record than even the corrected theorem 3.1 says",
)

ASSUMPTIONS = Assumptions(checked_records=True)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Slopes of linear losses, shape (records, d): the first record is steep, and its opposite in the neighbour."""
    data = rng.normal(size=(RECORDS, DIMENSION))
    neighbour = data.copy()
    data[0], neighbour[0] = STEEP, -STEEP
    return data, neighbour


def run(data: Array, trials: Trials) -> Array:
    """Transcripts (trials, steps, d + K d): every iterate and the frame that led to it."""
    return noisy_zogd.cpu(PARAMS, linear(data), trials)


def instrument(data: Array, recorder: Recorder) -> None:
    """One training of the reference form, recorded and replayed step by step."""
    stepwise.instrument(noisy_zogd, PARAMS, linear(data), recorder)


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
