"""Accelerated-DP-SRGD with the step of z that the proof of lemma 5.2 uses, its noise scaled like its gradient.

What: z_{t+1} = Pi(z_t - (eta_t grad_t/beta - b_t)/2): the run of the target srgd/two-sums with b_t/2 in z.
Why: y and z then read one and the same noisy sum, so that all points are functions of the tree, which is 1-GDP.
Worst-case neighbours: linear losses; the first record has the longest clipped gradient, and none in the neighbour.
The adversary sees the points y and z, which is the sum that both read.
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
from dpaudit.records.target import Target, TrialPlan
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
    z_noise=0.5,
)

TARGET = Target(
    name="srgd/two-sums-corrected",
    title="Accelerated-DP-SRGD with the auxiliary step of lemma 5.2's proof, one noisy sum",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        GaussianDP(1.0),
        Neighbours.ZERO_OUT,
        delta=1e-5,
        source="Choquette-Choo, Ganesh, Thakurta (2024), lemma 5.6 with the exact number of nodes",
    ),
    trials=TrialPlan(smoke=50_000, standard=2_000_000, deep=10_000_000),
    truth=Gaussian(1.0),
    effect="the repair leaks as well: y and z do not read the same noisy sum",
)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Gradients of the linear losses, shape (3, 1); the first one is 1, and zero in the neighbour."""
    data = rng.uniform(-1, 1, size=(STEPS, 1))
    neighbour = data.copy()
    data[0], neighbour[0] = 1.0, 0.0
    return data, neighbour


def run(data: Array, trials: Trials) -> Array:
    """The sum that y and z read at every step, shape (trials, steps, 1)."""
    return accelerated_dp_srgd.cpu(PARAMS, linear(data), trials)


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of the tree's nodes, whose noises are independent."""
    nodes = np.linalg.inv(PARAMS.mixing) @ outputs
    mean, other = (PARAMS.factors.right @ records for records in (data, neighbour))
    return likelihood_ratio.gaussian(nodes, mean, other, PARAMS.noise)
