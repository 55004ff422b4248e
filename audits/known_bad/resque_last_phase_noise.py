"""SubERM with noise in its last phase only: a planted bug.

What: Algorithm 3 with eight steps and known indices; only x_k is returned, and only the last phase is given its noise.
Why: an implementer may think that noise on what is returned is enough. But noise shrinks with the step size, by 4 a
phase: that of the last phase does not hide what a hit did in the first, whose shift is 16 times as large.
Worst-case neighbours: one record is L<u, x> or -L<u, x>, all others are 0, and it is drawn once, at the first step.
The adversary sees the indices and x_k.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.resque import sub_erm
from dpaudit.noise.stream import Trials
from dpaudit.problems.smoothing.ridges import Ridge, RidgeLosses, ridge_losses
from dpaudit.records.mechanism import Gaussian
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Control, PlantedBug, Target, Tier, TrialPlan
from dpaudit.records.verdict import Outcome

Array = NDArray[np.float64]

BETA = 1 / 2
PARAMS = sub_erm.Params(
    centre=(0.0,), radius=1.0, smoothing=1e6, privacy=BETA, steps=8, distance=0.2, lipschitz=1.0, records=2
)
INDICES = np.array([0, 1, 1, 1, 1, 1, 1])

TARGET = Target(
    name="known-bad/resque-last-phase-noise",
    title="SubERM with noise in its last phase only",
    view=View.FINAL_MODEL,
    claim=PrivacyClaim(
        GaussianDP(1.0),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source="Carmon et al. (2023), lemma 5 for rho >> r with its best constant, noise in every phase",
    ),
    trials=TrialPlan(smoke=20_000, standard=200_000, deep=1_000_000),
    control=Control.KNOWN_BAD,
    expects=Outcome.REFUTED,
    truth=Gaussian(1 / 16),
    effect="the returned point names the record that was used, at epsilon 195 instead of 4.4",
    repair="resque/sub-erm-white-box",
    bug=PlantedBug(
        "Carmon et al. (2023), https://arxiv.org/abs/2301.00457, algorithm 3 with the noise of one phase",
        Tier.GAME,
        100,
    ),
)


def neighbours(rng: np.random.Generator) -> tuple[RidgeLosses, RidgeLosses]:
    """Two records of which the first is x or -x and the other is 0."""
    return tuple(ridge_losses([(Ridge.LINEAR, (s,)), (Ridge.ZERO, (1.0,))]) for s in (1.0, -1.0))  # type: ignore[return-value]


def run(data: RidgeLosses, trials: Trials) -> Array:
    """x_k without the noise of the earlier phases, which on linear records adds to all that follows; (trials, 1)."""
    done = sub_erm.cpu(PARAMS, data, trials, INDICES)
    return done.final - (done.phases - done.averages)[:, :-1].sum(axis=1)


def score(outputs: Array, data: RidgeLosses, neighbour: RidgeLosses) -> Array:
    """Minus x_k: the record of D pulls it to the left."""
    return -outputs[:, 0]
