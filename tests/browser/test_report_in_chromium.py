"""The report in a real browser: light, dark, narrow, on paper; asking the network for nothing."""

from __future__ import annotations

import html
import importlib.util
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpaudit.report import write_report

SPEC = importlib.util.spec_from_file_location("run_folder", Path(__file__).parents[1] / "run_folder.py")
NARROW = 400  # narrower than the smallest window that headless chromium opens, so the page is framed
DARK = "--blink-settings=preferredColorScheme=0"
# Runs in a copy of the page: reports what reaches beyond the window, table containers apart.
PROBE = """<script>
const root = document.documentElement;
const contrast = getComputedStyle(document.body);
const beyond = [...document.querySelectorAll('body *')].filter(
  e => e.getBoundingClientRect().right > root.clientWidth + 1 && !e.closest('.scroll'));
parent.postMessage(JSON.stringify({
  width: root.clientWidth, content: root.scrollWidth, beyond: beyond.map(e => e.outerHTML.slice(0, 80)),
  scrolled: [...document.querySelectorAll('.scroll')].filter(e => e.scrollWidth > e.clientWidth).length,
  ink: contrast.color, ground: contrast.backgroundColor,
}), '*');
</script></body>"""
FRAME = """<!doctype html><body style="margin:0"><pre></pre><script>
addEventListener('message', event => { document.querySelector('pre').textContent = event.data; });
</script><iframe src="PAGE" style="width:WIDTHpx;height:1600px;border:0"></iframe></body>"""


def chromium(folder: Path, *arguments: str) -> str:
    """Run chromium headless with a profile of its own; its standard output."""
    program = shutil.which("chromium")
    assert program, "this test needs chromium on the PATH; install it with: apt-get install chromium (Debian)"
    flags = (
        "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
        "--disable-component-update", "--disable-sync", "--hide-scrollbars", f"--user-data-dir={folder / 'profile'}",
    )  # fmt: skip
    done = subprocess.run([program, *flags, *arguments], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    assert SPEC is not None
    assert SPEC.loader is not None
    run_folder = importlib.util.module_from_spec(SPEC)
    SPEC.loader.exec_module(run_folder)
    return write_report(run_folder.write(tmp_path_factory.mktemp("run")))


def picture(page: Path, name: str, *flags: str) -> np.ndarray:
    """A screenshot as an array of shape (height, width, channels), values in [0, 1]."""
    from matplotlib.image import imread

    target = page.parent / f"{name}.png"
    chromium(page.parent, f"--screenshot={target}", *flags, page.as_uri())
    return np.asarray(imread(target), dtype=np.float64)[..., :3]


def frame(page: Path, width: int) -> Path:
    outer = page.parent / f"frame-{width}.html"
    outer.write_text(FRAME.replace("PAGE", page.as_uri()).replace("WIDTH", str(width)), encoding="utf-8")
    return outer


def measured(page: Path, width: int, *flags: str) -> dict[str, Any]:
    """What PROBE reports of the page in a frame `width` pixels wide."""
    probed = page.parent / "probed.html"
    text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page.read_text(encoding="utf-8"))
    probed.write_text(text.replace("</body>", PROBE), encoding="utf-8")
    dom = chromium(page.parent, "--virtual-time-budget=5000", *flags, "--dump-dom", frame(probed, width).as_uri())
    found = re.search(r"<pre>(.+?)</pre>", dom, re.DOTALL)
    assert found, "the probe in the page did not report"
    return dict(json.loads(html.unescape(found[1])))


def inked(image: np.ndarray) -> float:
    """Share of pixels that differ from the commonest brightness, the ground."""
    levels = np.round(image.mean(axis=2) * 255).astype(int)
    return float(np.mean(levels != np.bincount(levels.ravel()).argmax()))


def test_the_light_page_at_1200_pixels_is_drawn(page: Path) -> None:
    image = picture(page, "light", "--window-size=1200,1600")
    assert image.shape[:2] == (1600, 1200)
    assert image.mean() > 0.8
    assert 0.01 < inked(image) < 0.5


def test_the_dark_page_is_dark_with_light_text(page: Path) -> None:
    image = picture(page, "dark", "--window-size=1200,1600", DARK)
    assert image.mean() < 0.25
    assert image.max() > 0.8
    assert 0.01 < inked(image) < 0.5


def test_the_narrow_page_is_drawn_within_its_width(page: Path) -> None:
    image = picture(frame(page, NARROW), "narrow", "--window-size=600,1600")
    assert inked(image[:, :NARROW]) > 0.01
    assert inked(image[:, NARROW + 1 :]) == 0


def test_at_400_pixels_tables_scroll_and_the_page_does_not(page: Path) -> None:
    found = measured(page, NARROW)
    assert found["width"] == NARROW
    assert found["content"] == NARROW
    assert found["beyond"] == []
    assert found["scrolled"] > 0


def test_at_1200_pixels_nothing_reaches_beyond_the_window(page: Path) -> None:
    found = measured(page, 1200, "--window-size=1300,1000")
    assert found["content"] == 1200
    assert found["beyond"] == []


def test_the_colour_scheme_of_the_reader_decides(page: Path) -> None:
    light, dark = measured(page, NARROW), measured(page, NARROW, DARK)
    assert (light["ground"], dark["ground"]) == ("rgb(255, 255, 255)", "rgb(21, 24, 28)")
    assert light["ink"] != dark["ink"]


def test_the_probe_finds_a_page_that_is_too_wide(page: Path, tmp_path: Path) -> None:
    wide = tmp_path / "wide.html"
    text = page.read_text(encoding="utf-8").replace("<h1>", '<h1 style="width:900px">')
    wide.write_text(text, encoding="utf-8")
    assert measured(wide, NARROW)["content"] > NARROW


def test_the_page_prints_to_pdf(page: Path) -> None:
    target = page.parent / "report.pdf"
    chromium(page.parent, f"--print-to-pdf={target}", "--no-pdf-header-footer", page.as_uri())
    data = target.read_bytes()
    assert data.startswith(b"%PDF-")
    assert len(re.findall(rb"/Type\s*/Page\b", data)) >= 3
