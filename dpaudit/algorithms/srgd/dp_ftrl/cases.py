"""Cases in which the three forms of `dp_ftrl` are compared."""

from __future__ import annotations

import numpy as np

from dpaudit.agreement.cases import Case
from dpaudit.algorithms import stepwise
from dpaudit.algorithms.srgd import dp_ftrl
from dpaudit.algorithms.srgd.dp_ftrl import Params
from dpaudit.problems import losses
from dpaudit.problems.domains import ball, box
from dpaudit.sampling.batches import Batches


def agreement_cases(seed: int) -> tuple[Case, ...]:
    """Every factorisation, clipped and not, both projections, every domain."""
    rng = np.random.default_rng([seed, 0xF712])
    features, labels = rng.normal(size=(13, 4)), np.where(rng.random(13) < 0.5, -1.0, 1.0)
    logistic, huber, linear = (
        losses.logistic(features, labels),
        losses.huber(features, labels, 0.5),
        losses.linear(features),
    )
    pairs, singles, whole = Batches("in order", 13, 2), Batches("in order", 13, 1), Batches("all records", 13, 13)
    start, eta = (0.3, -0.2, 0.1, 0.4), (0.5, 0.4, 0.3, 0.2, 0.1, 0.1)
    small, strip = ball(0.6, (0.1, 0.0, 0.0, 0.0)), box((-0.3,) * 4, (0.4,) * 4)
    listed = (
        ("tree, lazy, a ball", logistic, Params(start, eta, pairs, 0.3, 3.0, None, "binary tree", small)),
        ("tree, lazy, clipped, a box", huber, Params(start, eta, singles, 0.3, 3.0, 0.5, "binary tree", strip)),
        (
            "square root, every step",
            huber,
            Params(start, eta, pairs, 0.3, 3.0, None, "square root", small, "every step"),
        ),
        ("independent noise", linear, Params(start, eta, pairs, 0.3, 3.0, 1.5, "independent noise")),
        ("noise per prefix, all", logistic, Params(start, eta[:3], whole, 0.3, 3.0, None, "noise per prefix", strip)),
    )
    return stepwise.cases(dp_ftrl, seed, listed)
