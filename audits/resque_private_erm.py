"""PrivateERM from end to end, with practical constants.

What: ball acceleration with the three private oracles, cut after one iteration, on eight records.
Why: with the constants of the proofs theorem 3 needs more records than any data set has; with practical ones the
assembled algorithm runs and has a promise, that of all its oracle calls together. The audit sees gross errors of the
assembly (an oracle without noise, a record that is read outside of the oracles), not fine ones: what leaves the
algorithm is far less than what is charged.
Worst-case neighbours: one record is L<u, x>, all others are -L<u, x>; the neighbour has -L<u, x> there too.
The adversary sees the point that is returned and the result of the proximal oracle.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.resque import private_erm
from dpaudit.noise.stream import Trials
from dpaudit.problems.smoothing.ridges import Ridge, RidgeLosses, ridge_losses
from dpaudit.records.privacy import ApproximateDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan

Array = NDArray[np.float64]

RECORDS = 8
PARAMS = private_erm.Params(
    origin=(0.0,), radius=1.0, ball_radius=0.5, lipschitz=1.0, accuracy=0.5, acceleration_constant=0.5, most=1,
    smoothing=1e3, privacy=0.1, search_steps=4, ball_steps=4, proximal_steps=4, failure=0.9, error_constant=2.0,
    records=RECORDS, estimator="unweighted",
)  # fmt: skip

TARGET = Target(
    name="resque/private-erm",
    title="PrivateERM with practical constants, what it returns",
    view=View.FINAL_MODEL,
    claim=PrivacyClaim(
        ApproximateDP(3.9423, 1e-5),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source="Carmon et al. (2023), theorem 3, corrected: lemmas 3, 5 and 7 over all oracle calls, w = 1",
    ),
    trials=TrialPlan(smoke=100_000, standard=1_000_000, deep=5_000_000),
    effect="the returned model gives a record away more clearly than all oracle calls together are charged for",
)


def neighbours(rng: np.random.Generator) -> tuple[RidgeLosses, RidgeLosses]:
    """Records -x, of which the first is turned around in D."""
    signs = [[1.0] + [-1.0] * (RECORDS - 1), [-1.0] * RECORDS]
    return tuple(ridge_losses([(Ridge.LINEAR, (s,)) for s in side]) for side in signs)  # type: ignore[return-value]


def run(data: RidgeLosses, trials: Trials) -> Array:
    """The returned point and the proximal one, shape (trials, 2)."""
    done = private_erm.cpu(PARAMS, data, trials)
    return np.stack([done.final[:, 0], done.proximal[:, 0, 0]], axis=1)


def score(outputs: Array, data: RidgeLosses, neighbour: RidgeLosses) -> Array:
    """Minus the returned point: the record of D pulls it to the left."""
    return -outputs[:, 0]
