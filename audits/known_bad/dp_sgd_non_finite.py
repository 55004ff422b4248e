"""DP-SGD in which a record that is not finite survives clipping.

What: the clip factor C over an infinite norm is 0, and 0 times infinity is NaN.
Why: the released model is NaN if and only if the record is there (Opacus 1.6.0 does it as well).
Worst-case neighbours: a record with an infinite feature, added.
The adversary sees every noisy sum of gradients.
The structural check "bad records" finds it.
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
    name="known-bad/dp-sgd-non-finite",
    title="DP-SGD in which a non-finite record survives clipping",
    view=View.TRANSCRIPT,
    claim=dp_sgd.claim(),
    trials=None,
    claimed_mechanism=dp_sgd.mechanism(),
    control=Control.KNOWN_BAD,
    expects=Outcome.REFUTED,
    effect="one broken record turns the model into NaN and so shows itself",
    repair="dp-sgd/structural",
)


def neighbours(rng: np.random.Generator) -> tuple[Records, Records]:
    """Two hundred records, the last one long and mislabelled, and the data without it."""
    return dp_sgd.neighbours(rng)


def instrument(data: Records, recorder: Recorder) -> None:
    """One training in which non-finite gradients survive."""
    dp_sgd.train(data, recorder, Bug.NOT_FINITE)
