"""DP-SGD that divides by the number of records.

What: the mean over rate times len(data), while adding a record changes that number.
Why: where records are added or removed their number is private: it moves every released mean.
Worst-case neighbours: a long, mislabelled record that is there or not.
The adversary sees every noisy sum of gradients.
The structural check "records outside the batch" finds it.
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
    name="known-bad/dp-sgd-number-of-records",
    title="DP-SGD that divides by the number of records",
    view=View.TRANSCRIPT,
    claim=dp_sgd.claim(),
    trials=None,
    claimed_mechanism=dp_sgd.mechanism(),
    control=Control.KNOWN_BAD,
    expects=Outcome.REFUTED,
    effect="the number of records, and with it one record, shows in every step",
    repair="dp-sgd/structural",
)


def neighbours(rng: np.random.Generator) -> tuple[Records, Records]:
    """Two hundred records, the last one long and mislabelled, and the data without it."""
    return dp_sgd.neighbours(rng)


def instrument(data: Records, recorder: Recorder) -> None:
    """One training that divides by the number of records."""
    dp_sgd.train(data, recorder, Bug.NUMBER_OF_RECORDS)
