"""Cases in which the three forms of `dpzero` are compared."""

from __future__ import annotations

import numpy as np

from dpaudit.agreement.cases import Case
from dpaudit.algorithms import stepwise
from dpaudit.algorithms.zeroth import dpzero
from dpaudit.algorithms.zeroth.dpzero import Params
from dpaudit.problems import losses
from dpaudit.problems.domains import EVERYTHING, ball


def agreement_cases(seed: int) -> tuple[Case, ...]:
    """Both kinds of noise, both laws of the direction, two-point and derivative, with and without a ball."""
    rng = np.random.default_rng([seed, 0xD920])
    features, labels = rng.normal(size=(6, 5)), np.where(rng.random(6) < 0.5, -1.0, 1.0)
    logistic, huber = losses.logistic(features, labels), losses.huber(features, labels, 0.7)
    start, small = (0.3, -0.2, 0.1, 0.4, -0.1), ball(0.7, (0.0,) * 5)
    listed = (
        ("scalar noise, a ball", logistic, Params(start, 4, 6, 1.0, 0.25, 0.3, 0.4, "scalar", small)),
        ("isotropic noise, a ball", huber, Params(start, 4, 6, 0.5, 0.5, 0.6, 0.2, "isotropic", small)),
        ("derivative, Gaussian", logistic, Params(start, 3, 6, 0.5, 0.0, 0.5, 0.3, "scalar", EVERYTHING, "Gaussian")),
    )
    return stepwise.cases(dpzero, seed, listed)
