"""Clipped DP-SRM of this package, whole transcript, with momentum 1/2 and every clip at work.

What: the version of the experiments: gradients clipped at C1 = 1, their differences at C2 = 1/2, eight of sixteen
records in every batch, a constant step.
Why: the estimate before is fed back with its noise, and only what is new may depend on the batch: one record moves it
by (C1 + C2)/b. Clipping two gradients in the place of their difference shows, and so does feeding back without noise.
Worst-case neighbours: cosines so steep that both clips bind: fifteen records whose gradients point down and fall as the
point moves up, and one of the opposite phase in the data set, like the others in its neighbour.
The adversary sees every estimate v_p, not the batches, and knows the other records.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.srm import dp_srm
from dpaudit.audit.structural import stepwise
from dpaudit.audit.structural.recording import Recorder
from dpaudit.noise.stream import Trials
from dpaudit.problems.losses import Problem, cosine
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.mechanism import FixedSizeSampled, Gaussian, SelfComposed
from dpaudit.records.privacy import ApproximateDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan

Array = NDArray[np.float64]

RECORDS, BATCH, STEPS = 16, 8, 3
MOMENTUM, GRADIENT_CLIP, DIFFERENCE_CLIP = 0.5, 1.0, 0.5
LATER = MOMENTUM * GRADIENT_CLIP + (1 - MOMENTUM) * DIFFERENCE_CLIP
"""The most that a record adds to a later estimate, times the batch."""
NOISE_MULTIPLIER = 1.0
MECHANISM = SelfComposed(FixedSizeSampled(BATCH, RECORDS, Gaussian(NOISE_MULTIPLIER)), STEPS)
EPSILON = 5.84611
"""Of MECHANISM at delta = 1e-5, `accounting.epsilon_bounds`, rounded up."""
STEEP = 1e9

PARAMS = dp_srm.Params(
    start=(0.0,),
    steps=STEPS,
    records=RECORDS,
    first_batch=BATCH,
    batch=BATCH,
    momentum=MOMENTUM,
    accuracy=1.0,
    divisor=1.0,
    smoothness=1.0,
    lipschitz=STEEP,
    first_noise=2 * GRADIENT_CLIP / BATCH * NOISE_MULTIPLIER,
    noise=2 * LATER / BATCH * NOISE_MULTIPLIER,
    gradient_clip=GRADIENT_CLIP,
    difference_clip=DIFFERENCE_CLIP,
    step_rule="constant",
    step_size=0.01,
)

TARGET = Target(
    name="srm/dp-srm-clipped",
    title="Clipped DP-SRM with momentum 1/2, transcript of three estimates",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        ApproximateDP(EPSILON, 1e-5),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source="Wang, Jayaraman, Evans, Gu (2023), section 5, clipped; exact composition of its sampled steps",
    ),
    trials=TrialPlan(smoke=50_000, standard=1_000_000, deep=10_000_000),
    truth=MECHANISM,
    claimed_mechanism=MECHANISM,
    effect="models trained with clipped DP-SRM leak more about a record than its two clip norms allow",
)

ASSUMPTIONS = Assumptions(checked_records=True)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Phases of the cosines, shape (16,): near pi/4, one of them turned by pi in the data set."""
    neighbour = math.pi / 4 + rng.uniform(-0.2, 0.2, size=RECORDS)
    data = neighbour.copy()
    data[0] += math.pi
    return data, neighbour


def run(data: Array, trials: Trials) -> Array:
    """Noisy estimates, shape (trials, steps, 1)."""
    return dp_srm.cpu(PARAMS, _problem(data), trials)


def instrument(data: Array, recorder: Recorder) -> None:
    """One training of the reference form, recorded and replayed step by step."""
    stepwise.instrument(dp_srm, PARAMS, _problem(data), recorder)


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of a mixture at every step: the turned record is in the batch with probability b/n.

    What a normal record adds at a step has the sign of the step before, the turned one the opposite.
    """
    estimates = outputs[:, :, 0]
    before = np.concatenate([np.zeros((len(estimates), 1)), estimates[:, :-1]], axis=1)
    moved = np.sign(before)
    normal = -(MOMENTUM * GRADIENT_CLIP - (1 - MOMENTUM) * DIFFERENCE_CLIP * moved)
    normal[:, 0] = -GRADIENT_CLIP
    shift, scale = -2 * normal / BATCH, np.array([PARAMS.first_noise] + [PARAMS.noise] * (STEPS - 1))
    news = estimates - (1 - MOMENTUM) * before - normal
    odds = np.exp((news - shift / 2) * shift / scale**2)
    return np.asarray(np.log1p(BATCH / RECORDS * (odds - 1)).sum(axis=1))


def _problem(data: Array) -> Problem:
    return cosine(np.ones((RECORDS, 1)), data, np.full(RECORDS, STEEP))
