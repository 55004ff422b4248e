"""Cases in which the three forms of `phased_sgd` are compared."""

from __future__ import annotations

import numpy as np

from dpaudit.agreement.cases import Case
from dpaudit.algorithms import stepwise
from dpaudit.algorithms.srgd import phased_sgd
from dpaudit.algorithms.srgd.phased_sgd import Params
from dpaudit.problems import losses
from dpaudit.problems.domains import ball, box


def agreement_cases(seed: int) -> tuple[Case, ...]:
    """n a power of two and not, both averages, every domain."""
    rng = np.random.default_rng([seed, 0xF123])
    features, labels = rng.normal(size=(13, 4)), np.where(rng.random(13) < 0.5, -1.0, 1.0)
    logistic, huber = losses.logistic(features, labels), losses.huber(features, labels, 0.5)
    linear, start = losses.linear(features[:8]), (0.3, -0.2, 0.1, 0.4)
    small, strip = ball(0.6, (0.1, 0.0, 0.0, 0.0)), box((-0.3,) * 4, (0.4,) * 4)
    listed = (
        ("a ball", logistic, Params(start, 13, 1.0, 0.3, 3.0, 3.0, small)),
        ("after each step, a box", huber, Params(start, 13, 0.5, 0.3, 3.0, 9.0, strip, "after each step")),
        ("linear losses", linear, Params(start, 8, 1.0, 0.3, 3.0, 0.0)),
    )
    return stepwise.cases(phased_sgd, seed, listed)
