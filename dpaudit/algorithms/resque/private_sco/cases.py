"""Cases in which the three forms of `private_sco` are compared."""

from __future__ import annotations

from typing import Any

from dpaudit.agreement.cases import Case
from dpaudit.algorithms.resque import private_sco as this
from dpaudit.algorithms.resque.private_erm.stage_cases import stage_case
from dpaudit.algorithms.resque.private_sco import Params


def agreement_cases(seed: int) -> tuple[Case, ...]:
    """Both budgets and both steps; two phases that run and three that are too small."""
    shared: dict[str, Any] = {
        "radius": 0.5, "lipschitz": 1.5, "epsilon": 0.9, "delta": 0.1, "acceleration_constant": 0.7,
        "solver_constant": 0.3, "error_constant": 0.05, "privacy_constant": 2.0, "steps": (5, 5, 2), "privacy": 4.0,
        "failure": 0.75, "most": 2, "ball_share": 0.3, "smoothing_share": 0.9, "accuracy_share": 0.4,
        "least_records": 8,
    }  # fmt: skip
    printed = Params(origin=(0.0, 0.1), records=35, step_constant=20.0, **shared)
    other = Params(origin=(0.2,), records=33, step_constant=99.0, budget="parallel", step="KLL21", **shared)
    return tuple(stage_case(this, name, p, seed) for name, p in (("printed", printed), ("the other readings", other)))
