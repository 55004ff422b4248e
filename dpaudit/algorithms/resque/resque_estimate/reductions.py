"""What `resque_estimate` equals for some parameters."""

from __future__ import annotations

from dpaudit.agreement.cases import Reduction
from dpaudit.algorithms.resque.shared import reductions as resque_reductions


def reductions(seed: int) -> tuple[Reduction, ...]:
    """At x = xbar and for rho -> oo: the gradient itself."""
    return resque_reductions.estimate(seed)
