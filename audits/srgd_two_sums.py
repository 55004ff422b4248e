"""Accelerated-DP-SRGD with the step of z that the proof of lemma 5.2 uses: its iterates give the gradients away.

What: z_{t+1} = Pi(z_t - (eta_t/(2 beta)) grad_t + b_t), with 2 beta as printed in the proof, beside the listing's
y_{t+1} = Pi(x_t - (1/beta) grad_t + (1/eta_t) b_t); three steps, clipped, noise for 1-GDP.
Why: both updates take the same noise b_t at different scales of the gradient. Where no projection is active y and z
read g + N and g + 2 N: twice the first less the second is g itself, without any noise. No noise level repairs that.
Worst-case neighbours: linear losses; the first record has the longest clipped gradient, and none in the neighbour.
The adversary sees the points y and z, which is the sums that they read.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.srgd import accelerated_dp_srgd
from dpaudit.algorithms.srgd.accelerated_dp_srgd import Params, growing_weights
from dpaudit.noise.stream import Trials
from dpaudit.problems.losses import linear
from dpaudit.records.mechanism import PureDP
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan
from dpaudit.records.verdict import Outcome
from dpaudit.sampling.batches import Batches

Array = NDArray[np.float64]

STEPS, NODES = 3, 2

PARAMS = Params(
    dimension=1,
    weights=growing_weights(STEPS),
    scaling=3.0,
    batches=Batches("in order", STEPS, 1),
    noise=math.sqrt(NODES),
    lipschitz=1.0,
    clip_norm=1.0,
    z_divisor=2.0,
)

TARGET = Target(
    name="srgd/two-sums",
    title="Accelerated-DP-SRGD with the auxiliary step of lemma 5.2's proof",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        GaussianDP(1.0),
        Neighbours.ZERO_OUT,
        delta=1e-5,
        source="Choquette-Choo, Ganesh, Thakurta (2024), lemma 5.6, taken for the step in the proof of lemma 5.2",
    ),
    trials=TrialPlan(smoke=20_000, standard=100_000, deep=1_000_000),
    expects=Outcome.REFUTED,
    truth=PureDP(math.inf),
    effect="one step's y and z give the exact gradient of its batch: no privacy at all, whatever the noise",
    repair="srgd/two-sums-corrected",
)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Gradients of the linear losses, shape (3, 1); the first one is 1, and zero in the neighbour."""
    data = rng.uniform(-1, 1, size=(STEPS, 1))
    neighbour = data.copy()
    data[0], neighbour[0] = 1.0, 0.0
    return data, neighbour


def run(data: Array, trials: Trials) -> Array:
    """What y and what z reads at every step, shape (trials, steps, 2)."""
    return accelerated_dp_srgd.cpu(PARAMS, linear(data), trials)


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """How much nearer the first gradient is to that of the data set: 2 (g + N) - (g + 2 N) = g."""
    solved = 2 * outputs[:, 0, 0] - outputs[:, 0, 1]
    return np.asarray(np.abs(solved - neighbour[0, 0]) - np.abs(solved - data[0, 0]))
