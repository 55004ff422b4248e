"""Laplace noise of NumPy, added in float64: a planted bug that the auditor must find.

What: releases a sum of sensitivity 1 plus `numpy.random.Generator.laplace` of scale 1, the textbook form of epsilon 1.
Why: near 0 floats lie closer together than near 1. The sum 1 plus noise is in (0, 1/2) only by noise in (-1, -1/2),
whose last place is 2^-53; noise alone in (0, 1/2) has finer digits. One low-order bit tells the sides apart, whatever
the scale (Mironov 2012). Real numbers would be 1-DP.
Worst-case neighbours: a sum of 0 with the record left out, of 1 with it.
The adversary sees the released number, all 64 bits of it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpaudit.attacks import float_bits
from dpaudit.noise.stream import Trials
from dpaudit.records.privacy import ApproximateDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Control, PlantedBug, Target, Tier, TrialPlan
from dpaudit.records.verdict import Outcome

Array = NDArray[np.float64]

TARGET = Target(
    name="known-bad/float-laplace",
    title="Laplace noise of NumPy in float64",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        ApproximateDP(1.0, 0.0), Neighbours.ADD_OR_REMOVE, delta=1e-5, source="Laplace noise of scale 1 in real numbers"
    ),
    trials=TrialPlan(smoke=5_000, standard=20_000, deep=100_000),
    control=Control.KNOWN_BAD,
    expects=Outcome.REFUTED,
    effect="in one release of seven the low-order bits prove which data set it was; epsilon 1 was promised",
    repair="discrete/float-grid",
    bug=PlantedBug(
        "Mironov (2012), https://doi.org/10.1145/2382196.2382264; "
        "https://github.com/IBM/differential-privacy-library/issues/94",
        Tier.GAME,
        1_000,
    ),
)


def neighbours(rng: np.random.Generator) -> tuple[float, float]:
    """The exact sum without the record, and with it."""
    return 0.0, 1.0


def run(data: float, trials: Trials) -> Array:
    """The noisy sum, shape (trials,), each from a generator of its own: NumPy has no batch of seeds."""
    noise = [np.random.Generator(np.random.Philox(key=int(seed))).laplace() for seed in trials.seeds()]
    return data + np.array(noise, dtype=np.float64)


def score(outputs: Array, data: float, neighbour: float) -> Array:
    """The fixed event: in (0, 1/2) and no multiple of 2^-53, which the sum 1 plus noise never is there."""
    return float_bits.off_grid(outputs, -53, 0.0, 0.5)
