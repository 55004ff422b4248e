"""Random round private SGD of this package, every noisy gradient, in the case that attains its guarantee.

What: three steps on one uniform record each. The law of the round puts all but 1e-12 on the last one, so that every run
makes all its steps and the promise for the longest run is met.
Why: the claim is the exact composition of three Gaussian mechanisms on a record that is drawn with probability 1/4;
less noise or a record that is drawn more often shows.
Worst-case neighbours: linear losses with gradients of norm G: one record is opposite to all others, or like them.
The adversary sees every noisy gradient, not which record was drawn.
"""

from __future__ import annotations

import numpy as np

from dpaudit.algorithms.srm import rrpsgd
from dpaudit.arithmetic.arrays import Array
from dpaudit.audit.structural import stepwise
from dpaudit.audit.structural.recording import Recorder
from dpaudit.noise.stream import Trials
from dpaudit.problems.losses import linear
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.context import Level
from dpaudit.records.mechanism import Gaussian, SelfComposed, WithReplacementSampled
from dpaudit.records.privacy import Neighbours, View, claim
from dpaudit.records.target import Target, TrialPlan

STEPS, RECORDS, LIPSCHITZ = 3, 4, 2.0
NOISE_MULTIPLIER = 0.8
MECHANISM = SelfComposed(WithReplacementSampled(1, RECORDS, Gaussian(NOISE_MULTIPLIER)), STEPS)
EPSILON = 5.61561
"""Of MECHANISM at delta = 1e-5, `epsilon_bounds`, rounded up."""

PARAMS = rrpsgd.Params(
    start=(0.0,),
    step_sizes=(0.1,) * STEPS + (1e12,),
    records=RECORDS,
    noise=2 * NOISE_MULTIPLIER * LIPSCHITZ,
    lipschitz=LIPSCHITZ,
    smoothness=1.0,
    round_law="eta",
)

TARGET = Target(
    name="srm/rrpsgd",
    title="Random round private SGD, transcript of three steps",
    view=View.TRANSCRIPT,
    claim=claim(
        epsilon=EPSILON,
        delta=1e-5,
        neighbours=Neighbours.REPLACE_ONE,
        source="Zhang, Zheng, Mou, Wang (2017), with the exact composition of its sampled steps",
    ),
    trials=TrialPlan(smoke=50_000, standard=2_000_000, deep=10_000_000),
    truth=MECHANISM,
    claimed_mechanism=MECHANISM,
    effect="models trained with this implementation leak more about a record than its sampled steps should",
    from_level=Level.STANDARD,
)

ASSUMPTIONS = Assumptions(checked_records=True)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Gradients of the linear losses, shape (4, 1): G but for one record, which is -G in the data set."""
    neighbour = np.full((RECORDS, 1), LIPSCHITZ)
    data = neighbour.copy()
    data[int(rng.integers(RECORDS))] = -LIPSCHITZ
    return data, neighbour


def run(data: Array, trials: Trials) -> Array:
    """Noisy gradients, shape (trials, steps, 1); zeros after the drawn round."""
    return rrpsgd.cpu(PARAMS, linear(data), trials)


def instrument(data: Array, recorder: Recorder) -> None:
    """One training of the reference form, recorded and replayed step by step."""
    stepwise.instrument(rrpsgd, PARAMS, linear(data), recorder)


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of a mixture at every step: the opposite record with probability 1/n."""
    seen = (LIPSCHITZ - outputs[:, :, 0]) / (2 * LIPSCHITZ)
    odds = np.exp((seen - 0.5) / NOISE_MULTIPLIER**2)
    return np.asarray(np.log1p((odds - 1) / RECORDS).sum(axis=1))
