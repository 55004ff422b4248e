"""Accelerated-DP-SRGD with noise for records that are zeroed out, claimed for records that are replaced.

What: three steps; the noise of a node is sqrt(2) K.
Why: a replaced record moves a clipped sum by 2 K, not by K: the commonest mistake about the neighbouring relation. The
run is 2-GDP in the place of 1-GDP.
Worst-case neighbours: linear losses; the first record has the longest gradient, and its opposite in the neighbour.
The adversary sees every noisy prefix sum and knows the other records.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.srgd import accelerated_dp_srgd
from dpaudit.algorithms.srgd.accelerated_dp_srgd import Params, growing_weights
from dpaudit.attacks import likelihood_ratio
from dpaudit.noise.stream import Trials
from dpaudit.problems.losses import linear
from dpaudit.records.mechanism import Gaussian
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Control, PlantedBug, Target, Tier, TrialPlan
from dpaudit.records.verdict import Outcome
from dpaudit.sampling.batches import Batches

Array = NDArray[np.float64]

STEPS, SCALING, CLIP_NORM = 3, 3.0, 2.0
NODES = 2
CLAIMED_NOISE = 2 * math.sqrt(NODES) * CLIP_NORM

PARAMS = Params(
    dimension=1,
    weights=growing_weights(STEPS),
    scaling=SCALING,
    batches=Batches("in order", STEPS, 1),
    noise=CLAIMED_NOISE / 2,  # the bug
    lipschitz=CLIP_NORM,
    clip_norm=CLIP_NORM,
)

TARGET = Target(
    name="known-bad/srgd-replaced-record",
    title="Accelerated-DP-SRGD with noise for an empty record and a claim for a replaced one",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        GaussianDP(1.0),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source="Choquette-Choo, Ganesh, Thakurta (2024), lemma 5.6, for the noise before the bug",
    ),
    trials=TrialPlan(smoke=20_000, standard=500_000, deep=1_000_000),
    control=Control.KNOWN_BAD,
    expects=Outcome.REFUTED,
    truth=Gaussian(1 / 2),
    effect="swapping one person for another shows in the transcript about as clearly as at epsilon 10, not 4.4",
    repair="srgd/accelerated-dp-srgd",
    bug=PlantedBug(
        "https://github.com/google-deepmind/jax_privacy/blob/main/docs/sharp_edges_dp_training_pitfalls.md, "
        "neighbouring relations",
        Tier.GAME,
        200,
    ),
)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Gradients of the linear losses, shape (3, 1), at most K; the first one is K, and -K in the neighbour."""
    data = rng.uniform(-CLIP_NORM, CLIP_NORM, size=(STEPS, 1))
    neighbour = data.copy()
    data[0], neighbour[0] = CLIP_NORM, -CLIP_NORM
    return data, neighbour


def run(data: Array, trials: Trials) -> Array:
    """Noisy prefix sums, shape (trials, steps, 1)."""
    return accelerated_dp_srgd.cpu(PARAMS, linear(data), trials)


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of the tree's nodes, for an adversary who believes the claimed noise."""
    nodes = np.linalg.inv(PARAMS.mixing) @ outputs
    mean, other = (PARAMS.factors.right @ records for records in (data, neighbour))
    return likelihood_ratio.gaussian(nodes, mean, other, CLAIMED_NOISE)
