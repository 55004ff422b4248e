"""DP-SGD that returns its training loss beside the private model.

What: the mean loss of all records under the final model, computed without noise.
Why: what leaves the training must be a function of noisy releases; the replay shows that this is not.
Worst-case neighbours: a long, mislabelled record that is there or not.
The adversary sees every noisy sum of gradients.
The structural check "un-noised outputs" finds it.
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
    name="known-bad/dp-sgd-returned-loss",
    title="DP-SGD that returns its training loss",
    view=View.TRANSCRIPT,
    claim=dp_sgd.claim(),
    trials=None,
    claimed_mechanism=dp_sgd.mechanism(),
    control=Control.KNOWN_BAD,
    expects=Outcome.REFUTED,
    effect="one number without noise tells whether a record was there",
    repair="dp-sgd/structural",
)


def neighbours(rng: np.random.Generator) -> tuple[Records, Records]:
    """Two hundred records, the last one long and mislabelled, and the data without it."""
    return dp_sgd.neighbours(rng)


def instrument(data: Records, recorder: Recorder) -> None:
    """One training that returns its loss."""
    dp_sgd.train(data, recorder, Bug.LOSS_RETURNED)
