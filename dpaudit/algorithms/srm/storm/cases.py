"""Cases in which the three forms of `storm` are compared."""

from __future__ import annotations

import numpy as np

from dpaudit.agreement.cases import Case
from dpaudit.algorithms import stepwise
from dpaudit.algorithms.srm import storm
from dpaudit.algorithms.srm.storm import Params
from dpaudit.problems import losses
from dpaudit.sampling.batches import Batches


def agreement_cases(seed: int) -> tuple[Case, ...]:
    """One record and several, with and without replacement, all records."""
    rng = np.random.default_rng([seed, 0x570])
    features, labels = rng.normal(size=(7, 3)), np.where(rng.random(7) < 0.5, -1.0, 1.0)
    logistic, huber = losses.nonconvex_logistic(features, labels, 0.1), losses.huber(features, labels, 0.5)
    start = (0.5, -0.4, 0.3)
    listed = (
        ("one record with replacement", logistic, Params(start, 6, Batches("with replacement", 7, 1), 0.4, 1.0, 4.0)),
        ("subsets", huber, Params(start, 6, Batches("without replacement", 7, 3), 0.3, 2.0, 9.0)),
        (
            "all records",
            losses.cosine(features, labels),
            Params(start, 6, Batches("all records", 7, 7), 0.4, 1.0, 4.0),
        ),
    )
    return stepwise.cases(storm, seed, listed)
