"""Cases in which the three forms of `ball_iteration` are compared."""

from __future__ import annotations

from dpaudit.agreement.cases import Case
from dpaudit.algorithms.resque.perturbed_batches import cases


def agreement_cases(seed: int) -> tuple[Case, ...]:
    """Plain and smoothed, every way to draw a batch, both outputs, losses with and without kinks."""
    return cases.ball_cases(seed)
