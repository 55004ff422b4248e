"""Phased SGD of this package, the outputs of all phases, in the case that attains its guarantee.

What: eight records in phases of four, two and one; each phase releases its average with noise of its step size.
Why: the average of a phase leaves out the point after its last record, so that the first of its n_1 records moves it by
(1 - 1/n_1) L eta_1 and no record by more: the claim, 1-GDP, is met with equality by the first record of all.
Worst-case neighbours: linear losses with gradients of norm L; the first record is zero in the neighbour.
The adversary sees the noisy average of every phase and knows the other records.
"""

from __future__ import annotations

import numpy as np

from dpaudit.algorithms.srgd import phased_sgd
from dpaudit.arithmetic.arrays import Array
from dpaudit.attacks import likelihood_ratio
from dpaudit.audit.structural import stepwise
from dpaudit.audit.structural.recording import Recorder
from dpaudit.content.audits import with_record
from dpaudit.noise.stream import Trials
from dpaudit.problems.losses import linear
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.context import Level
from dpaudit.records.mechanism import Gaussian
from dpaudit.records.privacy import Neighbours, View, claim
from dpaudit.records.target import Target, TrialPlan

RECORDS, LIPSCHITZ = 8, 2.0
SHARE = 3 / 4
"""How far the first record moves the average of four points, over L eta_1: it is in three of them."""

PARAMS = phased_sgd.Params(
    start=(0.0, 0.0), records=RECORDS, step_size=2.0, noise=SHARE, lipschitz=LIPSCHITZ, smoothness=0.0
)

TARGET = Target(
    name="srgd/phased-sgd",
    title="Phased SGD, the noisy averages of three phases",
    view=View.TRANSCRIPT,
    claim=claim(
        mu=1.0,
        neighbours=Neighbours.ZERO_OUT,
        source="Feldman, Koren, Talwar (2020), phased SGD, with the exact sensitivity of an average",
    ),
    trials=TrialPlan(smoke=50_000, standard=2_000_000, deep=10_000_000),
    truth=Gaussian(1.0),
    claimed_mechanism=Gaussian(1.0),
    effect="models trained with this implementation leak more about a record than the noise of its phase hides",
    from_level=Level.STANDARD,
)

ASSUMPTIONS = Assumptions(ordered=True, checked_records=True)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Gradients of the linear losses, shape (8, 2), norm at most L; the first one is zero in the neighbour."""
    return with_record(rng.uniform(-1, 1, size=(RECORDS, 2)), (0.6 * LIPSCHITZ, 0.8 * LIPSCHITZ), 0.0)


def run(data: Array, trials: Trials) -> Array:
    """The noisy average of every phase, shape (trials, 3, 2)."""
    return phased_sgd.cpu(PARAMS, linear(data), trials)


def instrument(data: Array, recorder: Recorder) -> None:
    """One training of the reference form, recorded and replayed step by step."""
    stepwise.instrument(phased_sgd, PARAMS, linear(data), recorder)


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of how far each phase went from the output of the phase before."""
    starts = np.concatenate([np.zeros_like(outputs[:, :1]), outputs[:, :-1]], axis=1)
    scales = PARAMS.noise * LIPSCHITZ * np.array(PARAMS.step_sizes)[:, None]
    return likelihood_ratio.gaussian(outputs - starts, _moves(data), _moves(neighbour), scales)


def _moves(records: Array) -> Array:
    """How far the average of each phase lies from its start, shape (3, 2): record s of n_i is in n_i - 1 - s points."""
    found = []
    for first, size, eta in zip(PARAMS.firsts, PARAMS.sizes, PARAMS.step_sizes, strict=False):
        weights = np.arange(size - 1, -1, -1) / size
        found.append(-eta * weights @ records[first : first + size])
    return np.array(found)
