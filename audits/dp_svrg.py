"""DP-SVRG on absolute losses, whose gradients change most while the algorithm keeps their old mean.

What: one epoch of two inner steps, y = grad f_i(x) - grad f_i(a) + v + noise with v the full gradient at a.
Why: the papers state its noise up to a constant only. The promise audited here counts both ways in which a record
enters: through v, by 2 L/n in every step, and through grad f_i(x) - grad f_i(a), by up to 4 L if it is the drawn one.
It shares one noise between both and is an upper bound, so that the audit stays well below it;
rbcd/dp-svrg-anchor-noise forgets the second way.
Worst-case neighbours: a record |w - k| with its kink just above the start, moved to just below it. Its gradient at
the start turns around, and in the second step it changes by 2 L on one side of the start or on the other.
The adversary sees both releases, not which records were drawn.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.rbcd import dp_svrg
from dpaudit.audit.structural import stepwise
from dpaudit.audit.structural.recording import Recorder
from dpaudit.noise.stream import Trials
from dpaudit.problems.losses import absolute
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.mechanism import Composed, Gaussian, SelfComposed, WithReplacementSampled
from dpaudit.records.privacy import ApproximateDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan

Array = NDArray[np.float64]
Records = tuple[Array, Array]

RECORDS, STEPS, LIPSCHITZ = 4, 2, 1.0
STEP_SIZE, KINK = 1.0, 1e-3
DRAWN_MULTIPLIER = 0.6
"""Standard deviation of one of the two equal parts of the noise, over the 4 L by which a drawn record moves."""
NOISE_SCALE = DRAWN_MULTIPLIER * 4 * LIPSCHITZ * math.sqrt(2)
CLAIMED = SelfComposed(
    Composed(
        (
            Gaussian(DRAWN_MULTIPLIER * 2 * RECORDS),
            WithReplacementSampled(1, RECORDS, Gaussian(DRAWN_MULTIPLIER)),
        )
    ),
    STEPS,
)

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
    name="rbcd/dp-svrg",
    title="DP-SVRG on absolute losses, transcript of two inner steps",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        ApproximateDP(8.076, 1e-5),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source="composition of the steps with the noise split in two equal parts, dpaudit.algorithms.rbcd.dp_svrg.promise",
    ),
    trials=TrialPlan(smoke=100_000, standard=2_000_000, deep=5_000_000),
    claimed_mechanism=CLAIMED,
    effect="the variance-reduced gradients show more about a record than both of its ways into them account for",
)

ASSUMPTIONS = Assumptions(ordered=True, checked_records=True)
"""The records that are drawn are named by their place in the data."""


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


def instrument(data: Records, recorder: Recorder) -> None:
    """One training of the reference form, recorded and replayed step by step."""
    stepwise.instrument(dp_svrg, PARAMS, absolute(*data), recorder)


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
