"""The page for everybody: landmarks, headings, names of plots, keyboard, paper, contrast."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from report_page import Page

from dpaudit.records.verdict import Outcome
from dpaudit.report import sections
from dpaudit.report.page import drawing
from dpaudit.report.page.templating import TEMPLATES

CSS = (TEMPLATES / "report.css").read_text(encoding="utf-8")


def test_landmarks_language_title_and_skip_link(page: Page) -> None:
    tags = [tag for tag, _ in page.tags]
    assert [tags.count(tag) for tag in ("html", "header", "nav", "main", "footer", "h1", "title")][:6] == [1] * 6
    assert next(attrs for tag, attrs in page.tags if tag == "html")["lang"] == "en"
    first_link = next(attrs for tag, attrs in page.tags if tag == "a")
    assert first_link["href"] == "#main"


def test_ids_are_unique_and_every_inner_link_lands(page: Page) -> None:
    ids = page.values("id")
    assert len(ids) == len(set(ids))
    targets = {href[1:] for href in page.values("href") if href.startswith("#")}
    assert targets <= set(ids)


def test_tables_have_captions_and_scoped_headers(page: Page) -> None:
    tags = [tag for tag, _ in page.tags]
    assert tags.count("table") == tags.count("caption") > 10
    assert all(attrs.get("scope") in {"row", "col"} for tag, attrs in page.tags if tag == "th")


def test_headings_never_skip_a_level(page: Page) -> None:
    levels = [int(tag[1]) for tag, _ in page.tags if re.fullmatch(r"h[1-6]", tag)]
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_every_outcome_has_a_word_and_a_mark_of_its_own(html: str) -> None:
    cells = re.findall(r'<b class="([A-Z_]+)">([a-z ]+)', html)
    assert {name for name, _ in cells} == {outcome.value for outcome in Outcome}
    assert all(words.strip() == name.lower().replace("_", " ") for name, words in cells)
    marks = dict(re.findall(r'\.([A-Z_]+)::before \{ content: "(.)";', html))
    assert marks == {outcome.value: mark for outcome, mark in sections.MARKS.items()}
    assert len(set(marks.values())) == len(Outcome)


def test_every_plot_has_alternative_text_and_every_scrolling_region_a_name(page: Page) -> None:
    pictures = [attrs for tag, attrs in page.tags if tag == "svg"]
    assert len(pictures) > 12
    ids = set(page.values("id"))
    assert all(attrs.get("role") == "img" for attrs in pictures)
    assert all(set(str(attrs["aria-labelledby"]).split()) <= ids for attrs in pictures)
    regions = [attrs for tag, attrs in page.tags if str(attrs.get("class", "")).startswith("scroll")]
    assert all(attrs["role"] == "region" and attrs["tabindex"] == "0" and attrs["aria-label"] for attrs in regions)


def test_keyboard_focus_is_visible_and_paper_shows_what_scrolls_and_leaves_folded_what_is_folded() -> None:
    focus = CSS[CSS.index(":focus-visible") :].partition("}")[0]
    assert re.search(r"outline: 2px solid", focus)
    assert "outline: none" not in CSS
    paper = CSS[CSS.index("@media print") :]
    assert "details" not in paper
    assert "overflow: visible" in paper


def _contrast(one: str, two: str) -> float:
    """Contrast ratio of WCAG 2.1 (1.4.3) of two #rrggbb colours."""

    def luminance(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((luminance(one), luminance(two)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_text_has_a_contrast_of_at_least_4_5(scheme: int) -> None:
    block = re.findall(r":root \{(.*?)\}", CSS, re.DOTALL)[scheme]
    colours = dict(re.findall(r"--(\w+): (#[0-9a-f]{6});", block))
    ratios = {
        (name, ground): _contrast(value, colours[ground])
        for name, value in colours.items()
        for ground in ("page", "wash")
        if name not in {"page", "wash", "rule"}
    }
    assert len(ratios) == 16
    assert min(ratios.values()) >= 4.5, ratios


@pytest.mark.parametrize("colour", ["MEASURED", "CLAIMED", "QUIET"])
def test_lines_of_plots_have_a_contrast_of_at_least_3_on_both_grounds(colour: str) -> None:
    grounds = re.findall(r"--page: (#[0-9a-f]{6});", CSS)
    assert len(grounds) == 2
    assert all(_contrast(getattr(drawing, colour), ground) >= 3 for ground in grounds)
