"""Cases in which the three forms of `coordinate_gaussian` are compared."""

from __future__ import annotations

import numpy as np

from dpaudit.agreement.cases import Case
from dpaudit.algorithms import stepwise
from dpaudit.algorithms.rbcd import coordinate_gaussian
from dpaudit.algorithms.rbcd.coordinate_gaussian import FORMS, Params
from dpaudit.problems import losses


def agreement_cases(seed: int) -> tuple[Case, ...]:
    """Both forms."""
    rng = np.random.default_rng([seed, 0xC06])
    features, labels = rng.normal(size=(7, 4)), np.where(rng.random(7) < 0.5, -1.0, 1.0)
    point, chosen = (0.3, -0.2, 0.1, 0.4), (1.0, 0.0, 1.0, 0.0)
    problem = losses.logistic(features, labels)
    listed = [(form, problem, Params(point, chosen, 0.3, 3.0, 7, form)) for form in FORMS]
    return stepwise.cases(coordinate_gaussian, seed, listed)
