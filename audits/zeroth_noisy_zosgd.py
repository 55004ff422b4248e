"""Noisy-ZOSGD, zeroth-order descent on batches without replacement, with public iterates.

What: two steps along two of three directions, each on two of eight records, the same two for both directions.
Why: the repair of theorem A.3 and remark A.9 (zeroth/theorem-a.3-as-printed). One drawn record turns all K slopes at
once, so a step is one subsampled Gaussian mechanism, not K of them; replacement is judged in both orders.
Worst-case neighbours: all records equal and so steep that every slope is clipped, one of them turned into its opposite.
The adversary sees every iterate and every frame, not which records were drawn.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.zeroth import noisy_zogd
from dpaudit.audit.structural import stepwise
from dpaudit.audit.structural.recording import Recorder
from dpaudit.noise.stream import Trials
from dpaudit.problems.losses import linear
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.mechanism import FixedSizeSampled, Gaussian, SelfComposed
from dpaudit.records.privacy import ApproximateDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan
from dpaudit.sampling.batches import Batches

Array = NDArray[np.float64]

RECORDS, BATCH, STEPS, DIMENSION, DIRECTIONS = 8, 2, 2, 3, 2
STEP_SIZE, CLIP_NORM, SHARE = 0.7, 0.5, 0.5
NOISE = 2 * CLIP_NORM / BATCH / math.sqrt(SHARE + (1 - SHARE) * DIRECTIONS / DIMENSION)
SPREAD = STEP_SIZE * NOISE * math.sqrt(SHARE / DIRECTIONS + (1 - SHARE) / DIMENSION)
"""Standard deviation of the noise along each direction."""
STEEP = 1e9 * np.array([1.0, -2.0, 0.5])
CLAIMED = SelfComposed(FixedSizeSampled(BATCH, RECORDS, Gaussian(1.0)), STEPS)

PARAMS = noisy_zogd.Params(
    start=(0.0,) * DIMENSION,
    steps=STEPS,
    batches=Batches("without replacement", RECORDS, BATCH),
    directions=DIRECTIONS,
    step_size=STEP_SIZE,
    perturbation=0.5,
    clip_norm=CLIP_NORM,
    noise=NOISE,
    variance_share=SHARE,
)

TARGET = Target(
    name="zeroth/noisy-zosgd",
    title="Noisy-ZOSGD on batches without replacement, public iterates",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        ApproximateDP(3.337, 1e-5),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source="Chien, Chen, Li (2025), appendix A.9, corrected: replacement in both orders, one inclusion a step",
    ),
    trials=TrialPlan(smoke=50_000, standard=1_000_000, deep=3_000_000),
    truth=CLAIMED,
    claimed_mechanism=CLAIMED,
    effect="batched zeroth-order training leaks more about a record than its sampling was accounted for",
)

ASSUMPTIONS = Assumptions(checked_records=True)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Slopes of linear losses, shape (records, d), all the same; the first is turned around in the data set."""
    neighbour = np.tile(STEEP, (RECORDS, 1))
    data = neighbour.copy()
    data[0] = -STEEP
    return data, neighbour


def run(data: Array, trials: Trials) -> Array:
    """Transcripts (trials, steps, d + K d): every iterate and the frame that led to it."""
    return noisy_zogd.cpu(PARAMS, linear(data), trials)


def instrument(data: Array, recorder: Recorder) -> None:
    """One training of the reference form, recorded and replayed step by step."""
    stepwise.instrument(noisy_zogd, PARAMS, linear(data), recorder)


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio: each step is a mixture over the inclusion of the record on `data`, a Gaussian else."""
    points = outputs[:, :, :DIMENSION]
    frames = outputs[:, :, DIMENSION:].reshape(len(outputs), STEPS, DIRECTIONS, DIMENSION)
    moves = np.diff(points, axis=1, prepend=0.0)
    along = (frames @ moves[..., None])[..., 0]
    centre = -STEP_SIZE / DIRECTIONS * np.clip(frames @ STEEP, -CLIP_NORM, CLIP_NORM)
    drawn = centre * (1 - 2 / BATCH)
    ratio = ((drawn - centre) * (along - (drawn + centre) / 2)).sum(axis=2) / SPREAD**2
    rate = BATCH / RECORDS
    return np.asarray(np.logaddexp(math.log1p(-rate), ratio + math.log(rate)).sum(axis=1))
