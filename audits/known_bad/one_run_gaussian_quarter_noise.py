"""The Gaussian mechanism with a quarter of its noise, audited in one run: a planted bug that the auditor must find.

What: releases the sum of the canaries that are in, unit vectors at right angles, plus N(0, 1/4) on every coordinate.
Why: the claim stays that of N(0, 4), mu = 1/2, while the run has mu = 2: epsilon 10 instead of 2 at delta 1e-5. One run
shows a fraction of that, which must be enough.
Worst-case neighbours: one unit vector more or less; each canary has a coordinate of its own.
The adversary sees the noisy sum.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpaudit.noise.stream import Trials
from dpaudit.records.mechanism import Gaussian
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Control, PlantedBug, Target, Tier, TrialPlan
from dpaudit.records.verdict import Outcome

CANARIES = 5000
NOISE_SCALE = 0.5  # the bug: 2 is claimed

TARGET = Target(
    name="known-bad/one-run-gaussian-quarter-noise",
    title="Gaussian mechanism with a quarter of its noise, in one run",
    view=View.GRADIENTS,
    claim=PrivacyClaim(GaussianDP(0.5), Neighbours.ADD_OR_REMOVE, delta=1e-5, source="the noise scale before the bug"),
    trials=TrialPlan(smoke=2, standard=2, deep=2),
    canaries=CANARIES,
    control=Control.KNOWN_BAD,
    expects=Outcome.REFUTED,
    truth=Gaussian(0.5),
    effect="one vector of the sum shows at an epsilon of 10, not 2",
    repair="dpaudit/one-run-gaussian",
    bug=PlantedBug("https://github.com/opendp/smartnoise-core/issues/316", Tier.GAME, 5_000),
)


def run(included: NDArray[np.bool_], trials: Trials) -> NDArray[np.float64]:
    """The noisy sum, which is the score of each canary: shape (1, canaries)."""
    return included + NOISE_SCALE * trials.stream.normals(trials.numbers, 0, CANARIES)
