"""Games of bits that are played in batches stop when the bets of a verdict stop."""

from __future__ import annotations

import math

import numpy as np
from batched_bets import stops

from dpaudit.estimators.betting import BettingTest
from dpaudit.records.privacy import ApproximateDP


def test_bets_in_batches_are_the_bets() -> None:
    """Leaks of several sizes, so that some games stop at once, some late, and some have seen one value alone so far."""
    claim, stopped = ApproximateDP(1.0, 1e-5), 0
    for seed, epsilon in enumerate((0.0, 1.3, 3.5)):
        rng, right = np.random.default_rng(seed), 1 / (1 + math.exp(-epsilon))
        positive, negative = rng.random((12, 400)) < right, rng.random((12, 400)) >= right
        for place, found in enumerate(stops(positive, negative, claim, 0.05)):
            bets = BettingTest([claim], 0.05)
            bets.update(positive[place].astype(float), negative[place].astype(float))
            assert found == bets.stopped[0]
            stopped += found > 0
    assert 12 <= stopped < 36
