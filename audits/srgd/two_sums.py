"""Accelerated-DP-SRGD with the step of z that the proof of lemma 5.2 uses: its iterates give the gradients away.

What: z_{t+1} = Pi(z_t - (eta_t/(2 beta)) grad_t + b_t), with 2 beta as printed in the proof, beside the listing's
y_{t+1} = Pi(x_t - (1/beta) grad_t + (1/eta_t) b_t); three steps, clipped, noise for 1-GDP. Put right, z has b_t/2: its
noise is scaled like its gradient.
Why: both updates take the same noise b_t at different scales of the gradient. Where no projection is active y and z
read g + N and g + 2 N: twice the first less the second is g itself, without any noise. No noise level repairs that.
With b_t/2 both read one and the same noisy sum, so that all points are functions of the tree, which is 1-GDP.
Worst-case neighbours: linear losses; the first record has the longest clipped gradient, and none in the neighbour.
The adversary sees the points y and z, which is the sums that they read.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from dpaudit.algorithms.srgd import accelerated_dp_srgd
from dpaudit.algorithms.srgd.accelerated_dp_srgd import Params, growing_weights
from dpaudit.arithmetic.arrays import Array
from dpaudit.attacks import likelihood_ratio
from dpaudit.content.audits import Audit, Score, with_record
from dpaudit.problems.losses import linear
from dpaudit.records.context import Level
from dpaudit.records.mechanism import Gaussian, PureDP
from dpaudit.records.privacy import Neighbours, View, claim
from dpaudit.records.target import Target, TrialPlan
from dpaudit.records.verdict import Outcome
from dpaudit.sampling.batches import Batches

STEPS, NODES = 3, 2

TWO_SUMS = Params(
    dimension=1,
    weights=growing_weights(STEPS),
    scaling=3.0,
    batches=Batches("in order", STEPS, 1),
    noise=math.sqrt(NODES),
    lipschitz=1.0,
    clip_norm=1.0,
    z_divisor=2.0,
)
ONE_SUM = replace(TWO_SUMS, z_noise=0.5)

PRINTED = Target(
    name="srgd/two-sums",
    from_level=Level.STANDARD,
    title="Accelerated-DP-SRGD with the auxiliary step of lemma 5.2's proof",
    view=View.TRANSCRIPT,
    claim=claim(
        mu=1.0,
        neighbours=Neighbours.ZERO_OUT,
        source="Choquette-Choo, Ganesh, Thakurta (2024), lemma 5.6, taken for the step in the proof of lemma 5.2",
    ),
    trials=TrialPlan(smoke=20_000, standard=100_000, deep=1_000_000),
    expects=Outcome.REFUTED,
    truth=PureDP(math.inf),
    effect="one step's y and z give the exact gradient of its batch: no privacy at all, whatever the noise",
    repair="srgd/two-sums-corrected",
)
CORRECTED = replace(
    PRINTED,
    name="srgd/two-sums-corrected",
    title="Accelerated-DP-SRGD with the auxiliary step of lemma 5.2's proof, one noisy sum",
    claim=replace(
        PRINTED.claim, source="Choquette-Choo, Ganesh, Thakurta (2024), lemma 5.6 with the exact number of nodes"
    ),
    trials=TrialPlan(smoke=50_000, standard=2_000_000, deep=10_000_000),
    expects=Outcome.CONSISTENT,
    truth=Gaussian(1.0),
    effect="the repair leaks as well: y and z do not read the same noisy sum",
    repair="",
)


def score_two_sums(outputs: Array, data: Array, neighbour: Array) -> Array:
    """How much nearer the first gradient is to that of the data set: 2 (g + N) - (g + 2 N) = g."""
    solved = 2 * outputs[:, 0, 0] - outputs[:, 0, 1]
    return np.asarray(np.abs(solved - neighbour[0, 0]) - np.abs(solved - data[0, 0]))


def score_one_sum(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of the tree's nodes, whose noises are independent."""
    nodes = np.linalg.inv(ONE_SUM.mixing) @ outputs
    mean, other = (ONE_SUM.factors.right @ records for records in (data, neighbour))
    return likelihood_ratio.gaussian(nodes, mean, other, ONE_SUM.noise)


def audit(target: Target, params: Params, score: Score) -> Audit:
    """What y and z read at every step, shape (trials, steps, 2), or (trials, steps, 1) where that is one sum.

    Gradients of the linear losses, shape (3, 1); the first one is 1, and zero in the neighbour.
    """
    return Audit(
        target,
        neighbours=lambda rng: with_record(rng.uniform(-1, 1, size=(STEPS, 1)), 1.0, 0.0),
        run=lambda data, trials: accelerated_dp_srgd.cpu(params, linear(data), trials),
        score=score,
    )


AUDITS = (audit(PRINTED, TWO_SUMS, score_two_sums), audit(CORRECTED, ONE_SUM, score_one_sum))
