"""What a training hands in is copied, in one shape and of one kind."""

from __future__ import annotations

import numpy as np
import pytest

from dpaudit.audit.structural.recorded_values import (
    declared_number,
    joined_ids,
    mask_of,
    of_all,
    real_numbers,
    record_ids,
    summed_up,
    with_ids,
)
from dpaudit.records.errors import ContentError


def test_numbers_are_read_only_copies_in_the_precision_that_they_have() -> None:
    given = np.array([1.0, 2.0], dtype=np.float32)
    kept = real_numbers(given, "mean")
    given[0] = 5.0
    assert kept.dtype == np.float32
    assert kept.tolist() == [1.0, 2.0]
    assert real_numbers([1, 2], "mean").dtype == np.float64
    with pytest.raises(ValueError, match="read-only"):
        kept[0] = 3.0
    with pytest.raises(ContentError, match="'mean' must be real numbers, got dtype <U1"):
        real_numbers(["a"], "mean")


def test_what_is_released_is_the_sum_unless_it_is_given() -> None:
    statistic, noise, value = summed_up([1.0, 2.0], [0.5, 0.5], None, "mean")
    assert (statistic.tolist(), noise.tolist(), value.tolist()) == ([1.0, 2.0], [0.5, 0.5], [1.5, 2.5])
    assert summed_up([1.0], None, None, "mean")[1:] == (None, np.array([1.0]))
    assert summed_up([1.0], [0.5], [7.0], "mean")[2].tolist() == [7.0]
    with pytest.raises(ContentError, match="need one shape"):
        summed_up([1.0, 2.0], [0.5], None, "mean")


def test_record_ids_are_whole_numbers_from_0() -> None:
    assert record_ids(np.array([2, 0], dtype=np.uint8)).dtype == np.int64
    assert record_ids([]).tolist() == []
    for wrong, said in (([0.5], "list of integers"), ([[1]], "list of integers"), ([-1], "count from 0, got -1")):
        with pytest.raises(ContentError, match=said):
            record_ids(wrong)


def test_pieces_are_joined_and_marked() -> None:
    assert joined_ids([record_ids([2]), record_ids([0, 3])]).tolist() == [2, 0, 3]
    assert joined_ids([]).tolist() == []
    assert mask_of(record_ids([2, 0])).tolist() == [True, False, True]
    assert mask_of(record_ids([])).tolist() == []


@pytest.mark.parametrize("wrong", [-1.0, float("inf"), float("nan")])
def test_a_declared_number_is_finite_from_0(wrong: float) -> None:
    assert declared_number("sensitivity", None, "mean") is None
    assert declared_number("sensitivity", 0, "mean") == 0.0
    with pytest.raises(ContentError, match="'mean': noise_scale must be finite and at least 0, or None"):
        declared_number("noise_scale", wrong, "mean")


def test_ids_join_in_order_where_there_is_one() -> None:
    assert with_ids(record_ids([1, 4]), [2]).tolist() == [1, 2, 4]
    assert with_ids(record_ids([4, 1]), [2]).tolist() == [4, 1, 2]
    assert with_ids(record_ids([]), [3]).tolist() == [3]


def test_all_of_several_records() -> None:
    assert of_all(record_ids([1, 0]), 2)
    assert not of_all(record_ids([1, 1]), 2)
    assert not of_all(record_ids([0]), 1)
