"""DP-SVRG on absolute losses, whose gradients change most while the algorithm keeps their old mean.

What: one epoch of two inner steps, y = grad f_i(x) - grad f_i(a) + v + noise with v the full gradient at a.
Why: the papers state its noise up to a constant only. A record enters in two ways: through v, by 2 L/n in every step,
and through grad f_i(x) - grad f_i(a), by up to 4 L if it is the drawn one. `rbcd/dp-svrg` counts both; its promise
shares one noise between them and is an upper bound, so that the audit stays well below it. `rbcd/dp-svrg-anchor-noise`
has the noise 2 L sqrt(T m)/n, of the order that the papers print for it (L^2 T m log(1/delta)/(n epsilon)^2), which
covers v alone: the gradient of the drawn record at x and at a differs by up to 2 L, n times as much. Linear losses hide
this, since their difference is 0.
Worst-case neighbours: a record |w - k| with its kink just above the start, moved to just below it. Its gradient at
the start turns around, and in the second step it changes by 2 L on one side of the start or on the other.
The adversary sees both releases, not which records were drawn.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from dpaudit.algorithms.rbcd import dp_svrg
from dpaudit.arithmetic.arrays import Array
from dpaudit.audit.structural import stepwise
from dpaudit.content.audits import Audit
from dpaudit.problems.losses import absolute
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.mechanism import Composed, Gaussian, SelfComposed, WithReplacementSampled
from dpaudit.records.privacy import Neighbours, View, claim
from dpaudit.records.target import Target, TrialPlan
from dpaudit.records.verdict import Outcome

Records = tuple[Array, Array]

STEPS, LIPSCHITZ = 2, 1.0
STEP_SIZE, KINK = 1.0, 1e-3
DRAWN_MULTIPLIER = 0.6
"""Standard deviation of one of the two equal parts of the noise, over the 4 L by which a drawn record moves."""


def params(records: int, noise: float) -> dp_svrg.Params:
    """Two inner steps on so many records."""
    return dp_svrg.Params(
        start=(0.0,),
        step_size=STEP_SIZE,
        epochs=1,
        inner_steps=STEPS,
        noise=noise,
        lipschitz=LIPSCHITZ,
        records=records,
    )


BOTH_WAYS = params(4, DRAWN_MULTIPLIER * 4 * LIPSCHITZ * math.sqrt(2))
ANCHOR_ALONE = params(10, 2 * LIPSCHITZ * math.sqrt(STEPS) / 10)

CORRECT = Target(
    name="rbcd/dp-svrg",
    title="DP-SVRG on absolute losses, transcript of two inner steps",
    view=View.TRANSCRIPT,
    claim=claim(
        epsilon=8.076,
        delta=1e-5,
        neighbours=Neighbours.REPLACE_ONE,
        source="composition of the steps with the noise split in two equal parts, "
        "dpaudit.algorithms.rbcd.dp_svrg.promise",
    ),
    trials=TrialPlan(smoke=100_000, standard=2_000_000, deep=5_000_000),
    claimed_mechanism=SelfComposed(
        Composed(
            (
                Gaussian(DRAWN_MULTIPLIER * 2 * BOTH_WAYS.records),
                WithReplacementSampled(1, BOTH_WAYS.records, Gaussian(DRAWN_MULTIPLIER)),
            )
        ),
        STEPS,
    ),
    effect="the variance-reduced gradients show more about a record than both of its ways into them account for",
)
ANCHOR_NOISE = Target(
    name="rbcd/dp-svrg-anchor-noise",
    title="DP-SVRG with the noise that covers its full gradient only",
    view=View.TRANSCRIPT,
    claim=claim(
        mu=1.0,
        neighbours=Neighbours.REPLACE_ONE,
        source="Wang, Ye, Xu (2017): noise of order L sqrt(T m log(1/delta))/(n epsilon), with the constant of 2 L/n",
    ),
    trials=TrialPlan(smoke=100_000, standard=500_000, deep=500_000),
    expects=Outcome.REFUTED,
    effect="a record that is drawn moves a release by 7 standard deviations of its noise",
    repair="rbcd/dp-svrg",
)


def log_likelihood(params: dp_svrg.Params, outputs: Array, data: Records) -> Array:
    """Up to a constant: the second release is a mixture over the drawn record, whose gradient has changed since."""
    problem, start = absolute(*data), np.zeros((len(outputs), 1))
    moved = start - STEP_SIZE * outputs[:, :1]
    mean = problem.gradient(start)[:, 0]
    change = (problem.record_gradients(moved) - problem.record_gradients(start))[:, :, 0]
    first = -((outputs[:, 0] - mean) ** 2)
    second = -((outputs[:, 1:] - mean[:, None] - change) ** 2)
    scale = 2 * params.noise**2
    return np.asarray(first / scale + np.logaddexp.reduce(second / scale, axis=1))


def audit(target: Target, params: dp_svrg.Params) -> Audit:
    """The released gradients, shape (trials, 2), under their log-likelihood ratio."""

    def neighbours(rng: np.random.Generator) -> tuple[Records, Records]:
        """Features (records, 1) and targets (records,); the kink of the first moves across the start."""
        features = np.zeros((params.records, 1))
        features[0] = LIPSCHITZ
        targets, moved = np.zeros(params.records), np.zeros(params.records)
        targets[0], moved[0] = KINK, -KINK
        return (features, targets), (features, moved)

    return Audit(
        target,
        neighbours,
        run=lambda data, trials: dp_svrg.cpu(params, absolute(*data), trials)[:, :, 0],
        score=lambda outputs, data, neighbour: (
            log_likelihood(params, outputs, data) - log_likelihood(params, outputs, neighbour)
        ),
    )


AUDITS = (
    replace(
        audit(CORRECT, BOTH_WAYS),
        instrument=lambda data, recorder: stepwise.instrument(dp_svrg, BOTH_WAYS, absolute(*data), recorder),
        # The records that are drawn are named by their place in the data.
        assumptions=Assumptions(ordered=True, checked_records=True),
    ),
    audit(ANCHOR_NOISE, ANCHOR_ALONE),
)
