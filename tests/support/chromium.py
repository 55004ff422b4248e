"""Chromium without a window: pictures, paper, what the console says, what is asked of the network, and the layout."""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

DARK = "--blink-settings=preferredColorScheme=0"
ARTEFACTS = Path(os.environ.get("DPAUDIT_ARTEFACTS", Path(__file__).parents[2] / "runs" / "browser"))
"""Where the pictures and the paper are kept; git ignores the folder."""
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--hide-scrollbars", "--host-resolver-rules=MAP * ~NOTFOUND",
)  # fmt: skip
"""No name is looked up, so nothing leaves the machine, even if a page asks for it."""
PROBE = (Path(__file__).parent / "probe.js").read_text(encoding="utf-8")
FRAMES = """<!doctype html><body style="margin:0"><pre></pre><script>
const found = [];
addEventListener('message', event => {
  found.push(event.data); document.querySelector('pre').textContent = JSON.stringify(found); });
</script>"""

AXE = """axe.run(document, {resultTypes: ['violations']}).then(found => {
  document.body.dataset.axe = JSON.stringify(Object.fromEntries(
    found.violations.map(rule => [rule.id, rule.nodes.map(node => node.html.slice(0, 200))])));
}, error => { document.body.dataset.axe = JSON.stringify({'did not run': [String(error)]}); });"""


@dataclass(frozen=True)
class Seen:
    """What one visit left: the page after its scripts, the console's lines, and the addresses that the page asked for.

    The log of the network has the browser's own errands too; only requests that come from a page have an initiator.
    """

    dom: str
    console: tuple[str, ...]
    requests: tuple[str, ...]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run chromium with a fresh profile until it has loaded its page."""
    program = shutil.which("chromium")
    assert program, "this test needs chromium on the PATH; install it with: apt-get install chromium (Debian)"
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [program, *FLAGS, f"--user-data-dir={profile}", *arguments]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return done


def visit(page: Path, *flags: str) -> Seen:
    """Open a page as it is, and listen."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "net.json"
        quiet = ("--enable-logging=stderr", "--log-level=0", f"--log-net-log={log}", "--virtual-time-budget=5000")
        done = run(*quiet, *flags, "--dump-dom", page.as_uri())
        events = json.loads(log.read_text(encoding="utf-8"))["events"]
    asked = [event.get("params", {}) for event in events]
    requests = (p["url"] for p in asked if "url" in p and p.get("initiator", "not an origin") != "not an origin")
    console = re.findall(r'^\[[^\]]*:CONSOLE:\d+\] (".*)$', done.stderr, re.MULTILINE)
    return Seen(done.stdout, tuple(console), tuple(dict.fromkeys(requests)))


def picture(page: Path, name: str, *flags: str) -> np.ndarray:
    """A screenshot as an array of shape (height, width, channels), values in [0, 1]; kept as NAME.png."""
    from matplotlib.image import imread

    ARTEFACTS.mkdir(parents=True, exist_ok=True)
    target = ARTEFACTS / f"{name}.png"
    run(f"--screenshot={target}", *flags, page.as_uri())
    return np.asarray(imread(target), dtype=np.float64)[..., :3]


def paper(page: Path, name: str) -> bytes:
    """The page printed to PDF; kept as NAME.pdf."""
    ARTEFACTS.mkdir(parents=True, exist_ok=True)
    target = ARTEFACTS / f"{name}.pdf"
    run(f"--print-to-pdf={target}", "--no-pdf-header-footer", page.as_uri())
    return target.read_bytes()


def framed(page: Path, folder: Path, *widths: int) -> Path:
    """A page that shows `page` in frames of these widths: headless chromium opens no window below 500 pixels."""
    outer = folder / f"frame-{'-'.join(map(str, widths))}.html"
    style = 'style="width:{}px;height:1600px;border:0;display:block"'
    frames = [f'<iframe src="{page.as_uri()}" {style.format(width)}></iframe>' for width in widths]
    outer.write_text("<!doctype html><body style='margin:0'>" + "".join(frames), encoding="utf-8")
    return outer


def measured(page: Path, settings: Sequence[tuple[int, int]], *flags: str) -> dict[tuple[int, int], dict[str, Any]]:
    """What `probe.js` reports of a page for each (width in pixels, size of the text in percent).

    A copy of the page beside it carries the probe, without the rule that forbids scripts.
    """
    text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page.read_text(encoding="utf-8"))
    probed = page.with_name("probed.html")
    probed.write_text(text.replace("</body>", f"<script>{PROBE}</script></body>"), encoding="utf-8")
    style = "height:1200px;border:0;display:block"
    frames = [
        f'<iframe src="{probed.as_uri()}#probe-{width}-{size}" style="width:{width}px;{style}"></iframe>'
        for width, size in settings
    ]
    outer = page.with_name("frames.html")
    outer.write_text(FRAMES + "".join(frames), encoding="utf-8")
    dom = run("--virtual-time-budget=10000", "--window-size=1400,1200", *flags, "--dump-dom", outer.as_uri()).stdout
    probed.unlink()
    outer.unlink()
    found = re.search(r"<pre>(.+?)</pre>", dom, re.DOTALL)
    assert found, "the probe in the page did not report"
    reports = {(each["asked"][0], each["asked"][1]): each for each in json.loads(html.unescape(found[1]))}
    assert set(reports) == set(settings), f"only {sorted(reports)} reported"
    return reports


def violations(page: Path, *flags: str, axe: str = "") -> dict[str, list[str]]:
    """The rules of axe-core that a page breaks, each with the elements that break it; axe: another text of axe-core.

    Its rules are those of WCAG 2.1, levels A and AA, and good practice.
    """
    import axe_core_python

    script = axe or (Path(axe_core_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
    text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page.read_text(encoding="utf-8"))
    checked = page.with_name("checked.html")
    checked.write_text(
        text.replace("</body>", f"<script>{script}</script><script>{AXE}</script></body>"), encoding="utf-8"
    )
    dom = run("--virtual-time-budget=60000", *flags, "--dump-dom", checked.as_uri()).stdout
    checked.unlink()
    found = re.search(r'data-axe="([^"]*)"', dom)
    assert found, "axe-core did not report"
    rows: dict[str, list[str]] = json.loads(html.unescape(found[1]))
    return rows


def ink(image: np.ndarray) -> np.ndarray:
    """The pixels that differ from the commonest brightness, the ground: a mask of shape (height, width)."""
    levels = np.round(image.mean(axis=2) * 255).astype(int)
    return np.asarray(np.abs(levels - np.bincount(levels.ravel()).argmax()) > 8)


def uncovered(first: np.ndarray, second: np.ndarray) -> float:
    """Share of the ink of `first` that has no ink of `second` within one pixel."""
    rows, columns = second.shape
    wide = np.pad(second, 1)
    near = np.any([wide[i : i + rows, j : j + columns] for i in range(3) for j in range(3)], axis=0)
    return float(np.mean(~near[first]))
