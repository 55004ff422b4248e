"""HighProbERM with hidden indices, the output of every copy.

What: Algorithm 7 with T = 4 and four copies: each copy is one call of one step.
Why: the copies are independent runs on the same records, so that their privacy is a fourfold product; a copy that is
forgotten in the accounts, or copies that share their noise, shows.
Worst-case neighbours: one record is L<u, x>, all others are -L<u, x>; the neighbour has -L<u, x> there too.
The adversary sees the points of all copies, before one of them is chosen.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.resque import high_probability_erm as solver
from dpaudit.noise.stream import Trials
from dpaudit.problems.smoothing.ridges import Ridge, RidgeLosses, ridge_losses
from dpaudit.records.mechanism import Gaussian, SelfComposed, WithReplacementSampled
from dpaudit.records.privacy import Neighbours, PrivacyClaim, PrivacyProfile, View
from dpaudit.records.target import Target, TrialPlan

Array = NDArray[np.float64]

RECORDS = 4
PARAMS = solver.Params(
    centre=(0.0,), radius=1.0, smoothing=1e6, privacy=1 / 4, steps=4, lipschitz=1.0, regulariser=1e-6,
    records=RECORDS, failure=0.82,
)  # fmt: skip
BETA = solver.solver.called(PARAMS)[0].privacy
CLAIMED = SelfComposed(WithReplacementSampled(1, RECORDS, Gaussian(1 / (2 * BETA))), PARAMS.copies)
"""Whose epsilons, rounded up, are the points of the claim."""

TARGET = Target(
    name="resque/high-probability-erm",
    title="HighProbERM, hidden indices, the points of all copies",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        PrivacyProfile(
            ((2.369, 1e-05), (1.3957, 0.001), (0.843, 0.01), (0.4002, 0.05), (0.1798, 0.1), (0, 0.2)),
            "Gaussian mechanisms on samples with replacement",
        ),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source="Carmon et al. (2023), proposition 10, corrected: the copies composed with their own beta_i, rho >> r",
    ),
    trials=TrialPlan(smoke=300_000, standard=2_000_000, deep=10_000_000),
    truth=CLAIMED,
    effect="the line search gives a record away more clearly than its copies together are charged for",
)


def neighbours(rng: np.random.Generator) -> tuple[RidgeLosses, RidgeLosses]:
    """Records -x, of which the first is turned around in D."""
    signs = [[1.0, -1.0, -1.0, -1.0], [-1.0] * RECORDS]
    return tuple(ridge_losses([(Ridge.LINEAR, (s,)) for s in side]) for side in signs)  # type: ignore[return-value]


def run(data: RidgeLosses, trials: Trials) -> Array:
    """The points of all copies, shape (trials, copies, 1)."""
    return solver.cpu(PARAMS, data, trials).copies


def score(outputs: Array, data: RidgeLosses, neighbour: RidgeLosses) -> Array:
    """The log-likelihood ratio of independent mixtures: a copy that drew the record moves by 2 beta of its noise."""
    call = solver.solver.schedule(PARAMS, np.array([PARAMS.regulariser]))[0]
    _, eta, scale = solver.solver.inner_params(PARAMS, call, np.zeros(1)).phases[0]
    moved = (outputs[:, :, 0] - eta) / scale
    hit = np.exp(-2 * BETA * moved - 2 * BETA**2)
    return np.log1p((hit - 1) / RECORDS).sum(axis=1)
