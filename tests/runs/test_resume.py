"""A stopped run goes on to the records that it would have had, or says why it cannot.

DPAUDIT_KILLS=50 makes more kills than the tests of every day.
"""

from __future__ import annotations

import json
import os
import random
import signal
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import run_folder
from depth import repeats
from resumed_runs import Killed, dpaudit, files, finished, go_on, planned, silent, stopped
from small_content import claim_text, target_text, write

from dpaudit.records.digests import with_digest
from dpaudit.records.errors import ConfigurationError, ContentError
from dpaudit.records.verdict import ExitCode, Verdict
from dpaudit.runs import resume, store
from dpaudit.runs.execute import run
from dpaudit.runs.kept import kept
from dpaudit.runs.plan import make_plan
from dpaudit.runs.settings import Part, Settings
from dpaudit.runs.task import Task

KILLS = int(os.environ.get("DPAUDIT_KILLS", repeats(4, 16)))


def killed(moment: float, folder: Path, complete: int | None, *words: str) -> int:
    """The exit code of a command line that is killed.

    moment: seconds after its start, or after the run of `folder` has begun and `complete` of its tasks are done.
    """
    process = dpaudit(*words)
    while complete is not None and marks(folder) < complete and process.poll() is None:
        time.sleep(0.001)
    time.sleep(moment)
    process.kill()
    process.communicate(timeout=120)  # its workers hold the pipes: they end with it
    return process.returncode


def marks(folder: Path) -> int:
    """How many tasks are said to be complete; -1 before the run has begun."""
    if not (folder / store.RUN).exists():
        return -1
    path = folder / store.TASKS
    return path.read_bytes().count(b"\n") if path.exists() else 0


@dataclass(frozen=True)
class Whole:
    """A run that nobody kills: exit code, files, seconds that it took."""

    code: int
    files: dict[str, str]
    seconds: float


@cache
def undisturbed(*command: str) -> Whole:
    """The run of a command line in the working directory, whose name is in none of its files."""
    started = time.perf_counter()
    code, messages = finished(*command, "--run-dir", "whole")
    assert code == ExitCode.EXPECTED, messages
    return Whole(code, files(Path("whole")), time.perf_counter() - started)


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("number", range(KILLS))
def test_a_run_that_is_killed_at_any_moment_ends_with_the_same_records(number: int, content: Path) -> None:
    rng = random.Random(number)
    command = ["audit", "audits", "--no-controls"] if number % 2 else ["verify", "proofs/toy", "--no-cache"]
    command += ["--jobs", str(1 + number // 2 % 2), "--no-report"]
    command += ["--no-isolate"] if number % 2 and number % 8 < 7 else []  # a sandbox takes its time
    whole, out = undisturbed(*command), content / "out"
    words = [*command, "--run-dir", "out"]
    for _ in range(2):
        if rng.random() < 0.25:  # at any time, for the most part before the first task is complete
            code = killed(rng.uniform(0, whole.seconds), out, None, *words)
        else:
            code = killed(rng.uniform(0, 0.05), out, rng.randint(0, 3), *words)
        if code >= 0 or not (out / store.RUN).exists():
            break
        words = ["resume", "out", "--no-report"]
    if not (content / "out" / store.RUN).exists():  # killed before there was anything to keep
        assert finished("resume", "out")[0] == ExitCode.USAGE
        return
    resumed, messages = finished("resume", "out", "--no-report")
    assert resumed == whole.code, messages
    assert files(content / "out") == whole.files
    header = resume.header(content / "out")
    assert header["exit_code"] == whole.code
    assert header["finished"]


def test_nothing_that_is_complete_is_done_twice(content: Path, whole: dict[str, str]) -> None:
    stopped(content / "out", "toy/LEM-3")
    before = (content / "out" / store.RECORDS).read_text().splitlines()
    seconds = {json.loads(row)["id"]: json.loads(row)["duration_s"] for row in before}
    result = go_on(content / "out")
    assert files(content / "out") == whole
    assert not (content / "out" / store.TASKS).exists()
    kept = {v.id: v.duration_s for v in result.verdicts if v.id in seconds}
    assert kept == seconds
    assert len(kept) >= 3
    assert result.code is ExitCode.EXPECTED
    assert result.header["resumed"] == [result.header["resumed"][0]]


@pytest.mark.deep
def test_the_number_of_jobs_may_change_and_the_observer_sees_everything_once(content: Path) -> None:
    stopped(content / "out", "toy/LEM-2")
    seen: list[str] = []
    with store.Folder(content / "out", existing=True) as keep:
        plan = resume.planned(resume.header(content / "out"), jobs=2)
        resume.resume(plan, keep, lambda task, verdicts: seen.append(task.name))
    assert plan.settings.jobs == 2
    assert sorted(seen) == sorted(task.name for task in plan.tasks)


def test_run_json_names_what_an_earlier_run_found_though_the_run_was_stopped(
    content: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = make_plan(Settings("verify", (Part.VERIFY,), cache=True))

    def stop(task: Task, verdicts: Sequence[Verdict]) -> None:
        if task.name == "toy/LEM-2":
            raise Killed

    assert run(plan, content / "first", silent).header["cached"] == []
    assert run(plan, content / "again", silent).header["cached"] == ["toy/LEM-1", "toy/LEM-2", "toy/LEM-3"]
    with pytest.raises(Killed):
        run(plan, content / "out", stop)
    monkeypatch.setenv("DPAUDIT_CACHE", str(content / "empty"))
    assert go_on(content / "out").header["cached"] == ["toy/LEM-1", "toy/LEM-2"]
    assert resume.header(content / "out")["cached"] == ["toy/LEM-1", "toy/LEM-2"]


def test_an_interrupted_run_goes_on(content: Path, whole: dict[str, str]) -> None:
    stopped(content / "out", "toy/LEM-2", KeyboardInterrupt)
    assert resume.finished(content / "out", resume.header(content / "out")) is None
    go_on(content / "out")
    assert files(content / "out") == whole


def test_an_interruption_before_all_is_shown_again_loses_nothing(content: Path, whole: dict[str, str]) -> None:
    stopped(content / "out", "toy/LEM-2", KeyboardInterrupt)
    before = {row for row in (content / "out" / "records.jsonl").read_text().splitlines() if row}

    def impatient(task: Task, verdicts: Sequence[Verdict]) -> None:
        raise KeyboardInterrupt

    with store.Folder(content / "out", existing=True) as keep, pytest.raises(KeyboardInterrupt):
        resume.resume(resume.planned(resume.header(content / "out")), keep, impatient)
    assert {row for row in (content / "out" / "records.jsonl").read_text().splitlines() if row} >= before
    go_on(content / "out")
    assert files(content / "out") == whole


def test_records_of_another_run_are_refused(content: Path) -> None:
    stopped(content / "out", "toy/LEM-2", KeyboardInterrupt)
    records = content / "out" / "records.jsonl"
    seed = resume.header(content / "out")["seed"]
    run_folder.edit(records, lambda line: line.replace(f'"seed": {seed}', f'"seed": {seed + 1}'))
    with pytest.raises(ContentError, match="belongs to another run"):
        go_on(content / "out")


@pytest.mark.deep
def test_a_run_may_be_stopped_many_times(content: Path, whole: dict[str, str]) -> None:
    plan = stopped(content / "out", "toy/LEM-1")
    for place in (1, 2, 3):
        with store.Folder(content / "out", existing=True) as keep, pytest.raises(Killed):
            resume.resume(plan, keep, _raise_at(plan.tasks[place].name))
    assert len(go_on(content / "out").header["resumed"]) == 4
    assert files(content / "out") == whole


def _raise_at(name: str) -> Any:
    def observe(task: Task, verdicts: Sequence[Verdict]) -> None:
        if task.name == name:
            raise Killed

    return observe


@pytest.mark.deep(keep=2)
@pytest.mark.parametrize("cut", [1, 40, 400])
@pytest.mark.parametrize("name", [store.RECORDS, store.TASKS])
def test_a_torn_last_line_is_left_out(content: Path, whole: dict[str, str], name: str, cut: int) -> None:
    stopped(content / "out", "toy/LEM-3")
    path = content / "out" / name
    if name == store.RECORDS:  # the task of the torn record was not said to be complete
        marks = (content / "out" / store.TASKS).read_text().splitlines(keepends=True)
        (content / "out" / store.TASKS).write_text("".join(marks[:-1]))
    path.write_bytes(path.read_bytes()[:-cut])
    go_on(content / "out")
    assert files(content / "out") == whole


def test_half_of_the_verdicts_of_a_task_are_not_taken_for_all(content: Path, whole: dict[str, str]) -> None:
    stopped(content / "out", "toy/LEM-3")
    records, marks = (content / "out" / name for name in (store.RECORDS, store.TASKS))
    marks.write_text("".join(marks.read_text().splitlines(keepends=True)[:-1]))
    records.write_text("".join(records.read_text().splitlines(keepends=True)[:-1]))
    names = [task.name for task in planned().tasks]
    assert sorted(kept(content / "out", names).complete) == [0, 1, 3, 4]
    go_on(content / "out")
    assert files(content / "out") == whole


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ('"parts": [', '"parts": [[', "run.json: not valid JSON"),
        ('"seed": 2', '"seed": 3', "run.json: its digest is not that of the text"),
    ],
)
def test_a_damaged_run_json_is_named_and_left_alone(content: Path, before: str, after: str, message: str) -> None:
    stopped(content / "out", "toy/LEM-3")
    path = content / "out" / store.RUN
    assert before in path.read_text()
    path.write_text(path.read_text().replace(before, after, 1))
    kept = {p.name: p.read_bytes() for p in (content / "out").iterdir() if p.is_file()}
    with pytest.raises(ContentError, match=message):
        go_on(content / "out")
    assert {p.name: p.read_bytes() for p in (content / "out").iterdir() if p.is_file()} == kept


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda at: write(at / "audits" / "b.py", target_text("toy/b", trials=2001)),
            "the file audits/b.py has changed",
        ),
        (lambda at: write(at / "proofs" / "toy" / "lem_9.py", claim_text("toy/LEM-9")), "toy/LEM-9 is new"),
        (lambda at: (at / "audits" / "a.py").unlink(), "toy/a is gone"),
        (lambda at: write(at / "proofs" / "assumed" / "x.toml", ""), "the file proofs/toy/lem_1.py has changed"),
        (lambda at: write(at / "audits" / "_common.py", ""), None),
    ],
)
def test_changed_content_is_refused_by_name(content: Path, change: Any, message: str | None) -> None:
    stopped(content / "out", "toy/LEM-3")
    change(content)
    if message is None:
        assert go_on(content / "out").code is ExitCode.EXPECTED
        return
    with pytest.raises(ConfigurationError, match=rf"cannot resume.*{message}.*start a new run: dpaudit run"):
        go_on(content / "out")


@pytest.mark.deep(keep=6)
@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        (("seed",), 5, "the seed was 5, is 20261121"),
        (("level",), "deep", "the level was 'deep', is 'smoke'"),
        (("device",), "cuda", "the device was 'cuda', is 'cpu'"),
        (("command",), "dpaudit run --alpha 0.5", "the command was 'dpaudit run --alpha 0.5', is "),
        (("settings", "seed"), 5, "the seed was 20261121, is 5"),
        (("settings", "level"), "deep", "the level was 'smoke', is 'deep'"),
        (("settings", "alpha"), 0.5, "the command was .*--alpha 0.001.*, is .*--alpha 0.5"),
        (("settings", "device"), "mps", "the device was 'cpu', is 'mps'"),
        (("versions", "numpy"), "1.0", "numpy was 1.0, is "),
        (("source",), "0" * 64, "the source of dpaudit has changed"),
        (("error_budget", "share"), 0.5, "the error budget has changed"),
        (("content",), [], "a file in the folder of the content has changed"),
    ],
)
def test_another_version_or_setting_is_refused_by_name(
    content: Path, key: tuple[str, ...], value: Any, message: str
) -> None:
    stopped(content / "out", "toy/LEM-3")
    header = resume.header(content / "out")
    inner = header
    for name in key[:-1]:
        inner = inner[name]
    inner[key[-1]] = value
    (content / "out" / store.RUN).write_text(with_digest(json.dumps(header)))
    with pytest.raises(ConfigurationError, match=message):
        go_on(content / "out")


def test_a_setting_that_is_none_is_named(content: Path) -> None:
    stopped(content / "out", "toy/LEM-3")
    before, after = '"level": "smoke",\n    "alpha"', '"level": "smok",\n    "alpha"'
    run_folder.edit(content / "out" / store.RUN, lambda text: text.replace(before, after))
    with pytest.raises(ContentError, match=r"settings\.level must be one of smoke, standard, deep, got 'smok'"):
        go_on(content / "out")


def test_all_settings_come_back(content: Path) -> None:
    settings = Settings(
        "run", (Part.VERIFY, Part.AUDIT), ("toy",), seed=3, alpha=0.01, jobs=2, proofs=content / "proofs",
        audits=Path("audits"), controls=False, allow_inconclusive=True, mutants=True, cache=False, isolate=False,
    )  # fmt: skip
    run(make_plan(settings), content / "out", silent)
    text = (content / "out" / store.RUN).read_text()
    assert str(content) not in json.dumps(json.loads(text)["settings"])
    assert resume.planned(resume.header(content / "out")).settings == Settings(
        "run", (Part.VERIFY, Part.AUDIT), ("toy",), seed=3, alpha=0.01, jobs=2, proofs=Path("proofs"),
        audits=Path("audits"), controls=False, allow_inconclusive=True, mutants=True, cache=False, isolate=False,
    )  # fmt: skip


def test_a_run_that_is_still_going_is_refused(content: Path) -> None:
    write(content / "audits" / "slow.py", target_text("toy/slow", run="import time; time.sleep(60)"))
    process = dpaudit("audit", "audits/slow.py", "--no-controls", "--run-dir", "out", "--jobs", "1")
    try:
        while not (content / "out" / store.RUN).exists():
            assert process.poll() is None
            time.sleep(0.01)
        code, messages = finished("resume", "out")
        assert code == ExitCode.USAGE
        assert "'out' is still going; wait for it, or stop it first" in messages
    finally:
        process.send_signal(signal.SIGKILL)
        process.communicate()


def test_an_exit_code_that_is_none_is_refused(content: Path) -> None:
    result = run(planned(), content / "out", silent)
    with pytest.raises(ContentError, match=r"exit_code must be one of 0, 1, 2, .*, got 77"):
        resume.finished(content / "out", result.header | {"exit_code": 77})


def test_a_finished_run_says_so_with_its_exit_code(content: Path) -> None:
    write(content / "proofs" / "toy" / "lem_2.py", claim_text("toy/LEM-2", "a**2 + 3*a*b + b**2"))
    assert finished("verify", "proofs/toy", "--run-dir", "out", "--jobs", "1")[0] == ExitCode.REFUTED
    before = (content / "out" / store.RECORDS).read_bytes()
    code, messages = finished("resume", "out")
    assert code == ExitCode.REFUTED
    assert "the run of 'out' is finished; exit code 1" in messages
    assert (content / "out" / store.RECORDS).read_bytes() == before
    certificate = next((content / "out" / "certificates").iterdir())
    certificate.unlink()
    os.mkfifo(certificate)
    code, messages = finished("resume", "out")
    assert code not in (ExitCode.EXPECTED, ExitCode.REFUTED)
    assert f"certificates/{certificate.name}" in messages
    assert "see: dpaudit check out" in messages


def test_what_is_no_run_folder_is_a_wrong_argument(workdir: Path) -> None:
    code, messages = finished("resume", "nowhere")
    assert code == ExitCode.USAGE
    assert "no run folder 'nowhere'" in messages
    (workdir / "empty").mkdir()
    with pytest.raises(ConfigurationError, match=r"holds no run\.json"):
        resume.header(workdir / "empty")
    (workdir / "old").mkdir()
    (workdir / "old" / store.RUN).write_text(with_digest('{"seed": 1}'))
    with pytest.raises(ContentError, match="schema is missing; it is damaged or was edited by hand"):
        resume.header(workdir / "old")


def test_a_full_disk_stops_the_run_and_loses_nothing(
    content: Path, whole: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    appended = store.Folder.append

    def full(self: store.Folder, verdicts: Sequence[Verdict]) -> None:
        if verdicts[0].id == "toy/LEM-3":
            with self._reported(store.RECORDS):
                raise OSError(28, "No space left on device")
        appended(self, verdicts)

    with monkeypatch.context() as patch:
        patch.setattr(store.Folder, "append", full)
        with pytest.raises(
            ConfigurationError, match=r"records\.jsonl: No space left on device; what is finished is kept"
        ):
            run(planned(), content / "out", silent)
    go_on(content / "out")
    assert files(content / "out") == whole


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_said_so(content: Path) -> None:
    stopped(content / "out", "toy/LEM-2")
    (content / "out").chmod(0o500)
    try:
        with pytest.raises(ConfigurationError, match=r"Permission denied"):
            go_on(content / "out")
    finally:
        (content / "out").chmod(0o700)
    go_on(content / "out")
