"""Cases in which the three forms of `accelerated_dp_srgd` are compared."""

from __future__ import annotations

import numpy as np

from dpaudit.agreement.cases import Case
from dpaudit.algorithms import stepwise
from dpaudit.algorithms.srgd import accelerated_dp_srgd
from dpaudit.algorithms.srgd.accelerated_dp_srgd import Params, growing_weights
from dpaudit.problems import losses
from dpaudit.problems.domains import ball, box
from dpaudit.sampling.batches import Batches


def agreement_cases(seed: int) -> tuple[Case, ...]:
    """Clipped and not, every way to mix noise, every domain, both readings of the z-step, one step, all records."""
    rng = np.random.default_rng([seed, 0x5261])
    features, labels = rng.normal(size=(13, 4)), np.where(rng.random(13) < 0.5, -1.0, 1.0)
    logistic, huber = losses.logistic(features, labels), losses.huber(features, labels, 0.5)
    quadratic = losses.quadratic_minus_linear(np.diag([1.0, 0.5, 2.0, 0.1]), features)
    root = rng.normal(size=(4, 4))
    curved = losses.quadratic_minus_linear((root @ root.T + (root @ root.T).T) / 8, features)
    pairs, singles, whole = Batches("in order", 13, 2), Batches("in order", 13, 1), Batches("all records", 13, 13)
    small, strip = ball(0.5, (0.1, 0.0, 0.0, 0.0)), box((-0.3,) * 4, (0.2,) * 4)
    shifts = tuple(tuple(row) for row in (0.1 * rng.normal(size=(3, 4))).tolist())
    six, weights = growing_weights(6), (1.0, 1.5, 1.5, 2.0)
    listed = (
        ("as printed", logistic, Params(4, six, 2.0, pairs, 0.3, 3.0, 3.0, None, domain=small)),
        ("clipped", logistic, Params(4, six, 2.0, pairs, 0.3, 3.0, None, 1.2, domain=small)),
        ("clipped, all records, a box", huber, Params(4, six, 3.0, whole, 0.3, 3.0, 3.0, 0.9, domain=strip)),
        ("square root", huber, Params(4, weights, 3.0, pairs, 0.3, 3.0, 3.0, None, "square root", strip)),
        ("independent noise", quadratic, Params(4, six, 3.0, pairs, 0.3, 3.0, 2.0, None, "independent noise")),
        (
            "auxiliary z-step, fixed shifts",
            quadratic,
            Params(4, weights, 3.0, singles, 0.3, 3.0, 2.0, None, "noise per prefix", small, (1.0, 0.5, 0.0), 2.0, 1.0,
                   shifts),
        ),
        ("z-step of half the length", logistic, Params(4, weights, 3.0, singles, 0.3, 3.0, z_divisor=2.0, z_noise=0.5)),
        ("all records, curved linear losses", curved, Params(4, six, 4.0, whole, 0.3, 3.0, 2.0, domain=small)),
        ("one step", logistic, Params(4, growing_weights(1), 2.0, whole, 0.3, 3.0, domain=small)),
    )  # fmt: skip
    return stepwise.cases(accelerated_dp_srgd, seed, listed, "srgd")
