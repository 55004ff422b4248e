"""Unit roundoff and its growth bound what chains of operations lose."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpaudit.arithmetic.roundoff import growth, unit_roundoff


def test_the_unit_is_half_the_gap_above_one() -> None:
    assert unit_roundoff("float64") == 2.0**-53
    assert unit_roundoff("float32") == 2.0**-24
    assert np.float32(1) + np.float32(2.0**-24) == 1 < np.float32(1) + np.float32(2.0**-23)


def test_growth_bounds_the_error_of_a_sum() -> None:
    numbers = np.random.default_rng(1).random(1000).astype(np.float32)
    total = np.float32(0)
    for number in numbers:
        total += number
    exact = math.fsum(float(n) for n in numbers)
    assert 0 < abs(float(total) - exact) <= growth(999, "float32") * exact
    assert growth(1, "float64") > unit_roundoff("float64")
    assert growth(0, "float64") == 0.0


def test_without_a_correct_digit_there_is_no_bound() -> None:
    with pytest.raises(ValueError, match="leave no correct digit"):
        growth(1 << 24, "float32")
