"""The benchmark of whole runs plays what an audit decides, at the share that a run gives."""

from __future__ import annotations

import family_wise
import numpy as np
import pytest
from scipy.stats import binom

RUNS, TARGETS = 25, 6


def test_targets_that_keep_their_claims_are_refuted_as_seldom_as_the_budget_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """False alarm of this test: 1e-6, were the error probability of each target its share exactly."""
    monkeypatch.setattr(family_wise, "TARGETS", TARGETS)
    monkeypatch.setattr(family_wise, "BUDGET", 0.5)
    monkeypatch.setattr(family_wise, "SEQUENTIAL", 3)
    wrong = sum(family_wise.refutations(seed) for seed in range(RUNS))
    assert 0 < wrong <= binom.isf(1e-6, RUNS * TARGETS, 0.5 / TARGETS)


def test_a_claim_that_is_broken_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    """All targets at mu 3 where 0.5 is claimed: nothing of the choice among attacks, or of what is spared, hides it."""
    real = family_wise.target

    def broken(number: int, rng: object) -> object:
        x, y, claim = real(1, rng)  # type: ignore[arg-type]
        return x + np.array([2.5, 0.0]), y, claim

    monkeypatch.setattr(family_wise, "target", broken)
    monkeypatch.setattr(family_wise, "TARGETS", 8)
    assert family_wise.refutations(0) == 8
