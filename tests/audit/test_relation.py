"""Which pairs of data sets are neighbours, which are not, and which cannot be compared."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refused
from scipy.sparse import csr_array

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


class Frame:
    """As a data frame: names to columns of objects, and no truth value."""

    def __init__(self, columns: Any) -> None:
        self.columns = columns

    def __getitem__(self, name: str) -> np.ndarray:
        return np.array(self.columns[name], dtype=object)

    def __bool__(self) -> bool:
        raise ValueError("the truth value of a frame is ambiguous")


class WithoutPlaces:
    """As a reader of a data base: it has a length, and its records are asked for by name."""

    def __len__(self) -> int:
        return 2

    def __getitem__(self, name: str) -> float:
        return {"a": 1.0, "b": 2.0}[name]


TABLE = np.array([(1, "a"), (2, "b"), (3, "c")], dtype=[("age", "i4"), ("name", "U2")])
ROWS = [{"age": 1, "name": "a"}, {"age": 2.5, "name": "b"}, {"age": 3, "name": "c"}]


@pytest.mark.parametrize(
    ("data", "neighbour", "relation"),
    [
        (TABLE, TABLE[1:], ADD),
        (TABLE, TABLE[[0, 1, 0]], REPLACE),
        (np.array([(np.nan, 1)], dtype="f8,i4"), np.array([(np.nan, 2)], dtype="f8,i4"), REPLACE),
        (X.astype(object), X[:2].astype(object), ADD),
        (np.array(["a", "b"], dtype=object), np.array(["b", "c"], dtype=object), REPLACE),
        (Frame({"age": [1, 2], "name": ["a", "b"]}), Frame({"age": [1], "name": ["a"]}), ADD),
        (csr_array(X), csr_array(X[:2]), ADD),
        (csr_array(X), csr_array(changed(X, 1, 0.0)), ZERO),
        (ROWS, ROWS[1:], ADD),
        (ROWS, [*ROWS[:2], {"age": 0, "name": "c"}], ZERO),
        ([(1, "a"), (2, "b")], [(2.0, "b")], ADD),
        ([(1.0, "a"), (2.0, "b")], [(1.0, "a"), (0.0, "b")], ZERO),
        (["a", "b"], ["a", ""], ZERO),
        (X, changed(X, 1, np.nan), ZERO),
        ({"sex": Y, "age": X[:, 0]}, {"sex": Y, "age": changed(X[:, 0], 1, 0)}, ZERO),
        (
            {"sex": Y, "age": X[:, 0], "label": Y},
            {"sex": changed(Y, 0, 0), "age": changed(X[:, 0], 0, 0), "label": Y},
            ZERO,
        ),
        ((X[:, 0], Y), (changed(X[:, 0], 1, 0.0), changed(Y, 1, 5)), ZERO),
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


test_what_is_no_pair_of_neighbours_says_how_many_records_differ = refused(
    check_neighbours,
    ((np.ones(10), np.ones(5), ADD), r"they have 10 and 5 records, of which 5 and 0 are not in the other; 'add"),
    ((np.ones(3), np.zeros(2), ADD), "3 and 2 records, of which 3 and 2 are not"),
    ((X, changed(X, 1, 9.0), ADD), "3 and 3 records, of which 1 and 1"),
    ((X, X.copy(), REPLACE), r"the two data sets are equal, 0 records differ.* allows equally many records"),
    ((X, X[::-1], REPLACE), "of which 0 and 0 are not in the other"),
    ((X, changed(changed(X, 1, 9.0), 2, 8.0), REPLACE), "of which 2 and 2"),
    ((X, X[:2], REPLACE), "3 and 2 records"),
    ((X, np.zeros_like(X), ZERO), "of which 3 and 3"),
    ((X, changed(X, 1, 9.0), ZERO), "empty in both or in neither; .* is empty, its features all 0 .*, in one"),
    (((changed(X, 1, 0.0), Y), (changed(X, 1, 0.0), changed(Y, 1, 5)), ZERO), "empty in both or in neither"),
    ((X, X[:, :1], ADD), r"the shapes \(2,\) and \(1,\)"),
    ((1.0, 1.0, ADD), "the two data sets are equal"),
    (({"n": np.array(2)}, {"n": np.array(2)}, ADD), "the two data sets are equal"),
    (({1, 2}, {1, 2}, ADD), "the two data sets are equal"),
    ((np.array([1, "a"], object), np.array([1, "a"], object), ADD), "the two data sets are equal"),
    ((TABLE, TABLE.copy(), ADD), "the two data sets are equal"),
    ((csr_array(X), csr_array(X), ADD), "the two data sets are equal"),
    ((csr_array(X), csr_array(X[:1]), ADD), "3 and 1 records, of which 2 and 0"),
    ((TABLE, TABLE[:1], ADD), "3 and 1 records in 2 columns, of which 2 and 0"),
    ((ROWS, ROWS[:1], ADD), "3 and 1 records in 2 columns, of which 2 and 0"),
    ((X.tolist(), changed(changed(X, 1, 9.0), 2, 8.0).tolist(), REPLACE), "of which 2 and 2"),
    (([[1], [2], [3]], [[0], [0], [0]], ZERO), "of which 3 and 3"),
    ((((1, 2), (3, 4), (5, 6)), ((1, 2), (7, 8), (7, 8)), REPLACE), "in 3 columns, of which 2 and 2"),
    (
        ({"age": X[:, 0], "sum": X[:, 1]}, {"age": changed(X[:, 0], 1, 9), "sum": X[:, 1]}, ZERO),
        "in both or in neither",
    ),
    ((["a", "b"], ["a", "c"], ZERO), "in both or in neither; .* or where your empty record is another one"),
)


@pytest.mark.parametrize(
    ("data", "neighbour"),
    [
        (1, 2),
        ({"count": np.array(3)}, {"count": np.array(2)}),
        ((1.0, 2.0), (1.0, 3.0)),
        ([[1.0], [1.0, 2.0]], [[1.0]]),
        (object(), object()),
        ("abc", "ab"),
        (["a", "b"], [1.0]),
        ({1: X[0], 2: X[1]}, {1: X[0], 2: X[2]}),
        ([1, None], [1]),
        ([1, "a"], [1.0]),
        (Frame(columns=3), Frame(columns=3)),
        (WithoutPlaces(), WithoutPlaces()),
    ],
)
def test_what_is_no_table_cannot_be_compared(data: Any, neighbour: Any) -> None:
    assert check_neighbours(data, neighbour, ADD) is False


@pytest.mark.parametrize(
    ("data", "neighbour", "relation"),
    [
        (((1, 2), (3, 4), (5, 6)), ((1, 2), (3, 4), (7, 8)), REPLACE),
        (tuple(X), tuple(changed(X, 1, 0.0)), ZERO),
        ([[1, 2, 3], [4, 5, 6]], [[1, 2], [4, 5]], ADD),
        ([X[:, 0], X[:, 1]], [changed(X[:, 0], 0, 9.0), changed(X[:, 1], 0, 9.0)], REPLACE),
    ],
)
def test_a_list_of_columns_and_a_tuple_of_records_are_not_taken_for_each_other(
    data: Any, neighbour: Any, relation: Neighbours
) -> None:
    assert check_neighbours(data, neighbour, relation) is check_neighbours(neighbour, data, relation) is False


def test_another_empty_record_counts_where_it_is_named() -> None:
    low = changed(X, 1, -1.0)
    assert check_neighbours(X, low, ZERO, empty=-1.0)
    assert check_neighbours(changed(X, 1, 0.0), low, ZERO, empty=-1.0)
    with pytest.raises(ConfigurationError, match="empty in both or in neither"):
        check_neighbours(X, low, ZERO)


@pytest.mark.deep(keep=2)
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
