"""What `online_to_batch` equals for some parameters."""

from __future__ import annotations

from dpaudit.agreement.cases import Reduction
from dpaudit.algorithms.srgd.noisy_sums import cases


def reductions(seed: int) -> tuple[Reduction, ...]:
    """What it becomes for some parameters."""
    return cases.of_online_to_batch(seed)
