"""Noisy-ZOGD with the guarantee of theorem 3.2 in the index convention of its display.

What: sixteen steps along one direction each in the plane; only w_T is released.
Why: the theorem displays z_{t-1} = (z_t + a_t - c2)/c1 where its proof has z_t = (z_{t+1} + a_t - c2)/c1. As displayed
the last shift is not in the sum that is paid for, so that a window of one step is always feasible at no cost for the
distance at its start: rho = (2 Delta/n)^2/(2 b_dir sigma^2) for every T, R and d. Linear losses never forget, so that
the last iterate shows more and more with every step.
Neighbours: a linear record of norm Delta turned into its opposite, so that all assumptions of the theorem hold.
The adversary sees w_T.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.zeroth import noisy_zogd
from dpaudit.noise.stream import Trials
from dpaudit.problems.losses import linear
from dpaudit.records.mechanism import Concentrated
from dpaudit.records.privacy import ApproximateDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan
from dpaudit.records.verdict import Outcome
from dpaudit.sampling.batches import Batches

Array = NDArray[np.float64]

RECORDS, STEPS = 2, 16
STEP_SIZE, NOISE, SHARE = 1.0, 1.0, 0.5
CLIP_NORM = RECORDS * NOISE / 2 * math.sqrt((SHARE + (1 - SHARE) / 2) / STEPS)
"""For which composition is 1-GDP: T (2 Delta/n)^2 = sigma^2 (b_dir + (1 - b_dir)/d)."""
CANARY = CLIP_NORM * np.array([0.6, 0.8])

PARAMS = noisy_zogd.Params(
    start=(0.0, 0.0),
    steps=STEPS,
    batches=Batches("all records", RECORDS, RECORDS),
    directions=1,
    step_size=STEP_SIZE,
    perturbation=0.5,
    clip_norm=CLIP_NORM,
    noise=NOISE,
    variance_share=SHARE,
)

TARGET = Target(
    name="zeroth/theorem-3.2-as-displayed",
    title="Noisy-ZOGD with the displayed recursion of theorem 3.2, last iterate",
    view=View.HIDDEN_STATE,
    claim=PrivacyClaim(
        ApproximateDP(1.263, 1e-5),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source="Chien, Chen, Li (2025), theorem 3.2 as displayed: (2 Delta/n)^2/(2 b_dir sigma^2) for all T",
    ),
    trials=TrialPlan(smoke=20_000, standard=1_000_000, deep=1_000_000),
    expects=Outcome.REFUTED,
    claimed_mechanism=Concentrated(0.046875),
    effect="the printed epsilon, 1.3, does not grow with the number of steps; the real one does, without end",
    repair="zeroth/last-iterate",
)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Slopes of two linear losses in the plane, norm at most Delta; the first is turned around in the neighbour."""
    data = np.stack([CANARY, CLIP_NORM / 2 * rng.uniform(-1, 1, size=2)])
    neighbour = data.copy()
    neighbour[0] = -CANARY
    return data, neighbour


def run(data: Array, trials: Trials) -> Array:
    """Last iterates w_T, shape (trials, 2)."""
    return noisy_zogd.cpu(PARAMS, linear(data), trials, release="final")


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """How far w_T went against the slope of the record: the law of this coordinate is symmetric around the middle."""
    return np.asarray(-outputs @ (data[0] - neighbour[0]))
