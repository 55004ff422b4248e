"""Blocks of a null control are audits whose p-values must not be too small."""

from __future__ import annotations

import numpy as np
import pytest

from dpaudit.audit.game import null
from dpaudit.estimators.held_out_threshold import Scores, split
from dpaudit.records.privacy import GaussianDP


def scores(mu: float, trials: int, seed: int = 1) -> Scores:
    rng = np.random.default_rng(seed)
    return split(rng.normal(mu, 1, trials), rng.normal(0, 1, trials))


@pytest.mark.deep
def test_a_kept_claim_gives_no_small_p_values_and_a_broken_one_does() -> None:
    kept = null.of_blocks(scores(0.5, 30_000), GaussianDP(0.5), np.random.default_rng(2))
    broken = null.of_blocks(scores(0.7, 30_000), GaussianDP(0.5), np.random.default_rng(2))
    assert len(kept.values) == null.BLOCKS
    assert kept.p_value > 1e-6  # its false alarm
    assert broken.p_value < 1e-6


def test_blocks_are_dealt_at_random_from_sorted_scores() -> None:
    """Consecutive blocks of sorted scores would each come from one part of the law: p-values near 0 and 1 only."""
    found = null.of_blocks(scores(0.5, 30_000), GaussianDP(0.5), np.random.default_rng(3)).values
    assert ((found > 0.1) & (found < 0.9)).mean() > 0.2


@pytest.mark.parametrize("trials", [2, 50])
def test_too_few_trials_say_nothing(trials: int) -> None:
    found = null.of_blocks(scores(0.0, trials), GaussianDP(0.0), np.random.default_rng(4))
    assert (len(found.values), found.p_value) == (0, 1.0)
