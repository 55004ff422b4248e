"""The rounding bound: its constants, and that it holds for sums and products in any order."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpaudit.arithmetic.roundoff import growth, unit_roundoff


def test_unit_roundoff() -> None:
    assert unit_roundoff("float64") == 2.0**-53
    assert unit_roundoff("float32") == 2.0**-24


def test_growth_is_a_little_above_n_u() -> None:
    assert growth(100, "float64") == pytest.approx(100 * 2.0**-53, rel=1e-12)
    assert growth(1 << 23, "float32") == 1.0
    with pytest.raises(ValueError, match="leave no correct digit"):
        growth(1 << 24, "float32")


@given(st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=40), st.randoms(use_true_random=False))
def test_a_dot_product_in_any_order_obeys_the_bound(values: list[float], random: object) -> None:
    left, right = np.array(values), np.roll(np.array(values), 1)
    order = sorted(range(len(values)), key=lambda _: random.random())  # type: ignore[attr-defined]
    total = 0.0
    for i in order:
        total += left[i] * right[i]
    exact = sum((Fraction(float(a)) * Fraction(float(b)) for a, b in zip(left, right, strict=True)), Fraction(0))
    magnitude = float(np.abs(left) @ np.abs(right))
    # Products below the smallest normal number round absolutely, not relatively.
    assert abs(Fraction(total) - exact) <= growth(len(values), "float64") * magnitude * 1.0001 + 1e-300
    assert math.isfinite(total)
