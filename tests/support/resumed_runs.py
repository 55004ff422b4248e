"""Runs that are stopped and go on: small content, plans, and what a run leaves."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from plans import silent
from small_content import boxed_text, claim_text, target_text, write

from dpaudit.records.verdict import Verdict
from dpaudit.runs import resume, store
from dpaudit.runs.execute import Result, asked_for, describe, run
from dpaudit.runs.plan import Plan, make_plan
from dpaudit.runs.settings import Part, Settings
from dpaudit.runs.task import Task

_WHOLE: dict[str, str] = {}
_STOPPED: dict[tuple[str, type[BaseException], str], dict[Path, bytes]] = {}
_FINISHED: dict[str, dict[Path, bytes]] = {}
HERE = Path(__file__).parents[2]


def fill(folder: Path) -> None:
    """Three claims, one of several verdicts, and two targets."""
    for number in (1, 2):
        write(folder / "proofs" / "toy" / f"lem_{number}.py", claim_text(f"toy/LEM-{number}"))
    write(folder / "proofs" / "toy" / "lem_3.py", boxed_text("toy/LEM-3"))
    for name in "ab":
        write(folder / "audits" / f"{name}.py", target_text(f"toy/{name}", trials=1000))


@pytest.fixture
def content(workdir: Path) -> Path:
    """The working directory, filled."""
    fill(workdir)
    return workdir


def planned(**more: Any) -> Plan:
    """A run of the claims and the targets."""
    return make_plan(Settings("run", (Part.VERIFY, Part.AUDIT), controls=False, cache=False, isolate=False, **more))


class Killed(BaseException):
    """What no part of dpaudit catches, as it could not catch a signal 9."""


def stopped(folder: Path, after: str, kind: type[BaseException] = Killed, **more: Any) -> Plan:
    """A run that ends without a word once the verdicts of the task `after` are there; its plan.

    Made once for the same content: the files of a run name no place, so that a copy is the run.
    """

    def observe(task: Task, verdicts: Sequence[Verdict]) -> None:
        if task.name == after:
            raise kind

    plan = planned(**more)
    key = (after, kind, _asked(plan))
    if key not in _STOPPED:
        with pytest.raises(kind):
            run(plan, folder, observe)
        _STOPPED[key] = _contents(folder)
        return plan
    _put(_STOPPED[key], folder)
    return plan


def ended(folder: Path) -> Plan:
    """A run of the content that came to its end; its plan. Made once for the same content, as `stopped`."""
    plan = planned()
    key = _asked(plan)
    if key not in _FINISHED:
        run(plan, folder, silent)
        _FINISHED[key] = _contents(folder)
        return plan
    _put(_FINISHED[key], folder)
    return plan


def _asked(plan: Plan) -> str:
    return json.dumps([asked_for(plan), describe(plan)["plan"]], sort_keys=True)


def _contents(folder: Path) -> dict[Path, bytes]:
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def _put(contents: dict[Path, bytes], folder: Path) -> None:
    for name, data in contents.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)


def go_on(folder: Path) -> Result:
    """Resume the run of `folder` as the command line does."""
    with store.Folder(folder, existing=True) as keep:
        return resume.resume(resume.planned(resume.header(folder)), keep, silent)


def files(folder: Path) -> dict[str, str]:
    """Every file of a run folder but run.json and the page, the times of records and of box proofs left out."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and name not in (store.RUN, "report.html"):
            found[name] = path.read_text(encoding="utf-8")
    rows = [json.loads(row) for row in found[store.RECORDS].splitlines()]
    return found | {store.RECORDS: "\n".join(json.dumps(row | {"duration_s": 0, "digest": ""}) for row in rows)}


@pytest.fixture
def whole(content: Path) -> dict[str, str]:
    """The files of a run that was never stopped; made once, since they name no place."""
    if not _WHOLE:
        run(planned(), content / "whole", silent)
        _WHOLE.update(files(content / "whole"))
    return _WHOLE


def dpaudit(*words: str) -> subprocess.Popen[str]:
    """The command line in a process of its own."""
    paths = os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")])
    return subprocess.Popen(
        [sys.executable, "-m", "dpaudit", *words], env=os.environ | {"PYTHONPATH": paths},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def finished(*words: str) -> tuple[int, str]:
    """Exit code and messages of a command line that is left alone."""
    process = dpaudit(*words)
    _, messages = process.communicate(timeout=400)
    return process.returncode, messages
