"""Noisy-ZOGD of which only the last iterate is released, on linear losses, which never forget.

What: sixteen steps along one direction each in the plane; neither iterates nor directions are seen but w_T.
Why: nothing contracts, so that hiding the path saves only what the unseen directions hide. The sound claim is
composition, 1-GDP; the recursion that theorem 3.2 displays promises less than the run shows.
Neighbours: a linear record turned into its opposite, of norm Delta or so steep that every slope is clipped.
The adversary sees w_T.
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
from dpaudit.problems.losses import linear
from dpaudit.records.mechanism import Concentrated
from dpaudit.records.privacy import ApproximateDP, GaussianDP, Guarantee, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan
from dpaudit.records.verdict import Outcome
from dpaudit.sampling.batches import Batches

RECORDS, STEPS, NOISE, SHARE = 2, 16, 1.0, 0.5
CLIP_NORM = RECORDS * NOISE / 2 * math.sqrt((SHARE + (1 - SHARE) / 2) / STEPS)
"""For which composition is 1-GDP: T (2 Delta/n)^2 = sigma^2 (b_dir + (1 - b_dir)/d)."""
CANARY = CLIP_NORM * np.array([0.6, 0.8])
STEEP = 1e9 * np.array([0.6, 0.8])

PARAMS = noisy_zogd.Params(
    start=(0.0, 0.0),
    steps=STEPS,
    batches=Batches("all records", RECORDS, RECORDS),
    directions=1,
    step_size=1.0,
    perturbation=0.5,
    clip_norm=CLIP_NORM,
    noise=NOISE,
    variance_share=SHARE,
)


def neighbours(canary: Array, rng: np.random.Generator) -> tuple[Array, Array]:
    """Slopes of two linear losses in the plane: `canary`, turned around in the neighbour, and a short one."""
    data = np.stack([canary, CLIP_NORM / 2 * rng.uniform(-1, 1, size=2)])
    neighbour = data.copy()
    neighbour[0] = -canary
    return data, neighbour


def run(params: noisy_zogd.Params, data: Array, trials: Trials) -> Array:
    """Last iterates w_T, shape (trials, 2)."""
    return noisy_zogd.cpu(params, linear(data), trials, release="final")


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """How far w_T went against the slope of the record: the law of this coordinate is symmetric around the middle."""
    return np.asarray(-outputs @ (data[0] - neighbour[0]))


def unit_score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The same for a steep record, in units of its slope."""
    return np.asarray(-outputs @ (data[0] - neighbour[0]) / np.linalg.norm(data[0]))


def claim(guarantee: Guarantee, source: str) -> PrivacyClaim:
    """`guarantee` for the replacement of a record."""
    source = f"Chien, Chen, Li (2025), {source}"
    return PrivacyClaim(guarantee, Neighbours.REPLACE_ONE, delta=1e-5, source=source)


# All assumptions of the theorem hold: the record has norm Delta. Measured is 0.61 of the mu of composition.
COMPOSITION = Audit(
    Target(
        name="zeroth/last-iterate",
        title="Noisy-ZOGD on linear losses, only the last iterate",
        view=View.HIDDEN_STATE,
        claim=claim(GaussianDP(1.0), "theorem 3.2 in the convention of its proof; composition is the best window"),
        trials=TrialPlan(smoke=50_000, standard=1_000_000, deep=3_000_000),
        effect="the last iterate alone leaks more about a record than all iterates together were promised to",
    ),
    partial(neighbours, CANARY),
    partial(run, PARAMS),
    score,
)

# The strongest case that we know without directions. Every slope is clipped, so that a step moves w_T by
# (eta Delta/n) |<v, u>| along the record's slope v, 2/pi of eta Delta/n on average in the plane, where a record that
# clipping leaves alone moves it by <v, u>^2, which is 1/2. Measured is 0.78 of the 1-GDP of composition; in high
# dimensions, with all noise along the directions, it is sqrt(2/pi) = 0.80.
SIGN_CANARY = replace(
    COMPOSITION,
    target=Target(
        name="zeroth/last-iterate-sign-canary",
        title="Noisy-ZOGD on clipped losses, only the last iterate",
        view=View.HIDDEN_STATE,
        claim=claim(GaussianDP(1.0), "theorem 3.1, corrected; the last iterate follows from all of them"),
        trials=TrialPlan(smoke=50_000, standard=1_000_000, deep=3_000_000),
        effect="the last iterate alone leaks more about a record than all iterates together were promised to",
    ),
    neighbours=partial(neighbours, STEEP),
    score=unit_score,
)

# The theorem displays z_{t-1} = (z_t + a_t - c2)/c1 where its proof has z_t = (z_{t+1} + a_t - c2)/c1. As displayed the
# last shift is not in the sum that is paid for, so that a window of one step is always feasible at no cost for the
# distance at its start: rho = (2 Delta/n)^2/(2 b_dir sigma^2) for every T, R and d.
AS_DISPLAYED = replace(
    COMPOSITION,
    target=Target(
        name="zeroth/theorem-3.2-as-displayed",
        title="Noisy-ZOGD with the displayed recursion of theorem 3.2, last iterate",
        view=View.HIDDEN_STATE,
        claim=claim(ApproximateDP(1.263, 1e-5), "theorem 3.2 as displayed: (2 Delta/n)^2/(2 b_dir sigma^2) for all T"),
        trials=TrialPlan(smoke=20_000, standard=1_000_000, deep=1_000_000),
        expects=Outcome.REFUTED,
        claimed_mechanism=Concentrated(0.046875),
        effect="the printed epsilon, 1.3, does not grow with the number of steps; the real one does, without end",
        repair="zeroth/last-iterate",
    ),
)

AUDITS = (COMPOSITION, SIGN_CANARY, AS_DISPLAYED)
