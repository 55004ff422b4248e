"""DP-SkGD with sets of equal size drawn at random, in the case that attains its guarantee.

What: Algorithm 1 with tau-nice sampling: two of three coordinates in each of two steps. No partition is behind it, so
that sets overlap and each has a Lipschitz constant of its own.
Why: the noise is calibrated so that the claim, 1-GDP, is met with equality on every set.
Worst-case neighbours: a linear loss, one record zeta = a (1, 1, 1) turned into -zeta; its restriction to each of the
three sets has norm a sqrt(2).
The adversary sees every drawn set and every noisy gradient coordinate.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.rbcd import dp_skgd
from dpaudit.attacks import likelihood_ratio
from dpaudit.noise.stream import Trials
from dpaudit.problems.losses import linear
from dpaudit.records.mechanism import Gaussian, SelfComposed
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan
from dpaudit.sampling.coordinates import tau_nice

Array = NDArray[np.float64]

RECORDS, STEPS, DIMENSION, SIZE = 6, 2, 3, 2
HEIGHT = 0.7
LIPSCHITZ = HEIGHT * math.sqrt(SIZE)

PARAMS = dp_skgd.Params(
    start=(0.0,) * DIMENSION,
    step_sizes=(0.1,) * DIMENSION,
    epochs=1,
    inner_steps=STEPS,
    sampler=tau_nice(DIMENSION, SIZE),
    noise_scales=(2 * LIPSCHITZ * math.sqrt(STEPS) / RECORDS,) * 3,
    lipschitz=(LIPSCHITZ,) * 3,
    records=RECORDS,
)

TARGET = Target(
    name="rbcd/dp-skgd-tau-nice",
    title="DP-SkGD with tau-nice sampling, transcript of two steps",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        GaussianDP(1.0),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source="Maranjyan, Sadiev, Richtarik (2024), theorem 4.1, through its Gaussian mechanisms",
    ),
    trials=TrialPlan(smoke=50_000, standard=5_000_000, deep=10_000_000),
    truth=SelfComposed(Gaussian(math.sqrt(STEPS)), STEPS),
    effect="overlapping random sets leak more about a record than theorem 4.1 promises",
)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Records, shape (records, 3), with coordinates in [-a, a]; the first is all a, and all -a in the neighbour."""
    data = rng.uniform(-HEIGHT, HEIGHT, size=(RECORDS, DIMENSION))
    neighbour = data.copy()
    data[0], neighbour[0] = HEIGHT, -HEIGHT
    return data, neighbour


def run(data: Array, trials: Trials) -> Array:
    """Transcripts (trials, steps, 3): number of the set, its two noisy gradient coordinates."""
    return dp_skgd.cpu(PARAMS, linear(data), trials)


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of the transcript; the drawn sets do not depend on the data."""
    coordinates = PARAMS.sampler.members[outputs[:, :, 0].astype(np.int64)]
    mean, other = (records.mean(axis=0)[coordinates] for records in (data, neighbour))
    return likelihood_ratio.gaussian(outputs[:, :, 1:], mean, other, PARAMS.deviations[0])
