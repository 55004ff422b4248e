"""Cases in which the three forms of `dp_svrg` are compared."""

from __future__ import annotations

import numpy as np

from dpaudit.agreement.cases import Case
from dpaudit.algorithms import stepwise
from dpaudit.algorithms.rbcd import dp_svrg
from dpaudit.algorithms.rbcd.dp_svrg import Params
from dpaudit.problems import losses
from dpaudit.problems.prox import Regulariser


def agreement_cases(seed: int) -> tuple[Case, ...]:
    """Linear, logistic and curved losses; no regulariser, l1 and a box."""
    rng = np.random.default_rng([seed, 0x5796])
    features, labels = rng.normal(size=(7, 4)), np.where(rng.random(7) < 0.5, -1.0, 1.0)
    root = rng.normal(size=(4, 4))
    curved = losses.quadratic_minus_linear((root @ root.T + (root @ root.T).T) / 8, features)
    start = (0.3, -0.2, 0.1, 0.4)
    soft, strip = Regulariser("l1", 0.3), Regulariser("box", 0.4)
    listed = (
        ("logistic, l1", losses.logistic(features, labels), Params(start, 0.2, 2, 4, 0.3, 3.0, 7, soft)),
        ("linear, one step an epoch", losses.linear(features), Params(start, 0.2, 5, 1, 0.3, 3.0, 7)),
        ("curved, box", curved, Params(start, 0.2, 1, 6, 0.3, 3.0, 7, strip)),
    )
    return stepwise.cases(dp_svrg, seed, listed)
