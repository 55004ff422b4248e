"""dpaudit.runs.stages: what a task says while it is at work is read line by line."""

from __future__ import annotations

from pathlib import Path

from dpaudit.records.context import Context, Level
from dpaudit.records.verdict import Kind, Outcome
from dpaudit.runs.settings import Part
from dpaudit.runs.stages import Stages, stages_of
from dpaudit.runs.task import Task


def task(part: Part, name: str) -> Task:
    return Task(part, name, "x.py", "", Kind.AUDIT, Outcome.CONSISTENT)


def test_what_an_engine_says_is_read_in_order(tmp_path: Path) -> None:
    path = stages_of(tmp_path, task(Part.AUDIT, "mine/sum"))
    context, read = Context(1, Level.SMOKE, 0.1, stages=str(path)), Stages(path)
    read.look()
    assert (read.at, read.known) == ("", [])
    context.at_work("game, trial 0 of 9")
    context.known("one\ntwo")
    read.look()
    context.at_work("game, trial 5 of 9")
    context.known("three")
    read.look()
    read.look()
    assert (read.at, read.known) == ("game, trial 5 of 9", ["one\ntwo", "three"])


def test_half_a_line_waits_for_its_end(tmp_path: Path) -> None:
    path = tmp_path / "stages"
    read = Stages(path)
    path.write_text('{"at": "a"}\n{"at": "b')
    read.look()
    assert read.at == "a"
    with path.open("a") as file:
        file.write('"}\n')
    read.look()
    assert read.at == "b"


def test_nobody_is_told_without_a_file(tmp_path: Path) -> None:
    Context(1, Level.SMOKE, 0.1, folder=str(tmp_path)).at_work("a")
    assert not list(tmp_path.iterdir())


def test_tasks_of_one_name_in_two_flows_have_two_files(tmp_path: Path) -> None:
    assert len({stages_of(tmp_path, task(part, "rbcd/ALG-1")) for part in (Part.AUDIT, Part.AGREE)}) == 2
