"""DP-SVRG with the noise of its anchor alone: the drawn records are forgotten in the calibration.

What: one epoch of two inner steps, y = grad f_i(x) - grad f_i(a) + v + noise with v the full gradient at a.
Why: the noise 2 L sqrt(T m)/n, of the order that the papers print for it (L^2 T m log(1/delta)/(n epsilon)^2), covers
v: replacing a record moves it by 2 L/n. It does not cover the drawn record, whose gradient at x and at a differ by up
to 2 L, n times as much. Linear losses hide this, since their difference is 0; the repair, rbcd/dp-svrg, counts it.
Worst-case neighbours: a record |w - k| with its kink just above the start, moved to just below it. In the second step
its gradient has changed by 2 L on one side of the start or on the other.
The adversary sees both releases, not which records were drawn.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.rbcd import dp_svrg
from dpaudit.noise.stream import Trials
from dpaudit.problems.losses import absolute
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan
from dpaudit.records.verdict import Outcome

Array = NDArray[np.float64]
Records = tuple[Array, Array]

RECORDS, STEPS, LIPSCHITZ = 10, 2, 1.0
STEP_SIZE, KINK = 1.0, 1e-3
NOISE_SCALE = 2 * LIPSCHITZ * math.sqrt(STEPS) / RECORDS

PARAMS = dp_svrg.Params(
    start=(0.0,),
    step_size=STEP_SIZE,
    epochs=1,
    inner_steps=STEPS,
    noise=NOISE_SCALE,
    lipschitz=LIPSCHITZ,
    records=RECORDS,
)

TARGET = Target(
    name="rbcd/dp-svrg-anchor-noise",
    title="DP-SVRG with the noise that covers its full gradient only",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        GaussianDP(1.0),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source="Wang, Ye, Xu (2017): noise of order L sqrt(T m log(1/delta))/(n epsilon), with the constant of 2 L/n",
    ),
    trials=TrialPlan(smoke=100_000, standard=500_000, deep=500_000),
    expects=Outcome.REFUTED,
    effect="a record that is drawn moves a release by 7 standard deviations of its noise",
    repair="rbcd/dp-svrg",
)


def neighbours(rng: np.random.Generator) -> tuple[Records, Records]:
    """Features (records, 1) and targets (records,) of absolute losses; the kink of the first moves across the start."""
    features = np.zeros((RECORDS, 1))
    features[0] = LIPSCHITZ
    targets, moved = np.zeros(RECORDS), np.zeros(RECORDS)
    targets[0], moved[0] = KINK, -KINK
    return (features, targets), (features, moved)


def run(data: Records, trials: Trials) -> Array:
    """The released gradients, shape (trials, 2)."""
    return dp_svrg.cpu(PARAMS, absolute(*data), trials)[:, :, 0]


def score(outputs: Array, data: Records, neighbour: Records) -> Array:
    """The log-likelihood ratio of both releases."""
    return _log_likelihood(outputs, data) - _log_likelihood(outputs, neighbour)


def _log_likelihood(outputs: Array, data: Records) -> Array:
    """Up to a constant: the second release is a mixture over the drawn record, whose gradient has changed since."""
    problem, start = absolute(*data), np.zeros((len(outputs), 1))
    moved = start - STEP_SIZE * outputs[:, :1]
    mean = problem.gradient(start)[:, 0]
    change = (problem.record_gradients(moved) - problem.record_gradients(start))[:, :, 0]
    first = -((outputs[:, 0] - mean) ** 2)
    second = -((outputs[:, 1:] - mean[:, None] - change) ** 2)
    scale = 2 * NOISE_SCALE**2
    return np.asarray(first / scale + np.logaddexp.reduce(second / scale, axis=1))
