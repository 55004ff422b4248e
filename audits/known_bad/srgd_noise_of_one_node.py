"""Accelerated-DP-SRGD with the noise of one node: a planted bug that the auditor must find.

What: seven steps; the noise of a node is that of a single Gaussian mechanism, K, in the place of sqrt(3) K.
Why: a record of the first step is in three nodes, each of which tells of it. Corollary 5.7 prints half of this bug.
Worst-case neighbours: linear losses; the first record has the longest gradient, and none in the neighbour.
The adversary sees every noisy prefix sum and knows the other records.
The structural check "accountant" finds it without trials: in one run the first record moves each of its three nodes by
one noise scale, and all of them together may move by one.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.srgd import accelerated_dp_srgd
from dpaudit.algorithms.srgd.accelerated_dp_srgd import Params, growing_weights
from dpaudit.attacks import likelihood_ratio
from dpaudit.audit.structural import stepwise
from dpaudit.audit.structural.recording import Recorder
from dpaudit.noise.stream import Trials
from dpaudit.problems.losses import linear
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.mechanism import Gaussian
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Control, PlantedBug, Target, Tier, TrialPlan
from dpaudit.records.verdict import Outcome
from dpaudit.sampling.batches import Batches

Array = NDArray[np.float64]

STEPS, SCALING, CLIP_NORM = 7, 3.0, 2.0
NODES = 3
CLAIMED_NOISE = math.sqrt(NODES) * CLIP_NORM

PARAMS = Params(
    dimension=1,
    weights=growing_weights(STEPS),
    scaling=SCALING,
    batches=Batches("in order", STEPS, 1),
    noise=CLIP_NORM,  # the bug
    lipschitz=CLIP_NORM,
    clip_norm=CLIP_NORM,
)

TARGET = Target(
    name="known-bad/srgd-noise-of-one-node",
    title="Accelerated-DP-SRGD whose noise forgets the levels of the tree",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        GaussianDP(1.0),
        Neighbours.ZERO_OUT,
        delta=1e-5,
        source="Choquette-Choo, Ganesh, Thakurta (2024), lemma 5.6, for the noise before the bug",
    ),
    trials=TrialPlan(smoke=20_000, standard=500_000, deep=1_000_000),
    control=Control.KNOWN_BAD,
    expects=Outcome.REFUTED,
    truth=Gaussian(1 / math.sqrt(NODES)),
    claimed_mechanism=Gaussian(1.0),
    effect="the record of one person shows in the transcript about as clearly as at epsilon 8.4, not 4.4",
    repair="srgd/accelerated-dp-srgd",
    bug=PlantedBug(
        "Choquette-Choo, Ganesh, Thakurta (2024), https://arxiv.org/abs/2406.02716, corollary 5.7 as printed",
        Tier.STRUCTURAL,
        22,
        "accountant",
    ),
)

ASSUMPTIONS = Assumptions(ordered=True, checked_records=True)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Gradients of the linear losses, shape (7, 1), at most K; the first one is K, and zero in the neighbour."""
    data = rng.uniform(-CLIP_NORM, CLIP_NORM, size=(STEPS, 1))
    neighbour = data.copy()
    data[0], neighbour[0] = CLIP_NORM, 0.0
    return data, neighbour


def run(data: Array, trials: Trials) -> Array:
    """Noisy prefix sums, shape (trials, steps, 1)."""
    return accelerated_dp_srgd.cpu(PARAMS, linear(data), trials)


def instrument(data: Array, recorder: Recorder) -> None:
    """One training of the reference form, recorded and replayed step by step."""
    stepwise.instrument(accelerated_dp_srgd, PARAMS, linear(data), recorder)


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of the tree's nodes, for an adversary who believes the claimed noise."""
    nodes = np.linalg.inv(PARAMS.mixing) @ outputs
    mean, other = (PARAMS.factors.right @ records for records in (data, neighbour))
    return likelihood_ratio.gaussian(nodes, mean, other, CLAIMED_NOISE)
