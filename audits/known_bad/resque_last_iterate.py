"""SubERM that adds its noise to the last iterate of a phase: a planted bug.

What: Algorithm 3 with eight steps and known indices; x_i is y_T plus noise, where the algorithm takes the average.
Why: a hit moves every later iterate by one step. The average shrinks a late hit by the length of the phase, the last
iterate does not, so that the exact mechanism for known indices, in which late hits are cheap, is exceeded four times.
Lemma 5 charges every hit as if it came first, so that its own bound still holds. This is the fourth negative control
of the specification, section 4.4.
Worst-case neighbours: one record is L<u, x> or -L<u, x>, all others are 0; it is drawn once, at the last step of
phase 1.
The adversary sees the indices and every x_i.
"""

from __future__ import annotations

import dataclasses

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

BETA = 1.0
HONEST = sub_erm.Params(
    centre=(0.0,), radius=1.0, smoothing=1e6, privacy=BETA, steps=8, distance=0.2, lipschitz=1.0, records=2
)
PARAMS = dataclasses.replace(HONEST, control="last_iterate")  # the bug
INDICES = np.array([1, 1, 1, 0, 1, 1, 1])

TARGET = Target(
    name="known-bad/resque-last-iterate",
    title="SubERM with its noise on the last iterate",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        GaussianDP(2 * BETA / 4),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source="Carmon et al. (2023), Algorithm 3 on linear records, a hit at step 4 of 4: 2 beta/4 of Gaussian DP",
    ),
    trials=TrialPlan(smoke=20_000, standard=200_000, deep=1_000_000),
    control=Control.KNOWN_BAD,
    expects=Outcome.REFUTED,
    truth=Gaussian(1 / (2 * BETA)),
    effect="records that are read late in a phase are exposed as much as those that are read first: four times",
    repair="resque/sub-erm-final",
    bug=PlantedBug(
        "Carmon et al. (2023), https://arxiv.org/abs/2301.00457, algorithm 3 without its average",
        Tier.GAME,
        100,
    ),
)


def neighbours(rng: np.random.Generator) -> tuple[RidgeLosses, RidgeLosses]:
    """Two records of which the first is x or -x and the other is 0."""
    return tuple(ridge_losses([(Ridge.LINEAR, (s,)), (Ridge.ZERO, (1.0,))]) for s in (1.0, -1.0))  # type: ignore[return-value]


def run(data: RidgeLosses, trials: Trials) -> Array:
    """x_1, x_2, x_3 of every trial, shape (trials, phases, 1)."""
    return sub_erm.cpu(PARAMS, data, trials, INDICES).phases


def score(outputs: Array, data: RidgeLosses, neighbour: RidgeLosses) -> Array:
    """The log-likelihood ratio of an adversary who believes in the average."""
    return sub_erm.canary_log_likelihood_ratio(HONEST, outputs, (1.0,), INDICES)
