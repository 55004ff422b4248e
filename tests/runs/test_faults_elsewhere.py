"""One call that fails, or a function without memory, elsewhere than in the process that runs: in a worker of `--jobs`,
inside a sandbox; and in that process while it resumes. No verdict says so; the files become those of a quiet run."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from depth import DEEP
from failing_calls import Faults
from failing_processes import INJECTED, STARVED, in_sandbox, in_workers
from faulted_runs import SAME, STOPPED, Trial, places, planned, resumed_here, silent

from dpaudit.runs.execute import run

pytestmark = pytest.mark.timeout(3600)  # at night all places are tried
WAYS = pytest.mark.parametrize("way", [INJECTED, STARVED])
SANDBOXES = 3
"""That a run starts for its one target: for the plan, for trials, for scores."""
KNOWN = {INJECTED: [(1, 15), (3, 16)], STARVED: [(1, 44)]}
"""Of sandboxes, which one and which call are tried for each change: while targets are loaded, where a fault of the
machine blamed the target once."""
FIRST = {INJECTED: 30, STARVED: 1}
"""Of workers: in the middle of a task; and while a worker loads what its first item needs, which ended a run once."""
RESUMED = 4
"""So many places of `resume` are tried for each change."""


@pytest.fixture(scope="module")
def trial(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Trial]:
    home = tmp_path_factory.mktemp("trial")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(home)
        patch.setenv("DPAUDIT_PROGRESS", "off")
        yield Trial(home, patch)


def in_resume(trial: Trial, way: str) -> list[str]:
    """The names of all calls of a run that goes on."""
    faults = Faults()
    with trial.prepared("counted") as out:
        shutil.copytree(trial.stopped, out)
        with getattr(faults, way)():
            resumed_here(out)
    return faults.made


def in_servers(trial: Trial, way: str) -> list[tuple[int, int]]:
    """Which sandbox, and which of its calls, each place in the code once for each sandbox."""
    found = []
    for number in range(1, SANDBOXES + 1):
        log = trial.home / f"calls-{number}-{way}"
        with trial.prepared("counted") as out, in_sandbox(number, way, 0, str(log)) as started:
            run(planned(), out, silent)
        assert len(started) == SANDBOXES
        found += [(number, at) for at in places(log.read_text().splitlines(), times=1)]
    return found


def of_workers(trial: Trial, way: str, shared: Path) -> list[int]:
    """The calls of the worker that makes most, each place in the code once."""
    shared.mkdir()
    with trial.prepared("counted") as out, in_workers(way, 0, shared):
        run(planned(jobs=2), out, silent)
    logs = [log.read_text().splitlines() for log in shared.glob("made-*")]
    assert len(logs) >= 2
    return places(max(logs, key=len), times=1)


@pytest.mark.deep(keep=1)
@WAYS
def test_while_a_run_goes_on_it_goes_on_again(trial: Trial, way: str) -> None:
    made = in_resume(trial, way)
    possible = places(made, times=1)
    assert len(possible) > 40
    for at in possible if DEEP else random.Random(4).sample(possible, RESUMED):
        assert trial.came_of(getattr(Faults(at), way)(), resumed=True) in (SAME, STOPPED), made[at - 1]


@pytest.mark.deep(keep=1)
@WAYS
def test_inside_of_a_sandbox_it_is_not_the_target_that_failed(trial: Trial, way: str) -> None:
    for number, at in in_servers(trial, way) if DEEP else KNOWN[way]:
        assert trial.came_of(in_sandbox(number, way, at)) == SAME, (number, at)


@pytest.mark.deep(keep=1)
@WAYS
def test_in_a_worker_nothing_is_lost(trial: Trial, way: str, tmp_path: Path) -> None:
    possible = of_workers(trial, way, tmp_path / "counted") if DEEP else [FIRST[way]]
    names = (tmp_path / str(number) for number in count())
    for at, shared in zip(possible, names, strict=False):
        shared.mkdir()
        assert trial.came_of(in_workers(way, at, shared), jobs=2) in (SAME, STOPPED), at
        assert DEEP or (shared / "failed").exists()
