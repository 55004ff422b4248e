"""The pair, of several that the user gives, whose releases differ most.

A guarantee holds for every pair of neighbours, and a game sees one. Each candidate is played for a few trials a side,
the better quarter for four times as many, and so on. How far two sides are apart is the largest distance of the
distribution functions of any feature of `attacks.best_feature`. The trials of the search are no trials of the game, so
that choosing costs power and never validity.
Source: searching for inputs is half of Bichsel, Gehr, Drachsler-Cohen, Tsankov, Vechev, "DP-Finder: finding
differential privacy violations by sampling and optimization" (2018).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from dpaudit.attacks.best_feature import largest_distance
from dpaudit.content.audits import Data, Outputs
from dpaudit.noise.stream import Stream, Trials
from dpaudit.records.errors import ConfigurationError

Pair: TypeAlias = tuple[Data, Data]
Given: TypeAlias = Sequence[Pair] | Callable[[np.random.Generator], Pair]
"""Pairs, or a function that makes one from a generator of random numbers."""

MADE = 16
"""Pairs that are asked of a function."""
FIRST = 100
"""Trials a side of every candidate."""
GROWTH = 4
"""From round to round so many times fewer candidates and more trials."""


def candidates(name: str, given: Given, rng: np.random.Generator) -> list[Pair]:
    """The pairs that are compared; ConfigurationError unless there is one at least."""
    found = [given(rng) for _ in range(MADE)] if callable(given) else list(given)
    if not found:
        raise ConfigurationError(f"{name}: pairs must hold a pair (data set, neighbour) at least, got none")
    return found


def furthest(run: Callable[[Data, Trials], Outputs], pairs: Sequence[Pair], seed: int) -> tuple[int, int, float]:
    """The place of the pair whose releases differ most, in how many trials a side that was seen, and how far apart they
    were there, from 0 to 1; 0 trials where there is nothing to choose."""
    left, trials, seen, best = list(range(len(pairs))), FIRST, 0, 0.0
    while len(left) > 1:
        apart = {place: _apart(run, pairs[place], trials, seed) for place in left}
        left.sort(key=lambda place: -apart[place])
        seen, best = trials, apart[left[0]]
        left, trials = left[: len(left) // GROWTH or 1], GROWTH * trials
    return left[0], seen, best


def _apart(run: Callable[[Data, Trials], Outputs], pair: Pair, trials: int, seed: int) -> float:
    sides = (
        run(data, Trials(Stream(seed, f"search of pairs/{side}"), np.arange(trials)))
        for side, data in zip(("D", "D'"), pair, strict=True)
    )
    return largest_distance(*sides)
