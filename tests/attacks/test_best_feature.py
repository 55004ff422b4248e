"""Which feature is chosen, and that one comparison among many coordinates is enough."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dpaudit.attacks.best_feature import BestFeature, features

Make = Callable[[np.random.Generator, bool], Any]


def consecutive(rng: np.random.Generator, on_data: bool) -> Any:
    """Noise of one coordinate repeated in the next, where the record moves one of them."""
    z = 1e3 * rng.normal(size=30)
    z[17] = z[16] + on_data
    return z


def over_steps(rng: np.random.Generator, on_data: bool) -> Any:
    """The noise of the first step used again in the second, coordinate by coordinate."""
    z = 1e3 * rng.normal(size=(1, 8))
    return np.concatenate([z, z + 0.5 * on_data])


def repeats(rng: np.random.Generator, on_data: bool) -> Any:
    """On D some value comes twice, anywhere."""
    z = rng.normal(size=40)
    z[rng.integers(20)] = z[20 + rng.integers(20)] if on_data else 9.0
    return z


def equal_pair(rng: np.random.Generator, on_data: bool) -> Any:
    """As many repeats on both sides, of other coordinates."""
    z = rng.normal(size=5)
    z[3 if on_data else 1] = z[0]
    return z


def total(rng: np.random.Generator, on_data: bool) -> Any:
    z = 1e3 * rng.normal(size=6)
    return z - z.mean() + on_data


@pytest.mark.parametrize("make", [consecutive, over_steps, repeats, equal_pair, total])
def test_one_comparison_gives_the_side_away(make: Make) -> None:
    rng = np.random.default_rng(3)
    fit, fresh = ([np.array([make(rng, side) for _ in range(60)]) for side in (True, False)] for _ in range(2))
    score = BestFeature().fit(*fit, None, None, rng)
    here, there = (score(side) for side in fresh)
    assert (here[:, None] > there).mean() > 0.95


def test_features_of_a_table_of_steps_by_hand() -> None:
    found = features(np.array([[[1.0, 4.0], [1.0, np.inf]]]), most=3)[0]
    assert found[:3].tolist() == [1e300, 1e300 - 1, 3.0]  # sum, largest minus smallest, values that differ
    assert found[3:6].tolist() == [1.0, 4.0, 1.0]  # the first three coordinates
    assert found[6:8].tolist() == [0.0, 1e300]  # a step minus the one before
    assert found[8:10].tolist() == [3.0, 1e300]  # a coordinate minus the one before
    assert found[10:].tolist() == [0, 1, 0, 0, 0, 0]  # which pairs are equal


def test_one_coordinate_and_no_trial_say_nothing() -> None:
    rng = np.random.default_rng(0)
    assert BestFeature().fit(rng.normal(size=9), rng.normal(size=9), None, None, rng)(np.ones(2)).tolist() == [0, 0]
    none = np.zeros((0, 3))
    assert BestFeature().fit(none, none, None, None, rng)(np.ones((2, 3))).tolist() == [0, 0]


def test_many_trials_are_scored_a_few_at_a_time_alike() -> None:
    rng = np.random.default_rng(4)
    sides = [np.array([consecutive(rng, side) for _ in range(2_500)]) for side in (True, False)]
    score = BestFeature().fit(*sides, None, None, rng)
    assert score(sides[0])[2_100:2_110].tolist() == score(sides[0][2_100:2_110]).tolist()
    assert score(sides[0][:0]).shape == (0,)
