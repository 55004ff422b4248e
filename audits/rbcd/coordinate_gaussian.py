"""The Gaussian mechanism on some coordinates of a gradient: in the form that DP-SkGD runs, and as printed.

What: one release of I_U (grad f(w) + N(0, sigma^2 I)) with U two of three coordinates; the third is withheld. As
definition D.4 prints it, f(D) + I_U N(0, sigma^2 I), the third is released as it is.
Why: corollary D.5 promises Renyi DP for the sensitivity of f on U alone. With sigma = 2 L_U/n the claim, 1-GDP, is met
with equality by the form that algorithm 1 runs. As printed the mechanism also shows the coordinates outside of U,
without noise, and promises nothing as soon as they depend on the data.
Worst-case neighbours: a linear loss, one record whose restriction to U has norm L_U turned into its opposite; outside
of U the record is free: large where it is withheld, small where it is shown.
The adversary sees the released vector and knows U.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from dpaudit.algorithms.rbcd import coordinate_gaussian
from dpaudit.arithmetic.arrays import Array
from dpaudit.attacks import likelihood_ratio
from dpaudit.audit.structural import stepwise
from dpaudit.content.audits import Audit, Score, with_record
from dpaudit.problems.losses import linear
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.context import Level
from dpaudit.records.mechanism import Gaussian, PureDP
from dpaudit.records.privacy import Neighbours, View, claim
from dpaudit.records.target import Target, TrialPlan
from dpaudit.records.verdict import Outcome

RECORDS, LIPSCHITZ = 5, 1.0
CHOSEN, OUTSIDE = [0, 2], 1

PARAMS = coordinate_gaussian.Params(
    point=(0.0, 0.0, 0.0),
    chosen=(1.0, 0.0, 1.0),
    noise=2 * LIPSCHITZ / RECORDS,
    lipschitz=LIPSCHITZ,
    records=RECORDS,
)
AS_PRINTED = replace(PARAMS, form="as printed")

CORRECT = Target(
    name="rbcd/coordinate-gaussian",
    title="Gaussian mechanism on two of three coordinates",
    view=View.TRANSCRIPT,
    claim=claim(
        mu=1.0,
        neighbours=Neighbours.REPLACE_ONE,
        source="Maranjyan, Sadiev, Richtarik (2024), corollary D.5, for the form that algorithm 1 runs",
    ),
    trials=TrialPlan(smoke=50_000, standard=5_000_000, deep=10_000_000),
    truth=Gaussian(1.0),
    claimed_mechanism=Gaussian(1.0),
    effect="the noisy coordinates of a gradient tell more about a record than their noise was chosen for",
    from_level=Level.STANDARD,
)
PRINTED = replace(
    CORRECT,
    name="rbcd/coordinate-gaussian-as-printed",
    title="Gaussian mechanism on two of three coordinates, as printed",
    claim=replace(
        CORRECT.claim, source="Maranjyan, Sadiev, Richtarik (2024), definition D.4 and corollary D.5, as printed"
    ),
    trials=TrialPlan(smoke=20_000, standard=100_000, deep=100_000),
    expects=Outcome.REFUTED,
    truth=PureDP(math.inf),
    claimed_mechanism=None,
    effect="a coordinate without noise tells the record exactly, however small its share of the gradient is",
    repair="rbcd/coordinate-gaussian",
)


def ratio(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of the noisy coordinates."""
    mean, other = (records.mean(axis=0)[CHOSEN] for records in (data, neighbour))
    return likelihood_ratio.gaussian(outputs[:, CHOSEN], mean, other, PARAMS.noise)


def bare(outputs: Array, data: Array, neighbour: Array) -> Array:
    """How much nearer the bare coordinate is to that of `data`."""
    near, far = (np.abs(outputs[:, OUTSIDE] - records.mean(axis=0)[OUTSIDE]) for records in (data, neighbour))
    return np.asarray(far - near)


def audit(target: Target, params: coordinate_gaussian.Params, outside: float, score: Score) -> Audit:
    """The released vectors, shape (trials, 3); outside: the coordinate of the worst record that is not in U.

    Records, shape (records, 3), have norm at most 1 on U; the first is turned around in the neighbour.
    """
    worst = np.array([0.6, outside, 0.8])
    return Audit(
        target,
        neighbours=lambda rng: with_record(rng.uniform(-1, 1, size=(RECORDS, 3)) * worst, worst, -worst),
        run=lambda data, trials: coordinate_gaussian.cpu(params, linear(data), trials, release="final"),
        score=score,
    )


AUDITS = (
    replace(
        audit(CORRECT, PARAMS, 100.0, ratio),
        instrument=lambda data, recorder: stepwise.instrument(coordinate_gaussian, PARAMS, linear(data), recorder),
        assumptions=Assumptions(checked_records=True),
    ),
    audit(PRINTED, AS_PRINTED, 1e-3, bare),
)
