"""Candidate records, and the neighbours that they make under each relation."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from dpaudit.adapters import canaries
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.privacy import Neighbours

pytestmark = pytest.mark.usefixtures("every_candidate")

INPUTS = np.random.default_rng(0).normal(size=(8, 3))
INPUTS[:, 2] = 0.0
LABELS = np.array([0, 1] * 4)
RECORDS = (INPUTS, LABELS)


def listed(records: Any, relation: Neighbours = Neighbours.ADD_OR_REMOVE, empty: Any = None) -> dict[str, Any]:
    return dict(canaries.candidates(records, relation, np.random.default_rng(1), empty))


def test_an_added_record_is_the_last_one() -> None:
    for data, neighbour in listed(RECORDS).values():
        assert len(data[0]) == len(data[1]) == 9
        assert all(np.array_equal(a[:8], b) for a, b in zip(data, neighbour, strict=True))


def test_far_records_are_ten_times_as_far_as_the_farthest() -> None:
    made = listed(RECORDS)
    farthest = np.linalg.norm(INPUTS, axis=1).max()
    far, other = made["a far record"][0], made["a far record with another label"][0]
    assert np.linalg.norm(far[0][-1]) == pytest.approx(10 * farthest)
    assert np.array_equal(far[0], other[0])
    assert far[1][-1] != other[1][-1]
    assert np.array_equal(made["a far record on the other side"][0][0][-1], -far[0][-1])


def test_the_bright_feature_is_the_one_that_the_data_leave_blank() -> None:
    record = listed(RECORDS)["a blank record with one bright feature"][0][0][-1]
    assert np.flatnonzero(record).tolist() == [2]
    assert record[2] >= 10 * np.abs(INPUTS).max()


def test_a_replaced_record_meets_its_opposite_and_a_zeroed_one_the_empty_record() -> None:
    data, neighbour = listed(RECORDS, Neighbours.REPLACE_ONE)["a far record"]
    assert np.array_equal(data[0][-1], -neighbour[0][-1])
    assert len(data[0]) == len(neighbour[0]) == 8
    empty = (np.full(3, -1e38), np.array(0))
    data, neighbour = listed(RECORDS, Neighbours.ZERO_OUT, empty)["a far record"]
    assert np.array_equal(neighbour[0][-1], empty[0])
    assert np.array_equal(data[0][:-1], INPUTS[:-1])


def test_a_blank_record_has_no_opposite() -> None:
    """Two equal data sets are no neighbours."""
    blank = ("a blank record", "a blank record with another label")
    assert {*blank} <= {*listed(RECORDS)}
    for records in (RECORDS, INPUTS):
        made = listed(records, Neighbours.REPLACE_ONE)
        assert not {*blank} & {*made}
        for data, neighbour in made.values():
            parts = zip(data, neighbour, strict=True) if isinstance(data, tuple) else [(data, neighbour)]
            assert any(not np.array_equal(one, other) for one, other in parts)


def test_integer_records_are_tried_as_they_are_and_with_a_number_of_their_own() -> None:
    made = listed(np.arange(12).reshape(6, 2))
    (data, neighbour) = made.pop("a record of a number that no other has")
    assert data[-1].tolist() == [11, 11]
    assert np.array_equal(data[:-1], neighbour)
    assert neighbour.max() == 10, "the others lose it"
    (data, neighbour) = made.pop("a record of the smallest number that no other has")
    assert data[-1].tolist() == [0, 0]
    assert np.array_equal(data[:-1], neighbour)
    assert neighbour.min() == 1
    assert len(made) == canaries.GIVEN
    assert all(name.startswith("the given record") for name in made)
    assert not any("a number that" in name for name in listed(np.zeros((6, 2), dtype=np.int64)))


def test_one_array_has_no_labels_to_change() -> None:
    made = listed(INPUTS)
    assert "the given record 1 with another label" not in made
    assert all(data.shape == (9, 3) for data, _ in made.values())


@pytest.mark.parametrize(
    "records", [np.ones(1), (np.ones(3), np.ones(4)), np.array(["a", "b"]), (), 3.0, [[1.0], [2.0, 3.0]]]
)
def test_records_that_are_none_are_refused(records: Any) -> None:
    with pytest.raises(ConfigurationError, match=r"mine/x: records must be"):
        canaries.checked("mine/x", records)


@pytest.mark.parametrize(
    "records",
    [[INPUTS, LABELS], [INPUTS.tolist(), LABELS.tolist()], SimpleNamespace(tensors=(INPUTS, LABELS))],
)
def test_features_beside_labels_in_another_shape_are_a_tuple_of_arrays(records: Any) -> None:
    made = canaries.checked("mine/x", records)
    assert isinstance(made, tuple)
    assert all(np.array_equal(one, part) for one, part in zip(made, RECORDS, strict=True))


def test_a_canary_has_the_shape_of_a_record() -> None:
    record = canaries.one_record("mine/x", RECORDS, ([1, 2, 3], 1))
    assert [part.dtype for part in record] == [INPUTS.dtype, LABELS.dtype]
    listed = canaries.one_record("mine/x", RECORDS, [[1, 2, 3], 1])
    assert all(np.array_equal(one, part) for one, part in zip(listed, record, strict=True))
    assert canaries.one_record("mine/x", INPUTS, [1, 2, 3])[0].tolist() == [1, 2, 3]
    with pytest.raises(ConfigurationError, match=r"a canary is one record, of shape \(3,\), \(\), got \(2,\)"):
        canaries.one_record("mine/x", RECORDS, np.ones(2))


# Labels that one record has. ----------------------------------------------------------------------


@pytest.mark.parametrize("relation", list(Neighbours))
def test_the_label_of_the_record_in_question_is_on_one_side_alone(relation: Neighbours) -> None:
    empty = (np.full(3, -1.0), np.array(0)) if relation is Neighbours.ZERO_OUT else None
    made = dict(canaries.lone_labels(RECORDS, relation, empty))
    assert list(made) == ["the only record of its label", "a record with a label that no other has"]
    for label, (data, neighbour) in zip((1, 2), made.values(), strict=True):
        assert data[1].tolist().count(label) == 1
        assert data[1][-1] == label
        assert label not in neighbour[1]
        assert len(neighbour[1]) == len(data[1]) - (relation is Neighbours.ADD_OR_REMOVE)
        assert np.array_equal(data[0][: len(neighbour[0]) - 1], neighbour[0][: len(neighbour[0]) - 1])


def test_labels_are_whole_numbers_beside_features() -> None:
    assert not list(canaries.lone_labels(INPUTS, Neighbours.ADD_OR_REMOVE))
    assert not list(canaries.lone_labels((INPUTS, LABELS + 0.5), Neighbours.ADD_OR_REMOVE))
    one = dict(canaries.lone_labels((INPUTS, np.ones(8, np.uint8)), Neighbours.ADD_OR_REMOVE))
    assert list(one) == ["a record with a label that no other has"]
    assert not list(canaries.lone_labels((INPUTS, np.full(8, 255, np.uint8)), Neighbours.ADD_OR_REMOVE))
    assert len(list(canaries.lone_labels(RECORDS, Neighbours.ADD_OR_REMOVE, unseen=False))) == 1


def test_crafted_records_have_a_bright_feature_of_their_own() -> None:
    features = np.array([[3.0, 0.0, 4.0], [1.0, 0.5, 0.0]], dtype=np.float32)
    made, labels = canaries.crafted("mine", (features, np.array([7, 9])), 8)
    assert made.dtype == np.float32
    assert made.tolist() == [
        [0, 5, 0], [5, 0, 0], [0, 0, 5],
        [0, -5, 0], [-5, 0, 0], [0, 0, -5],
        [0, 5, 0], [5, 0, 0],
    ]  # fmt: skip
    assert labels.tolist() == [7, 9, 7, 7, 9, 7, 7, 9]  # shared features meet other labels


def test_crafted_records_keep_shapes_and_targets_in_floats() -> None:
    images, targets = np.ones((5, 2, 3)), np.array([[0.0, 1.0], [5.0, 5.0], [1.0, 0.0], [0.2, 0.1], [2.0, 2.0]])
    made, labels = canaries.crafted("mine", (images, targets), 6)
    assert made.shape == (6, 2, 3)
    assert np.array_equal(made.reshape(6, 6), 6**0.5 * np.eye(6))
    assert labels.tolist() == [[0.2, 0.1], [5.0, 5.0]] * 3
    assert canaries.crafted("mine", np.zeros((3, 4)), 2).tolist() == [[1, 0, 0, 0], [0, 1, 0, 0]]


@pytest.mark.parametrize("records", [np.arange(6).reshape(3, 2), np.zeros((3, 0))])
def test_records_without_features_in_floats_cannot_be_crafted(records: np.ndarray) -> None:
    with pytest.raises(ConfigurationError, match="mine: crafted canaries are at least one record with a feature"):
        canaries.crafted("mine", records, 3)


def test_records_that_are_not_finite_do_not_blind_the_others() -> None:
    made = canaries.crafted("mine", np.array([[3.0, 4.0], [np.nan, 0.0], [np.inf, 9.0]]), 2)
    assert made.tolist() == [[5.0, 0.0], [0.0, 5.0]]
    assert canaries.crafted("mine", np.full((2, 2), np.nan), 1).tolist() == [[1.0, 0.0]]
