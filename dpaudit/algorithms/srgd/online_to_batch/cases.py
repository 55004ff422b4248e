"""Cases in which the three forms of `online_to_batch` are compared."""

from __future__ import annotations

import numpy as np

from dpaudit.agreement.cases import Case
from dpaudit.algorithms import stepwise
from dpaudit.algorithms.srgd import online_to_batch
from dpaudit.algorithms.srgd.online_to_batch import Params, power_weights
from dpaudit.problems import losses
from dpaudit.problems.domains import ball
from dpaudit.sampling.batches import Batches


def agreement_cases(seed: int) -> tuple[Case, ...]:
    """Clipped and not, two factorisations, quadratic and constant weights, batches of one record and of all."""
    rng = np.random.default_rng([seed, 0x07B5])
    features, labels = rng.normal(size=(7, 4)), np.where(rng.random(7) < 0.5, -1.0, 1.0)
    logistic, huber, linear = (
        losses.logistic(features, labels),
        losses.huber(features, labels, 0.5),
        losses.linear(features),
    )
    pairs, singles, whole = Batches("in order", 7, 2), Batches("in order", 7, 1), Batches("all records", 7, 7)
    eta, small = (0.5, 0.4, 0.3, 0.2, 0.1, 0.1, 0.1), ball(0.5, (0.1, 0.0, 0.0, 0.0))
    listed = (
        ("one record a round", logistic, Params(4, power_weights(7), eta, singles, 0.3, 3.0, 3.0, domain=small)),
        ("clipped, k = 2", huber, Params(4, power_weights(7, 2.0), eta, singles, 0.3, 3.0, None, 0.9, "square root")),
        ("pairs of linear losses", linear, Params(4, power_weights(3, 0.0), eta[:3], pairs, 0.3, 3.0, 0.0)),
        ("all records", logistic, Params(4, power_weights(2), eta[:2], whole, 0.3, 3.0, 3.0, 1.0, domain=small)),
    )
    return stepwise.cases(online_to_batch, seed, listed)
