"""What `ball_iteration` equals for some parameters."""

from __future__ import annotations

from dpaudit.agreement.cases import Reduction
from dpaudit.algorithms.resque.perturbed_batches import cases


def reductions(seed: int) -> tuple[Reduction, ...]:
    """One ball is projected gradient descent; on |x - c|^2/2 every exact ball goes r towards c."""
    return cases.ball_reductions(seed)
