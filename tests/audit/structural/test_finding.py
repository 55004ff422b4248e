"""Comparing recordings: what counts as the same."""

from __future__ import annotations

import math

import numpy as np
import pytest
from recordings import recording

from dpaudit.audit.structural.finding import (
    first_difference,
    largest_difference,
    matched,
    precision,
    reshaped,
    same,
    shapes,
)

ONE = np.array([1.0, 2.0])


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (ONE, ONE + 1e-15, True),
        (ONE, ONE + 1e-9, False),
        (np.float32(1), np.float32(1 + 1e-6), True),
        (np.nan, np.nan, True),
        ([1.0, np.nan], [1.0, 0.0], False),
        (math.inf, math.inf, True),
        (math.inf, -math.inf, False),
        (ONE, [1.0, 2.0, 3.0], False),
        ((1, "a"), (1, "a"), True),
        ((1, "a"), (1, "b"), False),
        ({"a": ONE}, {"a": ONE + 1e-15}, True),
        ({"a": 1.0}, {"b": 1.0}, False),
        ([ONE, [1.0]], [ONE, [1.0]], True),
        (None, None, True),
        ([], [], True),
    ],
)
def test_same(first: object, second: object, expected: bool) -> None:
    assert same(first, second) is expected


def test_a_scale_widens_what_is_the_same_near_zero() -> None:
    assert not same(1e-16, 0.0)
    assert same(1e-16, 0.0, scale=1.0)


def test_largest_difference_and_precision() -> None:
    assert largest_difference(ONE, ONE + 0.5) == 0.5
    assert largest_difference(np.array([np.nan]), np.array([1.0])) == math.inf
    assert largest_difference(np.array([]), np.array([])) == 0.0
    assert precision(ONE, ONE.astype(np.float32)) == np.finfo(np.float32).eps
    assert precision(np.array([1])) == np.finfo(np.float64).eps


def test_releases_are_matched_by_name_number_and_shape() -> None:
    first = recording({"name": "a"}, {"name": "b"}, {"name": "a", "statistic": 1.0})
    second = recording(
        {"name": "a"}, {"name": "a", "statistic": 2.0}, {"name": "b", "statistic": [0.0], "noise": [0.0]}
    )
    assert [(one.name, one.step) for one, _ in matched(first, second)] == [("a", 0), ("a", 1)]


def test_the_first_difference_in_words() -> None:
    base = recording({"statistic": 1.0}, public=[("n", 3)], outputs=[("model", 2.0)])
    assert first_difference(base, base) == ""
    assert first_difference(base, recording({"statistic": 2.0})) == "sum at step 0"
    assert first_difference(base, recording({"statistic": 1.0}, public=[("n", 4)])) == "public value n"
    other = recording({"statistic": 1.0}, public=[("n", 3)], outputs=[("model", 3.0)])
    assert first_difference(base, other) == "output model"


def test_another_shape_or_a_missing_output_is_named() -> None:
    one = recording({"statistic": ONE, "noise": None}, outputs=[("model", ONE), ("ragged", [[1], [1, 2]])])
    assert reshaped(shapes(one), shapes(one)) == ""
    wider = recording({"statistic": np.ones(3), "noise": None}, outputs=[("model", ONE), ("ragged", [])])
    assert reshaped(shapes(one), shapes(wider)) == "release sum is (2,), on the neighbour (3,)"
    bare = recording({"statistic": ONE, "noise": None}, outputs=[("ragged", [[1], [1, 2]])])
    assert reshaped(shapes(one), shapes(bare)) == "output model is (2,), on the neighbour missing"
    silent = recording(outputs=[("model", ONE), ("ragged", 1)])
    assert reshaped(shapes(one), shapes(silent)) == "", "a release less is a call less"
