"""Cases in which the three forms of `dp_cd` are compared."""

from __future__ import annotations

import numpy as np

from dpaudit.agreement.cases import Case
from dpaudit.algorithms import stepwise
from dpaudit.algorithms.rbcd import dp_cd
from dpaudit.algorithms.rbcd.dp_cd import Params
from dpaudit.noise.stream import Stream
from dpaudit.problems import losses as problems
from dpaudit.problems.prox import NOTHING, Regulariser


def agreement_cases(seed: int) -> tuple[Case, ...]:
    """Every regulariser, with logistic, Huber and curved linear losses."""
    rng = np.random.default_rng([seed, 0xDCD])
    features, labels = rng.normal(size=(7, 4)), np.where(rng.random(7) < 0.5, -1.0, 1.0)
    root = rng.normal(size=(4, 4))
    losses = (
        problems.logistic(features, labels),
        problems.huber(features, labels, 0.5),
        problems.quadratic_minus_linear((root @ root.T + (root @ root.T).T) / 8, features),
        problems.logistic(features, labels),
    )
    kinds = (NOTHING, Regulariser("l1", 0.4), Regulariser("ridge", 0.7), Regulariser("box", 0.2))
    start, g, sigma = (0.3, -0.2, 0.1, 0.0), (0.5, 0.4, 0.3, 0.2), (0.1, 0.2, 0.3, 0.4)
    return tuple(
        stepwise.case(
            dp_cd,
            f"regulariser {kind.kind}",
            Params(start, g, 3, 4, sigma, (3.0,) * 4, 7, kind),
            problem,
            Stream(seed, f"agree/dp_cd/{kind.kind}"),
        )
        for problem, kind in zip(losses, kinds, strict=True)
    )
