"""Data sets as arrays of records."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpaudit.audit.structural import data_sets
from dpaudit.records.errors import ContentError
from dpaudit.records.privacy import Neighbours

FEATURES, LABELS = np.arange(6.0).reshape(3, 2), np.array([1.0, -1.0, 1.0])
DATA = (FEATURES, LABELS)


def test_size_and_rows() -> None:
    assert data_sets.size(DATA) == data_sets.size(FEATURES) == 3
    first, labels = data_sets.rows(DATA, slice(0, 2))
    assert np.array_equal(first, FEATURES[:2])
    assert np.array_equal(labels, LABELS[:2])
    assert np.array_equal(data_sets.rows(FEATURES, [2, 0]), FEATURES[[2, 0]])


@pytest.mark.parametrize("data", [3.0, (), (FEATURES, LABELS[:2]), object()])
def test_what_is_no_data_set_is_refused(data: object) -> None:
    with pytest.raises(ContentError):
        data_sets.size(data)


def test_only_features_of_the_last_record_are_changed() -> None:
    features, labels = data_sets.with_changed(DATA, lambda values: np.full_like(values, math.nan))
    assert np.isnan(features[2]).all()
    assert np.array_equal(features[:2], FEATURES[:2])
    assert np.array_equal(labels, LABELS)
    assert not np.isnan(FEATURES).any(), "the data are copied"
    assert data_sets.with_changed(np.array([1, 2]), lambda values: -values).tolist() == [1, 2], (
        "integers are no features"
    )


def test_natural_neighbours() -> None:
    (removed,) = data_sets.natural_neighbours(DATA, Neighbours.ADD_OR_REMOVE)
    assert data_sets.equal(removed, data_sets.rows(DATA, slice(0, 2)))
    (replaced,) = data_sets.natural_neighbours(DATA, Neighbours.REPLACE_ONE)
    assert replaced[0][2].tolist() == [-4.0, -5.0]
    assert data_sets.natural_neighbours(DATA, Neighbours.ZERO_OUT) == []
    assert data_sets.natural_neighbours(FEATURES[:1], Neighbours.ADD_OR_REMOVE) == []
    assert data_sets.turned(np.zeros((2, 2)))[0][1].tolist() == [1.0, 1.0]


def test_whole_numbers_are_not_turned_around_but_replaced_by_a_given_record() -> None:
    words, labels = np.array([[1, 2], [5, 3], [1, 2]]), np.array([0, 1, 0])
    (found,) = data_sets.turned((words, labels))
    assert data_sets.different((words, labels), found) == 2
    assert (found[0][2].tolist(), found[1][2]) == ([5, 3], 1)
    assert data_sets.turned(words[[0, 2]]) == [], "no given record differs"


def test_equal_and_different() -> None:
    broken = FEATURES.copy()
    broken[1, 0] = math.nan
    assert data_sets.equal((broken, LABELS), (broken.copy(), LABELS))
    assert not data_sets.equal(FEATURES, broken)
    assert not data_sets.equal(FEATURES, FEATURES[:2])
    assert data_sets.different((FEATURES, LABELS), (broken, LABELS)) == 1
    for other in (FEATURES, -FEATURES - 1):
        with pytest.raises(ContentError, match="one record"):
            data_sets.different(FEATURES, other)


def test_records_of_two_data_sets_are_joined_part_by_part() -> None:
    one, other = (np.eye(2), np.array([1, 2])), (np.zeros((1, 2)), np.array([3]))
    features, labels = data_sets.joined(one, other)
    assert features.tolist() == [[1, 0], [0, 1], [0, 0]]
    assert labels.tolist() == [1, 2, 3]
    assert data_sets.joined(np.arange(2), np.arange(3)).tolist() == [0, 1, 0, 1, 2]


@pytest.mark.parametrize(
    ("data", "floats", "changed"),
    [
        ((FEATURES, np.array([1, 2, 3])), True, [True, False]),
        ((FEATURES, LABELS), False, [True, False]),
        ((np.arange(6).reshape(3, 2), np.array([1, 2, 3])), False, [True, False]),
        ((np.arange(6).reshape(3, 2), np.array([1, 2, 3])), True, [False, False]),
        ((np.array(["a", "b", "c"]), FEATURES), False, [False, True]),
        (FEATURES, False, [True]),
    ],
)
def test_features_of_all_records_are_changed(data: object, floats: bool, changed: list[bool]) -> None:
    made = data_sets.with_features(data, lambda features: features + 7, floats)
    old, new = (part if isinstance(part, tuple) else (part,) for part in (data, made))
    assert [not np.array_equal(one, other) for one, other in zip(old, new, strict=True)] == changed


def test_labels_are_one_whole_number_a_record_beside_features() -> None:
    features, labels = np.ones((3, 2)), np.arange(3)
    assert data_sets.label_place((features, labels)) == 1
    assert data_sets.label_place((labels, features)) == 0
    for data in (features, labels, (labels,), (features, np.ones(3)), (np.ones(3), labels)):
        assert data_sets.label_place(data) is None
    changed = data_sets.relabelled((features, labels), lambda known: known + 1)
    assert isinstance(changed, tuple)
    assert changed[0] is features
    assert changed[1].tolist() == [1, 2, 3]
    assert data_sets.relabelled(features, lambda known: known + 1) is features


def test_records_that_are_unlike_each_other() -> None:
    features = np.ones((9, 2))
    features[3] = 7.0
    labels = np.array([0, 0, 1, 0, 0, 0, 0, 2, 1])
    assert data_sets.unlike((features, labels)) == [0, 4, 3, 7]
    assert data_sets.unlike(features[:1]) == [0]
    assert data_sets.unlike(features[:0]) == []
    features[2] = np.nan
    assert 2 in data_sets.unlike(features), "as long as it gets"
    words = np.zeros((5, 3), dtype=int)
    words[3] = [1, 2, 3]
    assert data_sets.unlike(words) == [0, 2, 3]


def test_any_record_may_be_turned_around() -> None:
    data = np.arange(6.0).reshape(3, 2)
    (found,) = data_sets.turned(data, 1)
    assert found.tolist() == [[0.0, 1.0], [-2.0, -3.0], [4.0, 5.0]]
    (words,) = data_sets.turned(np.array([[1, 2], [3, 4], [1, 2]]), 1)
    assert words.tolist() == [[1, 2], [1, 2], [1, 2]]
