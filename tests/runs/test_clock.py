"""--time: after it nothing begins, the run ends in order, and `resume` does exactly the rest."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from plans import silent
from resumed_runs import dpaudit, files, finished
from small_content import claim_text, target_text, write

from dpaudit.records.errors import ConfigurationError
from dpaudit.records.verdict import ExitCode, Outcome, Verdict
from dpaudit.runs import deadline, reading, resume, store, worker
from dpaudit.runs.execute import Result, run
from dpaudit.runs.kept import kept
from dpaudit.runs.plan import Plan, make_plan
from dpaudit.runs.settings import Part, Settings
from dpaudit.runs.task import Task

RESTS = "    argument=(Identical(),),\n"


@pytest.fixture
def content(workdir: Path) -> Path:
    """Four claims, of which the first rests on the last, and a target."""
    for number in range(1, 5):
        text = claim_text(f"toy/LEM-{number}")
        if number == 1:
            assert RESTS in text
            text = text.replace(RESTS, RESTS + '    rests_on=("toy/LEM-4",),\n')
        write(workdir / "proofs" / "toy" / f"lem_{number}.py", text)
    write(workdir / "audits" / "a.py", target_text("toy/a", trials=1000))
    return workdir


def planned(**more: Any) -> Plan:
    settings = Settings("run", (Part.VERIFY, Part.AUDIT), controls=False, cache=False, isolate=False, **more)
    return make_plan(settings)


class Clock:
    """A clock that tells another time from a task on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, after: str) -> None:
        """after: the last task that begins in time."""
        self._after, self._late = after, 0.0
        self.begun: list[str] = []
        monkeypatch.setattr(deadline, "time", SimpleNamespace(monotonic=lambda: 1e6 + self._late))
        real = worker._answer
        monkeypatch.setattr(worker, "_answer", lambda order, own: self._note(order.task.name) or real(order, own))

    def _note(self, name: str) -> None:
        self.begun.append(name)
        if name == self._after:
            self._late = 61.0


def go_on(folder: Path, minutes: float | None = None) -> Result:
    with store.Folder(folder, existing=True) as keep:
        return resume.resume(resume.planned(resume.header(folder), time=minutes), keep, silent)


def test_after_the_time_nothing_begins_and_the_run_ends_in_order(
    content: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(monkeypatch, after="toy/LEM-2")
    seen: list[str] = []
    result = run(planned(time=1.0), content / "out", lambda task, verdicts: seen.append(task.name))
    assert clock.begun == ["toy/a", "toy/LEM-1", "toy/LEM-2"]
    assert seen == ["toy/a", "toy/LEM-1", "toy/LEM-2", "toy/LEM-3", "toy/LEM-4"]
    outcomes = {v.id: v.outcome for v in result.verdicts}
    assert outcomes["toy/a"] is Outcome.CONSISTENT
    assert outcomes["toy/LEM-2"] is Outcome.PROVED
    assert outcomes["toy/LEM-1"] is Outcome.INCONCLUSIVE, "what it rests on was not shown"
    for name in ("toy/LEM-3", "toy/LEM-4"):
        (found,) = (v for v in result.verdicts if v.id == name)
        assert (found.outcome, found.as_expected) == (Outcome.NOT_RUN, False)
        assert found.evidence[0].detail == "clock: not begun within 1 minutes"
        assert found.replay.startswith(f"dpaudit verify {name}")
    assert result.code is ExitCode.INCONCLUSIVE
    assert reading.load_run(content / "out").verdicts == result.verdicts
    assert resume.finished(content / "out", result.header) is None


def test_resume_does_exactly_the_rest_and_what_rests_on_it(content: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(planned(), content / "whole", silent)
    with monkeypatch.context() as patch:
        Clock(patch, after="toy/LEM-2")
        run(planned(time=1.0), content / "out", silent)
    with monkeypatch.context() as patch:
        clock = Clock(patch, after="toy/LEM-1")
        assert go_on(content / "out", minutes=1.0).code is ExitCode.INCONCLUSIVE
        assert clock.begun == ["toy/LEM-1"]
    clock = Clock(monkeypatch, after="")
    result = go_on(content / "out")
    assert clock.begun == ["toy/LEM-1", "toy/LEM-3", "toy/LEM-4"]
    assert result.code is ExitCode.EXPECTED
    assert files(content / "out") == files(content / "whole")
    assert resume.finished(content / "out", result.header) is ExitCode.EXPECTED


@pytest.mark.deep
def test_a_run_that_is_killed_after_its_time_takes_no_missing_task_for_a_complete_one(
    content: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        pass

    def observe(task: Task, verdicts: Sequence[Verdict]) -> None:
        if task.name == "toy/LEM-4":
            raise Killed

    run(planned(), content / "whole", silent)
    with monkeypatch.context() as patch:
        Clock(patch, after="toy/LEM-1")
        with pytest.raises(Killed):
            run(planned(time=1.0), content / "out", observe)
    names = [task.name for task in planned().tasks]
    assert sorted(kept(content / "out", names).complete) == [0, 4]
    go_on(content / "out")
    assert files(content / "out") == files(content / "whole")


@pytest.mark.deep
def test_a_run_that_ends_in_its_time_is_as_one_without(content: Path) -> None:
    run(planned(), content / "whole", silent)
    result = run(planned(time=60.0), content / "out", silent)
    assert resume.finished(content / "out", result.header) is ExitCode.EXPECTED
    assert files(content / "out") == files(content / "whole")


@pytest.mark.deep
@pytest.mark.parametrize("hours", [1.0, -1.0])
def test_a_wall_clock_that_is_set_changes_nothing(content: Path, monkeypatch: pytest.MonkeyPatch, hours: float) -> None:
    run(planned(), content / "whole", silent)
    real, moved = time.time, [0.0]
    monkeypatch.setattr(time, "time", lambda: real() + moved[0])

    def set_clock(task: Task, verdicts: Sequence[Verdict]) -> None:
        moved[0] += 3600 * hours

    run(planned(time=30.0), content / "out", set_clock)
    assert files(content / "out") == files(content / "whole")
    clock = Clock(monkeypatch, after="toy/a")
    assert run(planned(time=1.0), content / "late", set_clock).code is ExitCode.INCONCLUSIVE
    assert clock.begun == ["toy/a"]


@pytest.mark.parametrize("minutes", [0.0, -1.0, float("nan")])
def test_a_time_that_is_none_is_refused(minutes: float) -> None:
    with pytest.raises(ConfigurationError, match="time must be above 0 minutes"):
        planned(time=minutes)


@pytest.mark.deep
def test_the_command_line_and_the_configuration_know_the_time(content: Path) -> None:
    (content / "dpaudit.toml").write_text("time = 1e-9\ncache = false\n")
    process = dpaudit("verify", "proofs/toy", "--run-dir", "out", "--jobs", "2", "--no-report")
    said, _ = process.communicate(timeout=240)
    assert process.returncode == ExitCode.INCONCLUSIVE
    assert "4 checks not begun; to go on: dpaudit resume out" in said
    rows = [json.loads(row) for row in (content / "out" / store.RECORDS).read_text().splitlines()]
    assert {row["evidence"][0]["detail"] for row in rows} == {"clock: not begun within 1e-09 minutes"}
    assert (content / "out" / store.TASKS).read_text() == ""
    assert finished("resume", "out", "--time", "60", "--no-report")[0] == ExitCode.EXPECTED
    process = dpaudit("verify", "proofs/toy", "--time", "0")
    assert "0 is not in the range x>0" in process.communicate(timeout=240)[1]


def test_a_claim_that_is_not_encoded_is_not_passed_by_the_clock(content: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = content / "proofs" / "toy" / "open.py"
    text = claim_text("toy/OPEN").replace("import Claim,", "import Claim, Outcome,")
    write(file, text.replace("kind=ClaimKind.IDENTITY", "kind=ClaimKind.IDENTITY, expects=Outcome.NOT_RUN"))
    times = iter([1e6])
    monkeypatch.setattr(deadline, "time", SimpleNamespace(monotonic=lambda: next(times, 2e6)))
    settings = Settings("verify", (Part.VERIFY,), (str(file),), time=1.0)
    result = run(make_plan(settings), content / "out", silent)
    assert [v.outcome for v in result.verdicts] == [Outcome.NOT_RUN]
    assert result.code is ExitCode.INCONCLUSIVE
