"""SVG text: clean, deterministic, named, safe to put into a page or a file of its own."""

from __future__ import annotations

import re
import sys
from typing import Any
from xml.etree import ElementTree

import pytest

from dpaudit.records.errors import MissingPackageError
from dpaudit.report.page import drawing

HOSTILE = "<script>alert(1)</script> & \"'"


def drawn(title: str = "a line", words: str = "plain words") -> str:
    def draw(figure: Any) -> None:
        axes = drawing.axes_in(figure)
        axes.plot([0, 1.23456789], [0, 1], color=drawing.INK, marker="o", label=words)
        drawing.legend(axes, "lower right")

    return drawing.picture(draw, (4.8, 3.7), title, f"description of {title}")


def test_the_same_numbers_give_the_same_bytes_without_a_date() -> None:
    first = drawn()
    assert drawn() == first
    assert "metadata" not in first
    assert not re.search(r"20\d\d-\d\d", first)


def test_a_matplotlibrc_of_the_user_does_not_change_the_bytes() -> None:
    import matplotlib

    first = drawn()
    with matplotlib.rc_context({"xtick.labelsize": 20, "axes.labelcolor": "red", "svg.hashsalt": "other"}):
        assert drawn() == first


def test_a_picture_is_named_and_described() -> None:
    root = ElementTree.fromstring(drawn())
    title, description = root[0], root[1]
    assert (title.tag.rpartition("}")[2], description.tag.rpartition("}")[2]) == ("title", "desc")
    assert (title.text, description.text) == ("a line", "description of a line")
    assert root.attrib["role"] == "img"
    assert root.attrib["aria-labelledby"].split() == [title.attrib["id"], description.attrib["id"]]


def test_coordinates_are_short_and_nothing_only_wraps() -> None:
    svg = drawn()
    assert not re.search(r'\b(?:d|x|y|transform)="[^"]*\d\.\d\d', svg)
    assert "<g>" not in svg
    assert "rotate(-0" not in svg
    assert len(svg) < 8_000  # 13,000 as matplotlib writes it


def test_neutral_ink_follows_the_page_and_no_style_leaks_out() -> None:
    svg = drawn()
    assert "currentColor" in svg
    assert drawing.INK not in svg
    assert "<style" not in svg


def test_ids_of_two_pictures_on_a_page_are_distinct_and_every_reference_resolves() -> None:
    seen: set[str] = set()
    for svg in (drawn("a"), drawn("b")):
        own = re.findall(r'\bid="([^"]+)"', svg)
        assert len(own) == len(set(own)) > 2
        assert not seen & set(own)
        seen |= set(own)
        assert set(re.findall(r'(?:url\(#|href="#)([^)"]+)', svg)) <= set(own)


@pytest.mark.parametrize("words", [HOSTILE, "$x_1$ $", "\\frac"])
def test_hostile_text_stays_text(words: str) -> None:
    for svg in (drawn(words, words), drawing.together([drawn(words, words)], words)):
        assert "<script" not in svg
        assert words in [element.text for element in ElementTree.fromstring(svg).iter()]


def test_pictures_together_are_one_document_with_a_ground_of_its_own() -> None:
    svg = drawing.together([drawn("a"), drawn("b"), drawn("c")], "three of them")
    root = ElementTree.fromstring(svg)
    assert root[0].attrib["fill"] == "#ffffff"
    assert root.findtext("{http://www.w3.org/2000/svg}title") == "three of them"
    inner = [e for e in root if e.tag.endswith("}svg")]
    assert [(e.attrib["x"], e.attrib["y"]) for e in inner] == [("0", "24"), ("345.6", "24"), ("0", "290.4")]
    assert root.attrib["viewBox"] == "0 0 691.2 556.8"
    with pytest.raises(ValueError, match="at least one"):
        drawing.together([], "none")


def test_without_matplotlib_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingPackageError, match="matplotlib is not installed"):
        drawn()
