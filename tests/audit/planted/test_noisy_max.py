"""Report noisy max: what is released, laws that are known exactly, and that the broken forms are caught."""

from __future__ import annotations

import numpy as np
from scipy.stats import binom

from dpaudit.audit.planted import noisy_max
from dpaudit.noise.stream import Stream, Trials

TRIALS = Trials(Stream(3, "noisy max"), np.arange(20_000))


def chance(number: int, rate: float) -> float:
    """The smaller tail of the count that was seen."""
    return float(min(binom(20_000, rate).cdf(number), binom(20_000, rate).sf(number - 1)))


def test_the_index_is_that_of_the_value() -> None:
    answers = np.array([0.0, 3.0, 1.0])
    found, largest = noisy_max.index(answers, 1.0, TRIALS), noisy_max.value(answers, 1.0, TRIALS)
    assert set(found.tolist()) == {0, 1, 2}
    assert largest[found == 1].min() < 3 < largest.max()
    assert noisy_max.index([5.0], 1.0, TRIALS).max() == 0


def test_laws_of_one_answer() -> None:
    """Laplace and exponential noise of scale 2/epsilon; false alarm 1e-9 each."""
    laplace, exponential = (f([1.0], 0.5, TRIALS) for f in (noisy_max.value, noisy_max.value_exponential))
    assert chance(int((laplace > 5).sum()), np.exp(-1) / 2) > 5e-10
    assert chance(int((laplace < 1).sum()), 0.5) > 5e-10
    assert chance(int((exponential > 5).sum()), np.exp(-1)) > 5e-10
    assert exponential.min() >= 1


def test_the_chance_of_a_position() -> None:
    """Two answers one apart at epsilon 1: P(first) = 1 - exp(-1/2) (1 + 1/4)/2; false alarm 1e-9."""
    first = int((noisy_max.index([1.0, 0.0], 1.0, TRIALS) == 0).sum())
    assert chance(first, 1 - np.exp(-0.5) * 1.25 / 2) > 5e-10
