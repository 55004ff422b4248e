"""A small run that all tests of archives read."""

from __future__ import annotations

from pathlib import Path

import archived_runs
import pytest


@pytest.fixture
def run(workdir: Path) -> Path:
    """A finished run in the working directory, which holds its content."""
    archived_runs.content(workdir)
    return archived_runs.made(workdir / "run")
