"""DP-SGD of this package with Poisson batches, whole transcript, in the case that attains its guarantee.

What: four steps at rate 1/4, clipped gradients, noise of the clip norm, the divisor the expected size of a batch.
Why: the claim is the exact composition of four sampled Gaussian mechanisms, and an audit that knows their law has no
slack to hide in: a sampler with another rate, a divisor that depends on the batch, noise of the wrong size all show.
Worst-case neighbours: one record with five times the clip norm among records without gradients. In the neighbour it
has none either, which for Poisson batches is the law of a data set without it.
The adversary sees every noisy gradient, not the batches.
"""

from __future__ import annotations

import numpy as np

from dpaudit.algorithms.srgd import dp_sgd
from dpaudit.arithmetic.arrays import Array
from dpaudit.audit.structural import stepwise
from dpaudit.audit.structural.recording import Recorder
from dpaudit.noise.stream import Trials
from dpaudit.problems.losses import linear
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.context import Level
from dpaudit.records.mechanism import Gaussian, PoissonSampled, SelfComposed
from dpaudit.records.privacy import View, claim
from dpaudit.records.target import Target, TrialPlan
from dpaudit.sampling.batches import Batches

STEPS, RECORDS, BATCH, CLIP_NORM = 4, 4, 1, 2.0
NOISE_MULTIPLIER = 1.0
MECHANISM = SelfComposed(PoissonSampled(BATCH / RECORDS, Gaussian(NOISE_MULTIPLIER)), STEPS)
EPSILON = 4.20581
"""Of MECHANISM at delta = 1e-5, `epsilon_bounds`, rounded up."""

PARAMS = dp_sgd.Params(
    start=(0.0,),
    step_sizes=(0.1,) * STEPS,
    batches=Batches("Poisson", RECORDS, BATCH),
    noise=NOISE_MULTIPLIER * CLIP_NORM / BATCH,
    lipschitz=10.0,
    clip_norm=CLIP_NORM,
)

TARGET = Target(
    name="srm/dp-sgd",
    from_level=Level.STANDARD,
    title="DP-SGD with Poisson batches, transcript of four steps",
    view=View.TRANSCRIPT,
    claim=claim(
        epsilon=EPSILON,
        delta=1e-5,
        source="Abadi et al. (2016), algorithm 1; exact composition: Zhu, Dong, Wang (2022), theorem 11",
    ),
    trials=TrialPlan(smoke=50_000, standard=2_000_000, deep=10_000_000),
    truth=MECHANISM,
    claimed_mechanism=MECHANISM,
    effect="models trained with DP-SGD leak more about a record than the accountant of its sampled steps reports",
)

ASSUMPTIONS = Assumptions(checked_records=True)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Gradients of the linear losses, shape (4, 1): one that is clipped, and none."""
    neighbour = np.zeros((RECORDS, 1))
    data = neighbour.copy()
    data[int(rng.integers(RECORDS))] = 5 * CLIP_NORM
    return data, neighbour


def run(data: Array, trials: Trials) -> Array:
    """Noisy gradients, shape (trials, steps, 1)."""
    return dp_sgd.cpu(PARAMS, linear(data), trials)


def instrument(data: Array, recorder: Recorder) -> None:
    """One training of the reference form, recorded and replayed step by step."""
    stepwise.instrument(dp_sgd, PARAMS, linear(data), recorder)


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of a mixture at every step: with the record at the sampling rate, else without."""
    seen = outputs[:, :, 0] * BATCH / CLIP_NORM
    odds = np.exp((seen - 0.5) / NOISE_MULTIPLIER**2)
    return np.asarray(np.log1p(PARAMS.batches.rate * (odds - 1)).sum(axis=1))
