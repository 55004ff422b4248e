"""What `prefix_noise` equals for some parameters."""

from __future__ import annotations

from dpaudit.agreement.cases import Reduction
from dpaudit.algorithms.srgd.noisy_sums import cases


def reductions(seed: int) -> tuple[Reduction, ...]:
    """What it becomes for some parameters."""
    return cases.of_prefix_noise(seed)
