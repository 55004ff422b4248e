"""DP-SGD that draws the noise of two parameters from one key.

What: the noise of the cubes is that of the first five weights (one PRNG key for parameters of different shapes).
Why: the difference of the two parameters has no noise.
Worst-case neighbours: a long, mislabelled record that is there or not.
The adversary sees every noisy sum of gradients.
The structural check "fresh noise" finds it.
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
    name="known-bad/dp-sgd-one-key",
    title="DP-SGD with one key for two parameters",
    view=View.TRANSCRIPT,
    claim=dp_sgd.claim(),
    trials=None,
    claimed_mechanism=dp_sgd.mechanism(),
    control=Control.KNOWN_BAD,
    expects=Outcome.REFUTED,
    effect="a combination of two parameters shows single records exactly",
    repair="dp-sgd/structural",
)


def neighbours(rng: np.random.Generator) -> tuple[Records, Records]:
    """Two hundred records, the last one long and mislabelled, and the data without it."""
    return dp_sgd.neighbours(rng)


def instrument(data: Records, recorder: Recorder) -> None:
    """One training with one key for two parameters of different shapes."""
    dp_sgd.train(data, recorder, Bug.SAME_KEY_OTHER_SHAPES)
