"""Noisy-ZOSGD with the guarantee that theorem A.3 and remark A.9 print for batches.

What: one step along one direction in the plane on one of two records; only w_1 is released, which shows the
direction up to its sign.
Why: both statements bound a step by S_alpha(b/n, .), the divergence of a Gaussian from its mixture with a moved one,
in this order only. It never exceeds log(n/(n - b)), so that with T = 1 they promise log 2 here at every order alpha,
whatever the noise: pure differential privacy from any sigma. At order 2 and sigma = 0.3 Delta the divergence is 8.67,
where 0.69 is printed. The other order of the pair, and a record that moves from one place to another, are missing.
Worst-case neighbours: linear records of norm Delta and 0; the first is turned around. All assumptions of the theorem
hold: they are smooth, convex, Delta-Lipschitz, d >= 2 K, and the event of the theorem is never used, since tau = 0.
The adversary sees w_1, not which record was drawn.
"""

from __future__ import annotations

import math

import numpy as np

from dpaudit.algorithms.zeroth import noisy_zogd
from dpaudit.arithmetic.arrays import Array
from dpaudit.noise.stream import Trials
from dpaudit.problems.losses import linear
from dpaudit.records.mechanism import PureDP
from dpaudit.records.privacy import Neighbours, View, claim
from dpaudit.records.target import Target, TrialPlan
from dpaudit.records.verdict import Outcome
from dpaudit.sampling.batches import Batches

STEP_SIZE, CLIP_NORM, NOISE = 1.0, 1.0, 0.3

PARAMS = noisy_zogd.Params(
    start=(0.0, 0.0),
    steps=1,
    batches=Batches("without replacement", 2, 1),
    directions=1,
    step_size=STEP_SIZE,
    perturbation=0.5,
    clip_norm=CLIP_NORM,
    noise=NOISE,
    variance_share=1.0,
)

TARGET = Target(
    name="zeroth/theorem-a.3-as-printed",
    title="Noisy-ZOSGD with the printed guarantee for batches, one step",
    view=View.HIDDEN_STATE,
    claim=claim(
        epsilon=0.6932,
        delta=1e-5,
        neighbours=Neighbours.REPLACE_ONE,
        source="Chien, Chen, Li (2025), theorem A.3 and remark A.9 as printed: at most log(n/(n - b)) at every order",
    ),
    trials=TrialPlan(smoke=20_000, standard=200_000, deep=200_000),
    expects=Outcome.REFUTED,
    claimed_mechanism=PureDP(math.log(2)),
    effect="epsilon 17 at delta 1e-5 where 0.69 is printed, and no noise is needed for the printed number",
    repair="zeroth/noisy-zosgd",
)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Slopes of two linear losses in the plane: one of norm Delta, its opposite in the neighbour, and one of 0."""
    data = np.array([[CLIP_NORM, 0.0], [0.0, 0.0]])
    return data, -data


def run(data: Array, trials: Trials) -> Array:
    """The last iterates w_1, shape (trials, 2)."""
    return noisy_zogd.cpu(PARAMS, linear(data), trials, release="final")


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of how far w_1 went along its own direction, that of the step or its negative."""
    distance = np.linalg.norm(outputs, axis=1, keepdims=True)
    slopes = ((outputs / distance) @ records.T for records in (data, neighbour))
    squares = (-((distance + STEP_SIZE * slope) ** 2) / (2 * (STEP_SIZE * NOISE) ** 2) for slope in slopes)
    mixed, other = (np.logaddexp.reduce(square, axis=1) for square in squares)
    return np.asarray(mixed - other)
