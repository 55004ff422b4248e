"""Counts of the scores seen so far, coarse in the middle and fine in both tails, of bounded size.

An edge stands for the scores from itself up to the next edge. `add` makes every new score an edge, so that it does
not matter in which portions scores arrive; `thinned` merges edges until neighbours in the same tail are a fixed ratio
apart in pooled rank. After that the counts at a new edge are known to that ratio only: they may guide a choice, never
decide.

Promises: no error probability. Counts are exact until edges are merged, and then known to a ratio of ranks.

Assumes: nothing.

Decides: no. `betting` learns its bets from it, and bets that are learned badly cost power alone.

Example:

    >>> import numpy as np
    >>> from dpaudit.estimators.score_digest import ScoreDigest
    >>> digest = ScoreDigest.empty().add(np.array([1.0, 2.0]), np.array([0.0, 1.0]))
    >>> digest.edges.tolist(), digest.positive.tolist(), digest.area()
    ([0.0, 1.0, 2.0], [0, 1, 1], 0.875)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpaudit.arithmetic.arrays import Array, Integers

Counts = Integers

_EXACT = 8
"""Most extreme scores of each tail that are never merged."""


@dataclass(frozen=True)
class ScoreDigest:
    """edges, ascending; positive, negative: scores on D and on D' from each edge up to the next; all (edges,)."""

    edges: Array
    positive: Counts
    negative: Counts

    @classmethod
    def empty(cls) -> ScoreDigest:
        """Without any score."""
        return cls(np.empty(0), np.empty(0, np.int64), np.empty(0, np.int64))

    def add(self, positive: Array, negative: Array) -> ScoreDigest:
        """With further scores, which become edges; in whatever portions they come."""
        edges, place = np.unique(np.concatenate([self.edges, positive, negative]), return_inverse=True)
        known, first = len(self.edges), len(self.edges) + len(positive)
        counts = [
            np.bincount(place[known:first], minlength=len(edges)),
            np.bincount(place[first:], minlength=len(edges)),
        ]
        for count, before in zip(counts, (self.positive, self.negative), strict=True):
            count[place[:known]] += before
        return ScoreDigest(edges, *counts)

    def thinned(self, ratio: float) -> ScoreDigest:
        """With edges merged where their pooled ranks from the nearer end lie within `ratio` > 1 of each other."""
        pooled = np.cumsum(self.positive + self.negative)
        below = np.concatenate([[0], pooled[:-1]])
        rank = np.minimum(below, pooled[-1] - below)  # of the edge, from the nearer end
        level = np.floor(np.log(np.maximum(rank, _EXACT) / _EXACT) / np.log(ratio)) + np.minimum(rank, _EXACT)
        level = np.where(2 * below > pooled[-1], -1 - level, level)
        first = np.flatnonzero(np.concatenate([[True], level[1:] != level[:-1]]))
        return ScoreDigest(
            self.edges[first], np.add.reduceat(self.positive, first), np.add.reduceat(self.negative, first)
        )

    def at_least(self) -> tuple[Counts, Counts]:
        """Scores at or above each edge, on D and on D'."""
        return np.cumsum(self.positive[::-1])[::-1], np.cumsum(self.negative[::-1])[::-1]

    def area(self) -> float:
        """Area under the receiver operating characteristic: how often D scores higher, ties counting half."""
        lower = np.cumsum(self.negative) - self.negative / 2
        return float(self.positive @ lower) / (int(self.positive.sum()) * int(self.negative.sum()))
