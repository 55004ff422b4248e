"""Cases in which the three forms of `independent_gradients` are compared."""

from __future__ import annotations

import numpy as np

from dpaudit.agreement.cases import Case
from dpaudit.algorithms import stepwise
from dpaudit.algorithms.srgd import independent_gradients
from dpaudit.algorithms.srgd.independent_gradients import Params
from dpaudit.problems import losses
from dpaudit.problems.domains import ball, box
from dpaudit.sampling.batches import Batches


def agreement_cases(seed: int) -> tuple[Case, ...]:
    """A pass with noise, with fixed shifts, clipped; all records of two problems."""
    rng = np.random.default_rng([seed, 0x14D6])
    features, labels = rng.normal(size=(13, 4)), np.where(rng.random(13) < 0.5, -1.0, 1.0)
    logistic, huber = losses.logistic(features, labels), losses.huber(features, labels, 0.5)
    quadratic = losses.quadratic_minus_linear(np.diag([1.0, 0.5, 2.0, 0.1]), features)
    pairs, singles, whole = Batches("in order", 13, 2), Batches("in order", 13, 1), Batches("all records", 13, 13)
    small, strip = ball(0.5, (0.1, 0.0, 0.0, 0.0)), box((-0.3,) * 4, (0.2,) * 4)
    shifts = tuple(tuple(row) for row in (0.1 * rng.normal(size=(4, 4))).tolist())
    five, four = (1.0, 2.0, 3.0, 4.0, 5.0), (1.0, 1.5, 1.5, 2.0)
    listed = (
        ("a pass with noise", logistic, Params(4, five, 2.0, pairs, 0.3, 3.0, domain=small)),
        ("a pass with noise, clipped", huber, Params(4, five, 2.0, pairs, 0.3, 3.0, 0.6, strip)),
        ("fixed shifts", quadratic, Params(4, five, 3.0, singles, 0.1, 3.0, None, small, offsets=shifts)),
        ("all records, other couplings", logistic, Params(4, four, 2.0, whole, 0.3, 3.0, 0.8, small, (1.0, 0.5, 0.0))),
        ("all records of a quadratic", quadratic, Params(4, five, 2.0, whole, 0.1, 3.0)),
    )
    return stepwise.cases(independent_gradients, seed, listed)
