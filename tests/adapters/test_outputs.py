"""What a release may return, and the numbers that it becomes."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from dpaudit.adapters.outputs import numbers
from dpaudit.records.errors import ContentError


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (3, 3),
        (np.float32(0.5), 0.5),
        ([1, 2.5], [1, 2.5]),
        ([[1, 2], [3, 4]], [[1, 2], [3, 4]]),
        ((np.array([1.0, 2.0]), 3.0), [1, 2, 3]),
        ({"b": np.array([[4.0, 5.0]]), "a": 3}, [3, 4, 5]),
        ({"count": 2.0}, [2]),
        ([], []),
        (10**20, 1e20),
        ([Fraction(1, 2), Decimal("0.25")], [0.5, 0.25]),
        (np.array([True, False]), [1, 0]),
    ],
)
def test_numbers_stay_in_order_and_in_shape(found: Any, expected: Any) -> None:
    made = numbers(found)
    assert made.dtype.kind in "biuf"
    assert made.tolist() == expected


def test_texts_are_one_number_each_the_same_wherever_they_stand() -> None:
    single, row, mixed = numbers("red"), numbers(["red", "blue", "red"]), numbers(("red", 1.5))
    assert row.shape == (3,)
    assert row[0] == row[2] == single == mixed[0] == numbers(np.array(["red  ", "red"]))[1]
    assert row[0] != row[1]
    assert mixed[1] == 1.5
    assert float(row[1]).is_integer()
    assert 0 <= row[1] < 2**48
    assert numbers(b"red") == single


def test_tensors_leave_their_graph() -> None:
    torch = pytest.importorskip("torch")
    weight = torch.nn.Parameter(torch.tensor([1.0, 2.0]))
    assert numbers(weight).tolist() == [1, 2]
    assert numbers([weight, weight.sum()]).tolist() == [1, 2, 3]
    assert numbers({"w": 2 * weight}).tolist() == [[2, 4]]


def test_what_is_no_number_is_left_to_the_game() -> None:
    assert numbers({1, 2}).dtype.kind == "O"
    assert numbers(1j).dtype.kind == "c"
    with pytest.raises(ContentError, match="release returned None; return the number"):
        numbers([1.0, None])
