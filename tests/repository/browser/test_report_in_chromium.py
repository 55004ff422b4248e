"""The report in a real browser: light, dark, narrow, on paper; asking the network for nothing.

`page` is that of a small run with hostile strings, `sample` that of reports/sample.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import chromium
import numpy as np
import pytest

NARROW, MIDDLE, WIDE = 400, 800, 1200
SETTINGS = [(width, size) for size in (100, 200) for width in (NARROW, MIDDLE, WIDE)]
LARGE = [(NARROW, 100), (MIDDLE, 100), (WIDE, 100), (WIDE, 200)]
"""Those of the sample, a page of four megabytes."""
FAULTS = ("beyond", "cut", "overlaps", "small", "closed", "keyboard")
WINDOW = f"--window-size={WIDE},1600"
Reports = dict[tuple[int, int], dict[str, Any]]


@pytest.fixture(scope="module")
def light(page: Path) -> Reports:
    return chromium.measured(page, SETTINGS)


@pytest.fixture(scope="module")
def dark(page: Path) -> Reports:
    return chromium.measured(page, SETTINGS, chromium.DARK)


@pytest.fixture(scope="module")
def large(sample: Path) -> Reports:
    return chromium.measured(sample, LARGE)


@pytest.fixture(scope="module", params=["page", "sample"])
def pictures(request: pytest.FixtureRequest) -> tuple[np.ndarray, np.ndarray]:
    """The first 1600 rows of pixels of a page, light and dark."""
    page = request.getfixturevalue(request.param)
    light = chromium.picture(page, f"{request.param}-light", WINDOW)
    return light, chromium.picture(page, f"{request.param}-dark", WINDOW, chromium.DARK)


def test_the_light_page_is_drawn(pictures: tuple[np.ndarray, np.ndarray]) -> None:
    image = pictures[0]
    assert image.shape[:2] == (1600, WIDE)
    assert image.mean() > 0.8
    assert 0.01 < chromium.ink(image).mean() < 0.5


def test_the_dark_page_is_dark_with_light_text(pictures: tuple[np.ndarray, np.ndarray]) -> None:
    image = pictures[1]
    assert image.mean() < 0.25
    assert image.max() > 0.8
    assert 0.01 < chromium.ink(image).mean() < 0.5


def test_light_and_dark_have_ink_in_the_same_places(pictures: tuple[np.ndarray, np.ndarray]) -> None:
    light, dark = map(chromium.ink, pictures)
    assert chromium.uncovered(light, dark) < 0.01
    assert chromium.uncovered(dark, light) < 0.01
    assert chromium.uncovered(light, np.roll(dark, 8, axis=0)) > 0.1, "a shift of 8 pixels would not be seen"


def test_the_narrow_page_is_drawn_within_its_width(page: Path, tmp_path: Path) -> None:
    image = chromium.picture(chromium.framed(page, tmp_path, NARROW), "narrow", "--window-size=600,1600")
    drawn = chromium.ink(image)
    assert drawn[:, :NARROW].mean() > 0.01
    assert not drawn[:, NARROW + 1 :].any()


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda s: f"{s[0]}px-{s[1]}%")
def test_the_layout_has_no_fault(light: Reports, dark: Reports, setting: tuple[int, int]) -> None:
    for found in (light[setting], dark[setting]):
        assert {name: found[name] for name in FAULTS if found[name]} == {}
        assert found["content"] == found["width"] == setting[0]
        assert found["details"] > 0
        assert found["scrolled"] > 0
        assert found["pieces"] > 1000


@pytest.mark.parametrize("setting", LARGE, ids=lambda s: f"{s[0]}px-{s[1]}%")
def test_the_layout_of_the_sample_has_no_fault(large: Reports, setting: tuple[int, int]) -> None:
    found = large[setting]
    assert {name: found[name] for name in FAULTS if found[name]} == {}
    assert found["content"] == found["width"] == setting[0]
    assert found["details"] > 0


def test_dark_differs_from_light_in_colour_alone(light: Reports, dark: Reports) -> None:
    for setting in SETTINGS:
        assert light[setting]["geometry"] == dark[setting]["geometry"]
        assert light[setting]["words"] == dark[setting]["words"]
        assert (light[setting]["ground"], dark[setting]["ground"]) == ("rgb(255, 255, 255)", "rgb(21, 24, 28)")
        assert light[setting]["ink"] != dark[setting]["ink"]
    assert light[NARROW, 100]["geometry"] != light[MIDDLE, 100]["geometry"]


@pytest.mark.parametrize("name", ["light", "large"])
def test_a_narrow_page_says_what_a_wide_one_says(name: str, request: pytest.FixtureRequest) -> None:
    found: Reports = request.getfixturevalue(name)
    assert len({report["words"] for report in found.values()}) == 1
    assert len({report["letters"] for report in found.values()}) == 1


@pytest.mark.parametrize("name", ["light", "large"])
def test_every_link_leads_somewhere(name: str, request: pytest.FixtureRequest) -> None:
    folder = request.getfixturevalue("page" if name == "light" else "sample").parent
    links = request.getfixturevalue(name)[WIDE, 100]["links"]
    assert links["broken"] == []
    assert links["twice"] == 0
    assert links["files"]
    assert [file for file in links["files"] if not (folder / file).is_file()] == []


PLANTED = {
    "beyond": '<div style="width:900px">wide</div>',
    "cut": '<p style="width:3em;overflow:hidden;white-space:nowrap">much more than fits in here</p>',
    "overlaps": '<p style="margin:0">below</p><p style="margin:-1.2em 0 1em">above</p>',
    "small": '<nav style="line-height:1"><a href="#main">a</a><br><a href="#main">b</a></nav>',
    "closed": "<details><summary>nothing</summary></details>",
    "keyboard": '<div style="width:9em;overflow-x:auto"><div style="width:30em">no tabindex</div></div>',
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_of_the_layout_is_seen(page: Path, fault: str) -> None:
    planted = page.with_name(f"{fault}.html")
    text = page.read_text(encoding="utf-8")
    planted.write_text(text.replace('<main id="main">', f'<main id="main">{PLANTED[fault]}'), encoding="utf-8")
    found = chromium.measured(planted, [(NARROW, 100)])[NARROW, 100]
    assert [name for name in FAULTS if found[name]] == [fault]


def test_text_that_only_some_readers_get_is_seen(page: Path) -> None:
    planted = page.with_name("partial.html")
    style = (
        "@media (max-width: 500px) { .kicker { display: none } } "
        "@media (prefers-color-scheme: dark) { h1 { margin: 5rem } }"
    )
    text = page.read_text(encoding="utf-8")
    planted.write_text(text.replace("</style>", f"{style}</style>", 1), encoding="utf-8")
    light = chromium.measured(planted, [(NARROW, 100), (WIDE, 100)])
    dark = chromium.measured(planted, [(WIDE, 100)], chromium.DARK)
    assert light[NARROW, 100]["words"] != light[WIDE, 100]["words"]
    assert light[WIDE, 100]["geometry"] != dark[WIDE, 100]["geometry"]


def test_a_planted_dead_link_and_a_second_id_are_seen(page: Path) -> None:
    planted = page.with_name("dead.html")
    text = page.read_text(encoding="utf-8")
    planted.write_text(text.replace("<footer>", '<a id="main" href="#nowhere">x</a><footer>'), encoding="utf-8")
    links = chromium.measured(planted, [(WIDE, 100)])[WIDE, 100]["links"]
    assert (links["broken"], links["twice"]) == (["#nowhere"], 1)


@pytest.mark.parametrize("name", ["page", "sample"])
def test_the_console_is_silent_and_the_network_unasked(name: str, request: pytest.FixtureRequest) -> None:
    seen = chromium.visit(request.getfixturevalue(name))
    assert "What this does and does not show" in seen.dom
    assert seen.console == ()
    assert seen.requests == ()


def test_a_page_that_speaks_and_asks_is_noticed(tmp_path: Path) -> None:
    planted = tmp_path / "canary.html"
    planted.write_text(
        '<!doctype html><img src="http://127.0.0.1:9/canary.png"><link rel="stylesheet" href="https://cdn.invalid/x.css">'
        "<script>console.warn('a warning'); console.error('an error'); missing()</script>",
        encoding="utf-8",
    )
    seen = chromium.visit(planted)
    assert [re.findall("a warning|an error|missing is not defined", line) for line in seen.console] == [
        ["a warning"], ["an error"], ["missing is not defined"],
    ]  # fmt: skip
    assert set(seen.requests) == {"http://127.0.0.1:9/canary.png", "https://cdn.invalid/x.css"}


def test_the_page_itself_forbids_what_it_does_not_need(page: Path) -> None:
    planted = page.with_name("blocked.html")
    text = page.read_text(encoding="utf-8")
    planted.write_text(text.replace("<footer>", '<img src="http://127.0.0.1:9/x.png"><footer>'), encoding="utf-8")
    seen = chromium.visit(planted)
    assert seen.requests == ()
    assert any("Content Security Policy" in line for line in seen.console)


def test_the_page_prints_to_pdf(page: Path) -> None:
    data = chromium.paper(page, "report")
    assert data.startswith(b"%PDF-")
    assert len(re.findall(rb"/Type\s*/Page\b", data)) >= 3
