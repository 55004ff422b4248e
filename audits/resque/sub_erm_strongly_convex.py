"""SubERM-sc with hidden indices, the output of every call.

What: Algorithm 5 with T = 6, its T_{i-1} rounded up: two calls of one step each, with 2 beta and sqrt(2) beta.
Why: the printed schedule gives the early calls less noise than the outer beta says. What a call releases is then a
Gaussian mechanism on a sample with replacement, whose law is known exactly; the claim is their composition with the
beta of each call. (Proposition 8,
which names the outer beta alone, is false, but the ledger's counterexample has T = 2^(2^34), too large for any run:
claim resque/PROP-8.)
Worst-case neighbours: one record is L<u, x>, all others are -L<u, x>; the neighbour has -L<u, x> there too, so that a
hit moves a call by the largest possible distance and nothing else moves it.
The adversary sees x_1 and x_2.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from dpaudit.algorithms.resque import sub_erm
from dpaudit.algorithms.resque import sub_erm_strongly_convex as solver
from dpaudit.arithmetic.arrays import Array
from dpaudit.content.audits import Audit
from dpaudit.noise.stream import Trials
from dpaudit.problems.smoothing.ridges import Ridge, RidgeLosses, ridge_losses
from dpaudit.records.mechanism import Composed, Gaussian, WithReplacementSampled
from dpaudit.records.privacy import Neighbours, PrivacyClaim, PrivacyProfile, View
from dpaudit.records.target import Target, TrialPlan

RECORDS, DIMENSION = 4, 9
"""In nine dimensions the noise is so small against the ball that no projection hides a hit (once in 10^4 runs)."""
BETA = 1 / 4
PARAMS = solver.Params(
    centre=(0.0,) * DIMENSION, radius=1.0, smoothing=1e6, privacy=BETA, steps=6, lipschitz=1.0, regulariser=1e-6,
    rounding="ceil", records=RECORDS,
)  # fmt: skip
MULTIPLIERS = tuple(1 / (2 * call.privacy) for call in solver.called(PARAMS))
CALLS = Composed(tuple(WithReplacementSampled(1, RECORDS, Gaussian(multiplier)) for multiplier in MULTIPLIERS))
CLAIMED = {"resque/sub-erm-strongly-convex": CALLS}
"""Whose epsilons, rounded up, are the points of the claim."""


def neighbours(rng: np.random.Generator) -> tuple[RidgeLosses, RidgeLosses]:
    """Records -<u, x>, of which the first is turned around in D; u is the first coordinate."""
    u = np.eye(DIMENSION)[0]
    signs = [[1.0, -1.0, -1.0, -1.0], [-1.0] * RECORDS]
    return tuple(ridge_losses([(Ridge.LINEAR, tuple(s * u)) for s in side]) for side in signs)  # type: ignore[return-value]


def run(params: solver.Params, data: RidgeLosses, trials: Trials) -> Array:
    """x_1, x_2 of every trial, shape (trials, calls, d)."""
    return solver.cpu(params, data, trials).iterates


def score(outputs: Array, data: RidgeLosses, neighbour: RidgeLosses) -> Array:
    """The log-likelihood ratio: each call starts from the last output and takes one step of its own length."""
    total, before = np.zeros(len(outputs)), np.zeros(outputs[:, 0].shape)
    for number, call in enumerate(solver.schedule(PARAMS, np.array([PARAMS.regulariser]))):
        inner = solver.inner_params(PARAMS, call, before[0])
        _, eta, scale = inner.phases[0]
        step = eta * np.eye(DIMENSION)[0]
        means = [sub_erm.onto_ball(before + side * step, np.zeros_like(before), PARAMS.radius) for side in (-1, 1)]
        hit, miss = (((outputs[:, number] - mean) ** 2).sum(axis=1) / (2 * scale**2) for mean in means)
        total += np.log1p((np.exp(miss - hit) - 1) / RECORDS)
        before = outputs[:, number]
    return total


AUDIT = Audit(
    Target(
        name="resque/sub-erm-strongly-convex",
        title="SubERM-sc, hidden indices, the output of every call",
        view=View.TRANSCRIPT,
        claim=PrivacyClaim(
            PrivacyProfile(
                ((2.8604, 1e-05), (1.5913, 0.001), (0.8587, 0.01), (0.3278, 0.05), (0.0992, 0.1), (0, 0.2)),
                "Gaussian mechanisms on samples with replacement",
            ),
            Neighbours.REPLACE_ONE,
            delta=1e-5,
            source="Carmon et al. (2023), proposition 8, corrected: the calls composed with their own beta_i, rho >> r",
        ),
        trials=TrialPlan(smoke=50_000, standard=1_500_000, deep=5_000_000),
        truth=CALLS,
        effect="the calls with the least noise give a record away more clearly than their own beta says",
    ),
    neighbours,
    partial(run, PARAMS),
    score,
)
