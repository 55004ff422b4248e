"""Clipped DP-SRM that clips the two gradients, not their difference: a planted bug that the auditor must find.

What: two estimates from all twenty records, gamma = C2 = 0.1 and C1 = 1. Every gradient has norm at most C1 (Huber
losses of threshold C1), their difference is taken as it is; the noise is that for differences of norm C2.
Why: a record whose gradient turns around adds gamma C1 + (1 - gamma) 2 C1 to the second estimate where
gamma C1 + (1 - gamma) C2 is allowed. Against a record whose gradient stays it is 5.3 times what the noise hides:
3.72-GDP from that step alone, in the place of 1-GDP from both.
Worst-case neighbours: all records have their kink below the start, and the first step crosses it; one has it far below
in the data set, so that its gradient stays.
The adversary sees both estimates and knows the other records.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.srm import dp_srm
from dpaudit.attacks import likelihood_ratio
from dpaudit.noise.stream import Trials
from dpaudit.problems.losses import Problem, huber
from dpaudit.records.mechanism import Gaussian
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Control, PlantedBug, Target, Tier, TrialPlan
from dpaudit.records.verdict import Outcome

Array = NDArray[np.float64]

RECORDS, STEPS = 20, 2
MOMENTUM, GRADIENT_CLIP, DIFFERENCE_CLIP = 0.1, 1.0, 0.1
LATER = MOMENTUM * GRADIENT_CLIP + (1 - MOMENTUM) * DIFFERENCE_CLIP
"""What a record should add to a later estimate at most, times the batch."""
NEAR, FAR = -2.0, -1e6

PARAMS = dp_srm.Params(
    start=(0.0,),
    steps=STEPS,
    records=RECORDS,
    first_batch=RECORDS,
    batch=RECORDS,
    momentum=MOMENTUM,
    accuracy=1.0,
    divisor=1.0,
    smoothness=1.0,
    lipschitz=GRADIENT_CLIP,
    first_noise=2 * GRADIENT_CLIP * math.sqrt(STEPS) / RECORDS,
    noise=2 * LATER * math.sqrt(STEPS) / RECORDS,
    step_rule="constant",
    step_size=1e3,
)

TARGET = Target(
    name="known-bad/srm-two-gradients-clipped",
    title="Clipped DP-SRM that clips two gradients in the place of their difference",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        GaussianDP(1.0),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source="Wang, Jayaraman, Evans, Gu (2023), section 5, for clipped differences",
    ),
    trials=TrialPlan(smoke=50_000, standard=500_000, deep=1_000_000),
    control=Control.KNOWN_BAD,
    expects=Outcome.REFUTED,
    truth=Gaussian(math.sqrt(STEPS) * LATER / GRADIENT_CLIP),
    effect="a record whose gradient does not turn with the others shows as clearly as at epsilon 22, not 4.4",
    repair="srm/dp-srm-clipped",
    bug=PlantedBug(
        "Wang, Jayaraman, Evans, Gu (2019), https://arxiv.org/abs/1910.13659, section 5, with the parts clipped",
        Tier.GAME,
        50_000,
    ),
)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Targets of the Huber losses, shape (20,); the first one is far away in the data set."""
    neighbour = np.full(RECORDS, NEAR)
    data = neighbour.copy()
    data[0] = FAR
    return data, neighbour


def run(data: Array, trials: Trials) -> Array:
    """Noisy estimates, shape (trials, 2, 1)."""
    return dp_srm.cpu(PARAMS, _problem(data), trials)


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of the second estimate, the part that is fed back taken off."""
    news = outputs[:, 1, 0] - (1 - MOMENTUM) * outputs[:, 0, 0]
    turned, stayed = -MOMENTUM - 2 * (1 - MOMENTUM), MOMENTUM
    return likelihood_ratio.gaussian(news, turned + (stayed - turned) / RECORDS, turned, PARAMS.noise)


def _problem(data: Array) -> Problem:
    return huber(np.ones((RECORDS, 1)), data, GRADIENT_CLIP)
