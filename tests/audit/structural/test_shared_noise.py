"""Coordinates of one release with one noise, or with none."""

from __future__ import annotations

import numpy as np
import pytest
from recordings import recording

from dpaudit.audit.structural import shared_noise
from dpaudit.audit.structural.finding import Array
from dpaudit.audit.structural.recording import Recording, Release

RNG = np.random.default_rng(0)


def trainings(*noises: Array) -> list[Recording]:
    """One recording for each noise, of a statistic of zeros."""
    return [recording({"statistic": np.zeros_like(noise), "noise": noise}) for noise in noises]


def groups(*noises: Array) -> list[tuple[list[int], list[float], bool]]:
    """Places, signs and zero of each group."""
    found = shared_noise.shared_noise(trainings(*noises))
    return [(g.places.tolist(), g.signs.tolist(), g.zero) for listed in found.values() for g in listed]


def test_equal_and_opposite_noise_and_none_is_found() -> None:
    draws = RNG.normal(size=(3, 3))
    noises = [np.array([a, b, 0.0, -a, c, b]) for a, b, c in draws]
    found = {
        tuple(places): ([signs[0] * other for other in signs[1:]], zero) for places, signs, zero in groups(*noises)
    }
    assert found == {(0, 3): ([-1.0], False), (1, 5): ([1.0], False), (2,): ([], True)}


def test_noise_of_its_own_is_not_shared() -> None:
    assert groups(*RNG.normal(size=(3, 5000))) == []
    assert groups(*RNG.normal(size=(4, 5000)).astype(np.float32).astype(np.float64)) == []


@pytest.mark.parametrize(
    ("kind", "releases", "seen"),
    [("float64", 2, False), ("float64", 3, True), ("float32", 2, False), ("float32", 3, True), ("float16", 7, False),
     ("float16", 8, True), ("integer", 31, False), ("integer", 32, True)],
)  # fmt: skip
def test_coarser_noise_must_agree_more_often(kind: str, releases: int, seen: bool) -> None:
    rng = np.random.default_rng(3)
    draws = rng.normal(scale=100.0 if kind == "integer" else 1.0, size=releases)
    draws = np.rint(draws) if kind == "integer" else draws.astype(kind).astype(np.float64)
    assert bool(groups(*(np.full(2, one) for one in draws))) is seen


def test_what_comes_in_two_releases_is_coarse_whatever_its_digits() -> None:
    """Draws of few bits times a scale look fine; agreement in a few releases is chance."""
    few, many = (0.1234567 * RNG.integers(1, most, size=(3, 400)) for most in (40, 2**40))
    for noises, expected in ((few, 0), (many, 1)):
        noises[:, 7] = noises[:, 3]
        assert len(groups(*noises)) == expected


def test_not_finite_noise_and_trainings_without_noise_say_nothing() -> None:
    noises = RNG.normal(size=(3, 1)) * np.ones(3)
    assert len(groups(*noises)) == 1
    assert groups(*noises[:2], np.zeros(3)) == [], "a release that has no noise at all counts for nothing"
    noises[1, 2] = np.nan
    assert groups(*noises) == []


def moved(noise: list[float], change: list[float], size: float = 1.0) -> tuple[str, float] | None:
    """What leaves bare of a statistic that changes so, where all noises agreed in the recordings."""
    found = shared_noise.shared_noise(trainings(*(factor * np.sign(noise) for factor in RNG.normal(size=3))))
    one, other = (_release(size * np.ones(len(noise)) + add, np.array(noise)) for add in (0.0, np.array(change)))
    return shared_noise.bare_move(one, other, next(iter(found.values())))


def _release(statistic: Array, noise: Array) -> Release:
    return recording({"statistic": statistic, "noise": noise}).releases[0]


def test_coordinates_that_move_apart_leave_their_difference_or_their_sum_bare() -> None:
    assert moved([0.7, 0.7, 0.7], [0.0, 2.0, 0.5]) == ("the difference of coordinates 0 and 1", pytest.approx(2.0))
    assert moved([0.7, -0.7], [2.0, 1.0]) == ("the sum of coordinates 0 and 1", pytest.approx(3.0))
    assert moved([0.7, -0.7], [2.0, -2.0]) is None
    assert moved([0.7, 0.7], [2.0, 2.0]) is None
    assert moved([0.7, 0.0], [2.0, -3.0]) == ("coordinate 1", pytest.approx(3.0))
    assert moved([0.7, 0.0], [2.0, 0.0]) is None


def test_roundings_are_no_move_and_noise_of_this_path_decides() -> None:
    assert moved([0.7, 0.7], [1e-9, 0.0], size=1e5) is None
    assert moved([0.7, 0.8], [0.0, 1.0]) is None, "here the noise differs"
    found = shared_noise.shared_noise(trainings(*(np.array([x, 0.0]) for x in RNG.normal(size=3))))
    one, other = (_release(np.array([0.0, s]), np.array([0.3, 0.1])) for s in (0.0, 1.0))
    assert shared_noise.bare_move(one, other, next(iter(found.values()))) is None, "here it has noise"
