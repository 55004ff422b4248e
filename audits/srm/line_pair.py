"""DP-SRM of this package, whole transcript, in the case that attains the sensitivities of theorem 5.1.

What: algorithm 1 with momentum 1: a first estimate from two of four records and two later ones from one record each.
Why: linear losses with opposite gradients of norm G move every estimate by 2 G/b whenever the record is drawn. What is
released at a step is one normal law, or with probability b/n another one beside it: the pair that no mechanism on
hidden subsets of this size is better than by much. The claim is the exact composition, not lemma 3.7.
Worst-case neighbours: three records of gradient -G, and one that has G in the data set and -G in its neighbour.
The adversary sees every estimate v_p, not the batches, and knows the other records.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from dpaudit.algorithms.srm import dp_srm
from dpaudit.arithmetic.arrays import Array
from dpaudit.audit.structural import stepwise
from dpaudit.audit.structural.recording import Recorder
from dpaudit.content.audits import Audit
from dpaudit.noise.stream import Trials
from dpaudit.problems.losses import linear
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.mechanism import Composed, FixedSizeSampled, Gaussian, SelfComposed
from dpaudit.records.privacy import Neighbours, View, claim
from dpaudit.records.target import Target, TrialPlan

RECORDS, STEPS, BATCHES, LIPSCHITZ = 4, 3, np.array([2, 1, 1]), 2.0
NOISE_MULTIPLIER = 1.0
MECHANISM = Composed(
    (
        FixedSizeSampled(2, RECORDS, Gaussian(NOISE_MULTIPLIER)),
        SelfComposed(FixedSizeSampled(1, RECORDS, Gaussian(NOISE_MULTIPLIER)), STEPS - 1),
    )
)
EPSILON = 4.53636
"""Of MECHANISM at delta = 1e-5, `epsilon_bounds`, rounded up."""

PARAMS = dp_srm.Params(
    start=(0.0,),
    steps=STEPS,
    records=RECORDS,
    first_batch=2,
    batch=1,
    momentum=1.0,
    accuracy=0.1,
    divisor=1.0,
    smoothness=1.0,
    lipschitz=LIPSCHITZ,
    first_noise=2 * LIPSCHITZ * NOISE_MULTIPLIER / 2,
    noise=2 * LIPSCHITZ * NOISE_MULTIPLIER,
)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Gradients of the linear losses, shape (4, 1): -G but for one record, which is G in the data set."""
    neighbour = np.full((RECORDS, 1), -LIPSCHITZ)
    data = neighbour.copy()
    data[int(rng.integers(RECORDS))] = LIPSCHITZ
    return data, neighbour


def run(params: dp_srm.Params, data: Array, trials: Trials) -> Array:
    """Noisy estimates, shape (trials, steps, 1)."""
    return dp_srm.cpu(params, linear(data), trials)


def instrument(data: Array, recorder: Recorder) -> None:
    """One training of the reference form, recorded and replayed step by step."""
    stepwise.instrument(dp_srm, PARAMS, linear(data), recorder)


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of a mixture at every step: the record is in the batch with probability b/n."""
    seen = (outputs[:, :, 0] + LIPSCHITZ) / (2 * LIPSCHITZ / BATCHES)
    odds = np.exp((seen - 0.5) / NOISE_MULTIPLIER**2)
    return np.asarray(np.log1p(BATCHES / RECORDS * (odds - 1)).sum(axis=1))


AUDIT = Audit(
    Target(
        name="srm/dp-srm",
        title="DP-SRM with momentum 1, transcript of three estimates",
        view=View.TRANSCRIPT,
        claim=claim(
            epsilon=EPSILON,
            delta=1e-5,
            neighbours=Neighbours.REPLACE_ONE,
            source="Wang, Jayaraman, Evans, Gu (2023), theorem 5.1, with the exact composition of its sampled steps",
        ),
        trials=TrialPlan(smoke=50_000, standard=2_000_000, deep=10_000_000),
        truth=MECHANISM,
        claimed_mechanism=MECHANISM,
        effect="models trained with this implementation leak more about a record than its hidden batches should",
    ),
    neighbours,
    partial(run, PARAMS),
    score,
    instrument=instrument,
    assumptions=Assumptions(checked_records=True),
)
