"""The commands that make a run: which parts each of them does, and that a stopped run goes on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import dpaudit
from resumed_runs import fill
from small_content import target_text, write

from dpaudit.report.formats import json_schema
from dpaudit.runs import store
from dpaudit.runs.reading import load_run
from dpaudit.runs.settings import Part

PARTS = {
    "run": (Part.VERIFY, Part.AGREE, Part.AUDIT),
    "verify": (Part.VERIFY,),
    "agree": (Part.AGREE,),
    "audit": (Part.AUDIT,),
    "controls": (Part.AUDIT,),
}


def records(folder: Path) -> list[tuple[str, str]]:
    """Names and outcomes of a run folder."""
    return [(one.id, one.outcome.value) for one in load_run(folder).verdicts]


@pytest.mark.parametrize("command", PARTS)
def test_each_command_carries_out_its_parts(command: str, workdir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[object, ...]] = []
    module = __import__(f"dpaudit.cli.{command}", fromlist=["command"])
    monkeypatch.setattr(module, "carry_out", lambda *words, **flags: asked.append(words))
    write(workdir / "audits" / "a.py", target_text("toy/null", control="NULL"))
    assert dpaudit(command, *(("toy/null",) if command == "audit" else ())).exit_code == 0
    assert asked[0][:2] == (command, PARTS[command])


def test_controls_are_the_targets_that_are_controls(workdir: Path) -> None:
    write(workdir / "audits" / "a.py", target_text("toy/plain"))
    write(workdir / "audits" / "b.py", target_text("toy/null", control="NULL", trials=1000))
    flags = ("--jobs", "1", "--no-report", "--no-isolate", "--run-dir")
    done = dpaudit("controls", "--audits", "audits", *flags, "out")
    assert done.exit_code == 0, done.output
    assert "toy/null" in done.stdout
    assert "toy/plain" not in done.stdout
    empty = dpaudit("controls", "audits/a.py", *flags, "empty")
    assert empty.exit_code == 5
    assert "nothing was collected" in empty.output


@pytest.mark.deep
def test_the_forms_of_one_algorithm_agree(workdir: Path) -> None:
    done = dpaudit("agree", "rbcd/ALG-10", "--jobs", "1", "--no-report", "--run-dir", "out")
    assert done.exit_code == 0, done.output
    assert "rbcd/ALG-10" in done.stdout


def test_a_run_whose_verdicts_are_gone_goes_on_to_the_same(workdir: Path) -> None:
    fill(workdir)
    dpaudit("verify", "--jobs", "1", "--no-report", "--run-dir", "out", "--no-cache")
    before = records(Path("out"))
    header = json.loads(Path("out/run.json").read_text())
    assert before
    (Path("out") / store.RECORDS).write_text("")
    (Path("out") / store.TASKS).write_text("")
    assert dpaudit("resume", "out", "--no-report").exit_code == header["exit_code"]
    assert records(Path("out")) == before
    assert dpaudit("resume", "absent").exit_code == 2


@pytest.mark.parametrize("name", json_schema.NAMES)
def test_the_schema_of_each_thing_is_printed(name: str, tmp_path: Path) -> None:
    done = dpaudit("schema", name)
    assert json.loads(done.stdout)["$schema"].startswith("https://json-schema.org/")
    assert dpaudit("schema", name, "-o", str(tmp_path / "a.json")).exit_code == 0
    assert (tmp_path / "a.json").read_text() == done.stdout
