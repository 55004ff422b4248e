"""Settings of the whole test run."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# The first example of a test may compile numba code, so there is no deadline.
settings.register_profile(
    "ci", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("ci")


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """A test sees only the verdicts that it kept itself."""
    monkeypatch.setenv("DPAUDIT_CACHE", str(tmp_path_factory.mktemp("cache")))


@pytest.fixture
def workdir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory without content of its own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
