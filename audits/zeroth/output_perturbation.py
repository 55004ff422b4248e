"""Noisy-ZOGD with the noise of its last step alone, output perturbation: as appendix A.3 prints it, and corrected.

What: three steps along both directions of the plane, projected onto the disc of radius R; what is promised rests on
the noise of the last step only.
Why: the appendix prints alpha (2 R)^2 d/(2 eta^2 sigma^2), for a distance of at most 2 R before the last noise. But two
runs that stand on opposite sides before the last step, 2 R apart, are moved by up to eta Delta/K each on their own
data: the sensitivity is 2 R + 2 eta Delta/K. With R = 0.25, eta Delta/K = 0.625 and noise 1 in each coordinate the
printed rho is 1/8, that of a 1/2-GDP mechanism; corrected the claim is 1.75-GDP. That a record is smooth is used: K
slopes of one gradient have norm Delta together.
Worst-case neighbours: a linear loss with a slope of norm Delta, and its opposite, which drive the runs to opposite
sides.
The adversary sees w_T.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dpaudit.algorithms.zeroth import noisy_zogd
from dpaudit.arithmetic.arrays import Array
from dpaudit.content.audits import Audit
from dpaudit.noise.stream import Trials
from dpaudit.problems.domains import ball
from dpaudit.problems.losses import linear
from dpaudit.records.mechanism import Concentrated
from dpaudit.records.privacy import Neighbours, View, claim
from dpaudit.records.target import Target, TrialPlan
from dpaudit.records.verdict import Outcome
from dpaudit.sampling.batches import Batches

CLIP_NORM = 1.25
SLOPE = CLIP_NORM * np.array([0.6, 0.8])
PARAMS = noisy_zogd.Params(
    start=(0.0, 0.0),
    steps=3,
    batches=Batches("all records", 1, 1),
    directions=2,
    step_size=1.0,
    perturbation=0.5,
    clip_norm=CLIP_NORM,
    noise=2**0.5,
    variance_share=0.0,
    domain=ball(0.25, (0.0, 0.0)),
)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """The slope of one linear loss in the plane, of norm Delta, and its opposite; shape (1, 2)."""
    return SLOPE[None], -SLOPE[None]


def run(data: Array, trials: Trials) -> Array:
    """Last iterates w_T in the disc, shape (trials, 2)."""
    return noisy_zogd.cpu(PARAMS, linear(data), trials, release="final")


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """How far down the slope of `data` w_T is."""
    return np.asarray(-outputs @ data[0])


CORRECTED = Audit(
    Target(
        name="zeroth/output-perturbation",
        title="Noisy-ZOGD with the noise of its last step alone",
        view=View.HIDDEN_STATE,
        claim=claim(
            mu=1.75,
            neighbours=Neighbours.REPLACE_ONE,
            source="Chien, Chen, Li (2025), appendix A.3, corrected: the last step parts two runs by more than 2 R",
        ),
        trials=TrialPlan(smoke=200_000, standard=1_000_000, deep=3_000_000),
        effect="the last iterate leaks more about a record than the noise of the last step allows",
    ),
    neighbours,
    run,
    score,
)

PRINTED = replace(
    CORRECTED,
    target=Target(
        name="zeroth/output-perturbation-as-printed",
        title="Noisy-ZOGD with the printed guarantee of its last step alone",
        view=View.HIDDEN_STATE,
        claim=claim(
            epsilon=2.166,
            delta=1e-5,
            neighbours=Neighbours.REPLACE_ONE,
            source="Chien, Chen, Li (2025), appendix A.3 as printed: (2 R)^2 d/(2 eta^2 sigma^2) at every order",
        ),
        trials=TrialPlan(smoke=20_000, standard=500_000, deep=500_000),
        expects=Outcome.REFUTED,
        claimed_mechanism=Concentrated(0.125),
        effect="the smaller the ball, the more of the real epsilon is missing in the printed one, without limit",
        repair="zeroth/output-perturbation",
    ),
)

AUDITS = (CORRECTED, PRINTED)
