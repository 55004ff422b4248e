"""Cases in which the three forms of `dp_gd` are compared."""

from __future__ import annotations

import numpy as np

from dpaudit.agreement.cases import Case
from dpaudit.algorithms import stepwise
from dpaudit.algorithms.rbcd import dp_gd
from dpaudit.algorithms.rbcd.dp_gd import Params
from dpaudit.problems import losses


def agreement_cases(seed: int) -> tuple[Case, ...]:
    """Linear, logistic and curved losses; one step an epoch and several."""
    rng = np.random.default_rng([seed, 0xD6D])
    features, labels = rng.normal(size=(7, 4)), np.where(rng.random(7) < 0.5, -1.0, 1.0)
    root = rng.normal(size=(4, 4))
    curved = losses.quadratic_minus_linear((root @ root.T + (root @ root.T).T) / 8, features)
    start, gamma = (0.3, -0.2, 0.1, 0.4), (0.5, 0.4, 0.3, 0.2)
    listed = (
        ("logistic", losses.logistic(features, labels), Params(start, gamma, 3, 4, 0.3, 3.0, 7)),
        ("linear, one step an epoch", losses.linear(features), Params(start, gamma, 5, 1, 0.3, 3.0, 7)),
        ("curved", curved, Params(start, gamma, 1, 6, 0.3, 3.0, 7)),
    )
    return stepwise.cases(dp_gd, seed, listed)
