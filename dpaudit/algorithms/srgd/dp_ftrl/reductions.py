"""What `dp_ftrl` equals for some parameters."""

from __future__ import annotations

from dpaudit.agreement.cases import Reduction
from dpaudit.algorithms.srgd.noisy_sums import cases


def reductions(seed: int) -> tuple[Reduction, ...]:
    """What it becomes for some parameters."""
    return cases.of_dp_ftrl(seed)
