"""What `accelerated_dp_srgd` equals for some parameters."""

from __future__ import annotations

from dpaudit.agreement.cases import Reduction
from dpaudit.algorithms.srgd.accelerated_dp_srgd import cases


def reductions(seed: int) -> tuple[Reduction, ...]:
    """What it becomes for some parameters."""
    return cases.of_accelerated(seed)
