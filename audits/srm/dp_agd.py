"""DP-AGD of this package, whole transcript, with a record whose gradient takes most of the budget.

What: two passes of algorithm 2, candidates 0 and 1/2, growth 1, so that a refined gradient costs what a fresh one does.
Why: budgets and step sizes are chosen on the way from what was released; what is spent must stay below the promise.
Both gradients get rho each and both choices a hundredth of it: the release of the gradients is sqrt(4 rho)-GDP exactly.
Worst-case neighbours: Huber losses; one record with the clip norm as its gradient and a loss above its clip everywhere,
so that the choices do not depend on it, or not there at all.
The adversary sees every noisy gradient and every choice, follows the points from there and knows the other records.
"""

from __future__ import annotations

import math

import numpy as np

from dpaudit.algorithms.srm import dp_agd
from dpaudit.arithmetic.arrays import Array
from dpaudit.attacks import likelihood_ratio
from dpaudit.noise.stream import Trials
from dpaudit.problems.losses import huber
from dpaudit.records.context import Level
from dpaudit.records.mechanism import Concentrated, Gaussian
from dpaudit.records.privacy import View, claim
from dpaudit.records.target import Target, TrialPlan

GRADIENT_RHO, CHOICE_RHO, CLIP_NORM = 0.25, 0.0025, 2.0
STEPS = 2
TOTAL_RHO = STEPS * (GRADIENT_RHO + CHOICE_RHO)
EPSILON = 4.7555
"""Of TOTAL_RHO-zCDP at delta = 1e-5, `epsilon_bounds`, rounded up."""

FAR, THRESHOLD = -100.0, 50.0

PARAMS = dp_agd.Params(
    start=(0.0,),
    candidates=(0.0, 0.5),
    gradient_clip=CLIP_NORM,
    value_clip=1.0,
    total_rho=TOTAL_RHO,
    gradient_rho=GRADIENT_RHO,
    choice_rho=CHOICE_RHO,
    growth=1.0,
)

TARGET = Target(
    name="srm/dp-agd",
    title="DP-AGD, transcript of two passes",
    view=View.TRANSCRIPT,
    claim=claim(epsilon=EPSILON, delta=1e-5, source="Lee, Kifer (2018), algorithm 2; Feldman, Zrnic (2021)"),
    trials=TrialPlan(smoke=100_000, standard=1_000_000, deep=10_000_000),
    truth=Gaussian(1 / math.sqrt(2 * STEPS * GRADIENT_RHO)),
    claimed_mechanism=Concentrated(TOTAL_RHO * (1 + 2 * PARAMS.steps / dp_agd.GRAINS)),
    effect="adaptive budgets spend more than they count: models leak more about a record than the zCDP budget allows",
    from_level=Level.STANDARD,
)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Targets of the Huber losses, shape (4,) with the far record at the end and (3,) without it."""
    near = rng.uniform(-1, 1, size=3)
    return np.append(near, FAR), near


def run(data: Array, trials: Trials) -> Array:
    """Noisy gradient copies and the chosen candidates, shape (trials, steps, 2); step sizes from the copies alone."""
    return dp_agd.cpu(PARAMS, huber(np.ones((len(data), 1)), data, THRESHOLD), trials)[:, :STEPS]


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of the noisy gradients: with the record they are larger by the clip norm."""
    points = np.zeros((len(outputs), STEPS))
    points[:, 1] = -PARAMS.candidates[1] * np.sign(outputs[:, 0, 0]) * (outputs[:, 0, 1] == 1)
    totals = np.clip(points[:, :, None] - neighbour, -CLIP_NORM, CLIP_NORM).sum(axis=2)
    spread = CLIP_NORM / math.sqrt(2 * GRADIENT_RHO)
    return likelihood_ratio.gaussian(outputs[:, :, 0], totals + CLIP_NORM, totals, spread)
