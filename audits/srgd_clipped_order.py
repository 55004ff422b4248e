"""Clipped Accelerated-DP-SRGD on data in an adversarial order: clipping restores the privacy of every data set.

What: the run of the target srgd/unclipped-adversarial-order, each record's difference clipped at K = L.
Why: no order of the data can then move a batch by more than K: this transcript is 0.70-GDP ((4, 1e-3)-DP allows 1.215,
which a record of the first step attains, in three nodes where one of the last step is in one).
Worst-case neighbours: Huber losses, linear on the interval, in blocks of one batch; the first record of the last batch
has its kink where the point moves, and is empty in the neighbour.
The adversary sees every noisy prefix sum, follows the points from there and knows the other records.
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
from dpaudit.problems.domains import box
from dpaudit.problems.losses import Problem, huber
from dpaudit.records.mechanism import Gaussian
from dpaudit.records.privacy import ApproximateDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan
from dpaudit.sampling.batches import Batches

Array = NDArray[np.float64]
Records = tuple[Array, Array]

PRESET = scaled(Setting(records=411, dimension=1, epsilon=4.0, delta=1e-3), constant=1.0)
LARGEST_MU, NODES = 1.2149521459841708, 3
"""The mu of (4, 1e-3)-DP, `srgd_accounting.gaussian_mu`, and the nodes that a record of the first step is in."""

STEPS, BATCH = PRESET.steps, PRESET.batch
LAST = (STEPS - 1) * BATCH
SLOPES = (1.0, -1.0, -1.0, -1.0, 1.0)
KINK = -0.6
"""Target of the curved record: the point moves from about -0.4 to 0.4, where the slope is 0.2 and 1."""

PARAMS = Params(
    dimension=1,
    weights=growing_weights(STEPS),
    scaling=PRESET.scaling,
    batches=Batches("in order", STEPS * BATCH, BATCH),
    noise=math.sqrt(NODES) * PRESET.clip_norm / (BATCH * LARGEST_MU),
    lipschitz=1.0,
    smoothness=1.0,
    clip_norm=PRESET.clip_norm,
    domain=box((-1.0,), (1.0,)),
)

TARGET = Target(
    name="srgd/clipped-adversarial-order",
    title="Clipped Accelerated-DP-SRGD, data in an adversarial order",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        ApproximateDP(4.0, 1e-3),
        Neighbours.ZERO_OUT,
        delta=1e-3,
        source="Choquette-Choo, Ganesh, Thakurta (2024), corollary 5.7, with the exact noise for K = L",
    ),
    trials=TrialPlan(smoke=10_000, standard=50_000, deep=500_000),
    truth=Gaussian(math.sqrt(NODES) / LARGEST_MU),
    effect="clipping does not protect a record whose gradient turns where the point moves",
)


def neighbours(rng: np.random.Generator) -> tuple[Records, Records]:
    """Targets and weights of Huber losses, shape (410,) each; the curved record has weight 0 in the neighbour."""
    targets, weights = np.repeat(-2 * np.array(SLOPES), BATCH), np.ones(STEPS * BATCH)
    targets[LAST] = KINK
    without = weights.copy()
    without[LAST] = 0.0
    return (targets, weights), (targets, without)


def run(data: Records, trials: Trials) -> Array:
    """Noisy prefix sums, shape (trials, steps, 1)."""
    return accelerated_dp_srgd.cpu(PARAMS, _problem(data), trials)


def score(outputs: Array, data: Records, neighbour: Records) -> Array:
    """The log-likelihood ratio of the last node, the only one with the curved record."""
    before, here = _points(outputs[:, :, 0])
    points = np.stack([before, here], axis=1)[:, :, None]
    old, new = (weight * np.clip(points[:, i] - KINK, -1, 1)[:, 0] for i, weight in enumerate((STEPS - 1, STEPS)))
    node = outputs[:, -1, 0] - outputs[:, -2, 0]
    others, own = (BATCH - 1) * SLOPES[-1], np.clip(new - old, -PRESET.clip_norm, PRESET.clip_norm)
    return likelihood_ratio.gaussian(node, (others + own) / BATCH, others / BATCH, PARAMS.noise)


def _problem(data: Records) -> Problem:
    targets, weights = data
    return huber(np.ones((len(targets), 1)), targets, 1.0, weights)


def _points(sums: Array) -> tuple[Array, Array]:
    """x_{T-2} and x_{T-1}, which the released sums decide; shape (trials,) each."""
    x = z = before = np.zeros(len(sums))
    for t in range(STEPS - 1):
        z = np.clip(z - sums[:, t] / PARAMS.scaling, -1, 1)
        y = np.clip(x - sums[:, t] / (PARAMS.scaling * PARAMS.weights[t]), -1, 1)
        before, x = x, (1 - PARAMS.coupling[t]) * y + PARAMS.coupling[t] * z
    return before, x
