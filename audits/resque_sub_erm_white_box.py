"""SubERM with known indices, all phase outputs, in the case that attains the constant of lemma 5.

What: Algorithm 3 with 32 steps, that is five phases; the indices are public, and the record that differs is drawn at
the first step of each of the first four.
Why: with known indices a phase is a Gaussian mechanism. Lemma 5 is proved with 2 in place of its 1500 when rho >> r:
D_alpha = 2 alpha beta^2 sum b_i^2, 1-GDP here, and this pair attains it. Noise that is too small, a phase that starts
from an average without noise or a weight that is not 1 near the centre show.
Worst-case neighbours: one record is L<u, x> or -L<u, x>, all others are 0; a hit at the first step of a phase enters
all averaged iterates.
The adversary sees the indices and every x_i; queries, iterates and averages stay hidden.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.resque import sub_erm
from dpaudit.noise.stream import Trials
from dpaudit.problems.smoothing.ridges import Ridge, RidgeLosses, ridge_losses
from dpaudit.records.mechanism import Gaussian, SelfComposed
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan

Array = NDArray[np.float64]

RECORDS, HIT_PHASES = 3, 4
PARAMS = sub_erm.Params(
    centre=(0.0,), radius=1.0, smoothing=1e6, privacy=1 / 4, steps=32, lipschitz=1.0, records=RECORDS
)
INDICES = np.ones(sub_erm.queries(PARAMS), dtype=np.int64)
INDICES[[0, 16, 24, 28]] = 0  # the first steps of the first four phases

TARGET = Target(
    name="resque/sub-erm-white-box",
    title="SubERM, known indices, all phase outputs",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        GaussianDP(1.0),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source="Carmon et al. (2023), lemma 5 for rho >> r with its best constant: 2 beta b_i of Gaussian DP a phase",
    ),
    trials=TrialPlan(smoke=50_000, standard=3_000_000, deep=10_000_000),
    truth=SelfComposed(Gaussian(2.0), HIT_PHASES),
    effect="whoever learns which records were drawn can tell a record apart more clearly than lemma 5 allows",
)


def neighbours(rng: np.random.Generator) -> tuple[RidgeLosses, RidgeLosses]:
    """Three records of which the first is x or -x and the others are 0."""
    others = [(Ridge.ZERO, (1.0,))] * (RECORDS - 1)
    return tuple(ridge_losses([(Ridge.LINEAR, (sign,)), *others]) for sign in (1.0, -1.0))  # type: ignore[return-value]


def run(data: RidgeLosses, trials: Trials) -> Array:
    """x_1, ..., x_5 of every trial, shape (trials, phases, 1)."""
    return sub_erm.cpu(PARAMS, data, trials, INDICES).phases


def score(outputs: Array, data: RidgeLosses, neighbour: RidgeLosses) -> Array:
    """The log-likelihood ratio given the indices, with all weights 1."""
    return sub_erm.canary_log_likelihood_ratio(PARAMS, outputs, (1.0,), INDICES)
