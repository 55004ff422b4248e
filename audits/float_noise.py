"""The Gaussian noise of this package, added in float64: its last bits give it away.

What: releases a sum of sensitivity 1 plus one draw of the audits' own noise stream, as every algorithm here does.
Why: the streams are made for audits, to the same bits on every backend, not for releasing data; that they are no
safer than others is shown, not assumed. The uniforms are exact and the inverse normal distribution function is
smooth, but the sum is rounded where the sum lies. On a grid (discrete/float-grid) the same noise is silent.
Worst-case neighbours: a sum of 0 with the record left out, of 1 with it.
The adversary sees the released number, all 64 bits of it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpaudit.attacks import float_bits
from dpaudit.noise.stream import Trials
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan
from dpaudit.records.verdict import Outcome

Array = NDArray[np.float64]

TARGET = Target(
    name="dpaudit/float-noise",
    title="Gaussian noise of dpaudit, added in float64",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        GaussianDP(1.0), Neighbours.ADD_OR_REMOVE, delta=1e-5, source="Gaussian noise of scale 1 in real numbers"
    ),
    trials=TrialPlan(smoke=20_000, standard=200_000, deep=1_000_000),
    expects=Outcome.REFUTED,
    repair="discrete/float-grid",
    effect="never release data with these streams: low-order bits prove which data set it was in one value of eight",
)


def neighbours(rng: np.random.Generator) -> tuple[float, float]:
    """The exact sum without the record, and with it."""
    return 0.0, 1.0


def run(data: float, trials: Trials) -> Array:
    """The noisy sum, shape (trials,)."""
    return data + trials.stream.normals(trials.numbers, 0, 1)[:, 0]


def score(outputs: Array, data: float, neighbour: float) -> Array:
    """The fixed event: in (0, 1/2) and no multiple of 2^-53, which the sum 1 plus noise never is there."""
    return float_bits.off_grid(outputs, -53, 0.0, 0.5)
