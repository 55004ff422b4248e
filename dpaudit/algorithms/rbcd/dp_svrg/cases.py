"""Cases in which the three forms of `dp_svrg` are compared."""

from __future__ import annotations

import numpy as np

from dpaudit.agreement.cases import Case
from dpaudit.algorithms import stepwise
from dpaudit.algorithms.rbcd import dp_svrg
from dpaudit.algorithms.rbcd.dp_svrg import Params
from dpaudit.noise.stream import Stream
from dpaudit.problems import losses
from dpaudit.problems.prox import NOTHING, Regulariser


def agreement_cases(seed: int) -> tuple[Case, ...]:
    """Linear, logistic and curved losses; no regulariser, l1 and a box."""
    rng = np.random.default_rng([seed, 0x5796])
    features, labels = rng.normal(size=(7, 4)), np.where(rng.random(7) < 0.5, -1.0, 1.0)
    root = rng.normal(size=(4, 4))
    listed = (
        ("logistic, l1", losses.logistic(features, labels), 2, 4, Regulariser("l1", 0.3)),
        ("linear, one step an epoch", losses.linear(features), 5, 1, NOTHING),
        (
            "curved, box",
            losses.quadratic_minus_linear((root @ root.T + (root @ root.T).T) / 8, features),
            1,
            6,
            Regulariser("box", 0.4),
        ),
    )
    return tuple(
        stepwise.case(
            dp_svrg,
            name,
            Params((0.3, -0.2, 0.1, 0.4), 0.2, epochs, inner_steps, 0.3, 3.0, 7, regulariser),
            problem,
            Stream(seed, f"agree/dp_svrg/{name}"),
        )
        for name, problem, epochs, inner_steps, regulariser in listed
    )
