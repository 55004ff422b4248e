"""Clipped Accelerated-DP-SRGD with the noise that corollary 5.7 needs.

What: the run of the target srgd/corollary-5.7-printed, with 1.44 times the noise of a node: the least with which the
three nodes of a record of the first step together give (4, 1e-3)-DP.
Why: the claim is met with equality, so that the repair is neither too weak nor wasteful.
Worst-case neighbours: linear losses; the first record has the longest clipped gradient, and none in the neighbour.
The adversary sees every noisy prefix sum and knows the other records.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.srgd import accelerated_dp_srgd
from dpaudit.algorithms.srgd.accelerated_dp_srgd import Params, growing_weights
from dpaudit.algorithms.srgd.accounting.presets import Setting, scaled
from dpaudit.attacks import likelihood_ratio
from dpaudit.noise.stream import Trials
from dpaudit.problems.losses import linear
from dpaudit.records.mechanism import Gaussian
from dpaudit.records.privacy import ApproximateDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan
from dpaudit.sampling.batches import Batches

Array = NDArray[np.float64]

PRESET = scaled(Setting(records=16, dimension=1, epsilon=4.0, delta=1e-3), constant=2.0)
"""As printed but for the noise."""

LARGEST_MU = 1.2149521459841708
"""With which (4, 1e-3)-DP holds, `srgd_accounting.gaussian_mu`, rounded down."""

NODES = 3
"""1 + floor(log2 4): the nodes that a record of the first step is in."""

PARAMS = Params(
    dimension=1,
    weights=growing_weights(PRESET.steps),
    scaling=PRESET.scaling,
    batches=Batches("in order", 16, PRESET.batch),
    noise=math.sqrt(NODES) * PRESET.clip_norm / (PRESET.batch * LARGEST_MU),
    lipschitz=1.0,
    clip_norm=PRESET.clip_norm,
)

TARGET = Target(
    name="srgd/corollary-5.7-corrected",
    title="Clipped Accelerated-DP-SRGD with the noise that corollary 5.7 needs",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        ApproximateDP(4.0, 1e-3),
        Neighbours.ZERO_OUT,
        delta=1e-3,
        source="Choquette-Choo, Ganesh, Thakurta (2024), corollary 5.7, with the exact noise",
    ),
    trials=TrialPlan(smoke=330_000, standard=1_000_000, deep=4_000_000),
    truth=Gaussian(1 / LARGEST_MU),
    effect="the corrected noise of the tree does not give the epsilon and delta that it was chosen for either",
)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Gradients of the linear losses, shape (16, 1); the first one is clipped, and zero in the neighbour."""
    data = rng.uniform(-1, 1, size=(16, 1))
    neighbour = data.copy()
    data[0], neighbour[0] = 2 * PRESET.clip_norm, 0.0
    return data, neighbour


def run(data: Array, trials: Trials) -> Array:
    """Noisy prefix sums, shape (trials, steps, 1)."""
    return accelerated_dp_srgd.cpu(PARAMS, linear(data), trials)


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of the tree's nodes, whose noises are independent."""
    nodes = np.linalg.inv(PARAMS.mixing) @ outputs
    clipped = (np.clip(records, -PRESET.clip_norm, PRESET.clip_norm) for records in (data, neighbour))
    mean, other = (PARAMS.factors.right @ records.reshape(PRESET.steps, -1, 1).mean(axis=1) for records in clipped)
    return likelihood_ratio.gaussian(nodes, mean, other, PARAMS.noise)
