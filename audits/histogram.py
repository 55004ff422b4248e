"""A noisy histogram, noise of scale 1/epsilon: the twin of a planted bug.

What: three counts with Laplace noise of scale 2 at epsilon 1/2.
Why: the claim is met with equality, so the audit measures the auditor on a pure guarantee.
Worst-case neighbours: one record less in the first cell.
The adversary sees the noisy counts.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpaudit.audit.planted import histogram
from dpaudit.noise.stream import Trials
from dpaudit.records.mechanism import Laplace
from dpaudit.records.privacy import ApproximateDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan

Array = NDArray[np.float64]

EPSILON = 0.5

TARGET = Target(
    name="discrete/histogram",
    title="Noisy histogram",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        ApproximateDP(EPSILON, 0.0),
        Neighbours.ADD_OR_REMOVE,
        delta=1e-5,
        source="Dwork, McSherry, Nissim, Smith (2006), proposition 1",
    ),
    trials=TrialPlan(smoke=20_000, standard=200_000, deep=1_000_000),
    truth=Laplace(1 / EPSILON),
    effect="released counts tell more about one person than was agreed",
)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Counts (cells,) with one record more in the first cell, and without it."""
    counts = rng.integers(0, 20, size=3).astype(np.float64)
    return counts + np.array([1.0, 0.0, 0.0]), counts


def run(data: Array, trials: Trials) -> Array:
    """Noisy counts, shape (trials, cells)."""
    return histogram.correct(data, EPSILON, trials)


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """Distance of the first noisy count from the middle of both, cut at both: monotone in the likelihood ratio.

    A difference of two distances is the same function of real numbers, but its last bits tell the sides apart: the
    noise is added in float64 (see float_laplace).
    """
    middle = (data[0] + neighbour[0]) / 2
    return np.asarray(np.clip(outputs[:, 0] - middle, -0.5, 0.5))
