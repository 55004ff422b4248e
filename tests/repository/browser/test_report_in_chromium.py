"""The report in a real browser: light, dark, narrow, on paper; asking the network for nothing.

`page` is that of a small run with hostile strings, `sample` that of reports/sample.
"""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

import chromium
import numpy as np
import pytest

NARROW, MIDDLE, WIDE = 400, 800, 1200
SETTINGS = [(width, size) for size in (100, 200) for width in (NARROW, MIDDLE, WIDE)]
LARGE = [(NARROW, 100), (MIDDLE, 100), (WIDE, 100), (WIDE, 200)]
"""Those of the front page of the sample, which has a megabyte."""
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


@pytest.fixture(scope="module")
def paper(sample: Path) -> Reports:
    return chromium.measured(sample.parent / "papers" / "srm.html", [(NARROW, 100), (WIDE, 100)])


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


@pytest.mark.parametrize("width", [NARROW, WIDE])
def test_the_layout_of_the_page_of_a_paper_has_no_fault(paper: Reports, width: int) -> None:
    found = paper[width, 100]
    assert {name: found[name] for name in FAULTS if found[name]} == {}
    assert found["content"] == found["width"] == width
    assert found["words"] == paper[WIDE, 100]["words"]
    assert found["links"]["broken"] == []


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
    assert [file for file in links["files"] if not (folder / file.partition("#")[0]).is_file()] == []


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


@pytest.mark.parametrize(("name", "least", "most"), [("page", 3, 20), ("sample", 10, 39)])
def test_a_page_prints_to_pdf(name: str, least: int, most: int, request: pytest.FixtureRequest) -> None:
    data = chromium.paper(request.getfixturevalue(name), f"report-{name}")
    assert data.startswith(b"%PDF-")
    assert least <= len(re.findall(rb"/Type\s*/Page\b", data)) <= most


ASKED = """<script>
const asked = document.querySelector('form.find');
asked.elements.words.value = WORDS; asked.elements.outcome.value = OUTCOME;
asked.dispatchEvent(new Event('input'));
const shown = [...document.querySelectorAll('main [data-outcome]')].filter(e => e.checkVisibility());
document.body.dataset.shown = JSON.stringify([...new Set(shown.map(e => e.dataset.id))]);
document.body.dataset.links = JSON.stringify([...asked.querySelectorAll('a')].map(e => e.getAttribute('href')));
document.body.dataset.said = asked.querySelector('output').textContent;
</script></body>"""


def searched(page: Path, words: str, outcome: str = "") -> tuple[list[str], list[str], str]:
    """The ids that a page shows when it is searched, the addresses that it offers beside, and what it says."""
    asking = ASKED.replace("WORDS", json.dumps(words)).replace("OUTCOME", json.dumps(outcome))
    text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page.read_text(encoding="utf-8"))
    asked = page.with_name("searched.html")
    asked.write_text(text.replace("</body>", asking), encoding="utf-8")
    dom = chromium.visit(asked).dom
    found = [re.search(rf'data-{name}="([^"]*)"', dom) for name in ("shown", "links", "said")]
    shown, links, said = (html.unescape(one[1]) if one else "[]" for one in found)
    return json.loads(shown), json.loads(links), said


def test_the_search_shows_what_matches_and_opens_what_is_folded(page: Path) -> None:
    everything, none, nothing = searched(page, "")
    assert len(everything) > 10
    assert (none, nothing) == ([], "")
    by_id, _, said = searched(page, "lem-2")
    assert set(by_id) == {"rbcd/LEM-2", "rbcd/LEM-2/s1", "rbcd/LEM-2/s2", "rbcd/LEM-2/r1", "rbcd/LEM-2~repaired"}
    assert said.startswith("5 on this page, 0 more")
    assert set(searched(page, "lem-2", "REFUTED")[0]) == {"rbcd/LEM-2/s2"}
    assert searched(page, "no such words")[0] == []


def test_the_search_of_the_front_page_leads_to_the_pages_of_papers(sample: Path) -> None:
    _, links, said = searched(sample, "srm/lem-3.9", "PROVED")
    assert links
    assert all(re.fullmatch(r"papers/srm\.html#v-srm/LEM-3\.9[^#]*", link) for link in links)
    assert f"{len(links)} more by their id on other pages" in said


@pytest.mark.parametrize("name", ["page", "sample"])
def test_axe_core_finds_no_violation(name: str, request: pytest.FixtureRequest) -> None:
    assert chromium.violations(request.getfixturevalue(name)) == {}


def test_axe_core_finds_planted_violations(page: Path) -> None:
    planted = page.with_name("axe.html")
    text = page.read_text(encoding="utf-8").replace('role="group" aria-label', 'role="img" aria-label')
    fault = '<button></button><p style="color:#aaa;background:#fff">pale</p>'
    planted.write_text(text.replace('<main id="main">', f'<main id="main">{fault}'), encoding="utf-8")
    assert {"nested-interactive", "button-name", "color-contrast"} <= chromium.violations(planted).keys()


def test_the_script_of_the_page_runs_under_its_own_rule(page: Path) -> None:
    assert re.search(r'<form class="find" role="search" hidden', page.read_text(encoding="utf-8"))
    assert re.search(r'<form class="find" role="search">', chromium.visit(page).dom)
    changed = page.with_name("changed.html")
    changed.write_text(page.read_text(encoding="utf-8").replace("(() => {", "(() => { ;", 1), encoding="utf-8")
    seen = chromium.visit(changed)
    assert re.search(r'<form class="find" role="search" hidden', seen.dom)
    assert any("Content Security Policy" in line for line in seen.console)
