"""Which pairs of data sets are neighbours, which are not, and which cannot be compared."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpaudit.audit.relation import are_equal, check_neighbours
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.privacy import Neighbours
from dpaudit.testing import neighbouring_data_sets

ADD, REPLACE, ZERO = Neighbours.ADD_OR_REMOVE, Neighbours.REPLACE_ONE, Neighbours.ZERO_OUT
X, Y = np.arange(1.0, 7).reshape(3, 2), np.array([1, 0, 1])


def changed(array: np.ndarray, place: int, value: Any) -> np.ndarray:
    """The array with one record changed."""
    new = array.copy()
    new[place] = value
    return new


@pytest.mark.parametrize(
    ("data", "neighbour", "relation"),
    [
        (np.ones(10), np.ones(9), ADD),
        (X[:1], X[:0], ADD),
        ([[1.0, 2.0]], [], ADD),
        (np.array([3.0, 1.0, 2.0]), np.array([2.0, 3.0]), ADD),
        ([1.0, 2.0], [1.0], ADD),
        (["a", "b"], ["b"], ADD),
        ({"x": X, "y": Y}, {"x": X[1:], "y": Y[1:]}, ADD),
        ((X[1:], Y[1:]), (X, Y), ADD),
        (np.ones(3), np.ones(2, dtype=int), ADD),
        (np.array([np.nan, 0.0, 1.0]), np.array([-0.0, np.nan]), ADD),
        (X, changed(X, 1, 9.0), REPLACE),
        (X, changed(X, 1, 9.0)[::-1], REPLACE),
        ((X, Y), (X, changed(Y, 2, 0)), REPLACE),
        (X, changed(X, 1, 0.0), ZERO),
        ((changed(X, 0, 0.0), Y), (X, changed(Y, 0, 7)), ZERO),
    ],
)
def test_neighbours_are_seen_from_both_sides(data: Any, neighbour: Any, relation: Neighbours) -> None:
    assert check_neighbours(data, neighbour, relation) is check_neighbours(neighbour, data, relation) is True


@pytest.mark.parametrize(
    ("data", "neighbour", "relation", "words"),
    [
        (
            np.ones(10),
            np.ones(5),
            ADD,
            r"they have 10 and 5 records, of which 5 and 0 are not in the other; 'add",
        ),
        (np.ones(3), np.zeros(2), ADD, "3 and 2 records, of which 3 and 2 are not"),
        (X, changed(X, 1, 9.0), ADD, "3 and 3 records, of which 1 and 1"),
        (X, X.copy(), REPLACE, r"the two data sets are equal, 0 records differ.* allows equally many records"),
        (X, X[::-1], REPLACE, "of which 0 and 0 are not in the other"),
        (X, changed(changed(X, 1, 9.0), 2, 8.0), REPLACE, "of which 2 and 2"),
        (X, X[:2], REPLACE, "3 and 2 records"),
        (X, np.zeros_like(X), ZERO, "of which 3 and 3"),
        (X, changed(X, 1, 9.0), ZERO, "empty in both or in neither; .* is empty, its features all 0, in one"),
        ((changed(X, 1, 0.0), Y), (changed(X, 1, 0.0), changed(Y, 1, 5)), ZERO, "empty in both or in neither"),
        (X, X[:, :1], ADD, r"the shapes \(2,\) and \(1,\)"),
        (1.0, 1.0, ADD, "the two data sets are equal"),
        ({"n": np.array(2)}, {"n": np.array(2)}, ADD, "the two data sets are equal"),
    ],
)
def test_what_is_no_pair_of_neighbours_says_how_many_records_differ(
    data: Any, neighbour: Any, relation: Neighbours, words: str
) -> None:
    with pytest.raises(ConfigurationError, match=words):
        check_neighbours(data, neighbour, relation)


@pytest.mark.parametrize(
    ("data", "neighbour"),
    [
        (1, 2),
        ({"count": np.array(3)}, {"count": np.array(2)}),
        ((1.0, 2.0), (1.0, 3.0)),
        ([{"age": 1}, {"age": 2}], [{"age": 1}]),
        ([[1.0], [1.0, 2.0]], [[1.0]]),
        (object(), object()),
        ("abc", "ab"),
        (["a", "b"], [1.0]),
    ],
)
def test_what_is_no_table_cannot_be_compared(data: Any, neighbour: Any) -> None:
    assert check_neighbours(data, neighbour, ADD) is False


def test_another_empty_record_counts_where_it_is_named() -> None:
    low = changed(X, 1, -1.0)
    assert check_neighbours(X, low, ZERO, empty=-1.0)
    assert check_neighbours(changed(X, 1, 0.0), low, ZERO, empty=-1.0)
    with pytest.raises(ConfigurationError, match="empty in both or in neither"):
        check_neighbours(X, low, ZERO)


@pytest.mark.parametrize("relation", list(Neighbours))
@pytest.mark.parametrize("shape", [(), (2,)])
def test_every_pair_that_is_drawn_is_one_of_neighbours(relation: Neighbours, shape: tuple[int, ...]) -> None:
    @given(neighbouring_data_sets(shape=shape, neighbours=relation, bounds=(-3, 3), dtype=np.int64), st.randoms())
    def check(pair: Any, random: Any) -> None:
        data, neighbour = pair
        shuffled = neighbour[random.sample(range(len(neighbour)), len(neighbour))]
        if len(data) != len(neighbour) or not are_equal(data, neighbour):
            assert check_neighbours(data, shuffled, relation)

    check()
