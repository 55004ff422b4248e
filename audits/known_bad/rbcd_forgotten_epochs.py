"""DP-SkGD calibrated for one epoch and run for four: a planted bug.

What: four epochs of one step of Algorithm 1 on all coordinates, noise 2 L sqrt(K)/n in place of 2 L sqrt(K T)/n.
Why: a training that is continued spends its budget anew in every epoch; mu is too large by sqrt(T) = 2.
Worst-case neighbours: a linear loss, one record of norm L turned into its opposite.
The adversary sees every noisy gradient.
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
from dpaudit.sampling.coordinates import full

Array = NDArray[np.float64]

RECORDS, EPOCHS, INNER_STEPS = 5, 4, 1
WORST = np.array([0.6, 0.8])
LIPSCHITZ = 1.0

PARAMS = dp_skgd.Params(
    start=(0.0,) * 2,
    step_sizes=(0.1,) * 2,
    epochs=EPOCHS,
    inner_steps=INNER_STEPS,
    sampler=full(2),
    noise_scales=(2 * LIPSCHITZ * math.sqrt(INNER_STEPS) / RECORDS,),  # the bug
    lipschitz=(LIPSCHITZ,),
    records=RECORDS,
)

TARGET = Target(
    name="known-bad/rbcd-forgotten-epochs",
    title="DP-SkGD calibrated without the number of epochs",
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
    effect="four epochs on the budget of one: epsilon 10.0 at delta 1e-5, not 4.4",
    repair="rbcd/dp-skgd",
    bug=PlantedBug("https://github.com/opendp/smartnoise-sdk/pull/424", Tier.GAME, 200),
)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Records, shape (records, 2), within the Lipschitz constants; the first is turned around in the neighbour."""
    data = rng.uniform(-1, 1, size=(RECORDS, 2)) * WORST
    neighbour = data.copy()
    data[0], neighbour[0] = WORST, -WORST
    return data, neighbour


def run(data: Array, trials: Trials) -> Array:
    """Transcripts (trials, steps, 3): the number of the set, then its noisy gradient coordinates."""
    return dp_skgd.cpu(PARAMS, linear(data), trials)


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of the transcript, with the noise that is really there."""
    mean, other = data.mean(axis=0), neighbour.mean(axis=0)
    return likelihood_ratio.gaussian(outputs[:, :, 1:], mean, other, PARAMS.deviations[0])
