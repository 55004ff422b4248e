"""Clipped Accelerated-DP-SRGD with the noise that corollary 5.11 prints: it keeps its claim.

What: the parameters of theorem 5.12 for n = 16, epsilon = 4, delta = 1e-3: four steps of four records, noise sigma as
printed, log in base 2.
Why: the printed noise has twice what it needs: the transcript is 0.619-GDP, where
(4, 1e-3)-DP allows 1.215. (With natural logarithms T = 2, epsilon = 20, delta = 1e-3 breaks the claim, by a factor of
3.6 in delta: too far out for any number of trials.)
Worst-case neighbours: linear losses; the first record has the longest clipped gradient, and none in the neighbour.
The adversary sees every noisy prefix sum and knows the other records.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.srgd import accelerated_dp_srgd
from dpaudit.algorithms.srgd.accelerated_dp_srgd import Params, growing_weights
from dpaudit.algorithms.srgd.accounting.presets import Setting, general
from dpaudit.attacks import likelihood_ratio
from dpaudit.noise.stream import Trials
from dpaudit.problems.losses import linear
from dpaudit.records.mechanism import Gaussian
from dpaudit.records.privacy import ApproximateDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan
from dpaudit.sampling.batches import Batches

Array = NDArray[np.float64]

PRESET = general(Setting(records=16, dimension=1, epsilon=4.0, delta=1e-3))

PARAMS = Params(
    dimension=1,
    weights=growing_weights(PRESET.steps),
    scaling=PRESET.scaling,
    batches=Batches("in order", 16, PRESET.batch),
    noise=PRESET.scaling * PRESET.node_noise,
    lipschitz=1.0,
    clip_norm=PRESET.clip_norm,
)

TARGET = Target(
    name="srgd/corollary-5.11",
    title="Clipped Accelerated-DP-SRGD with the noise of corollary 5.11 as printed",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        ApproximateDP(4.0, 1e-3),
        Neighbours.ZERO_OUT,
        delta=1e-3,
        source="Choquette-Choo, Ganesh, Thakurta (2024), corollary 5.11, as printed",
    ),
    trials=TrialPlan(smoke=330_000, standard=1_000_000, deep=4_000_000),
    truth=Gaussian(1 / PRESET.release().largest_mu),
    effect="models trained with the noise of corollary 5.11 leak more about a record than epsilon 4 at delta 1e-3",
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
