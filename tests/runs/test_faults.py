"""What goes wrong with disks and files: a clear message, nothing lost that was written, and a way on."""

from __future__ import annotations

import functools
import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import power_loss
import pytest
from depth import DEEP, repeats
from failing_calls import Faults
from faulted_runs import SAME, STOPPED, Trial, Way, places
from resumed_runs import ended, files, fill, go_on, planned, stopped

from dpaudit.records.errors import ConfigurationError, ContentError
from dpaudit.records.verdict import ExitCode
from dpaudit.runs import cache, reading, resume, store
from dpaudit.runs.execute import run
from dpaudit.runs.kept import kept
from dpaudit.runs.plan import make_plan
from dpaudit.runs.settings import Part, Settings

ROOT = Path(__file__).parents[2]
PARTS = repeats(1, 8)
STATES = 7
"""So many states of the disk after a loss of power are tried; in deep tests all."""
CALLS = 6
"""So many calls that fail are tried, and as many functions without memory; in deep tests each place once."""


@functools.cache
def can_mount() -> bool:
    """May this user mount disks in a namespace of their own? Else there is no small disk, and nothing to test on it."""
    if shutil.which("unshare") is None:
        return False
    done = subprocess.run(["unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True, check=False)
    return done.returncode == 0


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """What came of runs on disks that are full, or become read-only; see small_disk.py."""
    if not can_mount():
        pytest.skip("no mount namespaces here; the faults of single writes are in test_resume.py and test_store.py")
    home = tmp_path_factory.mktemp("disks")
    fill(home)
    paths = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        ["unshare", "-rm", sys.executable, str(ROOT / "tests" / "support" / "small_disk.py"), str(home)],
        capture_output=True, text=True, check=False, env=os.environ | {"PYTHONPATH": paths}, timeout=170,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return [json.loads(row) for row in done.stdout.splitlines()]


def of_case(cases: list[dict[str, Any]], name: str) -> list[dict[str, Any]]:
    found = [row for row in cases if row["case"] == name]
    assert found
    return found


@pytest.mark.deep
def test_a_disk_that_is_full_at_any_place_is_named_and_loses_nothing(cases: list[dict[str, Any]]) -> None:
    found = of_case(cases, "full")
    *failed, fits = [row["said"] for row in found]
    assert fits == ""
    for name in ("scores/toy_a.json", "records.jsonl"):
        assert any(f"/{name}" in said for said in failed), failed
    for said in failed:
        assert "No space left on device; what is finished is kept; when that is put right: dpaudit resume" in said
    assert all(row["same"] for row in found)


@pytest.mark.deep
def test_a_disk_that_becomes_read_only_is_named_and_loses_nothing(cases: list[dict[str, Any]]) -> None:
    before, within = of_case(cases, "read-only")
    assert "cannot use the run folder" in before["said"]
    assert "Read-only file system; see --run-dir" in before["said"]
    assert "Read-only file system; what is finished is kept" in within["said"]
    assert within["same"]
    (again,) = of_case(cases, "resume on read-only")
    assert "Read-only file system" in again["said"]


@pytest.mark.deep
def test_a_full_disk_for_temporary_files_stops_the_run_and_is_no_verdict(cases: list[dict[str, Any]]) -> None:
    for row in of_case(cases, "scratch"):
        assert "cannot write temporary files: No space left on device; the variable TMPDIR" in row["said"]
        assert "to go on: dpaudit resume" in row["said"]
        assert row["same"]


@pytest.mark.deep
def test_the_page_and_the_output_file_may_be_what_does_not_fit(cases: list[dict[str, Any]]) -> None:
    (page,) = of_case(cases, "page")
    assert "No space left on device" in page["said"]
    assert page["same"]
    (output,) = of_case(cases, "output")
    assert "No space left on device" in output["said"]
    assert "to go on: dpaudit resume" in output["said"]
    assert output["same"]


@pytest.fixture
def two_claims(content: Path) -> Path:
    """Little enough to be read thousands of times."""
    for file in (*(content / "audits").iterdir(), content / "proofs" / "toy" / "lem_3.py"):
        file.unlink()
    return content


def outcome(read: Callable[[], Any]) -> tuple[Any, str]:
    """What is read, and the words of the refusal; one of the two is empty."""
    try:
        return read(), ""
    except ContentError as error:
        return None, str(error)


def states(folder: Path, name: str) -> Iterator[int]:
    """Cut the file at every byte of its last two lines; the number of bytes that are left."""
    whole_text = (folder / name).read_bytes()
    lines = whole_text.splitlines(keepends=True)
    for size in range(len(whole_text) - sum(map(len, lines[-2:])), len(whole_text)):
        (folder / name).write_bytes(whole_text[:size])
        yield size
    (folder / name).write_bytes(whole_text)


@pytest.mark.deep
def test_records_of_a_finished_run_that_are_cut_anywhere_are_refused_by_file_and_line(two_claims: Path) -> None:
    run(planned(), two_claims / "out", lambda task, verdicts: None)
    path = two_claims / "out" / store.RECORDS
    largest = path.stat().st_size
    for size in states(two_claims / "out", store.RECORDS):
        found, refusal = outcome(functools.partial(reading.load_run, two_claims / "out"))
        assert found is None
        assert f"{path}, line " in refusal or size == largest - 1, "the end of the last line is missed by its digest"


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("name", [store.RECORDS, store.TASKS])
def test_a_stopped_run_that_is_cut_anywhere_goes_on_or_is_refused_by_file_and_line(two_claims: Path, name: str) -> None:
    stopped(two_claims / "out", "toy/LEM-2")
    tasks = [task.name for task in planned().tasks]
    complete = kept(two_claims / "out", tasks).complete
    for _ in states(two_claims / "out", name):
        found, refusal = outcome(functools.partial(kept, two_claims / "out", tasks))
        assert not refusal
        assert found.complete.items() <= complete.items()
        assert all(f"is not in {store.RECORDS} as it was written" in what for _, what in found.damage)
        assert name == store.RECORDS or not found.damage


def test_all_that_is_lost_of_the_last_task_is_done_again(content: Path, whole: dict[str, str]) -> None:
    stopped(content / "out", "toy/LEM-3")
    path = content / "out" / store.TASKS
    path.write_bytes(path.read_bytes()[:-1])
    go_on(content / "out")
    assert files(content / "out") == whole


def swapped(lines: list[str]) -> list[str]:
    return [lines[1], lines[0], *lines[2:]]


def repeated(lines: list[str]) -> list[str]:
    return [*lines, lines[0]]


Change = Callable[[list[str]], list[str]]


@pytest.mark.parametrize(
    ("change", "message"),
    [(swapped, "its digest is not the one in run.json"), (repeated, "a second verdict with the id 'toy/")],
)
def test_lines_of_a_finished_run_that_are_swapped_or_there_twice_are_named(
    content: Path, change: Change, message: str
) -> None:
    ended(content / "out")
    path = content / "out" / store.RECORDS
    path.write_text("".join(change(path.read_text().splitlines(keepends=True))))
    with pytest.raises(ContentError, match=message):
        reading.load_run(content / "out")


@pytest.mark.parametrize("change", [swapped, repeated])
def test_lines_of_a_stopped_run_that_are_swapped_or_there_twice_do_no_harm(
    content: Path, whole: dict[str, str], change: Change
) -> None:
    stopped(content / "out", "toy/LEM-3")
    path = content / "out" / store.RECORDS
    path.write_text("".join(change(path.read_text().splitlines(keepends=True))))
    go_on(content / "out")
    assert files(content / "out") == whole


@pytest.mark.parametrize("name", [store.RUN, store.RECORDS])
def test_a_missing_file_is_named(content: Path, name: str) -> None:
    stopped(content / "out", "toy/LEM-3")
    (content / "out" / name).unlink()
    with pytest.raises(ContentError, match=name.replace(".", r"\.")):
        reading.load_run(content / "out")


def test_without_run_json_nothing_can_go_on(content: Path) -> None:
    stopped(content / "out", "toy/LEM-3")
    (content / "out" / store.RUN).unlink()
    with pytest.raises(ConfigurationError, match=r"holds no run\.json"):
        go_on(content / "out")


@pytest.mark.parametrize("name", [store.TASKS, store.RECORDS])
def test_without_the_marks_or_the_records_everything_is_done_again(
    content: Path, whole: dict[str, str], name: str
) -> None:
    stopped(content / "out", "toy/LEM-3")
    (content / "out" / name).unlink()
    go_on(content / "out")
    assert files(content / "out") == whole


def test_a_run_of_a_later_version_is_refused_by_its_schema(content: Path) -> None:
    stopped(content / "out", "toy/LEM-3")
    path = content / "out" / store.RUN
    header = json.loads(path.read_text()) | {"schema": 2, "settings": {"type": "Plan", "wishes": 3}}
    path.write_text(json.dumps(header))  # without a digest: that version may keep it elsewhere
    for read in (go_on, reading.load_run):
        with pytest.raises(ContentError, match=r"run\.json: schema 2, this version reads 1; use the version that"):
            read(content / "out")


def test_a_cache_that_cannot_be_written_costs_time_alone(two_claims: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (two_claims / "file").write_text("")
    monkeypatch.setenv(cache.VARIABLE, str(two_claims / "file" / "cache"))
    result = run(make_plan(Settings("verify", (Part.VERIFY,))), two_claims / "out", lambda task, verdicts: None)
    assert result.code is ExitCode.EXPECTED


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("part", range(PARTS))
def test_a_loss_of_power_at_any_moment_leaves_a_run_that_goes_on(
    content: Path, whole: dict[str, str], monkeypatch: pytest.MonkeyPatch, part: int
) -> None:
    disk = power_loss.Disk(content / "out")
    with disk.watched(monkeypatch):
        run(planned(), content / "out", lambda task, verdicts: disk.promise())
    names = [task.name for task in planned().tasks]
    possible = power_loss.possible(disk.moments, random.Random(0))
    assert len(possible) > 60
    for state, promised in possible[part::PARTS] if DEEP else random.Random(1).sample(possible, STATES):
        folder = content / "state"
        power_loss.put(folder, state)
        if store.RUN not in state:
            assert not promised
        else:
            if resume.finished(folder, resume.header(folder)) is None:
                assert len(kept(folder, names).complete) >= promised
                go_on(folder)
            assert files(folder) == whole
        shutil.rmtree(folder)


@pytest.fixture(scope="module")
def trial(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Trial]:
    home = tmp_path_factory.mktemp("trial")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(home)
        yield Trial(home, patch)


@pytest.mark.deep
@pytest.mark.parametrize("way", [Faults.injected, Faults.starved])
def test_a_call_that_fails_is_no_verdict_and_leaves_a_run_that_goes_on(trial: Trial, way: Way) -> None:
    made = trial.made(way)
    possible = places(made, times=1)
    assert len(possible) > 50
    for at in possible if DEEP else random.Random(4).sample(possible, CALLS):
        assert trial.ended(way, at) in (SAME, STOPPED), made[at - 1]
