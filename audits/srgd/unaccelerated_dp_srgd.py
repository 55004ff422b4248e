"""Unaccelerated DP-SRGD of this package, whole transcript, in the case that attains its guarantee.

What: five steps of one record each under tree noise, with curved losses and projection on the interval [-1, 1].
Why: the sums are released and everything else follows from them, so that the tree's 1-GDP holds for points that move
with the data; the first record is in three nodes and attains it.
Worst-case neighbours: Huber losses; the first record pulls with three times the clip norm, and is empty in the
neighbour.
The adversary sees every noisy prefix sum, follows the points from there and knows the other records.
"""

from __future__ import annotations

import math

import numpy as np

from dpaudit.algorithms.srgd import unaccelerated_dp_srgd
from dpaudit.arithmetic.arrays import Array
from dpaudit.attacks import likelihood_ratio
from dpaudit.audit.structural import stepwise
from dpaudit.audit.structural.recording import Recorder
from dpaudit.noise.stream import Trials
from dpaudit.problems.domains import box
from dpaudit.problems.losses import Problem, huber
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.mechanism import Gaussian
from dpaudit.records.privacy import Neighbours, View, claim
from dpaudit.records.target import Target, TrialPlan
from dpaudit.sampling.batches import Batches

Records = tuple[Array, Array]

STEPS, NODES, CLIP_NORM, THRESHOLD, SCALING = 5, 3, 1.0, 3.0, 2.0
WEIGHTS = tuple(float(t) for t in range(1, STEPS + 1))

PARAMS = unaccelerated_dp_srgd.Params(
    dimension=1,
    weights=WEIGHTS,
    scaling=SCALING,
    batches=Batches("in order", STEPS, 1),
    noise=math.sqrt(NODES) * CLIP_NORM,
    lipschitz=THRESHOLD,
    clip_norm=CLIP_NORM,
    domain=box((-1.0,), (1.0,)),
)

TARGET = Target(
    name="srgd/unaccelerated",
    title="Unaccelerated DP-SRGD, transcript of five steps",
    view=View.TRANSCRIPT,
    claim=claim(
        mu=1.0,
        neighbours=Neighbours.ZERO_OUT,
        source="Choquette-Choo, Ganesh, Thakurta (2024), lemma 5.6, for section 4.3",
    ),
    trials=TrialPlan(smoke=50_000, standard=2_000_000, deep=10_000_000),
    truth=Gaussian(1.0),
    claimed_mechanism=Gaussian(1.0),
    effect="the points that later steps start from carry more of a record than the tree's noise was chosen for",
)

ASSUMPTIONS = Assumptions(ordered=True, checked_records=True)


def neighbours(rng: np.random.Generator) -> tuple[Records, Records]:
    """Targets and weights of Huber losses, shape (5,) each; the first record has weight 0 in the neighbour."""
    targets, weights = rng.uniform(-1, 1, size=STEPS), np.ones(STEPS)
    targets[0] = -2 * THRESHOLD
    without = weights.copy()
    without[0] = 0.0
    return (targets, weights), (targets, without)


def run(data: Records, trials: Trials) -> Array:
    """Noisy prefix sums, shape (trials, steps, 1)."""
    return unaccelerated_dp_srgd.cpu(PARAMS, _problem(data), trials)


def instrument(data: Records, recorder: Recorder) -> None:
    """One training of the reference form, recorded and replayed step by step."""
    stepwise.instrument(unaccelerated_dp_srgd, PARAMS, _problem(data), recorder)


def score(outputs: Array, data: Records, neighbour: Records) -> Array:
    """The log-likelihood ratio of the tree's nodes, whose means follow from the sums released before."""
    sums = outputs[:, :, 0]
    x, points = np.zeros(len(sums)), []
    for t in range(STEPS):
        points.append(x)
        x = np.clip(x - sums[:, t] / (SCALING * WEIGHTS[t]), -1, 1)
    nodes = np.linalg.inv(PARAMS.mixing) @ outputs
    mean, other = (PARAMS.factors.right @ _items(np.array(points), records) for records in (data, neighbour))
    return likelihood_ratio.gaussian(nodes, mean, other, PARAMS.noise)


def _problem(data: Records) -> Problem:
    targets, weights = data
    return huber(np.ones((STEPS, 1)), targets, THRESHOLD, weights)


def _items(points: Array, data: Records) -> Array:
    """What every step adds to the prefix sum, given x_0, ..., x_{T-1}, shape (T, trials) -> (trials, T, 1)."""
    targets, weights = data
    made = []
    for t in range(STEPS):
        new = np.clip(points[t] - targets[t], -THRESHOLD, THRESHOLD)
        old = np.clip(points[t - 1] - targets[t], -THRESHOLD, THRESHOLD) if t else 0.0
        made.append(weights[t] * np.clip(WEIGHTS[t] * new - t * old, -CLIP_NORM, CLIP_NORM))
    return np.stack(made, axis=1)[:, :, None]
