"""What `randomised_smoothing` equals for some parameters."""

from __future__ import annotations

from dpaudit.agreement.cases import Reduction
from dpaudit.algorithms.resque.perturbed_batches import cases


def reductions(seed: int) -> tuple[Reduction, ...]:
    """Without smoothing it is Nesterov's method, and one step is a projected gradient step."""
    return cases.smoothing_reductions(seed)
