"""SubERM with hidden indices, all phase outputs: a mixture over how often, and where, the record was drawn.

What: Algorithm 3 with eight steps (phases of 4, 2 and 1), indices drawn from eight records with replacement.
Why: hiding the indices is what lemma 7 is about. The claim here is the sharp one for rho >> r: given b_i hits a phase
is at most 2 beta b_i-GDP, so that it is a Gaussian mechanism on a sample with replacement. Indices that are not
uniform, or drawn once for all phases, show, and so does noise that is too small.
Worst-case neighbours: one record is L<u, x> or -L<u, x>, all others are 0.
The adversary sees every x_i and knows the algorithm; its score is the exact likelihood ratio of the mixture.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.resque import sub_erm
from dpaudit.noise.stream import Trials
from dpaudit.problems.smoothing.ridges import Ridge, RidgeLosses, ridge_losses
from dpaudit.records.mechanism import Composed, Gaussian, WithReplacementSampled
from dpaudit.records.privacy import Neighbours, PrivacyClaim, PrivacyProfile, View
from dpaudit.records.target import Target, TrialPlan

Array = NDArray[np.float64]

RECORDS, BETA = 8, 1 / 4
PARAMS = sub_erm.Params(
    centre=(0.0,), radius=1.0, smoothing=1e6, privacy=BETA, steps=8, distance=0.2, lipschitz=1.0, records=RECORDS
)
CLAIMED = Composed(
    tuple(WithReplacementSampled(length, RECORDS, Gaussian(1 / (2 * BETA))) for length, _, _ in PARAMS.phases)
)
"""Whose epsilons, rounded up, are the points of the claim."""

TARGET = Target(
    name="resque/sub-erm-grey-box",
    title="SubERM, hidden indices, all phase outputs",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        PrivacyProfile(
            ((4.5492, 1e-05), (1.8349, 0.001), (0.748, 0.01), (0.2437, 0.05), (0.0576, 0.1), (0, 0.2)),
            "Gaussian mechanisms on samples with replacement",
        ),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source="Carmon et al. (2023), lemmas 5 and 7 for rho >> r: Gaussian mechanisms on samples with replacement",
    ),
    trials=TrialPlan(smoke=50_000, standard=5_000_000, deep=10_000_000),
    effect="a record shows in the phase outputs more clearly than sampling promises to hide it",
)


def neighbours(rng: np.random.Generator) -> tuple[RidgeLosses, RidgeLosses]:
    """Eight records of which the first is x or -x and the others are 0."""
    others = [(Ridge.ZERO, (1.0,))] * (RECORDS - 1)
    return tuple(ridge_losses([(Ridge.LINEAR, (sign,)), *others]) for sign in (1.0, -1.0))  # type: ignore[return-value]


def run(data: RidgeLosses, trials: Trials) -> Array:
    """x_1, x_2, x_3 of every trial, shape (trials, phases, 1)."""
    return sub_erm.cpu(PARAMS, data, trials).phases


def score(outputs: Array, data: RidgeLosses, neighbour: RidgeLosses) -> Array:
    """The log-likelihood ratio of the mixture over hidden indices, with all weights 1."""
    return sub_erm.canary_log_likelihood_ratio(PARAMS, outputs, (1.0,), records=RECORDS)
