"""DP-SGD that stops when all gradients are small.

What: a loop that ends when no record has a large gradient, looked up without noise.
Why: the number of steps tells whether the record was there; the replay is shorter than the recording.
Worst-case neighbours: a long, mislabelled record that is there or not.
The adversary sees every noisy sum of gradients.
The structural check "noisy calls" finds it.
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
    name="known-bad/dp-sgd-early-stop",
    title="DP-SGD that stops early on private gradients",
    view=View.TRANSCRIPT,
    claim=dp_sgd.claim(),
    trials=None,
    claimed_mechanism=dp_sgd.mechanism(),
    control=Control.KNOWN_BAD,
    expects=Outcome.REFUTED,
    effect="the length of the training tells whether one record was there",
    repair="dp-sgd/structural",
)


def neighbours(rng: np.random.Generator) -> tuple[Records, Records]:
    """Two hundred records, the last one long and mislabelled, and the data without it."""
    return dp_sgd.neighbours(rng)


def instrument(data: Records, recorder: Recorder) -> None:
    """One training that stops early."""
    dp_sgd.train(data, recorder, Bug.EARLY_STOP)
