"""Noisy prefix sums of this package with the square root factorisation, in the case that attains its guarantee.

What: twelve clipped vectors, A = C C with C the lower triangular square root of the summation matrix.
Why: correlated noise hides mistakes well: each sum alone looks noisy enough even where their differences are not. The
claim, 1-GDP, is met with equality by the first item, whose column of C is the longest.
Worst-case neighbours: the first vector has five times the clip norm, and is zero in the neighbour.
The adversary sees every noisy prefix sum, undoes the correlation and knows the other vectors.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpaudit.accounting.factorisations import FACTORISATIONS
from dpaudit.algorithms.srgd import prefix_noise
from dpaudit.attacks import likelihood_ratio
from dpaudit.audit.structural import stepwise
from dpaudit.audit.structural.recording import Recorder
from dpaudit.noise.stream import Trials
from dpaudit.problems.domains import clip
from dpaudit.problems.losses import linear
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.mechanism import Gaussian
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan
from dpaudit.sampling.batches import Batches

Array = NDArray[np.float64]

ITEMS, CLIP_NORM = 12, 2.0
ROOT = FACTORISATIONS["square root"](ITEMS)

PARAMS = prefix_noise.Params(
    point=(0.0, 0.0),
    steps=ITEMS,
    batches=Batches("in order", ITEMS, 1),
    noise=float(ROOT.column_norms.max()) * CLIP_NORM,
    lipschitz=10.0,
    clip_norm=CLIP_NORM,
    factorisation=ROOT,
)

TARGET = Target(
    name="srgd/prefix-sums",
    title="Noisy prefix sums with the square root factorisation, twelve items",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        GaussianDP(1.0),
        Neighbours.ZERO_OUT,
        delta=1e-5,
        source="Denisov, McMahan, Rush, Smith, Thakurta (2022), theorem 2.1",
    ),
    trials=TrialPlan(smoke=50_000, standard=1_000_000, deep=10_000_000),
    truth=Gaussian(1.0),
    claimed_mechanism=Gaussian(1.0),
    effect="the running sums of a data stream tell more about one item than their noise was chosen for",
)

ASSUMPTIONS = Assumptions(ordered=True, checked_records=True)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Vectors, shape (12, 2); the first one is 5 K long, and zero in the neighbour."""
    data = rng.normal(size=(ITEMS, 2))
    neighbour = data.copy()
    data[0], neighbour[0] = (3 * CLIP_NORM, 4 * CLIP_NORM), 0.0
    return data, neighbour


def run(data: Array, trials: Trials) -> Array:
    """Noisy prefix sums, shape (trials, 12, 2)."""
    return prefix_noise.cpu(PARAMS, linear(data), trials)


def instrument(data: Array, recorder: Recorder) -> None:
    """One training of the reference form, recorded and replayed step by step."""
    stepwise.instrument(prefix_noise, PARAMS, linear(data), recorder)


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of C x + noise, whose noises are independent."""
    released = np.linalg.inv(ROOT.left) @ outputs
    mean, other = (ROOT.right @ clip(records, CLIP_NORM) for records in (data, neighbour))
    return likelihood_ratio.gaussian(released, mean, other, PARAMS.noise)
