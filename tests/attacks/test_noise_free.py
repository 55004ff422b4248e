"""Directions without noise: found where there are any, none claimed where noise is everywhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dpaudit.attacks.noise_free import NoiseFree
from dpaudit.records.errors import ConfigurationError

Floats = np.ndarray
Make = Callable[[np.random.Generator, float], Any]


def scores(make: Make, trials: int = 40, seed: int = 0) -> tuple[Floats, Floats]:
    """Of fresh trials on D, whose record moves everything by 1, and on D'."""
    rng = np.random.default_rng(seed)
    fit, fresh = ([np.array([make(rng, moved) for _ in range(trials)]) for moved in (1.0, 0.0)] for _ in range(2))
    score = NoiseFree().fit(*fit, None, None, rng)
    return score(fresh[0]), score(fresh[1])


def shared(rng: np.random.Generator, x: float) -> Any:
    return x * np.arange(6) + 1e3 * rng.laplace()


def both_signs(rng: np.random.Generator, x: float) -> Any:
    z = 1e3 * rng.normal()
    return [x + z, x - z]


def far_apart(rng: np.random.Generator, x: float) -> Any:
    z = 1e3 * rng.normal(size=100)
    return np.concatenate([x * np.arange(100) + z, 2 * z[::-1]])


def a_sum_of_two(rng: np.random.Generator, x: float) -> Any:
    z = 1e3 * rng.normal(size=2)
    return [x + z[0], z[1], z.sum()]


def single_precision(rng: np.random.Generator, x: float) -> Any:
    z = np.float32(rng.normal())
    return np.array([np.float32(x) + z, np.float32(0) + z])


def bare(rng: np.random.Generator, x: float) -> Any:
    return [rng.normal(), 7.0 + x, 3.0]


@pytest.mark.parametrize("make", [shared, both_signs, far_apart, a_sum_of_two, single_precision, bare])
def test_what_cancels_the_noise_tells_the_sides_apart_in_every_trial(make: Make) -> None:
    here, there = scores(make)
    assert (here == 2).all()
    assert (there == -2).all()


def independent(rng: np.random.Generator, x: float) -> Any:
    return x + rng.normal(size=4)


def equal_differences(rng: np.random.Generator, x: float) -> Any:
    """One noise, and the record moves all coordinates alike: this is one release."""
    return np.full(5, x + rng.normal())


def more_coordinates_than_trials(rng: np.random.Generator, x: float) -> Any:
    return x + rng.normal(size=300)


@pytest.mark.parametrize("make", [independent, equal_differences, more_coordinates_than_trials])
def test_nothing_is_said_where_noise_is_everywhere(make: Make) -> None:
    assert not np.any(scores(make))


def test_infinite_outputs_say_nothing() -> None:
    rng = np.random.default_rng(1)
    fit = [np.array([shared(rng, x) for _ in range(40)]) for x in (1.0, 0.0)]
    fit[0][3, 2] = np.inf  # its column is left out
    fresh = np.array([shared(rng, 1.0) for _ in range(3)])
    fresh[1, :] = np.inf
    assert NoiseFree().fit(*fit, None, None, rng)(fresh).tolist() == [2.0, 0.0, 2.0]


def test_one_trial_is_too_few_to_see_what_varies() -> None:
    one = np.array([[1.0, 2.0]])
    assert NoiseFree().fit(one, one + 1, None, None, np.random.default_rng(0))(one).tolist() == [0.0]
    with pytest.raises(ConfigurationError, match="most must be at least 2"):
        NoiseFree(most=1)
