"""dpaudit.cli.progress: a run is never silent for long, and says what it is at."""

from __future__ import annotations

import io
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from dpaudit.cli import progress
from dpaudit.cli.progress import Progress, shown
from dpaudit.records.context import Context, Level
from dpaudit.records.verdict import Kind, Outcome
from dpaudit.runs.settings import Part
from dpaudit.runs.stages import stages_of
from dpaudit.runs.task import Task


class Clock:
    """A clock that stands until it is moved."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def tasks(*names: str) -> list[Task]:
    return [Task(Part.AUDIT, name, f"{name}.py", "", Kind.AUDIT, Outcome.CONSISTENT) for name in names]


def test_workers_are_at_the_first_tasks_that_are_not_done() -> None:
    clock = Clock()
    said, work = Progress(clock), tasks("a", "b", "c", "d")
    said.follow(work, 2)
    clock.now = 3.0
    assert said.sentence() == "[3 s] 0 of 4 items done, now: a (3 s), b (3 s)"
    said.done(work[1])
    clock.now = 5.0
    assert said.sentence() == "[5 s] 1 of 4 items done, now: a (5 s), c (2 s)"
    for one in (work[0], work[2], work[3]):
        said.done(one)
    assert said.sentence() == "[5 s] 4 of 4 items done"


def test_what_is_done_beside_tasks_is_said() -> None:
    said = Progress(Clock())
    said.doing("collecting what there is to check")
    assert said.sentence() == "[0 s] now: collecting what there is to check"
    said.follow(tasks("a"), 1)
    said.doing("writing the report")
    assert said.at_work() == ["writing the report"]


def test_of_many_workers_a_few_are_named() -> None:
    said = Progress(Clock())
    said.follow(tasks(*"abcdefgh"), 6)
    assert said.sentence().endswith("a (0 s), b (0 s), c (0 s), d (0 s), 2 more")


def test_of_other_machines_only_the_counts_are_known() -> None:
    said = Progress(Clock())
    said.follow(tasks("a", "b"), 0)
    assert said.sentence() == "[0 s] 0 of 2 items done"


def test_tasks_of_one_name_in_two_flows_are_two() -> None:
    clock = Clock()
    said, audit = Progress(clock), tasks("rbcd/ALG-1")[0]
    agreement = Task(Part.AGREE, "rbcd/ALG-1", "x.py", "", Kind.AGREEMENT, Outcome.CONSISTENT)
    said.follow([audit, agreement], 1)
    clock.now = 7.0
    said.done(audit)
    assert said.sentence() == "[7 s] 1 of 2 items done, now: rbcd/ALG-1 (0 s)"


def said_by(folder: Path, task: Task) -> Context:
    """The context of a task at work."""
    return Context(1, Level.SMOKE, 0.1, stages=str(stages_of(folder, task)))


def test_what_a_task_is_at_is_said_with_its_name(tmp_path: Path) -> None:
    said, work = Progress(Clock(), tmp_path), tasks("a", "b")
    said.follow(work, 2)
    said_by(tmp_path, work[0]).at_work("game, trial 40 of 400 on D")
    assert said.news() == []
    assert said.at_work() == ["a (0 s, game, trial 40 of 400 on D)", "b (0 s)"]


def test_what_a_part_has_found_is_said_once_and_only_of_a_task_that_goes_on(tmp_path: Path) -> None:
    clock = Clock()
    said, work = Progress(clock, tmp_path), tasks("a", "b", "c")
    work[0] = replace(work[0], kind=Kind.CONTROL)
    said.follow(work, 2)
    for task in work[:2]:
        said_by(tmp_path, task).known("structural checks refuted")
    assert said.news() == []
    said.done(work[1])
    clock.now = 2.5
    assert said.news() == ["[2 s] control a: structural checks refuted"]
    clock.now = 9.0
    assert said.news() == []


def test_lines_off_a_terminal_say_what_parts_have_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DPAUDIT_PROGRESS")
    monkeypatch.setattr(progress, "_LOOK_S", 0.005)
    monkeypatch.setattr(progress, "_SOON_S", 0.0)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with shown() as said:
        work = tasks("mine/sum")
        said.follow(work, 1)
        assert said.stages is not None
        said_by(said.stages, work[0]).known("structural checks refuted")
        until = time.monotonic() + 20
        while not sys.stderr.getvalue() and time.monotonic() < until:  # type: ignore[attr-defined]
            time.sleep(0.005)
        assert sys.stderr.getvalue().endswith("s] mine/sum: structural checks refuted\n")  # type: ignore[attr-defined]
    assert not said.stages.exists()


def test_silence_is_broken_and_lines_elsewhere_are_no_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DPAUDIT_PROGRESS")
    monkeypatch.setattr(progress, "EVERY_S", 0.02)
    monkeypatch.setattr(progress, "_LOOK_S", 0.005)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with shown() as said:
        said.doing("nothing")
        until = time.monotonic() + 20
        while not sys.stderr.getvalue() and time.monotonic() < until:  # type: ignore[attr-defined]
            time.sleep(0.005)
        assert "s] now: nothing\n" in sys.stderr.getvalue()  # type: ignore[attr-defined]
        monkeypatch.setattr(said, "silent", lambda: 0.0)
        time.sleep(0.05)
        lines = sys.stderr.getvalue()  # type: ignore[attr-defined]
        time.sleep(0.1)
        assert sys.stderr.getvalue() == lines  # type: ignore[attr-defined]


def test_it_can_be_kept_away(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("DPAUDIT_PROGRESS", "off")
    monkeypatch.setattr(progress, "EVERY_S", 0.0)
    monkeypatch.setattr(progress, "_LOOK_S", 0.001)
    with shown():
        time.sleep(0.05)
    assert capsys.readouterr().err == ""


def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Standard error is a terminal."""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.delenv("DPAUDIT_PROGRESS")
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", Terminal())


def test_markup_and_controls_in_what_a_terminal_shows_are_text(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal(monkeypatch)
    with shown() as said:
        said.follow(tasks("toy/[/red]\x1b[31m"), 1)
        sys.stderr.write("half a line of [bold]x[/red] :smile:")
        sys.stderr.flush()
    seen = sys.stderr.getvalue()  # type: ignore[attr-defined]
    assert "half a line of [bold]x[/red] :smile:" in seen
    assert "toy/[/red]\\u001b[31m" in seen


def test_a_terminal_shows_tasks_while_they_are_at_work(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal(monkeypatch)
    with shown() as said:
        said.follow(tasks("zeroth/one"), 1)
    assert "zeroth/one" in sys.stderr.getvalue()  # type: ignore[attr-defined]
    assert "0 of 1 items" in sys.stderr.getvalue()  # type: ignore[attr-defined]
