"""DP-SGD that forgets to clip.

What: the sum of gradients as they are, with the noise for clipped ones.
Why: the sensitivity is unbounded; the replay without one record shows by how much.
Worst-case neighbours: a long, mislabelled record that is there or not.
The adversary sees every noisy sum of gradients.
The structural check "sensitivity" finds it.
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
    name="known-bad/dp-sgd-no-clipping",
    title="DP-SGD without clipping",
    view=View.TRANSCRIPT,
    claim=dp_sgd.claim(),
    trials=None,
    claimed_mechanism=dp_sgd.mechanism(),
    control=Control.KNOWN_BAD,
    expects=Outcome.REFUTED,
    effect="one unusual record moves the model as far as it likes",
    repair="dp-sgd/structural",
)


def neighbours(rng: np.random.Generator) -> tuple[Records, Records]:
    """Two hundred records, the last one long and mislabelled, and the data without it."""
    return dp_sgd.neighbours(rng)


def instrument(data: Records, recorder: Recorder) -> None:
    """One training without clipping."""
    dp_sgd.train(data, recorder, Bug.NO_CLIPPING)
