"""p-values of a target that keeps its claim: they may be larger than uniform ones, never smaller.

A null control is played once, and its counted trials are dealt into blocks at random; each block is an audit of its
own. If their p-values are too small, the auditor is broken, or the control is not null.
"""

from __future__ import annotations

import numpy as np

from dpaudit.estimators import rank_test
from dpaudit.estimators.held_out_threshold import Scores
from dpaudit.estimators.uniformity import Uniformity, uniformity
from dpaudit.records.privacy import Guarantee

BLOCKS = 60
LARGEST_BLOCK = 2_000
"""Trials a side and block, at most: more would test the ranks again, at a higher price."""


def of_blocks(scores: Scores, guarantee: Guarantee, rng: np.random.Generator) -> Uniformity:
    """The p-values of BLOCKS audits, independent given that the trials are, and the one-sided test of them."""
    size = min(len(scores.positive) // BLOCKS, len(scores.negative) // BLOCKS, LARGEST_BLOCK)
    if not size:
        return uniformity([])
    dealt = [
        rng.permutation(side)[: BLOCKS * size].reshape(BLOCKS, size) for side in (scores.positive, scores.negative)
    ]
    return uniformity([rank_test.p_value(ours, theirs, guarantee, rng) for ours, theirs in zip(*dealt, strict=True)])
