"""DP-SRM with planted bugs that the auditor must find.

What: a few estimates from some of four records; the claim is that of the algorithm without the bug.
Why: hidden batches, the noise in what is fed back and the sensitivity of a replaced record are what the promise of
theorem 5.1 rests on.
Worst-case neighbours: linear losses with gradients of norm at most G; one record is turned around.
The adversary sees every estimate v_p, not the batches, and knows the other records.
"""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from dpaudit.algorithms.srm import dp_srm
from dpaudit.arithmetic.arrays import Array
from dpaudit.attacks import likelihood_ratio
from dpaudit.content.audits import Audit
from dpaudit.noise.stream import Trials
from dpaudit.problems.losses import linear
from dpaudit.records.context import Level
from dpaudit.records.mechanism import FixedSizeSampled, Gaussian, SelfComposed
from dpaudit.records.privacy import ApproximateDP, GaussianDP, Guarantee, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Control, PlantedBug, Target, Tier, TrialPlan
from dpaudit.records.verdict import Outcome

RECORDS, LIPSCHITZ = 4, 2.0


def one_opposite(shape: tuple[int, ...], rng: np.random.Generator) -> tuple[Array, Array]:
    """Gradients of the linear losses, `shape`: -G but for one record, which is G in the data set."""
    neighbour = np.full(shape, -LIPSCHITZ)
    data = neighbour.copy()
    data[int(rng.integers(RECORDS))] = LIPSCHITZ
    return data, neighbour


def claim(guarantee: Guarantee, part: str) -> PrivacyClaim:
    """Of `part` of the paper at delta = 1e-5."""
    source = f"Wang, Jayaraman, Evans, Gu (2023), {part}"
    return PrivacyClaim(guarantee, Neighbours.REPLACE_ONE, delta=1e-5, source=source)


bad = partial(
    Target, view=View.TRANSCRIPT, control=Control.KNOWN_BAD, expects=Outcome.REFUTED, repair="srm/theorem-5.1"
)

# Three estimates from all records, momentum 1/2; v^t continues from v^{t-1}, where algorithm 1 has the noisy v_p^{t-1}.
# The noise is that of the algorithm, for 1-GDP: later estimates get half of it, for half of the gradient. Given what
# was released, only the new half of the gradient should depend on the record. Without noise in what is fed back every
# estimate carries the whole gradient: mu^2 = (1 + 4 + 4)/3, so that the run is 1.73-GDP.
MOMENTUM = 0.5
FIRST_NOISE = 2 * LIPSCHITZ * math.sqrt(3) / RECORDS
NOISE = FIRST_NOISE * np.array([1.0, MOMENTUM, MOMENTUM])


def first_turned(rng: np.random.Generator) -> tuple[Array, Array]:
    """Gradients of the linear losses, shape (4,), at most G; the first one is turned around."""
    data = rng.uniform(-LIPSCHITZ, LIPSCHITZ, size=RECORDS)
    neighbour = data.copy()
    data[0], neighbour[0] = LIPSCHITZ, -LIPSCHITZ
    return data, neighbour


def run_without_noise(data: Array, trials: Trials) -> Array:
    """Noisy estimates, shape (trials, 3): the gradient is the same at both points of a step."""
    gradient, estimate, released = data.mean(), np.zeros(len(trials)), []
    for t in range(len(NOISE)):
        estimate = gradient + (1 - MOMENTUM) * (estimate - gradient) if t else estimate + gradient
        noise = NOISE[t] * trials.stream.normals(trials.numbers, t, 1)[:, 0]
        released.append(estimate + noise)  # and `estimate` stays without: the bug
    return np.stack(released, axis=1)


def score_without_noise(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of all estimates."""
    return likelihood_ratio.gaussian(outputs, data.mean(), neighbour.mean(), NOISE)


MEMORY_WITHOUT_NOISE = Audit(
    bad(
        name="known-bad/srm-memory-without-noise",
        title="DP-SRM that feeds back its estimate without the noise",
        claim=claim(GaussianDP(1.0), "proof of theorem 5.1, where the noisy estimate is fed back"),
        trials=TrialPlan(smoke=100_000, standard=500_000, deep=1_000_000),
        truth=Gaussian(1 / math.sqrt(3)),
        effect="the record of one person shows in the transcript about as clearly as at epsilon 8.4, not 4.4",
        bug=PlantedBug(
            "Wang, Jayaraman, Evans, Gu (2019), https://arxiv.org/abs/1910.13659, proof of theorem 5.1",
            Tier.GAME,
            100_000,
        ),
    ),
    first_turned,
    run_without_noise,
    score_without_noise,
)

# Four estimates from one record, momentum 1; the record is drawn before the first step and stays. The claim composes
# four fresh draws. With one draw the steps are no longer independent: with probability 1/4 the record is in all four,
# one Gaussian mechanism with half the noise.
FRESH_STEPS = 4
FRESH_BATCHES = SelfComposed(FixedSizeSampled(1, RECORDS, Gaussian(1.0)), FRESH_STEPS)


def run_one_batch(data: Array, trials: Trials) -> Array:
    """Noisy estimates, shape (trials, 4)."""
    drawn = trials.stream.part("batches").uniforms(trials.numbers, 0, 1)  # once, not at every step: the bug
    noise = trials.stream.part("noise").normals(trials.numbers, 0, FRESH_STEPS)
    return np.asarray(data[(drawn * RECORDS).astype(np.int64)] + 2 * LIPSCHITZ * noise)


def score_one_batch(outputs: Array, data: Array, neighbour: Array) -> Array:
    """How much the estimates lie on the side of the one record, all steps alike."""
    return np.asarray((outputs + LIPSCHITZ).sum(axis=1))


ONE_BATCH = Audit(
    bad(
        name="known-bad/srm-one-batch",
        title="DP-SRM that draws its batch once",
        claim=claim(  # the epsilon of FRESH_BATCHES, `epsilon_bounds`, rounded up
            ApproximateDP(4.23714, 1e-5), "theorem 5.1, with the exact composition of fresh batches"
        ),
        trials=TrialPlan(smoke=200_000, standard=500_000, deep=1_000_000),
        truth=FixedSizeSampled(1, RECORDS, Gaussian(1 / 2)),
        claimed_mechanism=FRESH_BATCHES,
        effect="a record that is drawn shows in every step: epsilon 8.0 where fresh batches give 4.2",
        bug=PlantedBug("Chua et al. (2024), https://arxiv.org/abs/2403.17673", Tier.GAME, 200_000),
    ),
    partial(one_opposite, (RECORDS,)),
    run_one_batch,
    score_one_batch,
)

# Three estimates from one record, momentum 1, noise G for the noise multiplier 1. A replaced record moves an estimate
# by 2 G/b, not by G/b, the step of theorem 5.1's proof that is forgotten most easily: the noise multiplier is 1/2.
STEPS = 3
PARAMS = dp_srm.Params(
    start=(0.0,), steps=STEPS, records=RECORDS, first_batch=1, batch=1, momentum=1.0, accuracy=0.1, divisor=1.0,
    smoothness=1.0, lipschitz=LIPSCHITZ,
    first_noise=LIPSCHITZ, noise=LIPSCHITZ,  # the bug
)  # fmt: skip


def run_replaced(data: Array, trials: Trials) -> Array:
    """Noisy estimates, shape (trials, steps, 1)."""
    return dp_srm.cpu(PARAMS, linear(data), trials)


def score_replaced(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of a mixture at every step: the record is drawn with probability 1/n."""
    seen = (outputs[:, :, 0] + LIPSCHITZ) / (2 * LIPSCHITZ)
    odds = np.exp((seen - 0.5) * 4)
    return np.asarray(np.log1p((odds - 1) / RECORDS).sum(axis=1))


REPLACED_RECORD = Audit(
    bad(
        name="known-bad/srm-replaced-record",
        from_level=Level.STANDARD,
        title="DP-SRM with noise for a record that comes or goes",
        claim=claim(  # `epsilon_bounds` of the claimed mechanism, rounded up
            ApproximateDP(3.82328, 1e-5), "theorem 5.1, for the noise before the bug"
        ),
        trials=TrialPlan(smoke=100_000, standard=500_000, deep=1_000_000),
        truth=SelfComposed(FixedSizeSampled(1, RECORDS, Gaussian(0.5)), STEPS),
        claimed_mechanism=SelfComposed(FixedSizeSampled(1, RECORDS, Gaussian(1.0)), STEPS),
        effect="swapping one person for another shows in the transcript about as clearly as at epsilon 12, not 3.8",
        bug=PlantedBug(
            "https://github.com/google-deepmind/jax_privacy/blob/main/docs/sharp_edges_dp_training_pitfalls.md, "
            "neighbouring relations",
            Tier.GAME,
            100_000,
        ),
    ),
    partial(one_opposite, (RECORDS, 1)),
    run_replaced,
    score_replaced,
)

AUDITS = (MEMORY_WITHOUT_NOISE, ONE_BATCH, REPLACED_RECORD)
