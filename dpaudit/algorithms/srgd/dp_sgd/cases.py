"""Cases in which the three forms of `dp_sgd` are compared."""

from __future__ import annotations

import numpy as np

from dpaudit.agreement.cases import Case
from dpaudit.algorithms import stepwise
from dpaudit.algorithms.srgd import dp_sgd
from dpaudit.algorithms.srgd.dp_sgd import Params
from dpaudit.problems import losses
from dpaudit.problems.domains import Domain, ball
from dpaudit.sampling.batches import Batches


def agreement_cases(seed: int) -> tuple[Case, ...]:
    """Every kind of batch, clipped and not, every output, every domain."""
    rng = np.random.default_rng([seed, 0xD595])
    features, labels = rng.normal(size=(7, 4)), np.where(rng.random(7) < 0.5, -1.0, 1.0)
    logistic, huber, linear = (
        losses.logistic(features, labels),
        losses.huber(features, labels, 0.5),
        losses.linear(features),
    )
    start, eta = (0.3, -0.2, 0.1, 0.4), (0.5, 0.4, 0.3, 0.2, 0.1)
    small, strip = ball(0.6, (0.1, 0.0, 0.0, 0.0)), Domain("box", lower=(-0.3,) * 4, upper=(0.4,) * 4)
    listed = (
        ("all records", logistic, Params(start, eta, Batches("all records", 7, 7), 0.3, 3.0)),
        ("all records, clipped", huber, Params(start, eta, Batches("all records", 7, 7), 0.3, 3.0, 0.8, small, "mean")),
        ("Poisson, clipped", logistic, Params(start, eta, Batches("Poisson", 7, 2), 0.3, 3.0, 0.9, small)),
        ("subsets, a box", huber, Params(start, eta, Batches("without replacement", 7, 3), 0.3, 3.0, None, strip)),
        (
            "one record with replacement, uniform iterate",
            logistic,
            Params(start, eta, Batches("with replacement", 7, 1), 0.3, 3.0, None, small, "uniform"),
        ),
        ("one pass over linear losses", linear, Params(start, eta[:3], Batches("in order", 7, 2), 0.3, 3.0, 1.5)),
    )
    return stepwise.cases(dp_sgd, seed, listed)
