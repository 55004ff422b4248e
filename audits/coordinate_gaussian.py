"""The Gaussian mechanism on some coordinates of a gradient, in the form that DP-SkGD runs.

What: one release of I_U (grad f(w) + N(0, sigma^2 I)) with U two of three coordinates; the third is withheld.
Why: the repair of definition D.4, whose printed form leaves the third coordinate bare
(rbcd/coordinate-gaussian-as-printed). With sigma = 2 L_U/n the claim of corollary D.5, 1-GDP, is met with equality.
Worst-case neighbours: a linear loss, one record whose restriction to U has norm L_U turned into its opposite; the
record is free to be large outside of U.
The adversary sees the released vector and knows U.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.rbcd import coordinate_gaussian
from dpaudit.attacks import likelihood_ratio
from dpaudit.audit.structural import stepwise
from dpaudit.audit.structural.recording import Recorder
from dpaudit.noise.stream import Trials
from dpaudit.problems.losses import linear
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.mechanism import Gaussian
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan

Array = NDArray[np.float64]

RECORDS, LIPSCHITZ = 5, 1.0
WORST = np.array([0.6, 100.0, 0.8])

PARAMS = coordinate_gaussian.Params(
    point=(0.0, 0.0, 0.0),
    chosen=(1.0, 0.0, 1.0),
    noise=2 * LIPSCHITZ / RECORDS,
    lipschitz=LIPSCHITZ,
    records=RECORDS,
)

TARGET = Target(
    name="rbcd/coordinate-gaussian",
    title="Gaussian mechanism on two of three coordinates",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        GaussianDP(1.0),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source="Maranjyan, Sadiev, Richtarik (2024), corollary D.5, for the form that algorithm 1 runs",
    ),
    trials=TrialPlan(smoke=50_000, standard=5_000_000, deep=10_000_000),
    truth=Gaussian(1.0),
    claimed_mechanism=Gaussian(1.0),
    effect="the noisy coordinates of a gradient tell more about a record than their noise was chosen for",
)

ASSUMPTIONS = Assumptions(checked_records=True)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Records, shape (records, 3), norm at most 1 on U; the first is turned around in the neighbour."""
    data = rng.uniform(-1, 1, size=(RECORDS, 3)) * WORST
    neighbour = data.copy()
    data[0], neighbour[0] = WORST, -WORST
    return data, neighbour


def run(data: Array, trials: Trials) -> Array:
    """The released vectors, shape (trials, 3), 0 outside of U."""
    return coordinate_gaussian.cpu(PARAMS, linear(data), trials, release="final")


def instrument(data: Array, recorder: Recorder) -> None:
    """One training of the reference form, recorded and replayed step by step."""
    stepwise.instrument(coordinate_gaussian, PARAMS, linear(data), recorder)


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of the released coordinates."""
    chosen = np.array(PARAMS.chosen, dtype=bool)
    mean, other = (records.mean(axis=0)[chosen] for records in (data, neighbour))
    return likelihood_ratio.gaussian(outputs[:, chosen], mean, other, PARAMS.noise)
