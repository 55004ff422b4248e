"""DP-SkGD that reads its noise scale as a variance: a planted bug, and what line 6 of the algorithm prints.

What: four steps of Algorithm 1 on all coordinates, eta ~ N(0, sigma I) in place of N(0, sigma^2 I).
Why: line 6 prints the scale where the covariance stands. With sigma = 4 the standard deviation is 2, so that mu is
too large by sqrt(sigma) = 2. For sigma below 1 the same bug wastes noise, which no audit of privacy can see.
Worst-case neighbours: a linear loss, one record of norm L turned into its opposite.
The adversary sees every noisy gradient.
"""

from __future__ import annotations

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

RECORDS, EPOCHS, INNER_STEPS = 5, 2, 2
WORST = np.array([3.0, 4.0])
LIPSCHITZ = 5.0
NOISE_SCALE = 2 * LIPSCHITZ * (EPOCHS * INNER_STEPS) ** 0.5 / RECORDS
"""4, the standard deviation that theorem 4.1 asks for with mu = 1."""

PARAMS = dp_skgd.Params(
    start=(0.0,) * 2,
    step_sizes=(0.1,) * 2,
    epochs=EPOCHS,
    inner_steps=INNER_STEPS,
    sampler=full(2),
    noise_scales=(NOISE_SCALE,),
    lipschitz=(LIPSCHITZ,),
    records=RECORDS,
    noise_param="var",  # the bug
)

TARGET = Target(
    name="known-bad/rbcd-noise-as-variance",
    title="DP-SkGD with its noise scale read as a variance",
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
    effect="noise of standard deviation 2 where 4 was calibrated: epsilon 10.0 at delta 1e-5, not 4.4",
    repair="rbcd/dp-skgd",
    bug=PlantedBug(
        "Maranjyan, Sadiev, Richtarik (2024), https://arxiv.org/abs/2412.17054, line 6 of algorithm 1 as printed",
        Tier.GAME,
        200,
    ),
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
