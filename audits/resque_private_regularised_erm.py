"""PrivateRegERM from end to end, with practical constants.

What: two stages of PrivateERM on eight records with a quadratic of the objective, one iteration a stage.
Why: the second stage starts where the first one ended and has a domain of its own; the promise is that of all oracle
calls of both. The audit sees gross errors of the assembly only, as for PrivateERM.
Worst-case neighbours: one record is L<u, x>, all others are -L<u, x>; the neighbour has -L<u, x> there too.
The adversary sees the results of both stages.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.resque import private_regularised_erm as solver
from dpaudit.noise.stream import Trials
from dpaudit.problems.smoothing.ridges import Ridge, RidgeLosses, ridge_losses
from dpaudit.records.privacy import ApproximateDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan

Array = NDArray[np.float64]

RECORDS = 8
PARAMS = solver.Params(
    origin=(0.0,), radius=1.0, lipschitz=1.0, records=RECORDS, epsilon=0.9, delta=1e-5, regulariser=0.1,
    acceleration_constant=0.5, error_constant=2.0, estimator="unweighted", steps=(4, 4, 4), privacy=0.05, failure=0.9,
    most=1, ball_share=0.5, smoothing_share=1e3, accuracy_share=0.5,
)  # fmt: skip

TARGET = Target(
    name="resque/private-regularised-erm",
    title="PrivateRegERM with practical constants, the results of its stages",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        ApproximateDP(2.59, 1e-5),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source="Carmon et al. (2023), corollary 3, corrected: lemmas 3, 5 and 7 over all oracle calls, w = 1",
    ),
    trials=TrialPlan(smoke=100_000, standard=1_000_000, deep=5_000_000),
    effect="the stages give a record away more clearly than all their oracle calls together are charged for",
)


def neighbours(rng: np.random.Generator) -> tuple[RidgeLosses, RidgeLosses]:
    """Records -x, of which the first is turned around in D."""
    signs = [[1.0] + [-1.0] * (RECORDS - 1), [-1.0] * RECORDS]
    return tuple(ridge_losses([(Ridge.LINEAR, (s,)) for s in side]) for side in signs)  # type: ignore[return-value]


def run(data: RidgeLosses, trials: Trials) -> Array:
    """The result of every stage, shape (trials, stages, 1)."""
    return solver.cpu(PARAMS, data, trials).iterates


def score(outputs: Array, data: RidgeLosses, neighbour: RidgeLosses) -> Array:
    """Minus the sum of the results: the record of D pulls them to the left."""
    return -outputs[:, :, 0].sum(axis=1)
