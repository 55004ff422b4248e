"""The pages that are opened in a browser, made once, and the place of the pictures in the summary."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import chromium
import pytest
import run_folder

from dpaudit.report.page.render import write_report

SAMPLE = Path(__file__).parents[3] / "reports" / "sample"


@pytest.fixture(scope="session")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a small run with every outcome, hostile strings, a graph and a formula."""
    claims = [
        replace(v, formula="x^2 + y^2" if "LEM-2" in v.id else "", rests_on=("rbcd/LEM-2",) if "THM" in v.id else ())
        for v in run_folder.claims()
    ]
    listed = [*claims, *run_folder.agreements(), *run_folder.games()]
    return write_report(run_folder.write(tmp_path_factory.mktemp("run"), listed))


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a copy of reports/sample; `repository/test_sample.py` holds that it would be drawn like this now."""
    return Path(shutil.copytree(SAMPLE, tmp_path_factory.mktemp("sample") / "run")) / "report.html"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say where the pictures are."""
    kept = sorted(path.name for path in chromium.ARTEFACTS.glob("*.p[nd][gf]"))
    terminalreporter.write_line(f"pictures and paper in {chromium.ARTEFACTS}: {', '.join(kept) or 'none'}")
