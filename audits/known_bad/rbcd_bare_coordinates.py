"""DP-SkGD that moves the coordinates outside of the drawn set without noise: a planted bug.

What: two steps of Algorithm 1 with two blocks, in which the whole gradient is released and only the drawn block has
noise.
Why: the printed mechanism f(D) + I_U N(0, sigma^2 I) of definition D.4, taken at its word in every step. One bare
coordinate that depends on the record gives it away: the guarantee is void, whatever the noise.
Worst-case neighbours: a linear loss, one record turned into its opposite.
The adversary sees every drawn block, its noisy gradient coordinates, and the bare ones of the other block.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.rbcd import dp_skgd
from dpaudit.noise.stream import Trials
from dpaudit.problems.losses import linear
from dpaudit.records.mechanism import PureDP
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Control, PlantedBug, Target, Tier, TrialPlan
from dpaudit.records.verdict import Outcome
from dpaudit.sampling.coordinates import block_uniform

Array = NDArray[np.float64]

RECORDS, STEPS = 5, 2
WORST = np.array([3.0, 4.0, 0.3, 0.4])
LIPSCHITZ = (5.0, 0.5)
OTHER_BLOCK = np.array([[2, 3], [0, 1]])

PARAMS = dp_skgd.Params(
    start=(0.0,) * 4,
    step_sizes=(0.1,) * 4,
    epochs=1,
    inner_steps=STEPS,
    sampler=block_uniform(((0, 1), (2, 3))),
    noise_scales=tuple(2 * bound * math.sqrt(STEPS) / RECORDS for bound in LIPSCHITZ),
    lipschitz=LIPSCHITZ,
    records=RECORDS,
)

TARGET = Target(
    name="known-bad/rbcd-bare-coordinates",
    title="DP-SkGD without noise outside of the drawn block",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        GaussianDP(1.0),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source="Maranjyan, Sadiev, Richtarik (2024), theorem 4.1, before the bug",
    ),
    trials=TrialPlan(smoke=20_000, standard=100_000, deep=100_000),
    control=Control.KNOWN_BAD,
    expects=Outcome.REFUTED,
    truth=PureDP(math.inf),
    effect="one step tells with certainty which of the two records was used: no epsilon holds at all",
    repair="rbcd/dp-skgd",
    bug=PlantedBug(
        "Maranjyan, Sadiev, Richtarik (2024), https://arxiv.org/abs/2412.17054, definition D.4 as printed",
        Tier.GAME,
        100,
    ),
)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Records, shape (records, 4), within the Lipschitz constants; the first is turned around in the neighbour."""
    data = rng.uniform(-1, 1, size=(RECORDS, 4)) * WORST
    neighbour = data.copy()
    data[0], neighbour[0] = WORST, -WORST
    return data, neighbour


def run(data: Array, trials: Trials) -> Array:
    """Transcripts (trials, steps, 5): number of the block, its two noisy coordinates, the two bare ones (the bug)."""
    transcript = dp_skgd.cpu(PARAMS, linear(data), trials)
    bare = data.mean(axis=0)[OTHER_BLOCK[transcript[:, :, 0].astype(np.int64)]]
    return np.concatenate([transcript, bare], axis=2)


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """How much nearer the bare coordinates of the first step are to those of `data`."""
    others = OTHER_BLOCK[outputs[:, 0, 0].astype(np.int64)]
    near, far = (np.abs(outputs[:, 0, 3:] - records.mean(axis=0)[others]).sum(axis=1) for records in (data, neighbour))
    return np.asarray(far - near)
