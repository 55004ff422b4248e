"""The documentation in a real browser: read at 400 pixels, light and dark, and nothing loaded from elsewhere."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import chromium
import pytest

DOCS = Path(__file__).parents[3] / "docs"
PAGES = ("index", "reference/configuration", "errata")
SETTINGS = [(400, 100), (800, 100), (1200, 100)]
LARGE_TEXT = "--blink-settings=defaultFontSize=32"
Reports = dict[tuple[int, int], dict[str, Any]]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site in the folder DPAUDIT_SITE, that `tox -e docs` has built; without this variable it is built here."""
    if built := os.environ.get("DPAUDIT_SITE"):
        return Path(built)
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-q", "-b", "html", str(DOCS), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module", params=PAGES)
def page(site: Path, request: pytest.FixtureRequest) -> Path:
    return site / f"{request.param}.html"


@pytest.fixture(scope="module")
def reports(page: Path) -> Reports:
    return chromium.measured(page, SETTINGS)


def test_the_layout_has_no_fault(reports: Reports) -> None:
    faults = ("beyond", "cut", "overlaps", "closed", "keyboard")
    for setting, found in reports.items():
        assert {name: found[name] for name in faults if found[name]} == {}, setting
        assert found["content"] == found["width"] == setting[0]
        assert found["pieces"] > 50


def test_the_layout_holds_for_text_of_twice_the_size(page: Path) -> None:
    found = chromium.measured(page, [(800, 100)], LARGE_TEXT)[800, 100]
    assert {name: found[name] for name in ("beyond", "cut", "overlaps") if found[name]} == {}
    assert found["content"] == found["width"]


def test_links_inside_of_a_page_lead_somewhere(page: Path, reports: Reports) -> None:
    links = reports[400, 100]["links"]
    assert links["broken"] == []
    assert links["twice"] == 0
    assert [name for name in links["files"] if not (page.parent / name.partition("#")[0]).is_file()] == []


def test_nothing_is_loaded_from_elsewhere_and_the_console_is_silent(page: Path) -> None:
    seen = chromium.visit(page)
    assert "dpaudit" in seen.dom
    assert seen.console == ()
    assert seen.requests == ()


def test_the_reader_decides_between_light_and_dark(site: Path) -> None:
    light = chromium.picture(site / "index.html", "site-light", "--window-size=1200,900")
    dark = chromium.picture(site / "index.html", "site-dark", "--window-size=1200,900", chromium.DARK)
    assert light.mean() > 0.8
    assert dark.mean() < 0.25
    assert chromium.ink(dark).mean() > 0.01


def test_a_finding_can_be_linked(site: Path, tmp_path: Path) -> None:
    text = (site / "errata.html").read_text(encoding="utf-8")
    assert 'id="rbcd-thm-4-1-s3-one"' in text
    framed = chromium.framed(site / "errata.html", tmp_path, 400)
    image = chromium.picture(framed, "errata-narrow", "--window-size=600,1600")
    assert chromium.ink(image)[:, :400].mean() > 0.01
    assert not chromium.ink(image)[:, 401:].any()
