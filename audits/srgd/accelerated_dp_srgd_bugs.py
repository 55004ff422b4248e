"""Accelerated-DP-SRGD with one bug at a time: planted bugs that the auditor must find.

What: the transcript of srgd/accelerated-dp-srgd with one record a step, and
noise-in-other-units: the paper states the noise of a node in the unit of the points, where it is divided by beta = 3.
Here that number is added to sums of gradients as it is, a third of the noise that they need: 3-GDP.
noise-of-one-node: the noise of a node is that of a single Gaussian mechanism, K, in the place of sqrt(3) K. A record of
the first step is in three nodes, each of which tells of it. Corollary 5.7 prints half of this bug. The structural check
"accountant" finds it without trials: in one run the first record moves each of its three nodes by one noise scale, and
all of them together may move by one.
replaced-record: noise for records that are zeroed out, claimed for records that are replaced, which move a clipped sum
by 2 K, not by K: the commonest mistake about the neighbouring relation. 2-GDP.
two-gradients-clipped: every gradient has norm at most K (Huber losses of threshold K, which is what clipping them
does), the difference 2 grad f(x_1) - grad f(x_0) is taken as it is; the noise is that for differences of norm K. Two
steps of eight records. Where the gradient of a record turns around between two points its difference is 3 K. It is in
one node, of noise sqrt(2) K/b: 3/sqrt(2) = 2.12-GDP.
Why: 1-GDP is claimed, epsilon 4.4 at delta 1e-5.
Worst-case neighbours: linear losses; the first record has the longest gradient, and in the neighbour none, or its
opposite. Huber losses: all other records push the point to the right, far in the first step; the first record of the
second batch has its kink between x_0 and x_1, and is empty in the neighbour.
The adversary sees every noisy prefix sum and knows the other records.
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
from dpaudit.problems.losses import Problem, huber, linear
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.mechanism import Gaussian
from dpaudit.records.privacy import Neighbours, View, claim
from dpaudit.records.target import Control, PlantedBug, Target, Tier, TrialPlan
from dpaudit.records.verdict import Outcome
from dpaudit.sampling.batches import Batches

Records = tuple[Array, Array]

SCALING, CLIP_NORM = 3.0, 2.0
BATCH = 8
FAR, KINK = 1e6, 2.0
"""The point goes from 0 to about 1000."""
PAPER = "Choquette-Choo, Ganesh, Thakurta (2024), https://arxiv.org/abs/2406.02716"


def params(steps: int, noise: float) -> Params:
    """So many steps of one record, with this noise of a node."""
    return Params(
        dimension=1,
        weights=growing_weights(steps),
        scaling=SCALING,
        batches=Batches("in order", steps, 1),
        noise=noise,
        lipschitz=CLIP_NORM,
        clip_norm=CLIP_NORM,
    )


TWO_CLIPPED = Params(
    dimension=1,
    weights=growing_weights(2),
    scaling=1e-3,
    batches=Batches("in order", 2 * BATCH, BATCH),
    noise=math.sqrt(2) * 1.0 / BATCH,
    lipschitz=1.0,
)

OTHER_UNITS = Target(
    name="known-bad/srgd-noise-in-other-units",
    title="Accelerated-DP-SRGD whose noise is in the unit of the points",
    view=View.TRANSCRIPT,
    claim=claim(
        mu=1.0,
        neighbours=Neighbours.ZERO_OUT,
        source="Choquette-Choo, Ganesh, Thakurta (2024), lemma 5.6, for the noise before the bug",
    ),
    trials=TrialPlan(smoke=20_000, standard=500_000, deep=1_000_000),
    control=Control.KNOWN_BAD,
    expects=Outcome.REFUTED,
    truth=Gaussian(1 / SCALING),
    effect="the record of one person shows in the transcript about as clearly as at epsilon 16, not 4.4",
    repair="srgd/accelerated-dp-srgd",
    bug=PlantedBug(f"{PAPER}, lemma 5.6, read in the units of the points", Tier.GAME, 100),
)
ONE_NODE = replace(
    OTHER_UNITS,
    name="known-bad/srgd-noise-of-one-node",
    title="Accelerated-DP-SRGD whose noise forgets the levels of the tree",
    truth=Gaussian(1 / math.sqrt(3)),
    claimed_mechanism=Gaussian(1.0),
    effect="the record of one person shows in the transcript about as clearly as at epsilon 8.4, not 4.4",
    bug=PlantedBug(f"{PAPER}, corollary 5.7 as printed", Tier.STRUCTURAL, 37, "accountant"),
)
REPLACED = replace(
    OTHER_UNITS,
    name="known-bad/srgd-replaced-record",
    title="Accelerated-DP-SRGD with noise for an empty record and a claim for a replaced one",
    claim=replace(OTHER_UNITS.claim, neighbours=Neighbours.REPLACE_ONE),
    truth=Gaussian(1 / 2),
    effect="swapping one person for another shows in the transcript about as clearly as at epsilon 10, not 4.4",
    bug=PlantedBug(
        "https://github.com/google-deepmind/jax_privacy/blob/main/docs/sharp_edges_dp_training_pitfalls.md, "
        "neighbouring relations",
        Tier.GAME,
        200,
    ),
)
TWO_GRADIENTS = replace(
    OTHER_UNITS,
    name="known-bad/srgd-two-gradients-clipped",
    title="Accelerated-DP-SRGD that clips two gradients in the place of their difference",
    claim=replace(
        OTHER_UNITS.claim, source="Choquette-Choo, Ganesh, Thakurta (2024), lemma 5.6, for clipped differences"
    ),
    trials=TrialPlan(smoke=50_000, standard=500_000, deep=1_000_000),
    truth=Gaussian(math.sqrt(2) / 3),
    effect="a record whose gradient turns around shows about as clearly as at epsilon 11, not 4.4",
    repair="srgd/clipped-adversarial-order",
    bug=PlantedBug(f"{PAPER}, section 5.3, with the parts clipped", Tier.GAME, 50_000),
)


def audit(target: Target, params: Params, claimed_noise: float, there: float = 0.0) -> Audit:
    """Noisy prefix sums, shape (trials, steps, 1), under an adversary who believes the claimed noise.

    Gradients of the linear losses, shape (steps, 1), are at most K; the first one is K, and `there` in the neighbour.
    """

    def score(outputs: Array, data: Array, neighbour: Array) -> Array:
        """The log-likelihood ratio of the tree's nodes."""
        nodes = np.linalg.inv(params.mixing) @ outputs
        mean, other = (params.factors.right @ records for records in (data, neighbour))
        return likelihood_ratio.gaussian(nodes, mean, other, claimed_noise)

    return Audit(
        target,
        neighbours=lambda rng: with_record(
            rng.uniform(-CLIP_NORM, CLIP_NORM, size=(params.batches.records, 1)), CLIP_NORM, there
        ),
        run=lambda data, trials: accelerated_dp_srgd.cpu(params, linear(data), trials),
        score=score,
    )


def turning_record(rng: np.random.Generator) -> tuple[Records, Records]:
    """Targets and weights of Huber losses, shape (16,) each; the turning record has weight 0 in the neighbour."""
    targets = np.full(2 * BATCH, FAR)
    targets[BATCH] = KINK
    weights, without = with_record(np.ones(2 * BATCH), 1.0, 0.0, at=BATCH)
    return (targets, weights), (targets, without)


def problem(data: Records) -> Problem:
    """Huber losses of threshold K = 1."""
    targets, weights = data
    return huber(np.ones((len(targets), 1)), targets, 1.0, weights)


def score_turning(outputs: Array, data: Records, neighbour: Records) -> Array:
    """The log-likelihood ratio of node 2, which is the second sum: all other records push with -K at both steps."""
    others = -1.0 * (2 * BATCH - 1) / BATCH
    return likelihood_ratio.gaussian(outputs[:, 1, 0], others + 3 * 1.0 / BATCH, others, TWO_CLIPPED.noise)


ENOUGH, ENOUGH_OF_SEVEN = math.sqrt(2) * CLIP_NORM, math.sqrt(3) * CLIP_NORM
"""Noise of a node that makes three steps, and seven, 1-GDP: a record of the first is in two nodes, and in three."""
FORGETFUL = params(7, CLIP_NORM)

AUDITS = (
    audit(OTHER_UNITS, params(3, ENOUGH / SCALING), ENOUGH),
    replace(
        audit(ONE_NODE, FORGETFUL, ENOUGH_OF_SEVEN),
        instrument=lambda data, recorder: stepwise.instrument(accelerated_dp_srgd, FORGETFUL, linear(data), recorder),
        assumptions=Assumptions(ordered=True, checked_records=True),
    ),
    audit(REPLACED, params(3, ENOUGH), 2 * ENOUGH, there=-CLIP_NORM),
    Audit(
        TWO_GRADIENTS,
        turning_record,
        lambda data, trials: accelerated_dp_srgd.cpu(TWO_CLIPPED, problem(data), trials),
        score_turning,
    ),
)
