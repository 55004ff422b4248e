"""Clipped Accelerated-DP-SRGD of this package, whole transcript, in the case that attains its guarantee.

What: seven steps of two records under tree noise; what is clipped is each record's difference of weighted gradients.
Why: the noise of a node is sqrt(3) K/b, which makes the tree 1-GDP exactly: a record of the first step is in three
nodes. Less noise, a wrong node or a record's second use shows, and so does clipping of anything but the difference.
Worst-case neighbours: linear losses, whose differences are the gradients themselves at every step. The first record has
a gradient five times the clip norm in the data set and none in its neighbour.
The adversary sees every noisy prefix sum, solves for the tree's nodes and knows the other records.
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
from dpaudit.problems.domains import clip
from dpaudit.problems.losses import linear
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.mechanism import Gaussian
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan
from dpaudit.sampling.batches import Batches

Array = NDArray[np.float64]

STEPS, BATCH, DIMENSION = 7, 2, 2
CLIP_NORM = 2.0
NODES = 3
"""1 + floor(log2 7): the nodes that a record of the first step is in."""

PARAMS = Params(
    dimension=DIMENSION,
    weights=growing_weights(STEPS),
    scaling=3.0,
    batches=Batches("in order", STEPS * BATCH, BATCH),
    noise=math.sqrt(NODES) * CLIP_NORM / BATCH,
    lipschitz=10.0,
    clip_norm=CLIP_NORM,
)

TARGET = Target(
    name="srgd/accelerated-dp-srgd",
    title="Clipped Accelerated-DP-SRGD, transcript of seven steps",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        GaussianDP(1.0),
        Neighbours.ZERO_OUT,
        delta=1e-5,
        source="Choquette-Choo, Ganesh, Thakurta (2024), lemma 5.6 with the exact number of nodes",
    ),
    trials=TrialPlan(smoke=50_000, standard=2_000_000, deep=10_000_000),
    truth=Gaussian(1.0),
    claimed_mechanism=Gaussian(1.0),
    effect="models trained with this implementation leak more about a record than its tree noise was chosen for",
)

ASSUMPTIONS = Assumptions(ordered=True, checked_records=True)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Gradients of the linear losses, shape (14, 2); the first one is 5 K long, and zero in the neighbour."""
    data = rng.normal(size=(STEPS * BATCH, DIMENSION))
    neighbour = data.copy()
    data[0], neighbour[0] = (3 * CLIP_NORM, 4 * CLIP_NORM), 0.0
    return data, neighbour


def run(data: Array, trials: Trials) -> Array:
    """Noisy prefix sums, shape (trials, steps, 2)."""
    return accelerated_dp_srgd.cpu(PARAMS, linear(data), trials)


def instrument(data: Array, recorder: Recorder) -> None:
    """One training of the reference form, recorded and replayed step by step."""
    stepwise.instrument(accelerated_dp_srgd, PARAMS, linear(data), recorder)


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of the tree's nodes, whose noises are independent."""
    nodes = np.linalg.inv(PARAMS.mixing) @ outputs
    mean, other = (PARAMS.factors.right @ _items(records) for records in (data, neighbour))
    return likelihood_ratio.gaussian(nodes, mean, other, PARAMS.noise)


def _items(records: Array) -> Array:
    """What every step adds to the prefix sum: the mean of its two clipped gradients, shape (steps, 2)."""
    return np.asarray(clip(records, CLIP_NORM).reshape(STEPS, BATCH, DIMENSION).mean(axis=1))
