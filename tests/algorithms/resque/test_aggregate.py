"""Aggregate: the guarantee on adversarial sets of points, the fallback, exact counts, the three forms."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpaudit.algorithms.resque import aggregate
from dpaudit.algorithms.resque.aggregate import Params
from dpaudit.noise.stream import Stream
from dpaudit.records.errors import ConfigurationError

STREAM = Stream(97, "tests/aggregate")


def all_forms(params: Params, points: np.ndarray) -> list[tuple[np.ndarray, list[int]]]:
    here = [aggregate.reference(params, rows) for rows in points]
    chosen, numbers = aggregate.cpu(params, points)
    torch_chosen, torch_numbers = aggregate.gpu(params, points)
    return [
        (np.stack([point for point, _ in here]), [number for _, number in here]),
        (chosen, numbers.tolist()),
        (torch_chosen.numpy(), torch_numbers.tolist()),
    ]


def test_the_first_point_with_enough_neighbours() -> None:
    """Distances up to 2 (Delta = 3) count; point 1 has 3 of 5 with itself, which is more than 2.55."""
    points = np.array([[[9.0], [0.0], [2.0], [-2.0], [4.0]]])
    for chosen, numbers in all_forms(Params(5, 1, 3.0), points):
        assert (chosen.tolist(), numbers) == ([[0.0]], [1])


def test_without_a_majority_the_most_neighbours_or_the_first() -> None:
    points = np.array([[[0.0], [5.0], [10.0], [10.5], [20.0]]])
    for _, numbers in all_forms(Params(5, 1, 1.5), points):
        assert numbers == [2]
    for _, numbers in all_forms(Params(5, 1, 1.5, fallback="first"), points):
        assert numbers == [0]


def test_distance_zero_counts_equal_points() -> None:
    points = np.array([[[1.0, 1.0], [2.0, 0.0], [2.0, 0.0]]])
    for _, numbers in all_forms(Params(3, 2, 0.0), points):
        assert numbers == [1]


@pytest.mark.parametrize(("points", "needed"), [(1, 1), (2, 2), (3, 2), (100, 51), (200, 102), (300, 153), (49, 25)])
def test_the_share_is_exact(points: int, needed: int) -> None:
    assert Params(points, 1, 1.0).needed == needed


@given(st.integers(3, 40), st.integers(0, 10**6))
def test_a_majority_within_a_third_puts_the_result_within_delta(points: int, trial: int) -> None:
    """0.51 k points at distance Delta/3 = 1 of the origin, the rest placed to mislead at distance 1 to 4."""
    params = Params(points, 2, 3.0)
    angles = 2 * np.pi * STREAM.uniforms(np.array([trial]), 0, points)[0]
    sizes = 1 + 3 * STREAM.uniforms(np.array([trial]), 1, points)[0]
    order = np.argsort(STREAM.uniforms(np.array([trial]), 2, points)[0])
    sizes[order[: params.needed]] = 1.0
    rows = (sizes * np.array([np.cos(angles), np.sin(angles)])).T
    for chosen, _ in all_forms(params, rows[None]):
        assert np.linalg.norm(chosen[0]) <= 3.0 + 1e-12


def test_the_forms_choose_the_same() -> None:
    points = STREAM.normals(np.arange(200), 3, 8 * 3).reshape(200, 8, 3)
    for distance in (0.5, 2.0, 4.0):
        found = all_forms(Params(8, 3, distance), points)
        assert found[0][1] == found[1][1] == found[2][1]


def test_wrong_inputs_are_refused() -> None:
    with pytest.raises(ConfigurationError, match=r"points must have shape \(\.\.\., 3, 2\), got \(1, 3, 4\)"):
        aggregate.cpu(Params(3, 2, 1.0), np.zeros((1, 3, 4)))
    with pytest.raises(ConfigurationError, match="points must have shape"):
        aggregate.reference(Params(3, 2, 1.0), np.zeros((1, 3, 2)))
    with pytest.raises(ConfigurationError, match="share must be above"):
        Params(3, 2, 1.0, 0.0)
    assert aggregate.promise(Params(3, 2, 1.0)) is None
