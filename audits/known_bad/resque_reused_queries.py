"""SubERM with the queries of its first phase in every phase: a planted bug.

What: Algorithm 3 with eight steps and known indices; the Gaussian queries xi of phase 1 are taken again in phases 2
and 3, where the algorithm draws fresh ones.
Why: fresh queries hide a record with a kink: it pulls each phase to the left or to the right by a coin of its own. With
the same queries all phases are pulled to one side. The bound of lemma 5 holds for every value of the queries, so that
no bound of the paper is exceeded for it; what is refuted is the exact curve of this pair with fresh queries. This is
the third negative control of the specification, section 4.4.
Worst-case neighbours: the first record is L|<u, x>| or 0, all others are 0; it is drawn at the first step of each
phase.
The adversary sees the indices and every x_i.
"""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.resque import sub_erm
from dpaudit.noise.stream import Trials
from dpaudit.problems.smoothing.ridges import Ridge, RidgeLosses, ridge_losses
from dpaudit.records.privacy import ApproximateDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Control, PlantedBug, Target, Tier, TrialPlan
from dpaudit.records.verdict import Outcome

Array = NDArray[np.float64]

BETA = 1.0
HONEST = sub_erm.Params(
    centre=(0.0,), radius=1.0, smoothing=1e6, privacy=BETA, steps=8, distance=0.2, lipschitz=1.0, records=2
)
PARAMS = dataclasses.replace(HONEST, control="reused_queries")  # the bug
INDICES = np.array([0, 1, 1, 1, 0, 1, 0])

TARGET = Target(
    name="known-bad/resque-reused-queries",
    title="SubERM with one set of queries for all phases",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        ApproximateDP(1.0, 0.15),
        Neighbours.REPLACE_ONE,
        delta=0.15,
        source="exact law of this pair with fresh queries: (N(-beta, 1) + N(beta, 1))/2 against N(0, 1), three times",
    ),
    trials=TrialPlan(smoke=50_000, standard=1_000_000, deep=5_000_000),
    control=Control.KNOWN_BAD,
    expects=Outcome.REFUTED,
    effect="the phases no longer hide each other's side: what one phase leaves open the next ones confirm",
    repair="resque/sub-erm-white-box",
    bug=PlantedBug("https://github.com/jax-ml/jax/pull/3646", Tier.GAME, 5_000),
)


def neighbours(rng: np.random.Generator) -> tuple[RidgeLosses, RidgeLosses]:
    """Two records of which the first is |x| or 0 and the other is 0."""
    kinds = (Ridge.ABSOLUTE, Ridge.ZERO)
    return tuple(ridge_losses([(kind, (1.0,)), (Ridge.ZERO, (1.0,))]) for kind in kinds)  # type: ignore[return-value]


def run(data: RidgeLosses, trials: Trials) -> Array:
    """x_1, x_2, x_3 of every trial, shape (trials, phases, 1)."""
    return sub_erm.cpu(PARAMS, data, trials, INDICES).phases


def score(outputs: Array, data: RidgeLosses, neighbour: RidgeLosses) -> Array:
    """How far all phases together moved to one side, in units of their noise."""
    moves = np.diff(outputs[:, :, 0], axis=1, prepend=0.0)
    return np.abs((moves / [sigma for _, _, sigma in HONEST.phases]).sum(axis=1))
