"""DP-GD of this package, whole transcript, in the case that attains its guarantee.

What: full gradients with noise 2 L sqrt(T)/n on every coordinate: two epochs of two steps with L = 5, and one epoch of
two steps with L = 1, which is what DP-SkGD with S = [d] is.
Why: every step has sensitivity 2 L/n, so that T steps are 1-GDP exactly. It is the baseline that sampled methods are
measured against, and the factor 2 of a replaced record is easily forgotten in it. It is also the repair of the remark
that DP-SkGD with S = [d] is DP-SGD (rbcd/dp-sgd-with-full-batch-noise).
Worst-case neighbours: linear losses; one record of norm L is turned into its opposite.
The adversary sees every noisy gradient and knows the other records.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from dpaudit.algorithms.rbcd import dp_gd
from dpaudit.arithmetic.arrays import Array
from dpaudit.attacks import likelihood_ratio
from dpaudit.audit.structural import stepwise
from dpaudit.content.audits import Audit, with_record
from dpaudit.problems.losses import linear
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.context import Level
from dpaudit.records.mechanism import Gaussian, SelfComposed
from dpaudit.records.privacy import Neighbours, View, claim
from dpaudit.records.target import Target, TrialPlan

FOUR_STEPS = Target(
    name="srm/dp-gd",
    title="DP-GD, transcript of four full gradients",
    view=View.TRANSCRIPT,
    claim=claim(
        mu=1.0,
        neighbours=Neighbours.REPLACE_ONE,
        source="Wang, Ye, Xu (2017), noisy gradient descent, with the exact Gaussian composition",
    ),
    trials=TrialPlan(smoke=50_000, standard=2_000_000, deep=10_000_000),
    truth=Gaussian(1.0),
    claimed_mechanism=Gaussian(1.0),
    effect="models trained with noisy gradient descent leak more about a record than its noise was chosen for",
)
TWO_STEPS = Target(
    name="rbcd/dp-gd",
    from_level=Level.STANDARD,
    title="Noisy gradient descent, transcript of two steps",
    view=View.TRANSCRIPT,
    claim=claim(
        mu=1.0,
        neighbours=Neighbours.REPLACE_ONE,
        source="Maranjyan, Sadiev, Richtarik (2024), theorem 4.1 for S = [d], through its Gaussian mechanisms",
    ),
    trials=TrialPlan(smoke=50_000, standard=5_000_000, deep=10_000_000),
    truth=SelfComposed(Gaussian(math.sqrt(2)), 2),
    effect="noisy gradient descent leaks more about a record than its noise was calibrated for",
)


def params(epochs: int, lipschitz: float, records: int) -> dp_gd.Params:
    """Epochs of two steps, with the noise that makes all of them 1-GDP."""
    return dp_gd.Params(
        start=(0.0, 0.0),
        step_sizes=(0.1, 0.1),
        epochs=epochs,
        inner_steps=2,
        noise=2 * lipschitz * math.sqrt(epochs * 2) / records,
        lipschitz=lipschitz,
        records=records,
    )


def audit(target: Target, params: dp_gd.Params, worst: Array) -> Audit:
    """Noisy gradients, shape (trials, steps, 2), under the log-likelihood ratio of all of them.

    Records, shape (records, 2), have norm at most L; the first is `worst`, and turned around in the neighbour.
    """
    return Audit(
        target,
        neighbours=lambda rng: with_record(rng.uniform(-1, 1, size=(params.records, 2)) * worst, worst, -worst),
        run=lambda data, trials: dp_gd.cpu(params, linear(data), trials),
        score=lambda outputs, data, neighbour: likelihood_ratio.gaussian(
            outputs, data.mean(axis=0), neighbour.mean(axis=0), params.noise
        ),
    )


LONGER = params(epochs=2, lipschitz=5.0, records=6)

AUDITS = (
    replace(
        audit(FOUR_STEPS, LONGER, np.array([3.0, 4.0])),
        instrument=lambda data, recorder: stepwise.instrument(dp_gd, LONGER, linear(data), recorder),
        assumptions=Assumptions(checked_records=True),
    ),
    audit(TWO_STEPS, params(epochs=1, lipschitz=1.0, records=10), np.array([0.6, 0.8])),
)
