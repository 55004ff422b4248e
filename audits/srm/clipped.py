"""Clipped DP-SRM, whole transcript: the version of the experiments, and one that clips what is not the difference.

What: gradients clipped at C1, their differences at C2, a constant step.
Why: the estimate before is fed back with its noise, and only what is new may depend on the batch: one record moves it
by (gamma C1 + (1 - gamma) C2)/b. Clipping two gradients in the place of their difference shows, and so does feeding
back without noise.
The adversary sees every estimate v_p, not the batches, and knows the other records.
"""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from dpaudit.algorithms.srm import dp_srm
from dpaudit.arithmetic.arrays import Array
from dpaudit.attacks import likelihood_ratio
from dpaudit.audit.structural import stepwise
from dpaudit.audit.structural.recording import Recorder
from dpaudit.content.audits import Audit
from dpaudit.noise.stream import Trials
from dpaudit.problems.losses import Problem, cosine, huber
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.context import Level
from dpaudit.records.mechanism import FixedSizeSampled, Gaussian, SelfComposed
from dpaudit.records.privacy import ApproximateDP, Neighbours, PrivacyClaim, View, claim
from dpaudit.records.target import Control, PlantedBug, Target, Tier, TrialPlan
from dpaudit.records.verdict import Outcome

params = partial(dp_srm.Params, start=(0.0,), accuracy=1.0, divisor=1.0, smoothness=1.0, step_rule="constant")


def later(momentum: float, difference_clip: float) -> float:
    """The most that a record may add to a later estimate, times the batch, for C1 = 1."""
    return momentum + (1 - momentum) * difference_clip


# With momentum 1/2 and every clip at work: eight of sixteen records in every batch, C2 = 1/2. Worst-case neighbours:
# cosines so steep that both clips bind: fifteen records whose gradients point down and fall as the point moves up, and
# one of the opposite phase in the data set, like the others in its neighbour.
RECORDS, BATCH, STEPS = 16, 8, 3
MECHANISM = SelfComposed(FixedSizeSampled(BATCH, RECORDS, Gaussian(1.0)), STEPS)
STEEP = 1e9
CLIPPED = params(
    steps=STEPS,
    records=RECORDS,
    first_batch=BATCH,
    batch=BATCH,
    momentum=0.5,
    lipschitz=STEEP,
    first_noise=2 / BATCH,
    noise=2 * later(0.5, 0.5) / BATCH,
    gradient_clip=1.0,
    difference_clip=0.5,
    step_size=0.01,
)


def out_of_phase(rng: np.random.Generator) -> tuple[Array, Array]:
    """Phases of the cosines, shape (16,): near pi/4, one of them turned by pi in the data set."""
    neighbour = math.pi / 4 + rng.uniform(-0.2, 0.2, size=RECORDS)
    data = neighbour.copy()
    data[0] += math.pi
    return data, neighbour


def cosines(data: Array) -> Problem:
    """Losses of these phases."""
    return cosine(np.ones((RECORDS, 1)), data, np.full(RECORDS, STEEP))


def run(params: dp_srm.Params, data: Array, trials: Trials) -> Array:
    """Noisy estimates, shape (trials, steps, 1)."""
    return dp_srm.cpu(params, cosines(data), trials)


def instrument(data: Array, recorder: Recorder) -> None:
    """One training of the reference form, recorded and replayed step by step."""
    stepwise.instrument(dp_srm, CLIPPED, cosines(data), recorder)


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of a mixture at every step: the turned record is in the batch with probability b/n.

    What a normal record adds at a step has the sign of the step before, the turned one the opposite.
    """
    momentum, estimates = CLIPPED.momentum, outputs[:, :, 0]
    before = np.concatenate([np.zeros((len(estimates), 1)), estimates[:, :-1]], axis=1)
    moved = np.sign(before)
    normal = -(momentum - (1 - momentum) * 0.5 * moved)
    normal[:, 0] = -1.0
    shift, scale = -2 * normal / BATCH, np.array([CLIPPED.first_noise] + [CLIPPED.noise] * (STEPS - 1))
    news = estimates - (1 - momentum) * before - normal
    odds = np.exp((news - shift / 2) * shift / scale**2)
    return np.asarray(np.log1p(BATCH / RECORDS * (odds - 1)).sum(axis=1))


DIFFERENCES_CLIPPED = Audit(
    Target(
        name="srm/dp-srm-clipped",
        title="Clipped DP-SRM with momentum 1/2, transcript of three estimates",
        view=View.TRANSCRIPT,
        claim=PrivacyClaim(
            ApproximateDP(5.84611, 1e-5),  # of MECHANISM, `epsilon_bounds`, rounded up
            Neighbours.REPLACE_ONE,
            delta=1e-5,
            source="Wang, Jayaraman, Evans, Gu (2023), section 5, clipped; exact composition of its sampled steps",
        ),
        trials=TrialPlan(smoke=50_000, standard=1_000_000, deep=10_000_000),
        truth=MECHANISM,
        claimed_mechanism=MECHANISM,
        effect="models trained with clipped DP-SRM leak more about a record than its two clip norms allow",
        from_level=Level.STANDARD,
    ),
    out_of_phase,
    partial(run, CLIPPED),
    score,
    instrument=instrument,
    assumptions=Assumptions(checked_records=True),
)

# The bug: two estimates from all twenty records, gamma = C2 = 0.1. Every gradient has norm at most C1 (Huber losses of
# that threshold), their difference is taken as it is; the noise is that for differences of norm C2. A record whose
# gradient turns around adds gamma C1 + (1 - gamma) 2 C1 to the second estimate where gamma C1 + (1 - gamma) C2 is
# allowed. Against a record whose gradient stays it is 5.3 times what the noise hides: 3.72-GDP from that step alone, in
# the place of 1-GDP from both. Worst-case neighbours: all records have their kink below the start, and the first step
# crosses it; one has it far below in the data set, so that its gradient stays.
MANY, NEAR, FAR = 20, -2.0, -1e6
LATER = later(0.1, 0.1)
UNCLIPPED = params(
    steps=2,
    records=MANY,
    first_batch=MANY,
    batch=MANY,
    momentum=0.1,
    lipschitz=1.0,
    first_noise=2 * math.sqrt(2) / MANY,
    noise=2 * LATER * math.sqrt(2) / MANY,
    step_size=1e3,
)


def far_kink(rng: np.random.Generator) -> tuple[Array, Array]:
    """Targets of the Huber losses, shape (20,); the first one is far away in the data set."""
    neighbour = np.full(MANY, NEAR)
    data = neighbour.copy()
    data[0] = FAR
    return data, neighbour


def run_unclipped(params: dp_srm.Params, data: Array, trials: Trials) -> Array:
    """Noisy estimates, shape (trials, 2, 1)."""
    return dp_srm.cpu(params, huber(np.ones((MANY, 1)), data, 1.0), trials)


def score_unclipped(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of the second estimate, the part that is fed back taken off."""
    momentum = UNCLIPPED.momentum
    news = outputs[:, 1, 0] - (1 - momentum) * outputs[:, 0, 0]
    turned, stayed = -momentum - 2 * (1 - momentum), momentum
    return likelihood_ratio.gaussian(news, turned + (stayed - turned) / MANY, turned, UNCLIPPED.noise)


TWO_GRADIENTS_CLIPPED = Audit(
    Target(
        name="known-bad/srm-two-gradients-clipped",
        title="Clipped DP-SRM that clips two gradients in the place of their difference",
        view=View.TRANSCRIPT,
        claim=claim(
            mu=1.0,
            neighbours=Neighbours.REPLACE_ONE,
            source="Wang, Jayaraman, Evans, Gu (2023), section 5, for clipped differences",
        ),
        trials=TrialPlan(smoke=50_000, standard=500_000, deep=1_000_000),
        control=Control.KNOWN_BAD,
        expects=Outcome.REFUTED,
        truth=Gaussian(math.sqrt(2) * LATER),
        effect="a record whose gradient does not turn with the others shows as clearly as at epsilon 22, not 4.4",
        repair="srm/dp-srm-clipped",
        bug=PlantedBug(
            "Wang, Jayaraman, Evans, Gu (2019), https://arxiv.org/abs/1910.13659, section 5, with the parts clipped",
            Tier.GAME,
            50_000,
        ),
        from_level=Level.STANDARD,
    ),
    far_kink,
    partial(run_unclipped, UNCLIPPED),
    score_unclipped,
)

AUDITS = (DIFFERENCES_CLIPPED, TWO_GRADIENTS_CLIPPED)
