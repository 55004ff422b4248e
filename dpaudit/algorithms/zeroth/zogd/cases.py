"""Cases in which the three forms of `zogd` are compared."""

from __future__ import annotations

from dpaudit.agreement.cases import Case
from dpaudit.algorithms import stepwise
from dpaudit.algorithms.zeroth import zogd
from dpaudit.algorithms.zeroth.zogd import START, Params, _instances
from dpaudit.noise.stream import Stream
from dpaudit.problems.domains import EVERYTHING, ball, box


def agreement_cases(seed: int) -> tuple[Case, ...]:
    """Every law of the directions, two-point and derivative, clipped and not, every domain."""
    logistic, log_cosh, curved = _instances(seed)
    strip, small = box((-0.4,) * 4, START), ball(0.6, (0.0,) * 4)
    listed = (
        ("independent, a ball", logistic, Params(START, 4, 6, 5, 2.0, 0.25, 0.3, small)),
        ("orthonormal, a box", log_cosh, Params(START, 4, 6, 2, 1.0, 0.5, 0.4, strip, "orthonormal")),
        ("Gaussian, derivative", curved, Params(START, 3, 6, 2, 0.25, 0.0, 2.0, EVERYTHING, "Gaussian")),
    )
    module = zogd
    return tuple(
        stepwise.case(module, name, params, problem, Stream(seed, f"agree/zogd/{name}"))
        for name, problem, params in listed
    )
