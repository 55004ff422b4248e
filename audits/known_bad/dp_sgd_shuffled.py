"""DP-SGD on shuffled batches, accounted for as Poisson samples.

What: a random order every epoch, cut into batches; the accountant is told of Poisson sampling.
Why: every record is used exactly once an epoch (Chua et al. 2024); sizes and memberships repeat as those of
Poisson samples do not.
Worst-case neighbours: a long, mislabelled record that is there or not.
The adversary sees every noisy sum of gradients.
The structural check "sampler" finds it.
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
    name="known-bad/dp-sgd-shuffled",
    title="DP-SGD on shuffled batches with Poisson accounting",
    view=View.TRANSCRIPT,
    claim=dp_sgd.claim(),
    trials=None,
    claimed_mechanism=dp_sgd.mechanism(),
    control=Control.KNOWN_BAD,
    expects=Outcome.REFUTED,
    effect="the epsilon of the run is several times the one reported",
    repair="dp-sgd/structural",
)


def neighbours(rng: np.random.Generator) -> tuple[Records, Records]:
    """Two hundred records, the last one long and mislabelled, and the data without it."""
    return dp_sgd.neighbours(rng)


def instrument(data: Records, recorder: Recorder) -> None:
    """One training on shuffled batches."""
    dp_sgd.train(data, recorder, Bug.SHUFFLED)
