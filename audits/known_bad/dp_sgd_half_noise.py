"""DP-SGD with half of its noise, seen in one recorded training.

What: a factor of 0.5 in the noise, while sensitivity and scale are declared as they should be.
Why: canary audits need hundreds of trainings for it; the variance of the recorded noise shows it in one.
Worst-case neighbours: a long, mislabelled record that is there or not.
The adversary sees every noisy sum of gradients.
The structural check "noise scale" finds it.
"""

from __future__ import annotations

import numpy as np

from dpaudit.planted import dp_sgd
from dpaudit.planted.dp_sgd import Bug, Records
from dpaudit.privacy import View
from dpaudit.recording import Recorder
from dpaudit.target import Control, Target
from dpaudit.verdict import Outcome

TARGET = Target(
    name="known-bad/dp-sgd-half-noise",
    title="DP-SGD with half of its noise",
    view=View.TRANSCRIPT,
    claim=dp_sgd.claim(),
    trials=None,
    claimed_mechanism=dp_sgd.mechanism(),
    control=Control.KNOWN_BAD,
    expects=Outcome.REFUTED,
    effect="a record shows as at about twice the claimed noise level or worse",
    repair="dp-sgd/structural",
    companion=True,
)


def neighbours(rng: np.random.Generator) -> tuple[Records, Records]:
    """Two hundred records, the last one long and mislabelled, and the data without it."""
    return dp_sgd.neighbours(rng)


def instrument(data: Records, recorder: Recorder) -> None:
    """One training with half of the noise."""
    dp_sgd.train(data, recorder, Bug.HALF_NOISE)
