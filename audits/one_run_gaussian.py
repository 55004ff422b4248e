"""The Gaussian mechanism on a vector sum, audited in one run with 5,000 canaries.

What: releases the sum of the canaries that are in, unit vectors at right angles, plus N(0, 4) on every coordinate.
Why: the claim mu = 1/2 is met with equality for every canary, so the audit measures what one run can show.
Worst-case neighbours: one unit vector more or less; each canary has a coordinate of its own.
The adversary sees the noisy sum.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpaudit.noise.stream import Trials
from dpaudit.records.mechanism import Gaussian
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan

CANARIES = 5000
NOISE_SCALE = 2.0

TARGET = Target(
    name="dpaudit/one-run-gaussian",
    title="Gaussian mechanism in one run with 5,000 canaries",
    view=View.GRADIENTS,
    claim=PrivacyClaim(
        GaussianDP(0.5), Neighbours.ADD_OR_REMOVE, delta=1e-5, source="Dong, Roth, Su (2022), theorem 2.7"
    ),
    trials=TrialPlan(smoke=2, standard=2, deep=2),
    canaries=CANARIES,
    truth=Gaussian(2.0),
    effect="a sum of vectors would tell more about one of them than its noise was chosen for",
)


def run(included: NDArray[np.bool_], trials: Trials) -> NDArray[np.float64]:
    """The noisy sum, which is the score of each canary: shape (1, canaries)."""
    return included + NOISE_SCALE * trials.stream.normals(trials.numbers, 0, CANARIES)
