"""Noisy-ZOGD on quadratic losses: the last iterate to an adversary who knows the directions.

What: three steps along one direction each in the plane on 100 losses |w - x_i|^2/2.
Why: the directions of a run come from a public seed more often than not. Given them w_T is Gaussian, with a covariance
and a change of the mean that follow from a recursion, so that the attack is exact in every trial although its strength
differs from trial to trial. The claim is composition for smooth records, which is what is left of the hidden-state
bound where directions are few.
Neighbours: one record moves from x to -x; all assumptions of the bound hold.
The adversary sees all directions and w_T, and no other iterate.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.zeroth import noisy_zogd
from dpaudit.noise.stream import Trials
from dpaudit.problems.domains import ball
from dpaudit.problems.losses import quadratic_minus_linear
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan
from dpaudit.sampling.batches import Batches

Array = NDArray[np.float64]

RECORDS, STEPS, STEP_SIZE, SHARE = 100, 3, 0.8, 0.5
RADIUS, NOISE = 4.0, 0.5
WORST = np.array([4.8, 6.4])
CLIP_NORM = RADIUS + 8.01

PARAMS = noisy_zogd.Params(
    start=(0.0, 0.0),
    steps=STEPS,
    batches=Batches("all records", RECORDS, RECORDS),
    directions=1,
    step_size=STEP_SIZE,
    perturbation=0.01,
    clip_norm=CLIP_NORM,
    noise=NOISE,
    variance_share=SHARE,
    domain=ball(RADIUS, (0.0, 0.0)),
)

TARGET = Target(
    name="zeroth/hidden-state-frames",
    title="Noisy-ZOGD on quadratic losses, last iterate and directions",
    view=View.HIDDEN_STATE,
    claim=PrivacyClaim(
        GaussianDP(0.961),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source="Chien, Chen, Li (2025), accountant of public states for smooth records, corrected",
    ),
    trials=TrialPlan(smoke=20_000, standard=100_000, deep=500_000),
    effect="the last iterate leaks more about a record than all iterates together were promised to",
)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Minimisers of the records, shape (records, 2), of norm at most 8; the first is turned around in the neighbour."""
    half = rng.uniform(-1, 1, size=(RECORDS // 2 - 1, 2)) * WORST
    data = np.concatenate([WORST[None], half, -half, np.zeros((1, 2))])  # balanced: the path stays near the centre
    neighbour = data.copy()
    neighbour[0] = -WORST
    return data, neighbour


def run(data: Array, trials: Trials) -> Array:
    """The last iterate, then the directions of all steps, shape (trials, 2 + 2 steps)."""
    transcript = noisy_zogd.cpu(PARAMS, quadratic_minus_linear(np.eye(2), data), trials)
    return np.concatenate([transcript[:, -1, :2], transcript[:, :, 2:].reshape(len(trials), -1)], axis=1)


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of w_T given the directions."""
    (mean, other), spread = _law(outputs, data, neighbour)
    change = np.linalg.solve(spread, (mean - other)[..., None])[..., 0]
    return np.asarray((change * (outputs[:, :2] - (mean + other) / 2)).sum(axis=1))


def _law(outputs: Array, data: Array, neighbour: Array) -> tuple[list[Array], Array]:
    """Means (trials, 2) of w_T on both data sets and its covariance (trials, 2, 2), given the directions."""
    frames = outputs[:, 2:].reshape(len(outputs), STEPS, 2)
    projections = frames[..., :, None] * frames[..., None, :]
    means, spread = [np.zeros((len(outputs), 2)) for _ in range(2)], np.zeros((len(outputs), 2, 2))
    energy, eye = (STEP_SIZE * NOISE) ** 2, np.eye(2)
    for step in range(STEPS):
        pull = STEP_SIZE * projections[:, step]
        kept = eye - pull
        pairs = zip(means, (data, neighbour), strict=True)
        means = [(kept @ m[..., None] + pull @ records.mean(axis=0)[:, None])[..., 0] for m, records in pairs]
        noise = energy * (SHARE * projections[:, step] + (1 - SHARE) / 2 * eye)
        spread = kept @ spread @ kept + noise
    return means, spread
