"""Curves of guarantees: equal to the trade-off functions, concave, never below them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpaudit.accounting.tradeoff import largest_true_positive_rate
from dpaudit.estimators.curves import PolygonCurve, curve_of
from dpaudit.records.privacy import ApproximateDP, GaussianDP, Guarantee, PrivacyProfile, RenyiDP

LEVELS = np.concatenate([np.geomspace(1e-9, 0.5, 60), 1 - np.geomspace(0.5, 1e-9, 60)[1:]])
EXACT = (
    ApproximateDP(1.0, 1e-5),
    ApproximateDP(0.0, 0.0),
    ApproximateDP(2000.0, 0.1),
    ApproximateDP(math.inf, 0.0),
    GaussianDP(0.0),
    GaussianDP(2.0),
    PrivacyProfile(((3.0, 1e-6), (1.0, 1e-3), (0.3, 0.2)), "a curve"),
)


@pytest.mark.parametrize("guarantee", EXACT, ids=str)
def test_it_is_the_trade_off_function(guarantee: Guarantee) -> None:
    assert curve_of(guarantee).value(LEVELS) == pytest.approx(largest_true_positive_rate(LEVELS, guarantee), rel=1e-12)


@pytest.mark.parametrize("guarantee", [RenyiDP(2.0, 0.5), RenyiDP(30.0, 0.1), RenyiDP(1.5, 4.0)], ids=str)
def test_renyi_is_bounded_from_above_and_closely(guarantee: RenyiDP) -> None:
    exact, bound = largest_true_positive_rate(LEVELS, guarantee), curve_of(guarantee).value(LEVELS)
    assert np.all(bound >= exact * (1 - 1e-12))
    assert np.all(bound <= exact * 1.01)


@pytest.mark.parametrize(
    "guarantee", [RenyiDP(1000.0, 2.0), RenyiDP(8.0, 4.0), RenyiDP(1e4, 0.5), RenyiDP(math.inf, 1.0)], ids=str
)
def test_renyi_is_bounded_at_corners(guarantee: RenyiDP) -> None:
    """Where the curve turns flat at once, between nodes, and rounding makes flat chords rise."""
    levels = np.linspace(0.001, 0.999, 20_001)
    exact, bound = largest_true_positive_rate(levels, guarantee), curve_of(guarantee).value(levels)
    assert np.all(bound >= exact * (1 - 1e-12))
    assert np.all(bound <= exact * 1.01)


@pytest.mark.parametrize("guarantee", [*EXACT, RenyiDP(2.0, 0.5)], ids=str)
def test_every_tangent_lies_above_the_curve(guarantee: Guarantee) -> None:
    """The bound of the importance weights rests on this."""
    curve = curve_of(guarantee)
    value, slope = curve.value(LEVELS), curve.slope(LEVELS)
    tangents = value[:, None] + slope[:, None] * (LEVELS[None, :] - LEVELS[:, None])
    assert np.all(tangents >= value[None, :] - 1e-9)
    assert np.all(slope >= 0)


def test_lines_that_are_never_the_lowest_do_no_harm() -> None:
    plain = PolygonCurve([(2.0, 0.1), (0.5, 0.4)])
    more = PolygonCurve([(2.0, 0.1), (0.5, 0.4), (1.0, 0.6), (2.0, 0.3), (3.0, 0.2)])
    assert np.array_equal(plain.value(LEVELS), more.value(LEVELS))
    assert plain.value(np.array([0.0, 0.1, 0.2, 1.0])).tolist() == pytest.approx([0.1, 0.3, 0.5, 0.9])
