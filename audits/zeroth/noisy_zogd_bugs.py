"""Noisy-ZOGD with public iterates and planted bugs that the auditor must find.

What: two steps, all noise along the directions.
Why: each claim, 1-GDP, is that of the corrected theorem 3.1 without the bug.
Worst-case neighbours: a linear record so steep that every slope is clipped, turned into its opposite.
The adversary sees every iterate and every frame, and knows the noise that is really there.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np

from dpaudit.algorithms.zeroth import noisy_zogd
from dpaudit.arithmetic.arrays import Array
from dpaudit.attacks import likelihood_ratio
from dpaudit.content.audits import Audit
from dpaudit.noise.stream import Trials
from dpaudit.problems.losses import linear
from dpaudit.records.context import Level
from dpaudit.records.mechanism import Gaussian, SelfComposed
from dpaudit.records.privacy import Neighbours, View, claim
from dpaudit.records.target import Control, PlantedBug, Target, Tier, TrialPlan
from dpaudit.records.verdict import Outcome
from dpaudit.sampling.batches import Batches

STEPS, STEP_SIZE, CLIP_NORM = 2, 0.7, 0.5


def claimed_noise(records: int) -> float:
    """With which a run on `records` records is 1-GDP."""
    return 2 * CLIP_NORM * math.sqrt(STEPS) / records


def params(
    dimension: int, directions: int, batches: Batches, noise: float, split: str = "directions"
) -> noisy_zogd.Params:
    """All noise along the directions; split: which part of the noise beta_t = 1 means."""
    return noisy_zogd.Params(
        start=(0.0,) * dimension, steps=STEPS, batches=batches, directions=directions, step_size=STEP_SIZE,
        perturbation=0.5, clip_norm=CLIP_NORM, noise=noise, variance_share=1.0, noise_split=split,
    )  # fmt: skip


def neighbours(records: int, dimension: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """Slopes of linear losses, shape (records, d): the first record is steep, and its opposite in the neighbour."""
    data = rng.normal(size=(records, dimension))
    neighbour = data.copy()
    steep = 1e9 * np.arange(1.0, dimension + 1)
    data[0], neighbour[0] = steep, -steep
    return data, neighbour


def run(params: noisy_zogd.Params, data: Array, trials: Trials) -> Array:
    """Transcripts (trials, steps, d + K d): every iterate and the frame that led to it."""
    return noisy_zogd.cpu(params, linear(data), trials)


def run_on_mean(params: noisy_zogd.Params, data: Array, trials: Trials) -> Array:
    """The same on the mean of the slopes, which is clipped as one record."""
    return noisy_zogd.cpu(params, linear(data.mean(axis=0, keepdims=True)), trials)


def clipped_slopes(records: Array, frames: Array) -> Array:
    """Means of the clipped slopes along every direction, shape (trials, steps, K)."""
    return np.clip(frames @ records.T, -CLIP_NORM, CLIP_NORM).mean(axis=-1)


def clipped_mean(records: Array, frames: Array) -> Array:
    """Clipped means of the slopes along every direction, shape (trials, steps, K)."""
    return np.clip(frames @ records.mean(axis=0), -CLIP_NORM, CLIP_NORM)


def score(
    directions: int,
    spread: float,
    slopes: Callable[[Array, Array], Array],
    outputs: Array,
    data: Array,
    neighbour: Array,
) -> Array:
    """The log-likelihood ratio of the moves along the frames.

    spread: standard deviation of the noise along each direction; slopes: what a step follows.
    """
    dimension = data.shape[1]
    frames = outputs[:, :, dimension:].reshape(len(outputs), STEPS, directions, dimension)
    moves = np.diff(outputs[:, :, :dimension], axis=1, prepend=0.0)
    along = (frames @ moves[..., None])[..., 0]
    means = (slopes(records, frames) * (-STEP_SIZE / directions) for records in (data, neighbour))
    return likelihood_ratio.gaussian(along, *means, spread)


bad = partial(
    Target,
    view=View.TRANSCRIPT,
    claim=claim(
        mu=1.0,
        neighbours=Neighbours.REPLACE_ONE,
        source="Chien, Chen, Li (2025), theorem 3.1, corrected, before the bug",
    ),
    trials=TrialPlan(smoke=50_000, standard=500_000, deep=500_000),
    control=Control.KNOWN_BAD,
    expects=Outcome.REFUTED,
)

# The slopes of three records are averaged first and clipped then. That bounds the step, not the share of a record in
# it: one record can turn the whole mean, which moves by 2 Delta and not by 2 Delta/n. mu is too large by n = 3. The
# same slip is known from clipped gradients.
MEAN_CLIPPED = Audit(
    bad(
        name="known-bad/zeroth-clipped-mean",
        title="Noisy-ZOGD that clips the mean of its slopes",
        truth=SelfComposed(Gaussian(math.sqrt(STEPS) / 3), STEPS),
        effect="one record steers every step: epsilon 16.7 at delta 1e-5 with three records, more with others",
        repair="zeroth/noisy-zosgd",
        bug=PlantedBug(
            "Abadi et al. (2016), https://arxiv.org/abs/1607.00133, algorithm 1 with its clipping after the mean",
            Tier.GAME,
            50_000,
        ),
    ),
    partial(neighbours, 3, 2),
    partial(run_on_mean, params(2, 1, Batches("all records", 1, 1), claimed_noise(3))),  # the bug
    partial(score, 1, STEP_SIZE * claimed_noise(3), clipped_mean),
)

# The sum of noisy slopes along four directions is divided by K as a whole. Slopes are averaged over K directions, but
# the K noises are independent, and (3) scales them by eta/sqrt(K). Who averages noisy slopes with noise sigma each has
# sqrt(K) = 2 times too little of it.
ALL_FIVE = Batches("all records", 5, 5)
NOISE_OVER_DIRECTIONS = Audit(
    bad(
        name="known-bad/zeroth-noise-over-directions",
        from_level=Level.STANDARD,
        title="Noisy-ZOGD with its noise divided by the number of directions",
        truth=SelfComposed(Gaussian(math.sqrt(STEPS) / 2), STEPS),
        effect="epsilon 10.0 at delta 1e-5 where 4.4 is promised, and more with every further direction",
        repair="zeroth/noisy-zogd",
        bug=PlantedBug(
            "Tramer et al. (2022), https://arxiv.org/abs/2202.12219, noise of a mean on a sum", Tier.GAME, 50_000
        ),
    ),
    partial(neighbours, 5, 5),
    partial(run, params(5, 4, ALL_FIVE, claimed_noise(5) / math.sqrt(4))),  # the bug
    partial(score, 4, STEP_SIZE * claimed_noise(5) / 4, clipped_slopes),
)

# One of four directions and beta_t = 1, a mix-up that the paper invites: theorem 3.2 gives the share beta_t of the
# noise to the directions, equation (3) and theorem 3.1 give it to the isotropic part. Calibrated by the first and run
# by the second, d - K of d parts of the noise go where nothing has to be hidden: mu is too large by sqrt(d/K) = 2.
SWAPPED_SPLIT = Audit(
    bad(
        name="known-bad/zeroth-swapped-split",
        from_level=Level.STANDARD,
        title="Noisy-ZOGD with the two meanings of beta_t mixed up",
        truth=SelfComposed(Gaussian(math.sqrt(STEPS) / 2), STEPS),
        effect="epsilon 10.0 at delta 1e-5 where 4.4 is promised; sqrt(d/K) times the mu in larger models",
        repair="zeroth/noisy-zogd",
        bug=PlantedBug(
            "Chien, Chen, Li (2025), https://arxiv.org/abs/2506.00158, theorem 3.2 against equation (3)",
            Tier.GAME,
            50_000,
        ),
    ),
    partial(neighbours, 5, 4),
    partial(run, params(4, 1, ALL_FIVE, claimed_noise(5), split="isotropic")),  # the bug
    partial(score, 1, STEP_SIZE * claimed_noise(5) / math.sqrt(4), clipped_slopes),
)

AUDITS = (MEAN_CLIPPED, NOISE_OVER_DIRECTIONS, SWAPPED_SPLIT)
