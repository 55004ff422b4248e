"""DP-SGD written by hand, recorded once and replayed on its neighbours.

What: Poisson batches, per-record clipping, Gaussian noise on four parameter groups; 24 steps, 720 noise coordinates.
Why: the correct twin of the planted bugs under known_bad/dp_sgd_*: every structural check must stay silent.
Worst-case neighbours: a long, mislabelled record that is there or not.
The adversary sees every noisy sum of gradients.
"""

from __future__ import annotations

import numpy as np

from dpaudit.planted import dp_sgd
from dpaudit.planted.dp_sgd import Records
from dpaudit.privacy import View
from dpaudit.recording import Recorder
from dpaudit.target import Target

TARGET = Target(
    name="dp-sgd/structural",
    title="DP-SGD written by hand, structural checks",
    view=View.TRANSCRIPT,
    claim=dp_sgd.claim(),
    trials=None,
    claimed_mechanism=dp_sgd.mechanism(),
    truth=dp_sgd.mechanism(),
    effect="a training that is right is called wrong: a check has a false alarm",
)


def neighbours(rng: np.random.Generator) -> tuple[Records, Records]:
    """Two hundred records, the last one long and mislabelled, and the data without it."""
    return dp_sgd.neighbours(rng)


def instrument(data: Records, recorder: Recorder) -> None:
    """One training without a bug."""
    dp_sgd.train(data, recorder)
