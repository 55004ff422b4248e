"""SubERM that reads its records in a public order and claims the privacy of hidden ones: a planted bug.

What: Algorithm 3 with eight steps on 64 records; step j reads record j, as a loop over a data set does, where the
accounts assume indices that are drawn at random and kept secret.
Why: the claim is amplified by sampling, the run is not. Its first phase output is a Gaussian mechanism in which the
first record is read for certain. This is the second negative control of the specification, section 4.4.
Worst-case neighbours: the first record is L<u, x> or -L<u, x>, all others are 0.
The adversary sees every x_i and knows the order.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.resque import sub_erm
from dpaudit.noise.stream import Trials
from dpaudit.problems.smoothing.ridges import Ridge, RidgeLosses, ridge_losses
from dpaudit.records.mechanism import Composed, Gaussian, WithReplacementSampled
from dpaudit.records.privacy import Neighbours, PrivacyClaim, PrivacyProfile, View
from dpaudit.records.target import Control, PlantedBug, Target, Tier, TrialPlan
from dpaudit.records.verdict import Outcome

Array = NDArray[np.float64]

RECORDS, BETA = 64, 1 / 2
PARAMS = sub_erm.Params(
    centre=(0.0,), radius=1.0, smoothing=1e6, privacy=BETA, steps=8, distance=0.2, lipschitz=1.0, records=RECORDS
)
INDICES = np.arange(sub_erm.queries(PARAMS))  # the bug
CLAIMED = Composed(
    tuple(WithReplacementSampled(length, RECORDS, Gaussian(1 / (2 * BETA))) for length, _, _ in PARAMS.phases)
)
"""Whose epsilons, rounded up, are the points of the claim."""

TARGET = Target(
    name="known-bad/resque-public-indices",
    title="SubERM in a public order, with the privacy of hidden indices",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        PrivacyProfile(
            ((3.7578, 1e-05), (0.4818, 0.001), (0.1118, 0.01), (0, 0.05)),
            "Gaussian mechanisms on samples with replacement",
        ),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source="Carmon et al. (2023), lemmas 5 and 7 for rho >> r: Gaussian mechanisms on samples with replacement",
    ),
    trials=TrialPlan(smoke=20_000, standard=500_000, deep=1_000_000),
    control=Control.KNOWN_BAD,
    expects=Outcome.REFUTED,
    truth=Gaussian(1 / (2 * BETA)),
    effect="records at the front lose the protection of sampling: the best adversary's true positive rate exceeds its "
    "false positive rate by 0.38, where 0.05 is claimed to be the most",
    repair="resque/sub-erm-grey-box",
    bug=PlantedBug("Chua et al. (2024), https://arxiv.org/abs/2403.17673", Tier.GAME, 500),
)


def neighbours(rng: np.random.Generator) -> tuple[RidgeLosses, RidgeLosses]:
    """Records of which the first is x or -x and the others are 0."""
    others = [(Ridge.ZERO, (1.0,))] * (RECORDS - 1)
    return tuple(ridge_losses([(Ridge.LINEAR, (sign,)), *others]) for sign in (1.0, -1.0))  # type: ignore[return-value]


def run(data: RidgeLosses, trials: Trials) -> Array:
    """x_1, x_2, x_3 of every trial, shape (trials, phases, 1)."""
    return sub_erm.cpu(PARAMS, data, trials, INDICES).phases


def score(outputs: Array, data: RidgeLosses, neighbour: RidgeLosses) -> Array:
    """The log-likelihood ratio given the order."""
    return sub_erm.canary_log_likelihood_ratio(PARAMS, outputs, (1.0,), INDICES)
