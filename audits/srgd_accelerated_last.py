"""Clipped Accelerated-DP-SRGD of this package, its output alone: what a secret transcript is worth.

What: y_T after seven steps of one record each, no projection. For linear losses and weights t + 1 it is
-(1/beta) sum of w_s hat_s over the released prefix sums, w_s = 1 - s (s + 2)/(T (T + 1)).
Why: the claim is that of the whole transcript, 1-GDP; the output is exactly 0.894-GDP for the first record, and less
for every later one. An audit of outputs that finds more than that has found a bug that transcripts may not show.
Worst-case neighbours: linear losses; the first record has the longest clipped gradient, and none in the neighbour.
The adversary sees y_T and knows all other records.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.srgd import accelerated_dp_srgd
from dpaudit.algorithms.srgd.accelerated_dp_srgd import Params, growing_weights
from dpaudit.attacks import likelihood_ratio
from dpaudit.noise.stream import Trials
from dpaudit.problems.domains import clip
from dpaudit.problems.losses import linear
from dpaudit.records.mechanism import Gaussian
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan
from dpaudit.sampling.batches import Batches

Array = NDArray[np.float64]

STEPS, SCALING, CLIP_NORM = 7, 3.0, 2.0
NODES = 3
SMALLEST_MULTIPLIER = 1.1185055632718768
"""sqrt(3) over 1.5485..., what `srgd_accounting.final_iterate_mu` gives the first record for node noise K."""

PARAMS = Params(
    dimension=1,
    weights=growing_weights(STEPS),
    scaling=SCALING,
    batches=Batches("in order", STEPS, 1),
    noise=math.sqrt(NODES) * CLIP_NORM,
    lipschitz=10.0,
    clip_norm=CLIP_NORM,
)

TARGET = Target(
    name="srgd/accelerated-dp-srgd-output",
    title="Clipped Accelerated-DP-SRGD, the output after seven steps",
    view=View.FINAL_MODEL,
    claim=PrivacyClaim(
        GaussianDP(1.0),
        Neighbours.ZERO_OUT,
        delta=1e-5,
        source="Choquette-Choo, Ganesh, Thakurta (2024), lemma 5.6 with the exact number of nodes",
    ),
    trials=TrialPlan(smoke=50_000, standard=2_000_000, deep=10_000_000),
    truth=Gaussian(SMALLEST_MULTIPLIER),
    effect="a published model leaks more about a record than even the whole transcript should",
)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Gradients of the linear losses, shape (7, 1); the first one is 5 K long, and zero in the neighbour."""
    data = rng.normal(size=(STEPS, 1))
    neighbour = data.copy()
    data[0], neighbour[0] = 5 * CLIP_NORM, 0.0
    return data, neighbour


def run(data: Array, trials: Trials) -> Array:
    """y_T, shape (trials, 1)."""
    return accelerated_dp_srgd.cpu(PARAMS, linear(data), trials, release="final")


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of the output, which is normal."""
    s = np.arange(STEPS)
    weights = -(1 - s * (s + 2) / (STEPS * (STEPS + 1))) / SCALING
    spread = PARAMS.noise * float(np.linalg.norm(weights @ PARAMS.mixing))
    mean, other = (weights @ np.cumsum(clip(records, CLIP_NORM), axis=0) for records in (data, neighbour))
    return likelihood_ratio.gaussian(outputs, mean, other, spread)
