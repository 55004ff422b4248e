"""Accelerated-DP-SRGD that clips the two gradients, not their difference: a planted bug that the auditor must find.

What: two steps of eight records; every gradient has norm at most K (Huber losses of threshold K, which is what clipping
them does), the difference 2 grad f(x_1) - grad f(x_0) is taken as it is; the noise is that for differences of norm K.
Why: where the gradient of a record turns around between two points its difference is 3 K. It is in one node, of noise
sqrt(2) K/b: 3/sqrt(2) = 2.12-GDP in the place of 1-GDP.
Worst-case neighbours: all other records push the point to the right, far in the first step; the first record of the
second batch has its kink between x_0 and x_1, and is empty in the neighbour.
The adversary sees both noisy prefix sums and knows the other records.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.srgd import accelerated_dp_srgd
from dpaudit.algorithms.srgd.accelerated_dp_srgd import Params, growing_weights
from dpaudit.attacks import likelihood_ratio
from dpaudit.noise.stream import Trials
from dpaudit.problems.losses import Problem, huber
from dpaudit.records.mechanism import Gaussian
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Control, PlantedBug, Target, Tier, TrialPlan
from dpaudit.records.verdict import Outcome
from dpaudit.sampling.batches import Batches

Array = NDArray[np.float64]
Records = tuple[Array, Array]

STEPS, BATCH, CLIP_NORM, NODES = 2, 8, 1.0, 2
FAR, KINK = 1e6, 2.0
"""The point goes from 0 to about 1000."""

PARAMS = Params(
    dimension=1,
    weights=growing_weights(STEPS),
    scaling=1e-3,
    batches=Batches("in order", STEPS * BATCH, BATCH),
    noise=math.sqrt(NODES) * CLIP_NORM / BATCH,
    lipschitz=CLIP_NORM,
)

TARGET = Target(
    name="known-bad/srgd-two-gradients-clipped",
    title="Accelerated-DP-SRGD that clips two gradients in the place of their difference",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        GaussianDP(1.0),
        Neighbours.ZERO_OUT,
        delta=1e-5,
        source="Choquette-Choo, Ganesh, Thakurta (2024), lemma 5.6, for clipped differences",
    ),
    trials=TrialPlan(smoke=50_000, standard=500_000, deep=1_000_000),
    control=Control.KNOWN_BAD,
    expects=Outcome.REFUTED,
    truth=Gaussian(math.sqrt(NODES) / 3),
    effect="a record whose gradient turns around shows about as clearly as at epsilon 11, not 4.4",
    repair="srgd/clipped-adversarial-order",
    bug=PlantedBug(
        "Choquette-Choo, Ganesh, Thakurta (2024), https://arxiv.org/abs/2406.02716, section 5.3, with the parts "
        "clipped",
        Tier.GAME,
        50_000,
    ),
)


def neighbours(rng: np.random.Generator) -> tuple[Records, Records]:
    """Targets and weights of Huber losses, shape (16,) each; the turning record has weight 0 in the neighbour."""
    targets, weights = np.full(STEPS * BATCH, FAR), np.ones(STEPS * BATCH)
    targets[BATCH] = KINK
    without = weights.copy()
    without[BATCH] = 0.0
    return (targets, weights), (targets, without)


def run(data: Records, trials: Trials) -> Array:
    """Noisy prefix sums, shape (trials, 2, 1)."""
    return accelerated_dp_srgd.cpu(PARAMS, _problem(data), trials)


def score(outputs: Array, data: Records, neighbour: Records) -> Array:
    """The log-likelihood ratio of node 2, which is the second sum: all other records push with -K at both steps."""
    others = -CLIP_NORM * (2 * BATCH - 1) / BATCH
    return likelihood_ratio.gaussian(outputs[:, 1, 0], others + 3 * CLIP_NORM / BATCH, others, PARAMS.noise)


def _problem(data: Records) -> Problem:
    targets, weights = data
    return huber(np.ones((len(targets), 1)), targets, CLIP_NORM, weights)
