"""Small DP-SGD in torch as people write it, and what the structural tier says of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from dpaudit.adapters.torch_training import TorchTraining
from dpaudit.audit.structural.examine import examine
from dpaudit.audit.structural.finding import Finding
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.mechanism import Gaussian, Mechanism, PoissonSampled, SelfComposed
from dpaudit.records.privacy import PrivacyClaim, claim
from dpaudit.records.verdict import Outcome

ALPHA = 1e-6
"""False-alarm probability of each statistical test."""
RECORDS, RATE, STEPS, CLIP, NOISE = 60, 0.2, 5, 1.0, 1.5
BATCH = RATE * RECORDS
MECHANISM = SelfComposed(PoissonSampled(RATE, Gaussian(NOISE)), STEPS)
CLAIM = claim(epsilon=2.3, delta=1e-5)
"""A little more than MECHANISM spends."""
CHECKED = Assumptions(shared_generators=True, random_batches=True, checked_records=True)


def labelled(count: int = RECORDS, features: int = 5) -> tuple[np.ndarray, np.ndarray]:
    """Features and labels 0, 1 that follow the first one."""
    rng = np.random.default_rng(0)
    inputs = rng.normal(size=(count, features))
    return inputs, (inputs[:, 0] + 0.3 * rng.normal(size=count) > 0).astype(np.int64)


def drawn(records: Any) -> Any:
    """The ids of one Poisson batch."""
    return torch.nonzero(torch.rand(len(records)) < RATE)[:, 0]


def clipped_sum(inputs: Any, labels: Any, weights: Any) -> Any:
    """The sum of the clipped gradients of the logistic loss."""
    own = (torch.sigmoid(inputs @ weights) - labels)[:, None] * inputs
    return (own * (CLIP / own.norm(dim=1, keepdim=True).clamp(min=CLIP))).sum(dim=0)


def examined(
    train: Any, promised: PrivacyClaim = CLAIM, mechanism: Mechanism | None = MECHANISM, **options: Any
) -> tuple[Finding, ...]:
    """The findings of the structural tier on a training.

    On `labelled()` and a far record with the wrong label, unless `records` or a `pair` are given.
    """
    if "pair" not in options and "records" not in options:
        options |= {"records": labelled(), "canary": (np.full(5, -10.0), 1)}
    options.setdefault("assumptions", CHECKED)
    audit = TorchTraining("mine/training", train, claim=promised, mechanism=mechanism, trials=None, **options)
    data, neighbour = audit.neighbours(np.random.default_rng(1))
    pairs = [(promised.neighbours, neighbour)]
    return examine(
        audit.instrument, data, pairs, promised, mechanism, seed=1, alpha=ALPHA, assumptions=options["assumptions"]
    )


def refuted(findings: tuple[Finding, ...]) -> dict[str, str]:
    """The details of what refutes, by the name of the check."""
    return {one.check: one.detail for one in findings if one.outcome is Outcome.REFUTED}


def consistent(findings: tuple[Finding, ...]) -> set[str]:
    """The checks that ran and found nothing."""
    return {one.check for one in findings if one.outcome is Outcome.CONSISTENT}
