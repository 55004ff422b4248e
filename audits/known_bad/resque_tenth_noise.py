"""SubERM with a tenth of its noise: a planted bug that the auditor must find.

What: Algorithm 3 with eight steps and known indices; sigma_i = L eta_i/(10 beta).
Why: the claim stays that of the full noise, 1-GDP, while the run is 10-GDP. This is the first negative control of the
specification, section 4.4.
Worst-case neighbours: one record is L<u, x> or -L<u, x>, all others are 0, and it is drawn once, at the first step.
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

HONEST = sub_erm.Params(
    centre=(0.0,), radius=1.0, smoothing=1e6, privacy=1 / 2, steps=8, distance=0.2, lipschitz=1.0, records=2
)
PARAMS = dataclasses.replace(HONEST, control="tenth_noise")  # the bug
INDICES = np.array([0, 1, 1, 1, 1, 1, 1])

TARGET = Target(
    name="known-bad/resque-tenth-noise",
    title="SubERM with a tenth of the noise that it claims",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        GaussianDP(1.0),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source="Carmon et al. (2023), lemma 5 for rho >> r with its best constant, the noise before the bug",
    ),
    trials=TrialPlan(smoke=20_000, standard=200_000, deep=1_000_000),
    control=Control.KNOWN_BAD,
    expects=Outcome.REFUTED,
    truth=Gaussian(1 / 10),
    effect="one look at the first phase output names the record that was used, at epsilon 92 instead of 4.4",
    repair="resque/sub-erm-white-box",
    bug=PlantedBug("https://github.com/opendp/smartnoise-core/issues/316", Tier.GAME, 100),
)


def neighbours(rng: np.random.Generator) -> tuple[RidgeLosses, RidgeLosses]:
    """Two records of which the first is x or -x and the other is 0."""
    return tuple(ridge_losses([(Ridge.LINEAR, (s,)), (Ridge.ZERO, (1.0,))]) for s in (1.0, -1.0))  # type: ignore[return-value]


def run(data: RidgeLosses, trials: Trials) -> Array:
    """x_1, x_2, x_3 of every trial, shape (trials, phases, 1)."""
    return sub_erm.cpu(PARAMS, data, trials, INDICES).phases


def score(outputs: Array, data: RidgeLosses, neighbour: RidgeLosses) -> Array:
    """The log-likelihood ratio of an adversary who believes the claimed noise."""
    return sub_erm.canary_log_likelihood_ratio(HONEST, outputs, (1.0,), INDICES)
