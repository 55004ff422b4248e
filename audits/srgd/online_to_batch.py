"""DP online-to-batch of this package, whole transcript, in the case that attains its guarantee.

What: seven rounds of one record under tree noise, weights t, clipped differences.
Why: the noise of a node is sqrt(3) K, which makes the tree 1-GDP exactly for a record of the first round. The last
gradient is released although no output depends on it, so that it needs its noise too.
Worst-case neighbours: linear losses; the first record has five times the clip norm, and is zero in the neighbour.
The adversary sees every noisy prefix sum and knows the other records.
"""

from __future__ import annotations

import math

import numpy as np

from dpaudit.algorithms.srgd import online_to_batch
from dpaudit.arithmetic.arrays import Array
from dpaudit.attacks import likelihood_ratio
from dpaudit.audit.structural import stepwise
from dpaudit.audit.structural.recording import Recorder
from dpaudit.content.audits import with_record
from dpaudit.noise.stream import Trials
from dpaudit.problems.domains import ball, clip
from dpaudit.problems.losses import linear
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.mechanism import Gaussian
from dpaudit.records.privacy import Neighbours, View, claim
from dpaudit.records.target import Target, TrialPlan
from dpaudit.sampling.batches import Batches

ROUNDS, NODES, CLIP_NORM = 7, 3, 2.0

PARAMS = online_to_batch.Params(
    dimension=2,
    weights=online_to_batch.power_weights(ROUNDS),
    step_sizes=(0.1,) * ROUNDS,
    batches=Batches("in order", ROUNDS, 1),
    noise=math.sqrt(NODES) * CLIP_NORM,
    lipschitz=10.0,
    clip_norm=CLIP_NORM,
    domain=ball(1.0, (0.0, 0.0)),
)

TARGET = Target(
    name="srgd/online-to-batch",
    title="DP online-to-batch, transcript of seven rounds",
    view=View.TRANSCRIPT,
    claim=claim(
        mu=1.0,
        neighbours=Neighbours.ZERO_OUT,
        source="Choquette-Choo, Ganesh, Thakurta (2024), lemma 5.6, for Zhang, Tran, Cutkosky (2022)",
    ),
    trials=TrialPlan(smoke=50_000, standard=1_000_000, deep=10_000_000),
    truth=Gaussian(1.0),
    claimed_mechanism=Gaussian(1.0),
    effect="models trained with this implementation leak more about a record than its tree noise was chosen for",
)

ASSUMPTIONS = Assumptions(ordered=True, checked_records=True)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Gradients of the linear losses, shape (7, 2); the first one is 5 K long, and zero in the neighbour."""
    return with_record(rng.normal(size=(ROUNDS, 2)), (3 * CLIP_NORM, 4 * CLIP_NORM), 0.0)


def run(data: Array, trials: Trials) -> Array:
    """Noisy prefix sums, shape (trials, rounds, 2)."""
    return online_to_batch.cpu(PARAMS, linear(data), trials)


def instrument(data: Array, recorder: Recorder) -> None:
    """One training of the reference form, recorded and replayed step by step."""
    stepwise.instrument(online_to_batch, PARAMS, linear(data), recorder)


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of the tree's nodes, whose noises are independent."""
    nodes = np.linalg.inv(PARAMS.mixing) @ outputs
    mean, other = (PARAMS.factors.right @ clip(records, CLIP_NORM) for records in (data, neighbour))
    return likelihood_ratio.gaussian(nodes, mean, other, PARAMS.noise)
