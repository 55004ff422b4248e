"""Gaussian noise of NumPy, added in float64: a planted bug that the auditor must find.

What: releases a sum of sensitivity 1 plus `numpy.random.Generator.normal` of scale 1, the textbook form of 1-GDP.
Why: as with Laplace noise, the last places of the sum show how large the noise was before it was added (Haney et al.
2022). The event has a true positive rate above zero at a false positive rate of zero; real numbers would be 1-GDP.
Worst-case neighbours: a sum of 0 with the record left out, of 1 with it.
The adversary sees the released number, all 64 bits of it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpaudit.attacks import float_bits
from dpaudit.noise.stream import Trials
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Control, PlantedBug, Target, Tier, TrialPlan
from dpaudit.records.verdict import Outcome

Array = NDArray[np.float64]

TARGET = Target(
    name="known-bad/float-gaussian",
    title="Gaussian noise of NumPy in float64",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        GaussianDP(1.0), Neighbours.ADD_OR_REMOVE, delta=1e-5, source="Gaussian noise of scale 1 in real numbers"
    ),
    trials=TrialPlan(smoke=20_000, standard=40_000, deep=100_000),
    control=Control.KNOWN_BAD,
    expects=Outcome.REFUTED,
    effect="in one release of eight the low-order bits prove which data set it was; 1-GDP was promised",
    repair="discrete/float-grid",
    bug=PlantedBug(
        "Mironov (2012), https://doi.org/10.1145/2382196.2382264; Jin et al. (2022), https://arxiv.org/abs/2112.05307",
        Tier.GAME,
        5_000,
    ),
)


def neighbours(rng: np.random.Generator) -> tuple[float, float]:
    """The exact sum without the record, and with it."""
    return 0.0, 1.0


def run(data: float, trials: Trials) -> Array:
    """The noisy sum, shape (trials,), each from a generator of its own: NumPy has no batch of seeds."""
    noise = [np.random.Generator(np.random.Philox(key=int(seed))).standard_normal() for seed in trials.seeds()]
    return data + np.array(noise, dtype=np.float64)


def score(outputs: Array, data: float, neighbour: float) -> Array:
    """The fixed event: in (0, 1/2) and no multiple of 2^-53, which the sum 1 plus noise never is there."""
    return float_bits.off_grid(outputs, -53, 0.0, 0.5)
