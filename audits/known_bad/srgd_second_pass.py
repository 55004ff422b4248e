"""A tree over two passes with noise for one: a planted bug that the auditor must find.

What: four prefix sums over two records, each of which is used in steps t and t + 2; the noise of a node is sqrt(3) K,
which covers a record that is in one step.
Why: the first record is in nodes 1, 2 and 4 by its first use and in 3 and 4 by its second, so that it moves them by
(1, 1, 1, 2) K: the run is sqrt(7/3) = 1.53-GDP in the place of 1-GDP.
Worst-case neighbours: the first record is a vector of norm K, and zero in the neighbour.
The adversary sees every noisy prefix sum and knows the other record.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.srgd import prefix_noise
from dpaudit.attacks import likelihood_ratio
from dpaudit.noise.stream import Trials
from dpaudit.problems.losses import linear
from dpaudit.records.mechanism import Gaussian
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Control, PlantedBug, Target, Tier, TrialPlan
from dpaudit.records.verdict import Outcome
from dpaudit.sampling.batches import Batches

Array = NDArray[np.float64]

RECORDS, PASSES, CLIP_NORM = 2, 2, 2.0
STEPS, NODES = RECORDS * PASSES, 3

PARAMS = prefix_noise.Params(
    point=(0.0,),
    steps=STEPS,
    batches=Batches("in order", STEPS, 1),
    noise=math.sqrt(NODES) * CLIP_NORM,
    lipschitz=CLIP_NORM,
)

TARGET = Target(
    name="known-bad/srgd-second-pass",
    title="A tree over two passes with the noise of one",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        GaussianDP(1.0),
        Neighbours.ZERO_OUT,
        delta=1e-5,
        source="Choquette-Choo, Ganesh, Thakurta (2024), lemma 5.6, where one item changes",
    ),
    trials=TrialPlan(smoke=100_000, standard=500_000, deep=1_000_000),
    control=Control.KNOWN_BAD,
    expects=Outcome.REFUTED,
    truth=Gaussian(math.sqrt(3 / 7)),
    effect="whoever passes twice over the data with noise for once gets epsilon 7.2, not 4.4",
    repair="srgd/prefix-sums",
    bug=PlantedBug(
        "Choquette-Choo, Ganesh, Thakurta (2024), https://arxiv.org/abs/2406.02716, lemma 5.6 without its one epoch",
        Tier.GAME,
        100_000,
    ),
)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Records, shape (2, 1), at most K; the first one is K, and zero in the neighbour."""
    data = rng.uniform(-CLIP_NORM, CLIP_NORM, size=(RECORDS, 1))
    neighbour = data.copy()
    data[0], neighbour[0] = CLIP_NORM, 0.0
    return data, neighbour


def run(data: Array, trials: Trials) -> Array:
    """Noisy prefix sums, shape (trials, 4, 1)."""
    return prefix_noise.cpu(PARAMS, linear(np.tile(data, (PASSES, 1))), trials)


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of the tree's nodes, whose noises are independent."""
    nodes = np.linalg.inv(PARAMS.mixing) @ outputs
    mean, other = (PARAMS.factors.right @ np.tile(records, (PASSES, 1)) for records in (data, neighbour))
    return likelihood_ratio.gaussian(nodes, mean, other, PARAMS.noise)
