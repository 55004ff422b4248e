"""The assembled solvers from end to end, with practical constants: PrivateERM, PrivateRegERM, PrivateSCO.

What: ball acceleration with the three private oracles, cut after one iteration a call; stages of it on a regularised
objective; phases of those stages on disjoint batches.
Why: with the constants of the proofs theorem 3 needs more records than any data set has; with practical ones the
assembled algorithms run and have a promise, that of all their oracle calls together. The audits see gross errors of the
assembly (an oracle without noise, a record that is read outside of the oracles, a batch that is read twice), not fine
ones: what leaves an algorithm is far less than what is charged.
Worst-case neighbours: one record, of the first batch, is L<u, x>, all others are -L<u, x>; the neighbour has -L<u, x>
there too.
The adversary sees the points that are returned: of PrivateERM also the result of the proximal oracle, of the others
those of every stage or phase.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from dpaudit.algorithms.resque import private_erm, private_regularised_erm, private_sco
from dpaudit.arithmetic.arrays import Array
from dpaudit.content.audits import Audit
from dpaudit.noise.stream import Trials
from dpaudit.problems.smoothing.ridges import Ridge, RidgeLosses, ridge_losses
from dpaudit.records.privacy import ApproximateDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan

ERM = private_erm.Params(
    origin=(0.0,), radius=1.0, ball_radius=0.5, lipschitz=1.0, accuracy=0.5, acceleration_constant=0.5, most=1,
    smoothing=1e3, privacy=0.1, search_steps=4, ball_steps=4, proximal_steps=4, failure=0.9, error_constant=2.0,
    records=8, estimator="unweighted",
)  # fmt: skip
REGULARISED = private_regularised_erm.Params(
    origin=(0.0,), radius=1.0, lipschitz=1.0, records=8, epsilon=0.9, delta=1e-5, regulariser=0.1,
    acceleration_constant=0.5, error_constant=2.0, estimator="unweighted", steps=(4, 4, 4), privacy=0.05, failure=0.9,
    most=1, ball_share=0.5, smoothing_share=1e3, accuracy_share=0.5,
)  # fmt: skip
"""Two stages; the second one starts where the first one ended and has a domain of its own."""
SCO = private_sco.Params(
    origin=(0.0,), radius=1.0, lipschitz=1.0, records=17, epsilon=0.9, delta=1e-5, budget="parallel",
    step_constant=20.0, least_records=4, acceleration_constant=0.5, error_constant=2.0, estimator="unweighted",
    steps=(4, 4, 2), privacy=0.05, failure=0.9, most=1, ball_share=0.5, smoothing_share=1e3, accuracy_share=0.5,
)  # fmt: skip
"""Batches of 8 and 4 records. Each record is read in one phase only, so that the promise is that of the worst phase."""


def neighbours(records: int, rng: np.random.Generator) -> tuple[RidgeLosses, RidgeLosses]:
    """Records -x, of which the first is turned around in D."""
    signs = [[1.0] + [-1.0] * (records - 1), [-1.0] * records]
    return tuple(ridge_losses([(Ridge.LINEAR, (s,)) for s in side]) for side in signs)  # type: ignore[return-value]


def claim(epsilon: float, statement: str) -> PrivacyClaim:
    """What the oracle calls of `statement` cost together at delta = 1e-5."""
    return PrivacyClaim(
        ApproximateDP(epsilon, 1e-5),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source=f"Carmon et al. (2023), {statement}, corrected: lemmas 3, 5 and 7 over all oracle calls, w = 1",
    )


def run_erm(params: private_erm.Params, data: RidgeLosses, trials: Trials) -> Array:
    """The returned point and the proximal one, shape (trials, 2)."""
    done = private_erm.cpu(params, data, trials)
    return np.stack([done.final[:, 0], done.proximal[:, 0, 0]], axis=1)


def run_regularised(params: private_regularised_erm.Params, data: RidgeLosses, trials: Trials) -> Array:
    """The result of every stage, shape (trials, stages, 1)."""
    return private_regularised_erm.cpu(params, data, trials).iterates


def run_sco(params: private_sco.Params, data: RidgeLosses, trials: Trials) -> Array:
    """The result of every phase that ran, shape (trials, phases, 1)."""
    return private_sco.cpu(params, data, trials).iterates


def score_erm(outputs: Array, data: RidgeLosses, neighbour: RidgeLosses) -> Array:
    """Minus the returned point: the record of D pulls it to the left."""
    return -outputs[:, 0]


def score_regularised(outputs: Array, data: RidgeLosses, neighbour: RidgeLosses) -> Array:
    """Minus the sum of the results: the record of D pulls them to the left."""
    return -outputs[:, :, 0].sum(axis=1)


def score_sco(outputs: Array, data: RidgeLosses, neighbour: RidgeLosses) -> Array:
    """Minus the result of the first phase, which alone reads the record."""
    return -outputs[:, 0, 0]


PRIVATE_ERM = Audit(
    Target(
        name="resque/private-erm",
        title="PrivateERM with practical constants, what it returns",
        view=View.FINAL_MODEL,
        claim=claim(3.9423, "theorem 3"),
        trials=TrialPlan(smoke=100_000, standard=1_000_000, deep=5_000_000),
        effect="the returned model gives a record away more clearly than all oracle calls together are charged for",
    ),
    partial(neighbours, ERM.records),
    partial(run_erm, ERM),
    score_erm,
)

PRIVATE_REGULARISED_ERM = Audit(
    Target(
        name="resque/private-regularised-erm",
        title="PrivateRegERM with practical constants, the results of its stages",
        view=View.TRANSCRIPT,
        claim=claim(2.59, "corollary 3"),
        trials=TrialPlan(smoke=100_000, standard=1_000_000, deep=5_000_000),
        effect="the stages give a record away more clearly than all their oracle calls together are charged for",
    ),
    partial(neighbours, REGULARISED.records),
    partial(run_regularised, REGULARISED),
    score_regularised,
)

PRIVATE_SCO = Audit(
    Target(
        name="resque/private-sco",
        title="PrivateSCO with practical constants, the results of its phases",
        view=View.TRANSCRIPT,
        claim=claim(2.1917, "theorem 4"),
        trials=TrialPlan(smoke=50_000, standard=500_000, deep=2_000_000),
        effect="the phases give a record away more clearly than the oracle calls of one phase are charged for",
    ),
    partial(neighbours, SCO.records),
    partial(run_sco, SCO),
    score_sco,
)

AUDITS = (PRIVATE_ERM, PRIVATE_REGULARISED_ERM, PRIVATE_SCO)
