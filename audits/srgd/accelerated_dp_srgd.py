"""Clipped Accelerated-DP-SRGD of this package, whole transcript and output, in the case that attains its guarantee.

What: seven steps under tree noise; what is clipped is each record's difference of weighted gradients. The transcript
has two records a step; of one record a step the output is y_T, no projection, which for linear losses and weights t + 1
is -(1/beta) sum of w_s hat_s over the released prefix sums, w_s = 1 - s (s + 2)/(T (T + 1)).
Why: the noise of a node is sqrt(3) K/b, which makes the tree 1-GDP exactly: a record of the first step is in three
nodes. Less noise, a wrong node or a record's second use shows, and so does clipping of anything but the difference. The
output alone is exactly 0.894-GDP for the first record, and less for every later one: that is what a secret transcript
is worth, and an audit of outputs that finds more has found a bug that transcripts may not show.
Worst-case neighbours: linear losses, whose differences are the gradients themselves at every step. The first record has
a gradient five times the clip norm in the data set and none in its neighbour.
The adversary sees every noisy prefix sum and solves for the tree's nodes, or sees y_T, and knows the other records.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from dpaudit.algorithms.srgd import accelerated_dp_srgd
from dpaudit.algorithms.srgd.accelerated_dp_srgd import Params, growing_weights
from dpaudit.arithmetic.arrays import Array
from dpaudit.attacks import likelihood_ratio
from dpaudit.audit.structural import stepwise
from dpaudit.content.audits import Audit, with_record
from dpaudit.problems.domains import clip
from dpaudit.problems.losses import linear
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.context import Level
from dpaudit.records.mechanism import Gaussian
from dpaudit.records.privacy import Neighbours, View, claim
from dpaudit.records.target import Target, TrialPlan
from dpaudit.sampling.batches import Batches

STEPS, BATCH, SCALING, CLIP_NORM = 7, 2, 3.0, 2.0
NODES = 3
"""1 + floor(log2 7): the nodes that a record of the first step is in."""
SMALLEST_MULTIPLIER = 1.1185055632718768
"""sqrt(3) over 1.5485..., what `srgd.accounting.final_iterate_mu` gives the first record for node noise K."""

PARAMS = Params(
    dimension=2,
    weights=growing_weights(STEPS),
    scaling=SCALING,
    batches=Batches("in order", STEPS * BATCH, BATCH),
    noise=math.sqrt(NODES) * CLIP_NORM / BATCH,
    lipschitz=10.0,
    clip_norm=CLIP_NORM,
)
SINGLE = replace(PARAMS, dimension=1, batches=Batches("in order", STEPS, 1), noise=math.sqrt(NODES) * CLIP_NORM)

TRANSCRIPT = Target(
    name="srgd/accelerated-dp-srgd",
    title="Clipped Accelerated-DP-SRGD, transcript of seven steps",
    view=View.TRANSCRIPT,
    claim=claim(
        mu=1.0,
        neighbours=Neighbours.ZERO_OUT,
        source="Choquette-Choo, Ganesh, Thakurta (2024), lemma 5.6 with the exact number of nodes",
    ),
    trials=TrialPlan(smoke=50_000, standard=2_000_000, deep=10_000_000),
    truth=Gaussian(1.0),
    claimed_mechanism=Gaussian(1.0),
    effect="models trained with this implementation leak more about a record than its tree noise was chosen for",
    from_level=Level.STANDARD,
)
OUTPUT = replace(
    TRANSCRIPT,
    name="srgd/accelerated-dp-srgd-output",
    title="Clipped Accelerated-DP-SRGD, the output after seven steps",
    view=View.FINAL_MODEL,
    truth=Gaussian(SMALLEST_MULTIPLIER),
    claimed_mechanism=None,
    effect="a published model leaks more about a record than even the whole transcript should",
)


def score_transcript(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of the tree's nodes, whose noises are independent."""
    nodes = np.linalg.inv(PARAMS.mixing) @ outputs
    items = (clip(records, CLIP_NORM).reshape(STEPS, BATCH, 2).mean(axis=1) for records in (data, neighbour))
    mean, other = (PARAMS.factors.right @ of_steps for of_steps in items)
    return likelihood_ratio.gaussian(nodes, mean, other, PARAMS.noise)


def score_output(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of the output, which is normal."""
    s = np.arange(STEPS)
    weights = -(1 - s * (s + 2) / (STEPS * (STEPS + 1))) / SCALING
    spread = SINGLE.noise * float(np.linalg.norm(weights @ SINGLE.mixing))
    mean, other = (weights @ np.cumsum(clip(records, CLIP_NORM), axis=0) for records in (data, neighbour))
    return likelihood_ratio.gaussian(outputs, mean, other, spread)


AUDITS = (
    Audit(
        TRANSCRIPT,
        neighbours=lambda rng: with_record(rng.normal(size=(14, 2)), (3 * CLIP_NORM, 4 * CLIP_NORM), 0.0),
        run=lambda data, trials: accelerated_dp_srgd.cpu(PARAMS, linear(data), trials),
        score=score_transcript,
        instrument=lambda data, recorder: stepwise.instrument(accelerated_dp_srgd, PARAMS, linear(data), recorder),
        assumptions=Assumptions(ordered=True, checked_records=True),
    ),
    Audit(
        OUTPUT,
        neighbours=lambda rng: with_record(rng.normal(size=(7, 1)), 5 * CLIP_NORM, 0.0),
        run=lambda data, trials: accelerated_dp_srgd.cpu(SINGLE, linear(data), trials, release="final"),
        score=score_output,
    ),
)
