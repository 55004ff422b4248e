"""Cases in which the three forms of `rrpsgd` are compared."""

from __future__ import annotations

import math

import numpy as np

from dpaudit.agreement.cases import Case
from dpaudit.algorithms import stepwise
from dpaudit.algorithms.srm import rrpsgd
from dpaudit.algorithms.srm.rrpsgd import Params
from dpaudit.problems import losses


def agreement_cases(seed: int) -> tuple[Case, ...]:
    """Every law of the round, clipped and not."""
    rng = np.random.default_rng([seed, 0x4457])
    features, labels = rng.normal(size=(7, 3)), np.where(rng.random(7) < 0.5, -1.0, 1.0)
    logistic, huber = losses.nonconvex_logistic(features, labels, 0.1), losses.huber(features, labels, 0.5)
    start = (0.5, -0.4, 0.3)
    eta = (0.02, *(0.5 / math.sqrt(t) for t in range(1, 9)))
    listed = (
        ("weights 2 eta - L eta^2", logistic, Params(start, eta, 7, 0.3, 3.0, 2.0)),
        ("weights eta, clipped", huber, Params(start, eta, 7, 0.3, 3.0, 2.0, 0.6, "eta")),
        ("uniform rounds", losses.linear(features), Params(start, eta, 7, 0.3, 3.0, 2.0, None, "uniform")),
    )
    return stepwise.cases(rrpsgd, seed, listed)
