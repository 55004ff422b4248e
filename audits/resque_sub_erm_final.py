"""SubERM with hidden indices, final output only.

What: Algorithm 3 with four steps (phases of 2 and 1), indices drawn from four records with replacement.
Why: this is what a user of the solver sees. The claim is that of all phase outputs, so the audit says how much of it
the last output alone gives away: it carries the noise of both phases.
Worst-case neighbours: one record is L<u, x> or -L<u, x>, all others are 0.
The adversary sees x_k alone; its score is the exact likelihood ratio of a mixture over the hits of all phases.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.resque import sub_erm
from dpaudit.noise.stream import Trials
from dpaudit.problems.smoothing.ridges import Ridge, RidgeLosses, ridge_losses
from dpaudit.records.mechanism import Composed, Gaussian, WithReplacementSampled
from dpaudit.records.privacy import Neighbours, PrivacyClaim, PrivacyProfile, View
from dpaudit.records.target import Target, TrialPlan

Array = NDArray[np.float64]

RECORDS, BETA = 4, 1 / 3
PARAMS = sub_erm.Params(
    centre=(0.0,), radius=1.0, smoothing=1e6, privacy=BETA, steps=4, distance=0.2, lipschitz=1.0, records=RECORDS
)
CLAIMED = Composed(
    tuple(WithReplacementSampled(length, RECORDS, Gaussian(1 / (2 * BETA))) for length, _, _ in PARAMS.phases)
)
"""Whose epsilons, rounded up, are the points of the claim."""

TARGET = Target(
    name="resque/sub-erm-final",
    title="SubERM, hidden indices, final output only",
    view=View.FINAL_MODEL,
    claim=PrivacyClaim(
        PrivacyProfile(
            ((4.4673, 1e-05), (2.4449, 0.001), (1.1109, 0.01), (0.4263, 0.05), (0.1711, 0.1), (0, 0.2)),
            "Gaussian mechanisms on samples with replacement",
        ),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source="Carmon et al. (2023), lemmas 5 and 7 for rho >> r: Gaussian mechanisms on samples with replacement",
    ),
    trials=TrialPlan(smoke=50_000, standard=5_000_000, deep=10_000_000),
    effect="the solution of a subproblem gives a record away more clearly than lemma 7 allows for all of its phases",
)


def neighbours(rng: np.random.Generator) -> tuple[RidgeLosses, RidgeLosses]:
    """Four records of which the first is x or -x and the others are 0."""
    others = [(Ridge.ZERO, (1.0,))] * (RECORDS - 1)
    return tuple(ridge_losses([(Ridge.LINEAR, (sign,)), *others]) for sign in (1.0, -1.0))  # type: ignore[return-value]


def run(data: RidgeLosses, trials: Trials) -> Array:
    """x_k of every trial, shape (trials, 1)."""
    return sub_erm.cpu(PARAMS, data, trials).final


def score(outputs: Array, data: RidgeLosses, neighbour: RidgeLosses) -> Array:
    """The log-likelihood ratio of x_k = -+ (half the shift of the hits) + N(0, sum of sigma_i^2)."""
    scales = np.array([sigma for _, _, sigma in PARAMS.phases])
    deviation = np.sqrt((scales**2).sum())
    hits = 1 - np.array(list(product((0, 1), repeat=sub_erm.queries(PARAMS))))  # record numbers: 0 is a hit
    halves = sub_erm.canary_shifts(PARAMS, hits) @ scales / (2 * deviation)
    weights = np.exp(-np.log(RECORDS) * (1 - hits).sum(axis=1) + np.log1p(-1 / RECORDS) * hits.sum(axis=1))
    moved = outputs[:, :1] / deviation
    on_data, on_neighbour = (np.exp(-((moved - mean) ** 2) / 2) @ weights for mean in (-halves, halves))
    return np.log(on_data / on_neighbour)
