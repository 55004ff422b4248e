"""The Gaussian mechanism on some coordinates as definition D.4 prints it, f(D) + I_U N(0, sigma^2 I).

What: one release of a gradient with noise on two of its three coordinates; the third is released as it is.
Why: corollary D.5 promises Renyi DP for the sensitivity of f on U alone. As printed the mechanism also shows the
coordinates outside of U, without noise, and promises nothing as soon as they depend on the data. Algorithm 1 does not
release them; the form that it runs is rbcd/coordinate-gaussian.
Worst-case neighbours: a linear loss, one record that has its opposite in the neighbour.
The adversary sees the released vector.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.rbcd import coordinate_gaussian
from dpaudit.noise.stream import Trials
from dpaudit.problems.losses import linear
from dpaudit.records.mechanism import PureDP
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan
from dpaudit.records.verdict import Outcome

Array = NDArray[np.float64]

RECORDS, LIPSCHITZ = 5, 1.0
WORST = np.array([0.6, 1e-3, 0.8])
OUTSIDE = 1

PARAMS = coordinate_gaussian.Params(
    point=(0.0, 0.0, 0.0),
    chosen=(1.0, 0.0, 1.0),
    noise=2 * LIPSCHITZ / RECORDS,
    lipschitz=LIPSCHITZ,
    records=RECORDS,
    form="as printed",
)

TARGET = Target(
    name="rbcd/coordinate-gaussian-as-printed",
    title="Gaussian mechanism on two of three coordinates, as printed",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        GaussianDP(1.0),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source="Maranjyan, Sadiev, Richtarik (2024), definition D.4 and corollary D.5, as printed",
    ),
    trials=TrialPlan(smoke=20_000, standard=100_000, deep=100_000),
    expects=Outcome.REFUTED,
    truth=PureDP(math.inf),
    effect="a coordinate without noise tells the record exactly, however small its share of the gradient is",
    repair="rbcd/coordinate-gaussian",
)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Records, shape (records, 3), norm at most 1 on U; the first is turned around in the neighbour."""
    data = rng.uniform(-1, 1, size=(RECORDS, 3)) * WORST
    neighbour = data.copy()
    data[0], neighbour[0] = WORST, -WORST
    return data, neighbour


def run(data: Array, trials: Trials) -> Array:
    """The released vectors, shape (trials, 3)."""
    return coordinate_gaussian.cpu(PARAMS, linear(data), trials, release="final")


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """How much nearer the bare coordinate is to that of `data`."""
    near, far = (np.abs(outputs[:, OUTSIDE] - records.mean(axis=0)[OUTSIDE]) for records in (data, neighbour))
    return np.asarray(far - near)
