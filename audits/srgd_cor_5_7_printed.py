"""Clipped Accelerated-DP-SRGD with the noise that corollary 5.7 prints: it is not (epsilon, delta)-DP.

What: the scaled preset of section 5.2 (a constant of 2 for the paper's product of logarithms, which needs a million
records) for n = 16, epsilon = 4, delta = 1e-3: four steps of four records, noise sigma as printed, log in base 2.
Why: the proof says that this sigma makes the tree epsilon/sqrt(2 ln(2.5/delta))-GDP. Its own lemma 5.6 asks for
sqrt(1 + ceil(log T)) nodes and a factor sqrt(2) more than is printed: a record of the first step is in three nodes of
noise that is sqrt(3) times too small for that. The transcript is 1.751-GDP, where (4, 1e-3)-DP allows 1.215.
Worst-case neighbours: linear losses; the first record has the longest clipped gradient, and none in the neighbour.
The adversary sees every noisy prefix sum and knows the other records.
"""

from __future__ import annotations

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
from dpaudit.records.verdict import Outcome
from dpaudit.sampling.batches import Batches

Array = NDArray[np.float64]

PRESET = scaled(Setting(records=16, dimension=1, epsilon=4.0, delta=1e-3), constant=2.0)

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
    name="srgd/corollary-5.7-printed",
    title="Clipped Accelerated-DP-SRGD with the noise of corollary 5.7 as printed",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        ApproximateDP(4.0, 1e-3),
        Neighbours.ZERO_OUT,
        delta=1e-3,
        source="Choquette-Choo, Ganesh, Thakurta (2024), corollary 5.7, as printed",
    ),
    trials=TrialPlan(smoke=330_000, standard=1_000_000, deep=4_000_000),
    expects=Outcome.REFUTED,
    truth=Gaussian(1 / PRESET.release().largest_mu),
    effect="whoever takes this noise for epsilon 4 at delta 1e-3 gets 6.4, and delta 0.036 at epsilon 4: 36 times more",
    repair="srgd/corollary-5.7-corrected",
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
