"""Cases in which the three forms of `prefix_noise` are compared."""

from __future__ import annotations

import numpy as np

from dpaudit.agreement.cases import Case
from dpaudit.algorithms import stepwise
from dpaudit.algorithms.srgd import prefix_noise
from dpaudit.algorithms.srgd.prefix_noise import Params
from dpaudit.problems import losses
from dpaudit.sampling.batches import Batches


def agreement_cases(seed: int) -> tuple[Case, ...]:
    """Every factorisation, clipped and not, T a power of two and not."""
    rng = np.random.default_rng([seed, 0x7EEE])
    features, labels = rng.normal(size=(13, 3)), np.where(rng.random(13) < 0.5, -1.0, 1.0)
    linear, logistic = losses.linear(features), losses.logistic(features, labels)
    pairs, singles, whole = Batches("in order", 13, 2), Batches("in order", 13, 1), Batches("all records", 13, 13)
    listed = (
        ("tree of 13 items", linear, Params((0.0,) * 3, 13, singles, 0.4, 3.0)),
        ("tree of 8 items, clipped", logistic, Params((0.3, 0.1, -0.2), 8, singles, 0.4, 3.0, 0.5)),
        ("square root", logistic, Params((0.3, 0.1, -0.2), 6, pairs, 0.4, 3.0, None, "square root")),
        ("independent noise", linear, Params((0.0,) * 3, 6, pairs, 0.4, 3.0, 1.0, "independent noise")),
        ("noise per prefix, all records", logistic, Params((0.3,) * 3, 3, whole, 0.4, 3.0, None, "noise per prefix")),
    )
    return stepwise.cases(prefix_noise, seed, listed)
