"""Settings of the whole test run."""

from __future__ import annotations

import contextlib
import gc
import os
import warnings
from collections.abc import Iterator
from functools import lru_cache
from itertools import count
from pathlib import Path

import pytest
from depth import DEEP, left_out
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

from dpaudit.audit.alignment import names

gc.disable()  # until all test modules are loaded: nothing of them is garbage

# The first example of a test may compile numba code, so there is no deadline.
settings.register_profile(
    "ci", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("ci")
# Hypothesis draws constants from the source of all modules that are loaded: a test would depend on its neighbours.
assert hasattr(providers, "_get_local_constants"), "another version of Hypothesis: look how it takes constants"
providers._get_local_constants = providers.Constants


def pytest_report_header() -> str:
    return f"tests that are marked deep: {'all of them' if DEEP else 'a few of them, all with DPAUDIT_DEEP_TESTS=1'}"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """A test that is asked for by its name is played whatever its depth."""
    if DEEP or any("::" in argument for argument in config.args):
        return
    out = left_out(items)
    if out:
        config.hook.pytest_deselected(items=out)
        left = set(out)
        items[:] = [item for item in items if item not in left]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are processors: tests wait for processes that they start."""
    return (os.cpu_count() or 1) + 1


def pytest_collection_finish() -> None:
    """What all test modules have loaded stays: no search for garbage goes through it, half a second each time."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def caches(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Folders that are not there yet; `mktemp` for each test would list those of all tests before it."""
    home = tmp_path_factory.mktemp("caches")
    return (home / str(number) for number in count())


@pytest.fixture(autouse=True)
def own_cache(caches: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """A test sees only the verdicts that it kept itself, and no lines that come when a machine is slow."""
    monkeypatch.setenv("DPAUDIT_PROGRESS", "off")
    monkeypatch.setenv("DPAUDIT_CACHE", str(next(caches)))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(next(caches)))  # nor the user's own configuration


@pytest.fixture(autouse=True)
def one_program(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Modules of other tests are no program under audit: else their names, tens of thousands, would be looked through
    for each training."""
    known, own = names._program_names, request.node.module.__name__ if hasattr(request.node, "module") else ""

    @lru_cache(maxsize=1)
    def of_this_test(count: int, last: str) -> tuple[str, ...]:
        return tuple(name for name in known(count, last) if name == own or not name.startswith("tests."))

    monkeypatch.setattr(names, "_program_names", of_this_test)


@pytest.fixture
def workdir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory without content of its own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="session")
def torch_is_loaded() -> None:
    """Torch loads a part of itself at the first step of the first optimiser; Opacus takes seconds."""
    import torch

    with warnings.catch_warnings(), contextlib.suppress(ImportError):
        warnings.simplefilter("ignore")
        import opacus  # noqa: F401
    torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=1.0).zero_grad()


@pytest.fixture
def one_torch_thread() -> Iterator[None]:
    """Small tensors wait for other threads longer than they compute."""
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture
def few_data_sets_far_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """Structural audits look at four, and for one pair of neighbours on the way, unless tests go deep: half of their
    trainings are made there. For tests that are not about them."""
    if not DEEP:
        monkeypatch.setattr("dpaudit.audit.structural.far.REPLAYS", 4)
        monkeypatch.setattr("dpaudit.audit.structural.far.CROSSINGS", 1)
