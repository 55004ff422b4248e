"""DP-SkGD calibrated with min_j L_j for a block in place of L_U: a planted bug.

What: two epochs of two steps with block sampling; each block gets the noise of its smallest coordinate constant.
Why: constants of coordinates do not bound the gradient of a block. With L_j = 3, 4 the block has L_U = 5, so that mu
is too large by L_U/min_j L_j = 5/3 in both blocks. The largest of them, 4, would still be too small by 5/4.
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
LIPSCHITZ, SMALLEST = (5.0, 0.5), (3.0, 0.3)

PARAMS = dp_skgd.Params(
    start=(0.0,) * 4,
    step_sizes=(0.1,) * 4,
    epochs=EPOCHS,
    inner_steps=INNER_STEPS,
    sampler=block_uniform(((0, 1), (2, 3))),
    noise_scales=tuple(2 * bound * math.sqrt(EPOCHS * INNER_STEPS) / RECORDS for bound in SMALLEST),  # the bug
    lipschitz=LIPSCHITZ,
    records=RECORDS,
)

TARGET = Target(
    name="known-bad/rbcd-smallest-lipschitz",
    title="DP-SkGD with the smallest coordinate constant for a block",
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
    truth=SelfComposed(Gaussian(2 * 3 / 5), 4),
    effect="a record shows at epsilon 8.0 at delta 1e-5, where 4.4 is promised",
    repair="rbcd/theorem-4.1",
    bug=PlantedBug(
        "Tramer et al. (2022), https://arxiv.org/abs/2202.12219, a sensitivity that is too small",
        Tier.GAME,
        500,
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
