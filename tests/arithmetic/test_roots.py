"""Bisection: which end comes back, when it stops, and that all forms find the same edge."""

from __future__ import annotations

import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpaudit.arithmetic.roots import bisected, bisected_arrays, bisected_integers, least_integer


@given(st.floats(0.0, 1e6), st.integers(0, 25))
def test_the_edge_stays_between_both_ends(edge: float, halvings: int) -> None:
    found = bisected(lambda x: x <= edge, 0.0, 2e6, halvings=halvings)
    assert found.inside <= edge < found.outside
    assert found.outside - found.inside == pytest.approx(2e6 / 2**halvings)


@given(st.floats(1.0, 1e6))
def test_either_end_may_hold(edge: float) -> None:
    rising, falling = bisected(lambda x: x >= edge, 2e6, 0.0), bisected(lambda x: x < edge, 0.0, 2e6)
    assert rising.inside == edge == falling.outside
    assert rising.outside == math.nextafter(edge, 0.0) == falling.inside


def test_it_stops_at_the_width_that_is_asked_for() -> None:
    absolute = bisected(lambda x: x <= 3.3, 0.0, 10.0, width=0.1)
    relative = bisected(lambda x: x >= 3.3, 1000.0, 0.0, relative=0.02)
    assert 0.05 < absolute.outside - absolute.inside <= 0.1
    assert 0.01 * relative.inside < relative.inside - relative.outside <= 0.02 * relative.inside


def test_it_stops_where_the_condition_cannot_tell() -> None:
    found = bisected(lambda x: None if 2.9 < x < 3.1 else x < 3.0, 0.0, 8.0)
    assert found == (2.0, 4.0)


def test_a_condition_that_is_never_tried_at_the_ends_is_taken_at_its_word() -> None:
    tried: list[float] = []
    bisected(lambda x: bool(tried.append(x)), 1.0, 2.0, halvings=3)
    assert tried == [1.5, 1.25, 1.125]


@given(st.integers(0, 10**12), st.integers(1, 10**12))
def test_integers_are_told_exactly(edge: int, more: int) -> None:
    assert bisected_integers(lambda n: n <= edge, 0, edge + more) == edge
    assert bisected_integers(lambda n: n > edge, edge + more, 0) == edge + 1


@given(st.integers(1, 10**12))
def test_doubling_finds_the_least_integer(edge: int) -> None:
    assert least_integer(lambda n: n >= edge) == edge
    coarse = least_integer(lambda n: n >= edge, 2, parts=100)
    assert max(edge, 2) <= coarse <= max(edge, 2) * 1.01


def test_a_condition_that_never_holds_ends_by_its_own_error() -> None:
    def never(number: int) -> bool:
        if number > 1_000:
            raise OverflowError
        return False

    with pytest.raises(OverflowError):
        least_integer(never)


def test_arrays_are_bisected_as_numbers_are() -> None:
    edges = np.array([0.1, 0.5, 7.3])
    inside, outside = bisected_arrays(lambda x: x <= edges, np.zeros(3), np.full(3, 8.0), 30)
    for i, edge in enumerate(edges):
        assert (inside[i], outside[i]) == bisected(lambda x, edge=edge: x <= edge, 0.0, 8.0, halvings=30)


def test_a_plan_is_bisected_without_numpy() -> None:
    code = "import sys, dpaudit.arithmetic.roots, dpaudit.audit.planning; raise SystemExit('numpy' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
