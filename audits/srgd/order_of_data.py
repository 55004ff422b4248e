"""Accelerated-DP-SRGD on data in an adversarial order: without clipping corollary 5.7 promises privacy on average.

What: the scaled preset of section 5.2 (constant 1, L = M = 1, the interval [-1, 1]) for n = 411, epsilon = 4,
delta = 1e-3: five steps of 82 records, and the exact noise for K = L. Once the listing as printed, no clipping, once
with each record's difference clipped at K.
Why: the proof bounds a record's difference by K with high probability over random data; a guarantee has to hold for
all. Records that push up, then down, then up make the point move far in one late step, and a curved record there
changes its batch's difference by 4.1 K. The transcript is about 2.9-GDP, where (4, 1e-3)-DP allows 1.215. With clipping
no order of the data can move a batch by more than K: the transcript is 0.70-GDP (1.215 is attained by a record of the
first step, in three nodes where one of the last step is in one).
Worst-case neighbours: Huber losses, linear on the interval, in blocks of one batch; the first record of the last batch
has its kink where the point moves, and is empty in the neighbour.
The adversary sees every noisy prefix sum, follows the points from there and knows the other records.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from dpaudit.algorithms.srgd import accelerated_dp_srgd
from dpaudit.algorithms.srgd.accelerated_dp_srgd import Params, growing_weights
from dpaudit.algorithms.srgd.accounting.presets import Setting, scaled
from dpaudit.arithmetic.arrays import Array
from dpaudit.attacks import likelihood_ratio
from dpaudit.content.audits import Audit, with_record
from dpaudit.problems.domains import box
from dpaudit.problems.losses import Problem, huber
from dpaudit.records.mechanism import Gaussian
from dpaudit.records.privacy import Neighbours, View, claim
from dpaudit.records.target import Target, TrialPlan
from dpaudit.records.verdict import Outcome
from dpaudit.sampling.batches import Batches

Records = tuple[Array, Array]

PRESET = scaled(Setting(records=411, dimension=1, epsilon=4.0, delta=1e-3), constant=1.0)
LARGEST_MU, NODES = 1.2149521459841708, 3
"""The mu of (4, 1e-3)-DP, `srgd.accounting.enclosed_mu`, and the nodes that a record of the first step is in."""

STEPS, BATCH = PRESET.steps, PRESET.batch
LAST = (STEPS - 1) * BATCH
SLOPES = (1.0, -1.0, -1.0, -1.0, 1.0)
KINK = -0.6
"""Target of the curved record: the point moves from about -0.4 to 0.4, where the slope is 0.2 and 1."""

UNCLIPPED = Params(
    dimension=1,
    weights=growing_weights(STEPS),
    scaling=PRESET.scaling,
    batches=Batches("in order", STEPS * BATCH, BATCH),
    noise=math.sqrt(NODES) * PRESET.clip_norm / (BATCH * LARGEST_MU),
    lipschitz=1.0,
    smoothness=1.0,
    domain=box((-1.0,), (1.0,)),
)

AS_PRINTED = Target(
    name="srgd/unclipped-adversarial-order",
    title="Accelerated-DP-SRGD without clipping, data in an adversarial order",
    view=View.TRANSCRIPT,
    claim=claim(
        epsilon=4.0,
        delta=1e-3,
        neighbours=Neighbours.ZERO_OUT,
        source="Choquette-Choo, Ganesh, Thakurta (2024), corollary 5.7, with the exact noise for K = L",
    ),
    trials=TrialPlan(smoke=20_000, standard=100_000, deep=1_000_000),
    expects=Outcome.REFUTED,
    effect="without clipping the privacy of a record depends on the order of the others: epsilon 12 instead of 4",
    repair="srgd/clipped-adversarial-order",
)
CLIPPED = replace(
    AS_PRINTED,
    name="srgd/clipped-adversarial-order",
    title="Clipped Accelerated-DP-SRGD, data in an adversarial order",
    trials=TrialPlan(smoke=10_000, standard=50_000, deep=500_000),
    expects=Outcome.CONSISTENT,
    truth=Gaussian(math.sqrt(NODES) / LARGEST_MU),
    effect="clipping does not protect a record whose gradient turns where the point moves",
    repair="",
)


def neighbours(rng: np.random.Generator) -> tuple[Records, Records]:
    """Targets and weights of Huber losses, shape (410,) each; the curved record has weight 0 in the neighbour."""
    targets = np.repeat(-2 * np.array(SLOPES), BATCH)
    targets[LAST] = KINK
    weights, without = with_record(np.ones(STEPS * BATCH), 1.0, 0.0, at=LAST)
    return (targets, weights), (targets, without)


def problem(data: Records) -> Problem:
    """Huber losses of threshold 1."""
    targets, weights = data
    return huber(np.ones((len(targets), 1)), targets, 1.0, weights)


def points(sums: Array) -> tuple[Array, Array]:
    """x_{T-2} and x_{T-1}, which the released sums decide; shape (trials,) each."""
    x = z = before = np.zeros(len(sums))
    for t in range(STEPS - 1):
        z = np.clip(z - sums[:, t] / UNCLIPPED.scaling, -1, 1)
        y = np.clip(x - sums[:, t] / (UNCLIPPED.scaling * UNCLIPPED.weights[t]), -1, 1)
        before, x = x, (1 - UNCLIPPED.coupling[t]) * y + UNCLIPPED.coupling[t] * z
    return before, x


def audit(target: Target, clip_norm: float | None = None) -> Audit:
    """Noisy prefix sums, shape (trials, steps, 1), with the differences of records clipped at `clip_norm`, or not."""
    params = UNCLIPPED if clip_norm is None else replace(UNCLIPPED, clip_norm=clip_norm)

    def score(outputs: Array, data: Records, neighbour: Records) -> Array:
        """The log-likelihood ratio of the last node, the only one with the curved record."""
        seen = zip(points(outputs[:, :, 0]), (STEPS - 1, STEPS), strict=True)
        old, new = (weight * np.clip(point - KINK, -1, 1) for point, weight in seen)
        node = outputs[:, -1, 0] - outputs[:, -2, 0]
        others = (BATCH - 1) * SLOPES[-1]
        moved = others + new - old if clip_norm is None else others + np.clip(new - old, -clip_norm, clip_norm)
        return likelihood_ratio.gaussian(node, moved / BATCH, others / BATCH, params.noise)

    return Audit(target, neighbours, lambda data, trials: accelerated_dp_srgd.cpu(params, problem(data), trials), score)


AUDITS = (audit(AS_PRINTED), audit(CLIPPED, PRESET.clip_norm))
