"""Cases in which the three forms of `zogd` are compared."""

from __future__ import annotations

import numpy as np

from dpaudit.agreement.cases import Case
from dpaudit.algorithms import stepwise
from dpaudit.algorithms.zeroth import zogd
from dpaudit.algorithms.zeroth.zogd import Params
from dpaudit.problems import losses
from dpaudit.problems.domains import EVERYTHING, ball, box
from dpaudit.problems.losses import Problem

START = (0.3, -0.2, 0.1, 0.4)


def instances(seed: int) -> tuple[Problem, Problem, Problem]:
    """Logistic, log-cosh and curved linear losses of six records."""
    rng = np.random.default_rng([seed, 0x206D])
    features, labels = rng.normal(size=(6, 4)), np.where(rng.random(6) < 0.5, -1.0, 1.0)
    curved = losses.quadratic_minus_linear(np.diag([1.0, 0.5, 0.2, 2.0]), features)
    return losses.logistic(features, labels), losses.log_cosh(features, labels), curved


def agreement_cases(seed: int) -> tuple[Case, ...]:
    """Every law of the directions, two-point and derivative, clipped and not, every domain."""
    logistic, log_cosh, curved = instances(seed)
    strip, small = box((-0.4,) * 4, START), ball(0.6, (0.0,) * 4)
    listed = (
        ("independent, a ball", logistic, Params(START, 4, 6, 5, 2.0, 0.25, 0.3, small)),
        ("orthonormal, a box", log_cosh, Params(START, 4, 6, 2, 1.0, 0.5, 0.4, strip, "orthonormal")),
        ("Gaussian, derivative", curved, Params(START, 3, 6, 2, 0.25, 0.0, 2.0, EVERYTHING, "Gaussian")),
    )
    return stepwise.cases(zogd, seed, listed)
