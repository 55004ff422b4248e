"""DP-SkGD that draws one noise vector for both of its steps: a planted bug.

What: two inner steps of Algorithm 1 on the one coordinate of a logistic loss, with the noise of the first step used
again in the second, as it happens where the number of the step is left out of the seed.
Why: the difference of both releases is grad f(theta_1) - grad f(theta_0) without any noise, so no epsilon holds. The
loss has to be chosen with care. Linear losses hide the bug, since the difference is 0. So do quadratic ones whose
data are in the linear term only: the difference is H (theta_1 - theta_0) for every data set, and the run shows even
less than it promises, sqrt(1/K) of mu. And so does the usual canary of logistic losses, a flipped label: it moves the
gradient by the same vector at every point. A record of another length does not.
Worst-case neighbours: a logistic record of feature 1, and one of feature 1/2.
The adversary sees both noisy gradients.
"""

from __future__ import annotations

import math

import numpy as np

from dpaudit.arithmetic.arrays import Array
from dpaudit.content.audits import with_record
from dpaudit.noise.stream import Trials
from dpaudit.problems.losses import logistic
from dpaudit.records.mechanism import PureDP
from dpaudit.records.privacy import Neighbours, View, claim
from dpaudit.records.target import Control, PlantedBug, Target, Tier, TrialPlan
from dpaudit.records.verdict import Outcome

RECORDS, STEPS, STEP_SIZE = 4, 2, 1.0
NOISE_SCALE = 2 * math.sqrt(STEPS) / RECORDS

TARGET = Target(
    name="known-bad/rbcd-reused-noise",
    title="DP-SkGD with the same noise in two steps",
    view=View.TRANSCRIPT,
    claim=claim(
        mu=1.0,
        neighbours=Neighbours.REPLACE_ONE,
        source="Maranjyan, Sadiev, Richtarik (2024), theorem 4.1, before the bug",
    ),
    trials=TrialPlan(smoke=20_000, standard=100_000, deep=100_000),
    control=Control.KNOWN_BAD,
    expects=Outcome.REFUTED,
    truth=PureDP(math.inf),
    effect="the difference of two releases carries no noise: whoever sees both can test any record exactly",
    repair="rbcd/dp-skgd-logistic",
    bug=PlantedBug("https://github.com/jax-ml/jax/pull/3646", Tier.GAME, 100),
)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Features, shape (records, 1), all of label 1; the first is 1 in the data set and 1/2 in the neighbour."""
    return with_record(rng.uniform(-1, 1, size=(RECORDS, 1)), 1.0, 0.5)


def run(data: Array, trials: Trials) -> Array:
    """Both noisy gradients, shape (trials, 2); the step is missing from the address of the noise."""
    problem = logistic(data, np.ones(RECORDS))
    theta, released = np.zeros((len(trials), 1)), []
    for _ in range(STEPS):
        noise = trials.stream.normals(trials.numbers, 0, 1)  # the bug: step 0 every time
        released.append(problem.gradient(theta) + NOISE_SCALE * noise)
        theta = theta - STEP_SIZE * released[-1]
    return np.concatenate(released, axis=1)


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """How much nearer the difference of the releases is to the one that `data` makes."""
    near, far = (np.abs(outputs[:, 1] - outputs[:, 0] - _change(records, outputs)) for records in (data, neighbour))
    return np.asarray(far - near)


def _change(records: Array, outputs: Array) -> Array:
    """grad f(theta_1) - grad f(theta_0) on `records`; theta_1 follows from the first release."""
    problem = logistic(records, np.ones(RECORDS))
    theta = -STEP_SIZE * outputs[:, :1]
    return np.asarray((problem.gradient(theta) - problem.gradient(np.zeros_like(theta)))[:, 0])
