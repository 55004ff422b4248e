"""PrivateSCO from end to end, with practical constants.

What: phases of PrivateRegERM on disjoint batches of 8 and 4 of seventeen records.
Why: each record is read in one phase only, so that the promise is that of the worst phase. A batch that is read twice
or a phase that forgets its noise shows; fine errors do not, as for PrivateERM.
Worst-case neighbours: one record of the first batch is L<u, x>, all others are -L<u, x>; the neighbour has
-L<u, x> there too.
The adversary sees the results of all phases.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.resque import private_sco as solver
from dpaudit.noise.stream import Trials
from dpaudit.problems.smoothing.ridges import Ridge, RidgeLosses, ridge_losses
from dpaudit.records.privacy import ApproximateDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan

Array = NDArray[np.float64]

RECORDS = 17
PARAMS = solver.Params(
    origin=(0.0,), radius=1.0, lipschitz=1.0, records=RECORDS, epsilon=0.9, delta=1e-5, budget="parallel",
    step_constant=20.0, least_records=4, acceleration_constant=0.5, error_constant=2.0, estimator="unweighted",
    steps=(4, 4, 2), privacy=0.05, failure=0.9, most=1, ball_share=0.5, smoothing_share=1e3, accuracy_share=0.5,
)  # fmt: skip

TARGET = Target(
    name="resque/private-sco",
    title="PrivateSCO with practical constants, the results of its phases",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        ApproximateDP(2.1917, 1e-5),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source="Carmon et al. (2023), theorem 4, corrected: lemmas 3, 5 and 7 over all oracle calls, w = 1",
    ),
    trials=TrialPlan(smoke=50_000, standard=500_000, deep=2_000_000),
    effect="the phases give a record away more clearly than the oracle calls of one phase are charged for",
)


def neighbours(rng: np.random.Generator) -> tuple[RidgeLosses, RidgeLosses]:
    """Records -x, of which the first is turned around in D."""
    signs = [[1.0] + [-1.0] * (RECORDS - 1), [-1.0] * RECORDS]
    return tuple(ridge_losses([(Ridge.LINEAR, (s,)) for s in side]) for side in signs)  # type: ignore[return-value]


def run(data: RidgeLosses, trials: Trials) -> Array:
    """The result of every phase that ran, shape (trials, phases, 1)."""
    return solver.cpu(PARAMS, data, trials).iterates


def score(outputs: Array, data: RidgeLosses, neighbour: RidgeLosses) -> Array:
    """Minus the result of the first phase, which alone reads the record."""
    return -outputs[:, 0, 0]
