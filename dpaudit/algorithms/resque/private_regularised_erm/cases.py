"""Cases in which the three forms of `private_regularised_erm` are compared."""

from __future__ import annotations

from typing import Any

from dpaudit.agreement.cases import Case
from dpaudit.algorithms.resque import private_regularised_erm
from dpaudit.algorithms.resque.private_erm.stage_cases import stage_case
from dpaudit.algorithms.resque.private_regularised_erm import Params


def agreement_cases(seed: int) -> tuple[Case, ...]:
    """Two stages; three with a weak quadratic, whose domain reaches over the outer one."""
    shared: dict[str, Any] = {
        "radius": 0.5, "lipschitz": 1.5, "epsilon": 0.9, "delta": 0.1, "acceleration_constant": 0.7,
        "solver_constant": 0.3, "error_constant": 0.05, "privacy_constant": 2.0, "steps": (5, 9, 4), "privacy": 4.0,
        "failure": 0.75, "most": 2, "ball_share": 0.3, "smoothing_share": 0.9, "accuracy_share": 0.4,
    }  # fmt: skip
    two = Params(origin=(0.0, 0.1), records=16, regulariser=5.0, target=(0.3, -0.6), **shared)
    three = Params(origin=(0.0,), records=17, regulariser=0.2, **shared)
    return tuple(
        stage_case(private_regularised_erm, name, p, seed)
        for name, p in (("two stages", two), ("weak quadratic", three))
    )
