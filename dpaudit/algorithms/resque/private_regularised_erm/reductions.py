"""What `private_regularised_erm` equals for some parameters."""

from __future__ import annotations

from dpaudit.agreement.cases import Reduction
from dpaudit.algorithms.resque.shared import reductions as resque_reductions


def reductions(seed: int) -> tuple[Reduction, ...]:
    """One stage: PrivateERM."""
    return resque_reductions.stages(seed)
