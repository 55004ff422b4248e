"""Noisy-ZOGD in a small ball: the guarantee that corollary 3.3 prints, and the composition it should fall back to.

What: one step along 40 of 80 directions on one strongly convex quadratic loss (m = M = 1), eta = K/M, in a ball of
radius 1e-4; only w_1 is released.
Why: the proof minimises over windows of N = n R sqrt(2 d)/(Delta eta) steps and drops the rounding up to a whole step:
(29) rho = 8 Delta R sqrt(2 d)/(eta n sigma^2), and with it min(T, M R n sqrt(d)/(K Delta)) in the corollary, go to 0
with R, as if a fraction of a step could be released. Here N is 3e-5; the printed rho is 5e-3, epsilon 0.33 at delta
0.01, half of it for the failure of the event as in the corollary. No hidden constant repairs this. All of its
hypotheses hold: K = 40 is at least 20/3 log(4/delta) = 39.9 for c = 0, and at most d/2; xi is below its bound. A ball
does not hide a step: projecting onto a small one keeps the direction of the noisy move, and in high dimension the
direction is nearly all of it. The corrected claim is one Gaussian step for smooth records.
Worst-case neighbours: a record that pulls along an axis, moved to its opposite.
The adversary sees w_1, not the directions.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

import numpy as np

from dpaudit.algorithms.zeroth import noisy_zogd
from dpaudit.arithmetic.arrays import Array
from dpaudit.content.audits import Audit
from dpaudit.noise.stream import Trials
from dpaudit.problems.domains import ball
from dpaudit.problems.losses import quadratic_minus_linear
from dpaudit.records.context import Level
from dpaudit.records.privacy import Neighbours, View, claim
from dpaudit.records.target import Target, TrialPlan
from dpaudit.records.verdict import Outcome
from dpaudit.sampling.batches import Batches

DIMENSION, RADIUS, CLIP_NORM = 80, 1e-4, 1.0
PARAMS = noisy_zogd.Params(
    start=(0.0,) * DIMENSION,
    steps=1,
    batches=Batches("all records", 1, 1),
    directions=40,
    step_size=40.0,
    perturbation=1e-5,
    clip_norm=CLIP_NORM,
    noise=2 * CLIP_NORM / math.sqrt(DIMENSION),
    variance_share=0.5,
    domain=ball(RADIUS, (0.0,) * DIMENSION),
)
SLOPE = CLIP_NORM - RADIUS - PARAMS.perturbation
"""Of the record at the start, so that its slopes are at most Delta wherever they are asked for."""


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """The minimiser of the one record, shape (1, d), and its opposite."""
    record = np.zeros((1, DIMENSION))
    record[0, 0] = SLOPE
    return record, -record


def run(params: noisy_zogd.Params, data: Array, trials: Trials) -> Array:
    """Last iterates w_1, shape (trials, d)."""
    return noisy_zogd.cpu(params, quadratic_minus_linear(np.eye(DIMENSION), data), trials, release="final")


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """How far w_1 lies on the side of the record, whichever frame was used."""
    return np.asarray(outputs @ (data[0] - neighbour[0]))


CORRECTED = Audit(
    Target(
        name="zeroth/corollary-3.3",
        title="Noisy-ZOGD in a small ball, composition for smooth records",
        view=View.HIDDEN_STATE,
        claim=claim(
            mu=1.6331,
            quoted_delta=0.01,
            neighbours=Neighbours.REPLACE_ONE,
            source="Chien, Chen, Li (2025), accountant of public states for smooth records, corrected",
        ),
        trials=TrialPlan(smoke=4_000, standard=20_000, deep=100_000),
        effect="one step in a small ball leaks more about a record than its noise allows",
        from_level=Level.STANDARD,
    ),
    neighbours,
    partial(run, PARAMS),
    score,
)

PRINTED = replace(
    CORRECTED,
    target=Target(
        name="zeroth/corollary-3.3-as-printed",
        title="Noisy-ZOGD in a small ball with the printed guarantee of corollary 3.3",
        view=View.HIDDEN_STATE,
        claim=claim(
            epsilon=0.3326,
            delta=0.01,
            neighbours=Neighbours.REPLACE_ONE,
            source="Chien, Chen, Li (2025), corollary 3.3 through (29), delta/2 for the event",
        ),
        trials=TrialPlan(smoke=4_000, standard=20_000, deep=20_000),
        expects=Outcome.REFUTED,
        effect="the printed epsilon falls to 0 with the radius of the ball, while a record stays as visible as it was",
        repair="zeroth/corollary-3.3",
        from_level=Level.STANDARD,
    ),
)

AUDITS = (CORRECTED, PRINTED)
