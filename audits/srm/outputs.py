"""The output alone of a run whose transcript is promised: DP-SRM, DP-GD, random round private SGD.

What: DP-SRM draws one of its iterates, DP-GD ends epochs at means of points, random round SGD stops at a drawn step.
Why: each claim is that of the transcript; the output weighs or sums the noisy gradients, hides the step in which a
record was drawn, and tells less.
Worst-case neighbours: linear losses with gradients of norm G; one record is turned around.
The adversary sees the output, not which step or record was drawn, and knows the other records.
"""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from dpaudit.algorithms.rbcd import dp_gd
from dpaudit.algorithms.srm import dp_srm, rrpsgd
from dpaudit.arithmetic.arrays import Array
from dpaudit.attacks import likelihood_ratio
from dpaudit.content.audits import Audit
from dpaudit.noise.stream import Trials
from dpaudit.problems.losses import linear
from dpaudit.records.context import Level
from dpaudit.records.mechanism import Gaussian, SelfComposed, WithReplacementSampled
from dpaudit.records.privacy import ApproximateDP, GaussianDP, Guarantee, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan

LIPSCHITZ, STEP_SIZE = 2.0, 0.1

# All four records at every step, momentum 1, constant step, four estimates. The output is the point before a uniformly
# drawn step: the start itself in a quarter of the runs, else the sum of up to three noisy gradients. Which step was
# drawn must not depend on the data.
RECORDS, STEPS = 4, 4
NOISE = 2 * LIPSCHITZ * 2 / RECORDS
DRAWN_ITERATE = dp_srm.Params(
    start=(0.0,), steps=STEPS, records=RECORDS, first_batch=RECORDS, batch=RECORDS, momentum=1.0, accuracy=1.0,
    divisor=1.0, smoothness=1.0, lipschitz=LIPSCHITZ, first_noise=NOISE, noise=NOISE, step_rule="constant",
    step_size=STEP_SIZE,
)  # fmt: skip

# Two epochs of two full gradients; an epoch ends at the mean of its two points, so that w^2 is the start less
# gamma (y_1 + y_2/2 + y_3 + y_4/2): the output is exactly 3/sqrt(10) = 0.949-GDP.
PLANE_RECORDS, PLANE_LIPSCHITZ = 6, 5.0
PLANE_WORST = np.array([3.0, 4.0])
WEIGHTS = np.array([1.0, 0.5, 1.0, 0.5])
EPOCHS = dp_gd.Params(
    start=(0.0, 0.0), step_sizes=(STEP_SIZE, STEP_SIZE), epochs=2, inner_steps=2,
    noise=2 * PLANE_LIPSCHITZ * 2 / PLANE_RECORDS, lipschitz=PLANE_LIPSCHITZ, records=PLANE_RECORDS,
)  # fmt: skip

# Three steps on one uniform record each; the law of the round puts all but 1e-12 on the last one. The output is the sum
# of three noisy gradients: one Gaussian mechanism on three draws with replacement (whose epsilon is known up to a
# factor of 1.5 only, so that no tightness is stated).
ROUNDS, NOISE_MULTIPLIER = 3, 0.8
TRANSCRIPT_OF_ROUNDS = SelfComposed(WithReplacementSampled(1, RECORDS, Gaussian(NOISE_MULTIPLIER)), ROUNDS)
RANDOM_ROUND = rrpsgd.Params(
    start=(0.0,), step_sizes=(STEP_SIZE,) * ROUNDS + (1e12,), records=RECORDS, noise=2 * NOISE_MULTIPLIER * LIPSCHITZ,
    lipschitz=LIPSCHITZ, smoothness=1.0, round_law="eta",
)  # fmt: skip


def first_turned(records: int, bound: Array, rng: np.random.Generator) -> tuple[Array, Array]:
    """Gradients of the linear losses, shape (records, d), within +-bound; the first one is turned around."""
    data = rng.uniform(-1, 1, size=(records, len(bound))) * bound
    neighbour = data.copy()
    data[0], neighbour[0] = bound, -bound
    return data, neighbour


def one_opposite(rng: np.random.Generator) -> tuple[Array, Array]:
    """Gradients of the linear losses, shape (4, 1): G but for one record, which is -G in the data set."""
    neighbour = np.full((RECORDS, 1), LIPSCHITZ)
    data = neighbour.copy()
    data[int(rng.integers(RECORDS))] = -LIPSCHITZ
    return data, neighbour


def run_srm(params: dp_srm.Params, data: Array, trials: Trials) -> Array:
    """The drawn iterate, shape (trials, 1)."""
    return dp_srm.cpu(params, linear(data), trials, release="final")


def run_gd(params: dp_gd.Params, data: Array, trials: Trials) -> Array:
    """w^2, shape (trials, 2)."""
    return dp_gd.cpu(params, linear(data), trials, release="final")


def run_rounds(params: rrpsgd.Params, data: Array, trials: Trials) -> Array:
    """theta^R, shape (trials, 1)."""
    return rrpsgd.cpu(params, linear(data), trials, release="final")


def score_srm(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of a mixture over the steps that were made before the output; 0 at the start."""
    point = -outputs[:, 0] / STEP_SIZE
    ratio = np.log(_density(point, data.mean())) - np.log(_density(point, neighbour.mean()))
    return np.where(point == 0, 0.0, ratio)


def _density(point: Array, gradient: float) -> Array:
    """Up to a factor, that of a sum of k = 1, ..., T - 1 noisy gradients, all k alike."""
    k = np.arange(1, STEPS)
    exponents = -((point[:, None] - k * gradient) ** 2) / (2 * k * NOISE**2)
    return np.asarray((np.exp(exponents) / np.sqrt(k)).sum(axis=1))


def score_gd(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of the output, which is normal."""
    mean, other = (-STEP_SIZE * WEIGHTS.sum() * records.mean(axis=0) for records in (data, neighbour))
    spread = STEP_SIZE * EPOCHS.noise * float(np.linalg.norm(WEIGHTS))
    return likelihood_ratio.gaussian(outputs, mean, other, spread)


def score_rounds(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of a mixture over how often the opposite record was drawn."""
    seen = (outputs[:, 0] / STEP_SIZE + ROUNDS * LIPSCHITZ) / (2 * LIPSCHITZ)
    times = np.arange(ROUNDS + 1)
    chances = np.array([math.comb(ROUNDS, k) * (RECORDS - 1.0) ** (ROUNDS - k) for k in times]) / RECORDS**ROUNDS
    odds = np.exp((seen[:, None] * times - times**2 / 2) / (ROUNDS * NOISE_MULTIPLIER**2))
    return np.asarray(np.log((odds * chances).sum(axis=1)))


def claim(guarantee: Guarantee, source: str) -> PrivacyClaim:
    """That of the transcript, at delta = 1e-5."""
    return PrivacyClaim(guarantee, Neighbours.REPLACE_ONE, delta=1e-5, source=source)


released = partial(
    Target,
    trials=TrialPlan(smoke=50_000, standard=2_000_000, deep=10_000_000),
    effect="a published model leaks more about a record than even the whole transcript should",
)

AUDITS = (
    Audit(
        released(
            name="srm/dp-srm-output",
            title="DP-SRM, the drawn iterate of a run of four estimates",
            view=View.HIDDEN_STATE,
            claim=claim(
                GaussianDP(1.0),
                "Wang, Jayaraman, Evans, Gu (2023), theorem 5.1, with the exact Gaussian composition",
            ),
        ),
        partial(first_turned, RECORDS, np.array([LIPSCHITZ])),
        partial(run_srm, DRAWN_ITERATE),
        score_srm,
    ),
    Audit(
        released(
            name="srm/dp-gd-output",
            title="DP-GD, the output after two epochs",
            view=View.FINAL_MODEL,
            claim=claim(
                GaussianDP(1.0), "Wang, Ye, Xu (2017), noisy gradient descent, with the exact Gaussian composition"
            ),
            truth=Gaussian(math.sqrt(10) / 3),
        ),
        partial(first_turned, PLANE_RECORDS, PLANE_WORST),
        partial(run_gd, EPOCHS),
        score_gd,
    ),
    Audit(
        released(
            name="srm/rrpsgd-output",
            from_level=Level.STANDARD,
            title="Random round private SGD, the output after three steps",
            view=View.FINAL_MODEL,
            claim=claim(  # of the transcript, `epsilon_bounds`, rounded up
                ApproximateDP(5.61561, 1e-5),
                "Zhang, Zheng, Mou, Wang (2017), with the exact composition of its sampled steps",
            ),
            claimed_mechanism=TRANSCRIPT_OF_ROUNDS,
        ),
        one_opposite,
        partial(run_rounds, RANDOM_ROUND),
        score_rounds,
    ),
)
