"""dpaudit.cli.running: what a run is shown to do while it works."""

from __future__ import annotations

from pathlib import Path

from resumed_runs import fill, planned

from dpaudit.cli.progress import Progress
from dpaudit.cli.running import heard, observer
from dpaudit.report.formats.text import Text


class Clock:
    """A clock that stands until it is moved."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_what_is_printed_is_no_silence_and_what_goes_to_a_file_is() -> None:
    clock, lines = Clock(), list[str]()
    progress = Progress(clock)
    clock.now = 9.0
    heard(lines.append, progress, Path("out.txt"))("to a file")
    assert progress.silent() == 9.0
    heard(lines.append, progress, Path("-"))("to the terminal")
    assert progress.silent() == 0.0
    clock.now = 12.0
    heard(lines.append, progress, None)("to the terminal")
    assert progress.silent() == 0.0
    assert lines == ["to a file", "to the terminal", "to the terminal"]


def test_the_observer_follows_the_tasks_in_the_order_of_work(workdir: Path) -> None:
    fill(workdir)
    plan, progress = planned(jobs=2), Progress(Clock())
    observe = observer(Text([].append), progress, plan)
    assert [task.name for task in plan.tasks] == ["toy/LEM-1", "toy/LEM-2", "toy/LEM-3", "toy/a", "toy/b"]
    assert progress.at_work() == ["toy/a (0 s)", "toy/b (0 s)"], "audits first: they take longest"
    observe(plan.tasks[3], ())
    assert progress.counts() == (1, 5)
    assert progress.at_work() == ["toy/b (0 s)", "toy/LEM-1 (0 s)"]


def test_of_a_cluster_it_is_not_said_who_does_what(workdir: Path) -> None:
    fill(workdir)
    plan, progress = planned(executor="dask://127.0.0.1:1"), Progress(Clock())
    observer(Text([].append), progress, plan)
    assert (progress.at_work(), progress.counts()) == ([], (0, 5))
