"""A released seed repeats the release: told from whole numbers that are none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpaudit.attacks.replayed_seed import ReplayedSeed, has_whole_numbers


def release(data: float, seed: int) -> Any:
    rng = np.random.default_rng(seed)
    return [data + 100 * rng.normal(), float(seed), data]


def other_seed(data: float, seed: int) -> Any:
    return release(data, seed + 1)


def trials(data: float, name: str, count: int = 20) -> Any:
    """Outputs whose second coordinate is the seed, or has nothing to do with it."""
    rng = np.random.default_rng([5, int(data)])
    seeds = rng.integers(2**53, size=count)
    rows = np.array([release(data, int(seed)) for seed in seeds])
    if name == "no seed":
        rows[:, 1] = rng.integers(2**53, size=count)
    return rows[:, :2]


def replay(data: float, seed: int) -> Any:
    return release(data, seed)[:2]


def blind(data: float, seed: int) -> Any:
    """Repeats the seed alone, on both data sets."""
    return [0.5, float(seed)]


@pytest.mark.parametrize("replays", [(replay,), (other_seed, replay), (blind, replay)])
def test_a_released_seed_says_which_data_set_it_was(replays: Any) -> None:
    sides = trials(1.0, "seed"), trials(0.0, "seed")
    score = ReplayedSeed(replays).fit(*sides, 1.0, 0.0, np.random.default_rng(0))
    assert score(sides[0]).tolist() == [1.0] * 20
    assert score(sides[1]).tolist() == [-1.0] * 20
    assert score(np.array([[3.0, 0.5], [3.0, -1.0], [3.0, 7.0]])).tolist() == [0.0] * 3  # no seeds, or another's


def test_another_whole_number_says_nothing() -> None:
    sides = trials(1.0, "no seed"), trials(0.0, "no seed")
    score = ReplayedSeed((replay,)).fit(*sides, 1.0, 0.0, np.random.default_rng(0))
    assert score(sides[0]).tolist() == [0.0] * 20


def test_only_whole_numbers_that_differ_are_tried_as_seeds() -> None:
    def refuse(data: float, seed: int) -> Any:
        raise AssertionError("there is no seed to be tried")

    rng = np.random.default_rng(1)
    for column in (rng.normal(size=20), rng.integers(3, size=20), -1.0 - np.arange(20), 2.0**53 + np.arange(20) * 4):
        sides = np.column_stack([rng.normal(size=20), column])
        assert not has_whole_numbers(sides)
        assert ReplayedSeed((refuse,)).fit(sides, sides, 1.0, 0.0, rng)(sides).tolist() == [0.0] * 20
    assert has_whole_numbers(np.column_stack([rng.normal(size=20), np.arange(20)]))
    assert not has_whole_numbers(np.zeros((0, 2)))
