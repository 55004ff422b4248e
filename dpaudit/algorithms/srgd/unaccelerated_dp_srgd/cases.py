"""Cases in which the three forms of `unaccelerated_dp_srgd` are compared."""

from __future__ import annotations

import numpy as np

from dpaudit.agreement.cases import Case
from dpaudit.algorithms import stepwise
from dpaudit.algorithms.srgd import unaccelerated_dp_srgd
from dpaudit.algorithms.srgd.unaccelerated_dp_srgd import Params, printed_scaling
from dpaudit.problems import losses
from dpaudit.problems.domains import ball
from dpaudit.sampling.batches import Batches


def agreement_cases(seed: int) -> tuple[Case, ...]:
    """Clipped and not, two factorisations, growing and constant weights."""
    rng = np.random.default_rng([seed, 0x0A15])
    features, labels = rng.normal(size=(13, 4)), np.where(rng.random(13) < 0.5, -1.0, 1.0)
    logistic, huber = losses.logistic(features, labels), losses.huber(features, labels, 0.5)
    quadratic = losses.quadratic_minus_linear(np.diag([1.0, 0.5, 2.0, 0.1]), features)
    pairs, singles, whole = Batches("in order", 13, 2), Batches("in order", 13, 1), Batches("all records", 13, 13)
    growing, small = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0), ball(0.5, (0.1, 0.0, 0.0, 0.0))
    listed = (
        ("as printed", logistic, Params(4, growing, printed_scaling(6, 2), pairs, 0.3, 3.0, 3.0, domain=small)),
        ("clipped", huber, Params(4, growing, 2.0, pairs, 0.3, 3.0, None, 0.9, "square root")),
        ("constant weights", quadratic, Params(4, (1.0,) * 4, 3.0, singles, 0.3, 3.0, 2.0, domain=small)),
        ("all records", logistic, Params(4, growing[:3], 2.0, whole, 0.3, 3.0, 3.0, None, "noise per prefix", small)),
    )
    return stepwise.cases(unaccelerated_dp_srgd, seed, listed, "unaccelerated")
