"""Gaussian noise on a grid: the corrected twin of noise that is added in float64.

What: releases a sum on the grid of 2^-20 plus Gaussian noise that is rounded to this grid before it is added.
Why: both terms are multiples of 2^-20 below 2^32, so that the addition is exact and every output is possible on both
sides. The rounded noise is a function of noise added to the grid point in real numbers, hence no less private; what is
left of float64 is the resolution of the uniforms, 2^-52.
Worst-case neighbours: a sum of 0 with the record left out, of 1 with it.
The adversary sees the released number, all 64 bits of it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpaudit.attacks import float_bits
from dpaudit.attacks.histogram import Histogram
from dpaudit.noise.stream import Trials
from dpaudit.records.mechanism import Gaussian
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan

Array = NDArray[np.float64]

GRID = 2.0**-20

TARGET = Target(
    name="discrete/float-grid",
    title="Gaussian noise rounded to a grid",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        GaussianDP(1.0), Neighbours.ADD_OR_REMOVE, delta=1e-5, source="Gaussian noise of scale 1 in real numbers"
    ),
    trials=TrialPlan(smoke=100_000, standard=400_000, deep=2_000_000),
    truth=Gaussian(1.0),
    effect="the low-order bits of a released number tell more than its noise was chosen for",
)


def neighbours(rng: np.random.Generator) -> tuple[float, float]:
    """The exact sum without the record, and with it."""
    return 0.0, 1.0


def run(data: float, trials: Trials) -> Array:
    """The noisy sum, shape (trials,), a multiple of GRID."""
    return data + GRID * np.round(trials.stream.normals(trials.numbers, 0, 1)[:, 0] / GRID)


def bit(outputs: Array, data: float, neighbour: float) -> Array:
    """The event that gives unrounded noise away."""
    return float_bits.off_grid(outputs, -53, 0.0, 0.5)


def value(outputs: Array, data: float, neighbour: float) -> Array:
    """The likelihood ratio in real numbers: the smaller, the more it looks like the sum without the record."""
    return -outputs


ATTACKS = {"bit": bit, "low bits": Histogram(features=float_bits.low_bits), "value": value}
