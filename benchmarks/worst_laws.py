"""The worst laws of scores that (epsilon, delta)-DP admits, for benchmarks/exact_size.py and composed.py.

Each side is told with probability delta; else a randomised response says which side it is, rightly with probability
e^epsilon/(1 + e^epsilon). Every pair of laws that keeps (epsilon, delta)-DP can be made of it (Kairouz, Oh, Viswanath,
"The composition theorem for differential privacy", 2015).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

from dpaudit.records.privacy import ApproximateDP

Floats = NDArray[np.float64]
Shell = tuple[int, int, int]

VALUES = np.array([-math.inf, 0.0, 1.0, math.inf])
"""Told to be D', said to be D', said to be D, told to be D: scores, ascending; two of them infinite."""
_RARE = 1e-13


@dataclass(frozen=True)
class Law:
    """right: chance that the randomised response says the side; on_data, on_other: chances of VALUES on D, on D'."""

    claim: ApproximateDP
    right: float
    on_data: Floats
    on_other: Floats
    values: Floats

    def place(self, threshold: float) -> int:
        """How many of the values lie below a threshold: "score at least threshold" begins there."""
        return int(np.searchsorted(self.values, threshold, side="left"))

    def scores(self, rng: np.random.Generator, positives: int, negatives: int) -> tuple[Floats, Floats]:
        """Trials on D and on D'."""
        return (
            self.values[rng.choice(4, positives, p=self.on_data)],
            self.values[rng.choice(4, negatives, p=self.on_other)],
        )

    def shells(self, sizes: list[int], trials: int) -> Iterator[tuple[float, tuple[Shell, ...] | None]]:
        """What the guesses at the ends of `trials` ranked trials are made of, with its probability.

        sizes: guesses at each end, nested, ascending. A shell: guesses that are surely right, right with chance
        `right`, and with 1 - `right`. None stands for what is too rare.
        """
        delta = self.claim.delta
        told = np.arange(trials + 1)
        chances = binom.pmf(told, trials, delta / 2)
        for up in told[chances > _RARE]:
            left = trials - int(up)
            below = binom.pmf(np.arange(left + 1), left, (delta / 2) / (1 - delta / 2))
            for down in np.flatnonzero(below * chances[up] > _RARE):
                bits = left - int(down)
                ones = binom.pmf(np.arange(bits + 1), bits, 0.5)
                weight = float(chances[up] * below[down])
                yield from self._grouped(weight, int(up), int(down), ones, sizes)

    def _grouped(
        self, weight: float, up: int, down: int, ones: Floats, sizes: list[int]
    ) -> Iterator[tuple[float, tuple[Shell, ...]]]:
        """Numbers of ones alike in what the guesses see of them are taken together."""
        found: dict[tuple[Shell, ...], float] = {}
        for number in np.flatnonzero(ones > _RARE):
            one, other = int(number), len(ones) - 1 - int(number)
            shells, before = [], (0, 0, 0)
            for size in sizes:
                top, bottom = _composed(size, up, one), _composed(size, down, other)
                now = (top[0] + bottom[0], top[1] + bottom[1], top[2] + bottom[2])
                shells.append((now[0] - before[0], now[1] - before[1], now[2] - before[2]))
                before = now
            found[tuple(shells)] = found.get(tuple(shells), 0.0) + float(ones[number])
        for shells_, chance in found.items():
            yield weight * chance, shells_


def _composed(size: int, told: int, said: int) -> Shell:
    """Of `size` trials from one end: told, said what is guessed, and said the contrary."""
    sure = min(size, told)
    likely = min(size - sure, said)
    return sure, likely, size - sure - likely


def worst_law(epsilon: float, delta: float) -> Law:
    """The law of a claim, met with equality."""
    right = 1 / (1 + math.exp(-epsilon))
    said = np.array([0.0, (1 - delta) * (1 - right), (1 - delta) * right, delta])
    return Law(ApproximateDP(epsilon, delta), right, said, said[::-1].copy(), VALUES)
