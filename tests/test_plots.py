"""Plots: clean and deterministic SVG, accessible, faithful to the numbers that were handed in."""

from __future__ import annotations

import re
import sys
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpaudit import plots
from dpaudit.errors import MissingPackageError
from dpaudit.plots import Corner, Curve, ForestRow

MEASURED = Curve((0.0, 0.001, 0.01, 0.1, 1.0), (0.0, 0.02, 0.09, 0.4, 1.0))
CLAIM = Curve((0.001, 0.01, 0.1, 1.0), (0.003, 0.03, 0.3, 1.0))
CORNER = Corner(0.01, 0.09, 0.014, 0.08)
ROWS = (
    ForestRow("one", 1.2, 2.0, 1.5, 2.6, refuted=False),
    ForestRow("two & <three> $x_1$", 3.0, 1.0, None, None, refuted=True),
    ForestRow("unknown", None, 4.0, None, None, refuted=False),
)


def a_roc(name: str = "target", corner: Corner | None = CORNER) -> str:
    return plots.roc(name, MEASURED, CLAIM, "(1, 1e-05)-DP", corner, 5e-5)


@pytest.mark.parametrize("draw", [a_roc, lambda: plots.forest(ROWS)], ids=["roc", "forest"])
def test_the_same_numbers_give_the_same_bytes_without_a_date(draw) -> None:
    first = draw()
    assert draw() == first
    assert "metadata" not in first
    assert not re.search(r"20\d\d-\d\d", first)


def test_a_matplotlibrc_of_the_user_does_not_change_the_bytes() -> None:
    import matplotlib

    first = a_roc()
    with matplotlib.rc_context({"xtick.labelsize": 20, "axes.labelcolor": "red", "svg.hashsalt": "other"}):
        assert a_roc() == first


@pytest.mark.parametrize("svg", [a_roc(), plots.forest(ROWS)], ids=["roc", "forest"])
def test_a_picture_is_named_and_described(svg: str) -> None:
    root = ElementTree.fromstring(svg)
    title, description = root[0], root[1]
    assert (title.tag.rpartition("}")[2], description.tag.rpartition("}")[2]) == ("title", "desc")
    assert title.text
    assert description.text
    assert root.attrib["role"] == "img"
    assert root.attrib["aria-labelledby"].split() == [title.attrib["id"], description.attrib["id"]]


def test_ids_of_two_pictures_on_a_page_are_distinct_and_every_reference_resolves() -> None:
    seen: set[str] = set()
    for svg in (a_roc("a"), a_roc("b"), plots.forest(ROWS)):
        own = re.findall(r'\bid="([^"]+)"', svg)
        assert len(own) == len(set(own))
        assert not seen & set(own)
        seen |= set(own)
        assert set(re.findall(r'(?:url\(#|href="#)([^)"]+)', svg)) <= set(own)


def test_neutral_ink_follows_the_page_and_no_style_leaks_out() -> None:
    svg = a_roc()
    assert "currentColor" in svg
    assert "#000000" not in svg
    assert "<style" not in svg
    assert "DejaVu" not in svg


def test_hostile_names_stay_text() -> None:
    svg = plots.forest(ROWS) + a_roc("<script>$x</script>")
    assert "<script" not in svg
    assert "&lt;three&gt; $x_1$" in svg


def test_lines_differ_in_more_than_colour() -> None:
    svg = a_roc()
    dashes = set(re.findall(r"stroke-dasharray: ([0-9., ]+)", svg))
    assert len(dashes) >= 2  # the claim is dashed, guessing is dotted, the measured curve is solid


def test_a_forest_row_without_a_measurement_draws_no_marker() -> None:
    def markers(row: ForestRow) -> int:
        return plots.forest((row,)).count("<use")

    full, bare = ForestRow("a", 1.0, 2.0, None, None, False), ForestRow("a", None, 2.0, None, None, False)
    assert markers(full) == markers(bare) + 1


@pytest.mark.parametrize("floor", [0.0, 1.0, float("nan")])
def test_a_floor_outside_of_the_unit_interval_is_refused(floor: float) -> None:
    with pytest.raises(ValueError, match="floor must be in"):
        plots.roc("x", MEASURED, CLAIM, "claim", None, floor)


def test_a_forest_without_rows_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one row"):
        plots.forest(())


def test_without_matplotlib_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingPackageError, match=r"matplotlib is not installed; run: pip install 'dpaudit\[report\]'"):
        a_roc()


@given(st.lists(st.floats(0, 1), min_size=1, max_size=400), st.integers(5, 60))
def test_thinning_keeps_a_subset_with_both_ends(values: list[float], points: int) -> None:
    x = tuple(sorted(values))
    curve = Curve(x, tuple(value**0.5 for value in x))
    thinned = plots.thin(curve, points)
    assert len(thinned.x) <= points
    assert set(zip(thinned.x, thinned.y, strict=True)) <= set(zip(curve.x, curve.y, strict=True))
    assert (thinned.x[0], thinned.x[-1]) == (x[0], x[-1])
    assert list(thinned.x) == sorted(thinned.x)


def test_thinning_keeps_points_on_every_scale_of_a_long_curve() -> None:
    x = tuple(10 ** (-5 + 5 * i / 9999) for i in range(10_000))
    thinned = plots.thin(Curve(x, x), 48)
    for low in (1e-5, 1e-4, 1e-3, 1e-2, 1e-1):
        assert sum(low <= value <= 10 * low for value in thinned.x) >= 8
