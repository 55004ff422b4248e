"""What `private_sco` equals for some parameters."""

from __future__ import annotations

from dpaudit.agreement.cases import Reduction
from dpaudit.algorithms.resque.shared import reductions as resque_reductions


def reductions(seed: int) -> tuple[Reduction, ...]:
    """One phase: PrivateRegERM."""
    return resque_reductions.localised(seed)
