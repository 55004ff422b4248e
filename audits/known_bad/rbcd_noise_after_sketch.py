"""DP-SkGD that adds its noise after the multiplication by C: a planted bug.

What: two epochs of two steps with block sampling, theta - Gamma (C grad f + I_S eta) in place of
theta - Gamma C (grad f + eta).
Why: C multiplies the gradient by 1/p_j and leaves the noise alone, which is noise p_j sigma in the units of the
gradient: the steps are those of the algorithm with noise scales p sigma, as it is run here. With two blocks of
p = 1/2, mu is too large by 1/p = 2; with single coordinates it is too large by d.
Worst-case neighbours: a linear loss, one record turned into its opposite, its restriction to each block as long
as the block's Lipschitz constant allows.
The adversary sees every drawn block and every noisy gradient coordinate.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.rbcd import dp_skgd
from dpaudit.attacks import likelihood_ratio
from dpaudit.noise.stream import Trials
from dpaudit.problems.losses import linear
from dpaudit.records.mechanism import Gaussian, SelfComposed
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Control, PlantedBug, Target, Tier, TrialPlan
from dpaudit.records.verdict import Outcome
from dpaudit.sampling.coordinates import block_uniform

Array = NDArray[np.float64]

RECORDS, EPOCHS, INNER_STEPS = 8, 2, 2
WORST = np.array([3.0, 4.0, 0.3, 0.4])
LIPSCHITZ, PROBABILITY = (5.0, 0.5), 1 / 2

PARAMS = dp_skgd.Params(
    start=(0.0,) * 4,
    step_sizes=(0.1,) * 4,
    epochs=EPOCHS,
    inner_steps=INNER_STEPS,
    sampler=block_uniform(((0, 1), (2, 3))),
    noise_scales=tuple(
        PROBABILITY * 2 * bound * math.sqrt(EPOCHS * INNER_STEPS) / RECORDS for bound in LIPSCHITZ
    ),  # the bug
    lipschitz=LIPSCHITZ,
    records=RECORDS,
)

TARGET = Target(
    name="known-bad/rbcd-noise-after-sketch",
    title="DP-SkGD with its noise added after the sketch",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        GaussianDP(1.0),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source="Maranjyan, Sadiev, Richtarik (2024), theorem 4.1, before the bug",
    ),
    trials=TrialPlan(smoke=20_000, standard=1_000_000, deep=1_000_000),
    control=Control.KNOWN_BAD,
    expects=Outcome.REFUTED,
    truth=SelfComposed(Gaussian(1.0), 4),
    effect="a record shows at epsilon 10.0 at delta 1e-5, where 4.4 is promised, and at far more with more blocks",
    repair="rbcd/dp-skgd-tau-nice",
    bug=PlantedBug(
        "Maranjyan, Sadiev, Richtarik (2024), https://arxiv.org/abs/2412.17054, algorithm 1, read with the noise "
        "outside",
        Tier.GAME,
        200,
    ),
)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Records, shape (records, 4), within the Lipschitz constants; the first is turned around in the neighbour."""
    data = rng.uniform(-1, 1, size=(RECORDS, 4)) * WORST
    neighbour = data.copy()
    data[0], neighbour[0] = WORST, -WORST
    return data, neighbour


def run(data: Array, trials: Trials) -> Array:
    """Transcripts (trials, steps, 3): the number of the set, then its noisy gradient coordinates."""
    return dp_skgd.cpu(PARAMS, linear(data), trials)


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of the transcript, with the noise that is really there."""
    drawn = outputs[:, :, 0].astype(np.int64)
    coordinates = PARAMS.sampler.members[drawn]
    mean, other = (records.mean(axis=0)[coordinates] for records in (data, neighbour))
    return likelihood_ratio.gaussian(outputs[:, :, 1:], mean, other, PARAMS.deviations[drawn][:, :, None])
