"""Rows of draws, led back to the records."""

from __future__ import annotations

import numpy as np
import torch

from dpaudit.audit.alignment.rows import Call, by_row, fit, places, shape_of


def test_places_of_those_who_stay_who_are_new_and_who_are_there_twice() -> None:
    rows, labels = places(np.array([3, 1, 3]), np.array([3, 9, 3, 3]))
    assert rows.tolist() == [0, -1, 2, -1]
    assert labels == ("3/0", "9/0", "3/1", "3/2")


def test_one_axis_that_differs_as_the_records_do() -> None:
    pair = np.arange(4), np.array([0, 3])
    found = fit((5, 4), (5, 2), [pair])
    assert found is not None
    assert (found.axis, found.recorded, found.rows.tolist()) == (1, 4, [0, 3])
    assert fit((4, 4), (2, 2), [pair]) is None
    assert fit((4,), (3,), [pair]) is None
    assert fit((4,), (2, 1), [pair]) is None


def test_a_call_without_a_number_of_rows_is_not_made_again() -> None:
    found = fit((4,), (2,), [(np.arange(4), np.array([0, 3]))])
    assert found is not None
    assert by_row(Call(lambda: np.zeros(2), (), {}), (2,), found, lambda label: None) is None


def test_rows_are_drawn_where_they_were_and_new_ones_elsewhere() -> None:
    found = fit((2, 3), (3, 3), [(np.array([5, 6]), np.array([6, 8, 5]))])
    assert found is not None
    states: list[str] = []

    def draw(size: tuple[int, int]) -> np.ndarray:
        return np.arange(size[0])[:, None] + (100 if states[-1] else 0) + np.zeros(size)

    value = by_row(Call(draw, ((3, 3),), {}), (3, 3), found, states.append)
    assert states == ["8/0", ""]
    assert value[:, 0].tolist() == [1, 100, 0]


def test_a_bootstrap_draws_no_record_that_has_left() -> None:
    """The number of records stands for the range too, as the argument before the size."""
    found = fit((5,), (4,), [(np.arange(5), np.arange(4))])
    assert found is not None
    asked: list[tuple[int, int]] = []

    def integers(high: int, size: int) -> np.ndarray:
        asked.append((high, size))
        return np.arange(size) % high

    drawn = by_row(Call(integers, (4,), {"size": 4}), (4,), found, lambda label: None)
    assert asked == [(4, 5)]
    assert drawn.tolist() == [0, 1, 2, 3]


def test_shapes_are_those_of_arrays_alone() -> None:
    assert shape_of(torch.zeros(2, 3)) == (2, 3)
    assert shape_of(np.zeros(4)) == (4,)
    assert shape_of(np.float64(1.0)) is None
    assert shape_of([1, 2]) is None
