"""dpaudit.cli.running: what a run is shown to do while it works, and what is said at its end."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from resumed_runs import fill, planned
from run_folder import header, verdict

from dpaudit.cli.progress import Progress
from dpaudit.cli.running import notes, observer
from dpaudit.records.verdict import Evidence, ExitCode, Kind, Outcome
from dpaudit.report.formats.text import Text
from dpaudit.runs.execute import Result, in_order
from dpaudit.runs.worker import CLOCK, LIMIT


class Clock:
    """A clock that stands until it is moved."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_the_observer_follows_the_tasks_in_the_order_of_work(workdir: Path) -> None:
    fill(workdir)
    plan, progress = planned(jobs=2), Progress(Clock())
    observe = observer(Text([].append), progress, plan)
    assert [task.name for task in plan.tasks] == ["toy/LEM-1", "toy/LEM-2", "toy/LEM-3", "toy/a", "toy/b"]
    places = in_order(plan)
    names = [plan.tasks[place].name for place in places]
    assert set(names[:2]) == {"toy/a", "toy/b"}, "audits first: they take longest"
    assert progress.at_work() == [f"{name} (0 s)" for name in names[:2]]
    observe(plan.tasks[places[0]], ())
    assert progress.counts() == (1, 5)
    assert progress.at_work() == [f"{name} (0 s)" for name in names[1:3]]


def test_of_a_cluster_it_is_not_said_who_does_what(workdir: Path) -> None:
    fill(workdir)
    plan, progress = planned(executor="dask://127.0.0.1:1"), Progress(Clock())
    observer(Text([].append), progress, plan)
    assert (progress.at_work(), progress.counts()) == ([], (0, 5))


def result(*seconds: float) -> Result:
    """A run of claims that took so long."""
    made = verdict("toy/LEM", Kind.CLAIM, Outcome.PROVED)
    listed = tuple(replace(made, id=f"toy/LEM-{place}", duration_s=one) for place, one in enumerate(seconds))
    return Result(Path("out"), header(list(listed)), listed, ExitCode.EXPECTED)


def test_the_slowest_are_named_worst_first() -> None:
    assert notes(result(1.0, 3.5, 2.0), False, Progress()) == []
    assert notes(result(1.0, 3.5, 2.0), False, Progress(), durations=2) == [
        "the 2 slowest of 3 checks:",
        "      3.50 s  toy/LEM-1",
        "      2.00 s  toy/LEM-2",
    ]
    assert len(notes(result(1.0), False, Progress(), durations=9)) == 2


@pytest.mark.parametrize("reason", [CLOCK, LIMIT])
def test_what_was_not_begun_is_counted_with_the_way_on(reason: str) -> None:
    done = result(1.0, 0.0)
    held = replace(
        done.verdicts[1], outcome=Outcome.NOT_RUN, evidence=(Evidence("run", Outcome.NOT_RUN, f"{reason} x"),)
    )
    said = notes(replace(done, verdicts=(done.verdicts[0], held)), False, Progress())
    assert said == ["1 checks not begun; to go on: dpaudit resume out"]


def test_what_an_earlier_run_found_is_said_to_be_so() -> None:
    done = result(1.0, 2.0)
    (said,) = notes(replace(done, header=done.header | {"cached": ["toy/a", "toy/b"]}), False, Progress())
    assert said == (
        "kept from an earlier run, since nothing they depend on has changed: the verdicts of 2 items; "
        "--no-cache checks them again"
    )
