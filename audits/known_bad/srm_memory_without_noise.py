"""DP-SRM that feeds back the estimate without its noise: a planted bug that the auditor must find.

What: three estimates from all four records, momentum 1/2; v^t continues from v^{t-1}, where algorithm 1 has the noisy
v_p^{t-1}. The noise is that of the algorithm, for 1-GDP: later estimates get half of it, for half of the gradient.
Why: given what was released, only the new half of the gradient should depend on the record. Without noise in what is
fed back every estimate carries the whole gradient: mu^2 = (1 + 4 + 4)/3, so that the run is 1.73-GDP.
Worst-case neighbours: linear losses with gradients of norm G; one record is turned around.
The adversary sees every estimate and knows the other records.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpaudit.attacks import likelihood_ratio
from dpaudit.noise.stream import Trials
from dpaudit.records.mechanism import Gaussian
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Control, PlantedBug, Target, Tier, TrialPlan
from dpaudit.records.verdict import Outcome

Array = NDArray[np.float64]

RECORDS, STEPS, LIPSCHITZ, MOMENTUM = 4, 3, 2.0, 0.5
FIRST_NOISE = 2 * LIPSCHITZ * math.sqrt(STEPS) / RECORDS
NOISE = FIRST_NOISE * np.array([1.0, MOMENTUM, MOMENTUM])

TARGET = Target(
    name="known-bad/srm-memory-without-noise",
    title="DP-SRM that feeds back its estimate without the noise",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        GaussianDP(1.0),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source="Wang, Jayaraman, Evans, Gu (2023), proof of theorem 5.1, where the noisy estimate is fed back",
    ),
    trials=TrialPlan(smoke=100_000, standard=500_000, deep=1_000_000),
    control=Control.KNOWN_BAD,
    expects=Outcome.REFUTED,
    truth=Gaussian(1 / math.sqrt(3)),
    effect="the record of one person shows in the transcript about as clearly as at epsilon 8.4, not 4.4",
    repair="srm/theorem-5.1",
    bug=PlantedBug(
        "Wang, Jayaraman, Evans, Gu (2019), https://arxiv.org/abs/1910.13659, proof of theorem 5.1",
        Tier.GAME,
        100_000,
    ),
)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Gradients of the linear losses, shape (4,), at most G; the first one is turned around."""
    data = rng.uniform(-LIPSCHITZ, LIPSCHITZ, size=RECORDS)
    neighbour = data.copy()
    data[0], neighbour[0] = LIPSCHITZ, -LIPSCHITZ
    return data, neighbour


def run(data: Array, trials: Trials) -> Array:
    """Noisy estimates, shape (trials, 3): the gradient is the same at both points of a step."""
    gradient, estimate, released = data.mean(), np.zeros(len(trials)), []
    for t in range(STEPS):
        estimate = gradient + (1 - MOMENTUM) * (estimate - gradient) if t else estimate + gradient
        noise = NOISE[t] * trials.stream.normals(trials.numbers, t, 1)[:, 0]
        released.append(estimate + noise)  # and `estimate` stays without: the bug
    return np.stack(released, axis=1)


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of all estimates."""
    return likelihood_ratio.gaussian(outputs, data.mean(), neighbour.mean(), NOISE)
