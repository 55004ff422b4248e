"""SubERM with a regulariser and known indices, all phase outputs.

What: Algorithm 4 with eight steps (phases of 4, 2 and 1) and lambda = 4; the indices are public, and the record that
differs is drawn at the first step of every phase.
Why: the composite step is where the regularised solver differs. It shrinks what a hit did, so that the exact mechanism
leaks less than lemma 5 charges; the audit holds the run against that exact mechanism. A regulariser that is left out,
or one whose centre is not the ball's, shows as a violation or as a loss of power.
Worst-case neighbours: one record is L<u, x> or -L<u, x>, all others are 0.
The adversary sees the indices and every x_i, and follows the shrinking from each of them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.resque import sub_erm
from dpaudit.attacks import likelihood_ratio
from dpaudit.noise.stream import Trials
from dpaudit.problems.smoothing.ridges import Ridge, RidgeLosses, ridge_losses
from dpaudit.records.mechanism import Composed, Gaussian
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan

Array = NDArray[np.float64]

RECORDS = 2
PARAMS = sub_erm.Params(
    centre=(0.0,), radius=1.0, smoothing=1e6, privacy=0.3, steps=8, regulariser=4.0, distance=0.2, lipschitz=1.0,
    records=RECORDS,
)  # fmt: skip
INDICES = np.array([0, 1, 1, 1, 0, 1, 0])
SHIFTS = tuple(float(shift) for shift in sub_erm.canary_shifts(PARAMS, INDICES))

TARGET = Target(
    name="resque/sub-erm-regularised",
    title="SubERM with a regulariser, known indices, all phase outputs",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        GaussianDP(float(np.linalg.norm(SHIFTS)) * (1 + 1e-9)),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source="Carmon et al. (2023), Algorithm 4 on linear records, known indices: section 4.3 of the specification",
    ),
    trials=TrialPlan(smoke=50_000, standard=5_000_000, deep=10_000_000),
    truth=Composed(tuple(Gaussian(1 / shift) for shift in SHIFTS)),
    effect="whoever learns which records were drawn can tell a record apart more clearly than the noise was made for",
)


def neighbours(rng: np.random.Generator) -> tuple[RidgeLosses, RidgeLosses]:
    """Two records of which the first is x or -x and the other is 0."""
    return tuple(ridge_losses([(Ridge.LINEAR, (s,)), (Ridge.ZERO, (1.0,))]) for s in (1.0, -1.0))  # type: ignore[return-value]


def run(data: RidgeLosses, trials: Trials) -> Array:
    """x_1, x_2, x_3 of every trial, shape (trials, phases, 1)."""
    return sub_erm.cpu(PARAMS, data, trials, INDICES).phases


def score(outputs: Array, data: RidgeLosses, neighbour: RidgeLosses) -> Array:
    """The log-likelihood ratio given the indices: each average is what x_{i-1} shrinks to, moved by its hit."""
    phases = outputs[:, :, 0]
    starts = np.concatenate([np.zeros((len(phases), 1)), phases[:, :-1]], axis=1)
    scales = np.array([sigma for _, _, sigma in PARAMS.phases])
    kept = [(1 + eta * PARAMS.regulariser) ** -np.arange(1.0, length + 1) for length, eta, _ in PARAMS.phases]
    centres, halves = starts * [shrunk.mean() for shrunk in kept], np.array(SHIFTS) * scales / 2
    return likelihood_ratio.gaussian(phases, centres - halves, centres + halves, scales)
