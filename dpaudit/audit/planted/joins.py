"""One-run auditors whose scores and coins come in two tables, each in its own order: joined rightly, and wrongly.

The harness writes the scores with the most exposed canary first, and the coins with those that are in first, as loaders
and reports do. A canary has one name in both tables.
"""

from __future__ import annotations

import numpy as np

from dpaudit.arithmetic.arrays import Array, Flags, Integers
from dpaudit.estimators.one_run import one_run_bound


def joined_by_name(scores_in: Array, scores_out: Array, delta: float, alpha: float) -> float:
    """Correct: the score and the coin of a canary are looked up by its name."""
    (names, scores), (other_names, coins) = _tables(scores_in, scores_out)
    return one_run_bound(scores[np.argsort(names)], coins[np.argsort(other_names)], delta, alpha).epsilon_lower


def joined_by_position(scores_in: Array, scores_out: Array, delta: float, alpha: float) -> float:
    """Broken: the first score is taken to be of the first coin, and so on: exposed canaries are called members."""
    (_, scores), (_, coins) = _tables(scores_in, scores_out)
    return one_run_bound(scores, coins, delta, alpha).epsilon_lower


def _tables(scores_in: Array, scores_out: Array) -> tuple[tuple[Integers, Array], tuple[Integers, Flags]]:
    """Names and scores, largest score first; names and coins, canaries that are in first."""
    scores = np.concatenate([scores_in, scores_out])
    names = np.random.default_rng(0).permutation(len(scores))
    order = np.argsort(-scores, kind="stable")
    return (names[order], scores[order]), (names, np.arange(len(scores)) < len(scores_in))
