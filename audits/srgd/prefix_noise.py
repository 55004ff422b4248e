"""Noisy prefix sums of this package with the square root factorisation, and three planted bugs of tree noise.

What: twelve clipped vectors, A = C C with C the lower triangular square root of the summation matrix. The bugs are of
the binary tree:
second-pass: four prefix sums over two records, each of which is used in steps t and t + 2; the noise of a node is
sqrt(3) K, which covers a record that is in one step. The first record is in nodes 1, 2 and 4 by its first use and in 3
and 4 by its second, so that it moves them by (1, 1, 1, 2) K: sqrt(7/3) = 1.53-GDP in the place of 1-GDP.
printed-nodes: seven prefix sums; a prefix is the sum of its nodes, of which only those with odd j up to T/2^k - 1
exist, as the paper prints. That leaves out the nodes 4, 6 and 7, which an implementation takes without noise: prefix 4
is exact. The node set that works ends at T/2^k, as the paper's own example for prefix 7 has it.
noise-one-step-late: three prefix sums; steps count from 0 and prefixes from 1, and the noise of step t is N_t in the
place of N_{t+1}. N_0 is the empty sum: the first gradient is released as it is. The other releases look as they should.
Why: correlated noise hides mistakes well: each sum alone looks noisy enough even where their differences are not. The
claim, 1-GDP, is met with equality by the first item, whose column of C is the longest.
Worst-case neighbours: the first vector has five times the clip norm, with the bugs its norm, and is zero in the
neighbour.
The adversary sees every noisy prefix sum, undoes the correlation and knows the other vectors.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from dpaudit.accounting.factorisations import FACTORISATIONS, printed_nodes, tree_factors
from dpaudit.algorithms.srgd import prefix_noise
from dpaudit.arithmetic.arrays import Array
from dpaudit.attacks import likelihood_ratio
from dpaudit.audit.structural import stepwise
from dpaudit.content.audits import Audit, planted, with_record
from dpaudit.noise.stream import Trials
from dpaudit.problems.domains import clip
from dpaudit.problems.losses import linear
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.context import Level
from dpaudit.records.mechanism import Gaussian, PureDP
from dpaudit.records.privacy import Neighbours, View, claim
from dpaudit.records.target import PlantedBug, Target, Tier, TrialPlan
from dpaudit.sampling.batches import Batches

ITEMS, CLIP_NORM = 12, 2.0
ROOT = FACTORISATIONS["square root"](ITEMS)
CITED = "Choquette-Choo, Ganesh, Thakurta (2024)"
PAPER = f"{CITED}, https://arxiv.org/abs/2406.02716"

PARAMS = prefix_noise.Params(
    point=(0.0, 0.0),
    steps=ITEMS,
    batches=Batches("in order", ITEMS, 1),
    noise=float(ROOT.column_norms.max()) * CLIP_NORM,
    lipschitz=10.0,
    clip_norm=CLIP_NORM,
    factorisation=ROOT,
)
TWO_PASSES = prefix_noise.Params(
    point=(0.0,), steps=4, batches=Batches("in order", 4, 1), noise=math.sqrt(3) * CLIP_NORM, lipschitz=CLIP_NORM
)

CORRECT = Target(
    name="srgd/prefix-sums",
    title="Noisy prefix sums with the square root factorisation, twelve items",
    view=View.TRANSCRIPT,
    claim=claim(
        mu=1.0, neighbours=Neighbours.ZERO_OUT, source="Denisov, McMahan, Rush, Smith, Thakurta (2022), theorem 2.1"
    ),
    trials=TrialPlan(smoke=50_000, standard=1_000_000, deep=10_000_000),
    truth=Gaussian(1.0),
    claimed_mechanism=Gaussian(1.0),
    effect="the running sums of a data stream tell more about one item than their noise was chosen for",
)
SECOND_PASS = planted(
    CORRECT,
    "known-bad/srgd-second-pass",
    "A tree over two passes with the noise of one",
    from_level=Level.STANDARD,
    source=f"{CITED}, lemma 5.6, where one item changes",
    trials=TrialPlan(smoke=100_000, standard=500_000, deep=1_000_000),
    effect="whoever passes twice over the data with noise for once gets epsilon 7.2, not 4.4",
    bug=PlantedBug(f"{PAPER}, lemma 5.6 without its one epoch", Tier.GAME, 100_000),
    truth=Gaussian(math.sqrt(3 / 7)),
)
PRINTED_NODES = planted(
    CORRECT,
    "known-bad/srgd-printed-nodes",
    "The binary tree with the printed node set",
    source=f"{CITED}, section 2.2, the node set as printed; lemma 5.6",
    trials=TrialPlan(smoke=20_000, standard=100_000, deep=1_000_000),
    effect="prefix sums whose nodes are missing are released without noise: no privacy at all",
    bug=PlantedBug(f"{PAPER}, section 2.2 as printed", Tier.GAME, 100),
    truth=PureDP(math.inf),
)
ONE_STEP_LATE = replace(
    PRINTED_NODES,
    name="known-bad/srgd-noise-one-step-late",
    title="Tree noise that comes one step late",
    claim=replace(CORRECT.claim, source=f"{CITED}, lemma 5.6, for the indices before the bug"),
    effect="the gradient of the first batch is released without noise: no privacy at all for its records",
    bug=PlantedBug(f"{PAPER}, section 2.2, with indices from 0", Tier.GAME, 100),
)


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of C x + noise, whose noises are independent."""
    released = np.linalg.inv(ROOT.left) @ outputs
    mean, other = (ROOT.right @ clip(records, CLIP_NORM) for records in (data, neighbour))
    return likelihood_ratio.gaussian(released, mean, other, PARAMS.noise)


def twice(records: Array) -> Array:
    """Both passes over the records."""
    return np.tile(records, (2, 1))


def score_second_pass(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of the tree's nodes, whose noises are independent."""
    nodes = np.linalg.inv(TWO_PASSES.mixing) @ outputs
    mean, other = (TWO_PASSES.factors.right @ twice(records) for records in (data, neighbour))
    return likelihood_ratio.gaussian(nodes, mean, other, TWO_PASSES.noise)


def run_printed_nodes(data: Array, trials: Trials) -> Array:
    """Prefix sums with the noise of the nodes that are printed, shape (trials, 7)."""
    left, _ = tree_factors(7)
    printed = [node.number - 1 for node in printed_nodes(7)]
    noise = trials.stream.normals(trials.numbers, 0, 7)[:, printed]  # the bug
    return np.asarray(np.cumsum(data) + math.sqrt(3) * (noise[:, None, :] * left[:, printed]).sum(axis=2))


def run_one_step_late(data: Array, trials: Trials) -> Array:
    """Prefix sums with the noise of the prefix before, shape (trials, 3)."""
    left, _ = tree_factors(3)
    prefixes = (trials.stream.normals(trials.numbers, 0, 3)[:, None, :] * left).sum(axis=2)
    late = np.pad(prefixes, ((0, 0), (1, 0)))[:, :3]  # the bug
    return np.asarray(np.cumsum(data) + math.sqrt(2) * late)


def exact_prefix(target: Target, items: int, exact: int, run: Callable[[Array, Trials], Array]) -> Audit:
    """Of so many items, shape (items,), whose prefix of the first `exact` is released without noise."""

    def score(outputs: Array, data: Array, neighbour: Array) -> Array:
        """How much nearer this prefix is to that of the data set."""
        seen = outputs[:, exact - 1]
        return np.asarray(np.abs(seen - neighbour[:exact].sum()) - np.abs(seen - data[:exact].sum()))

    return Audit(target, lambda rng: with_record(rng.uniform(-1, 1, size=items), 1.0, 0.0), run, score)


AUDITS = (
    Audit(
        CORRECT,
        neighbours=lambda rng: with_record(rng.normal(size=(ITEMS, 2)), (3 * CLIP_NORM, 4 * CLIP_NORM), 0.0),
        run=lambda data, trials: prefix_noise.cpu(PARAMS, linear(data), trials),
        score=score,
        instrument=lambda data, recorder: stepwise.instrument(prefix_noise, PARAMS, linear(data), recorder),
        assumptions=Assumptions(ordered=True, checked_records=True),
    ),
    Audit(
        SECOND_PASS,
        neighbours=lambda rng: with_record(rng.uniform(-CLIP_NORM, CLIP_NORM, size=(2, 1)), CLIP_NORM, 0.0),
        run=lambda data, trials: prefix_noise.cpu(TWO_PASSES, linear(twice(data)), trials),
        score=score_second_pass,
    ),
    exact_prefix(PRINTED_NODES, 7, 4, run_printed_nodes),
    exact_prefix(ONE_STEP_LATE, 3, 1, run_one_step_late),
)
