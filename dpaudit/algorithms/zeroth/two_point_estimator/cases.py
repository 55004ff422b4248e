"""Cases in which the three forms of `two_point_estimator` are compared."""

from __future__ import annotations

import numpy as np

from dpaudit.agreement.cases import Case
from dpaudit.algorithms import stepwise
from dpaudit.algorithms.zeroth import two_point_estimator
from dpaudit.algorithms.zeroth.two_point_estimator import Params
from dpaudit.problems import losses
from dpaudit.sampling.batches import Batches


def agreement_cases(seed: int) -> tuple[Case, ...]:
    """Every estimator, every law of the direction, all records and subsets, clipped and not."""
    rng = np.random.default_rng([seed, 0x2E])
    features, labels = rng.normal(size=(6, 5)), np.where(rng.random(6) < 0.5, -1.0, 1.0)
    logistic, curved = (
        losses.logistic(features, labels),
        losses.quadratic_minus_linear(np.diag([1.0, 0.5, 0.2, 2.0, 0.0]), features),
    )
    start, every, some = (0.3, -0.2, 0.1, 0.4, -0.5), Batches("all records", 6, 6), Batches("without replacement", 6, 4)
    listed = (
        ("two-point, clipped", logistic, Params(start, 3, every, 0.25, 0.3)),
        ("two-point, subsets", curved, Params(start, 3, some, 0.5, 50.0)),
        ("derivative, Gaussian", curved, Params(start, 2, some, 0.0, 1.5, "two-point", "Gaussian")),
        ("forward difference", logistic, Params(start, 2, every, 0.125, 0.4, "forward difference", factor=5.0)),
        ("one-point", logistic, Params(start, 2, some, 0.5, 1.4, "one-point", "independent", 5.0)),
    )
    return stepwise.cases(two_point_estimator, seed, listed)
