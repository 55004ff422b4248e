"""The plots of one target: drawn where the numbers are there, faithful to them, told apart without colour."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpaudit.report.page import panels
from dpaudit.report.page.panels import Band, Corner, Curve, Measurement, Power, Progress

FULL = Measurement(
    name="target <b>",
    measured=Curve((0.0, 0.001, 0.01, 0.1, 1.0), (0.0, 0.02, 0.09, 0.4, 1.0)),
    claim=Curve((0.001, 0.01, 0.1, 1.0), (0.003, 0.03, 0.3, 1.0)),
    claim_label="(1, 1e-05)-DP",
    floor=5e-5,
    trials=10_000,
    exact=Curve((0.001, 0.01, 0.1, 1.0), (0.002, 0.02, 0.2, 1.0)),
    corner=Corner(0.01, 0.09, 0.014, 0.08),
    band=Band((0.0, 0.08), (0.002, 0.12), (0.01, 0.35), (0.04, 0.45)),
    ruled_out=Curve((0.0, 0.12, 1.0), (0.0, 0.35, 1.0)),
    progress=Progress((1, 100, 9_000), (0.0, 0.1, 0.7), (None, 0.9, 0.8), (None, None, 1.1)),
    power=Power("at least", (1.5, 1.625), (0.5, 0.9)),
    claimed=1.0,
    exact_epsilon=0.9,
)
BARE = replace(
    FULL,
    exact=None,
    corner=None,
    band=None,
    ruled_out=None,
    progress=None,
    power=None,
    claimed=None,
    exact_epsilon=None,
)


def words(svg: str) -> set[str]:
    return {element.text or "" for element in ElementTree.fromstring(svg).iter()}


@pytest.mark.deep
def test_four_plots_where_every_number_is_there_and_two_of_rates_alone() -> None:
    titles = [ElementTree.fromstring(svg)[0].text for svg in panels.panels(FULL)]
    assert titles == [
        "ROC curve of target <b>, both axes logarithmic",
        "Trade-off curve of target <b>",
        "Epsilon over trials of target <b>",
        "Power of the audit of target <b>",
    ]
    assert len(panels.panels(BARE)) == 2
    assert len(panels.panels(replace(FULL, power=Power("at least", (), ())))) == 3


def test_each_plot_labels_its_axes_and_its_lines() -> None:
    roc, tradeoff, epsilon, power = map(words, panels.panels(FULL))
    lines = {"guessing", "claim: (1, 1e-05)-DP", "exact", "measured"}
    assert lines | {"95 % band", "false-positive rate", "true-positive rate"} <= roc
    assert lines | {"ruled out, 95 %", "type-I error", "type-II error"} <= tradeoff
    assert {"95 % band", "observed", "claimed", "exact", "trials counted on each side", "epsilon"} <= epsilon
    assert {"caught, at least", "claimed", "epsilon of the violation", "chance that it is caught"} <= power
    bare = words(panels.panels(BARE)[0])
    assert not bare & {"exact", "95 % band", "decision point, limits of its rates"}


def test_lines_differ_in_more_than_colour() -> None:
    for svg in panels.panels(FULL)[:3]:
        assert len(set(re.findall(r"stroke-dasharray:([0-9., ]+)", svg))) >= 2


def test_the_band_is_the_region_between_its_corners() -> None:
    """At rate 0.05: above 0.01, which holds from 0.002 on, and below 0.45, which holds up to 0.08."""
    assert FULL.band is not None
    low, high = panels._below(FULL.band), panels._above(FULL.band)
    assert low == [(0.0, 0.0), (0.002, 0.0), (0.002, 0.01), (0.12, 0.01), (0.12, 0.35), (1.0, 0.35)]
    assert high == [(0.0, 0.04), (0.0, 0.04), (0.0, 0.45), (0.08, 0.45), (0.08, 1.0), (1.0, 1.0)]


@pytest.mark.parametrize("floor", [0.0, 1.0, float("nan")])
def test_a_floor_outside_of_the_unit_interval_is_refused(floor: float) -> None:
    with pytest.raises(ValueError, match="floor must be in"):
        panels.roc(replace(BARE, floor=floor))


@given(st.lists(st.floats(0, 1), min_size=1, max_size=400), st.integers(5, 60))
def test_thinning_keeps_a_subset_with_both_ends(values: list[float], points: int) -> None:
    x = tuple(sorted(values))
    curve = Curve(x, tuple(value**0.5 for value in x))
    thinned = panels.thin(curve, points)
    assert len(thinned.x) <= points
    assert set(zip(thinned.x, thinned.y, strict=True)) <= set(zip(curve.x, curve.y, strict=True))
    assert (thinned.x[0], thinned.x[-1]) == (x[0], x[-1])
    assert list(thinned.x) == sorted(thinned.x)


def test_thinning_keeps_points_on_every_scale_of_a_long_curve() -> None:
    x = tuple(10 ** (-5 + 5 * i / 9999) for i in range(10_000))
    thinned = panels.thin(Curve(x, x), 48)
    for low in (1e-5, 1e-4, 1e-3, 1e-2, 1e-1):
        assert sum(low <= value <= 10 * low for value in thinned.x) >= 8
