"""Turns: what is rounded when, which part of the stream a job draws from, and no turn at all."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from dpaudit.algorithms.resque.shared.turns import in_turn
from dpaudit.noise.stream import Stream, Trials

TRIALS = Trials(Stream(3, "turns"), np.array([5, 9]))
THIRD = 1 / 3  # rounding it to float32 between the turns would be seen in the second one


def _solve(job: float, part: Trials, x: Any) -> tuple[Any, np.ndarray[Any, Any]]:
    return x * job + part.stream.normals(part.numbers, 0, 1)[0, 0], np.array([1, 2])


def _expected() -> list[np.ndarray[Any, Any]]:
    x, points = np.full((2, 3), THIRD), []
    for name, job in (("first", 3.0), ("second", 1e6)):
        x = x * job + TRIALS.stream.part(name).normals(TRIALS.numbers, 0, 1)[0, 0]
        points.append(x)
    return points


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("form", ["array", "tensor"])
def test_points_are_rounded_when_they_are_returned(dtype: str, form: str) -> None:
    start = np.full((2, 3), THIRD) if form == "array" else torch.full((2, 3), THIRD, dtype=torch.float64)
    made = in_turn(start, [("first", 3.0), ("second", 1e6)], TRIALS, _solve, dtype)
    expected = np.stack(_expected(), axis=1).astype(dtype)
    np.testing.assert_array_equal(np.asarray(made.iterates), expected)
    np.testing.assert_array_equal(np.asarray(made.final), expected[:, 1])
    assert np.asarray(made.iterates).dtype == dtype
    assert made.queries.tolist() == [2, 4]


@pytest.mark.parametrize("start", [np.ones((2, 3)), torch.ones((2, 3))], ids=["array", "tensor"])
def test_without_a_turn_the_start_is_final(start: Any) -> None:
    made = in_turn(start, [], TRIALS, _solve, "float32")
    assert tuple(made.iterates.shape) == (2, 0, 3)
    assert made.final.tolist() == start.tolist()
    assert made.queries.tolist() == [0, 0]
