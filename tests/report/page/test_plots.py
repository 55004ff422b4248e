"""Plots over all targets: faithful to the numbers that were handed in, nothing told by colour alone."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from dpaudit.report.page import plots
from dpaudit.report.page.drawing import MEASURED, REFUTED
from dpaudit.report.page.plots import ForestRow

ROWS = (
    ForestRow("one", 1.2, 2.0, 1.5, 2.6, refuted=False),
    ForestRow("two & <three> $x_1$", 3.0, 1.0, None, None, refuted=True),
    ForestRow("unknown", None, 4.0, None, None, refuted=False),
)


def test_every_target_is_named_and_hostile_names_stay_text() -> None:
    svg = plots.forest(ROWS)
    texts = [element.text for element in ElementTree.fromstring(svg).iter()]
    assert {row.name for row in ROWS} <= set(texts)
    assert plots.forest(ROWS) == svg


def test_a_forest_row_without_a_measurement_draws_no_marker() -> None:
    def markers(row: ForestRow) -> int:
        return plots.forest((row,)).count("<use")

    full, bare = ForestRow("a", 1.0, 2.0, None, None, False), ForestRow("a", None, 2.0, None, None, False)
    assert markers(full) == markers(bare) + 1


def test_a_refuted_row_has_another_marker() -> None:
    held, refuted = (plots.forest((ForestRow("a", 1.0, 2.0, None, None, flag),)) for flag in (False, True))
    assert len(re.findall(r"<path [^>]*\bid=", refuted)) == len(re.findall(r"<path [^>]*\bid=", held)) > 0
    assert held != refuted


@pytest.mark.parametrize(
    ("measured", "refuted", "hue", "thick"),
    [(3.0, True, REFUTED, True), (1.0, True, REFUTED, False), (1.0, False, MEASURED, False)],
)
def test_a_thick_line_says_that_the_bound_exceeds_the_claim(
    measured: float, refuted: bool, hue: str, thick: bool
) -> None:
    svg = plots.forest((ForestRow("a", measured, 2.0, None, None, refuted),))
    assert (f"fill:none;stroke:{hue};stroke-width:2.6" in svg) is thick
    assert (re.search(rf"stroke-dasharray:[^\"]*stroke:{hue};stroke-width:0.9", svg) is None) is thick


def test_a_bound_of_zero_is_drawn_at_the_left_edge() -> None:
    zero, small = (plots.forest((ForestRow("a", bound, 2.0, None, 1.0, False),)) for bound in (0.0, 1e-9))
    assert zero.count("<use") == small.count("<use")
    places = [float(x) for x in re.findall(r'<use [^>]*\bx="([\d.]+)"', zero)]
    assert min(places) == pytest.approx(72 * plots.NAMES, abs=1)


def test_one_exact_value_far_away_does_not_press_the_others_together() -> None:
    near, far = (plots.forest((ForestRow("a", 1.0, 2.0, exact, None, False),)) for exact in (None, 1e6))
    inside = plots.forest((ForestRow("a", 1.0, 2.0, 1.5, None, False),))
    assert "1e6" not in far
    assert far.count("<use") == near.count("<use") == inside.count("<use") - 1
    ticks = [re.findall(r"<text[^>]*>([\d.]+)</text>", svg) for svg in (near, far)]
    assert ticks[0] == ticks[1] != []


def test_a_forest_without_rows_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one row"):
        plots.forest(())


def test_p_values_need_a_null_control() -> None:
    with pytest.raises(ValueError, match="at least one null control"):
        plots.p_values(())
    svg = plots.p_values([("null/<b>", (0.2, 0.9))])
    assert "null/&lt;b&gt;" in svg
    assert "uniform" in svg
