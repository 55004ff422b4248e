"""Cases in which the three forms of `randomised_smoothing` are compared."""

from __future__ import annotations

from dpaudit.agreement.cases import Case
from dpaudit.algorithms.resque.perturbed_batches import cases


def agreement_cases(seed: int) -> tuple[Case, ...]:
    """Both schedules and none, every way to draw a batch, every domain, losses with and without kinks."""
    return cases.smoothing_cases(seed)
