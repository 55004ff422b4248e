"""`dpaudit check`: whole runs are sound, every damage is named, and what `resume` would do is said."""

from __future__ import annotations

import json
import os
import random
import re
from pathlib import Path

import pytest
import run_folder
from resumed_runs import ended, planned, stopped

from dpaudit.records.errors import ConfigurationError, ContentError
from dpaudit.records.verdict import ExitCode
from dpaudit.runs import opinions, reading, resume, store
from dpaudit.runs.check import DAMAGED, OPEN, SOUND, check, exit_code

FLIPS = 300


@pytest.fixture
def out(content: Path) -> Path:
    """A finished run."""
    ended(content / "out")
    return content / "out"


def states(folder: Path) -> list[str]:
    return [row["state"] for row in check(folder)]


def test_a_finished_run_is_sound(out: Path) -> None:
    (row,) = check(out)
    assert row["state"] == SOUND
    assert "20 verdicts and 7 files are as they were written" in row["detail"]
    assert exit_code([row]) is ExitCode.EXPECTED


def test_a_stopped_run_is_sound_and_says_what_is_open(content: Path) -> None:
    stopped(content / "out", "toy/LEM-2")
    rows = check(content / "out")
    complete = resume.kept(content / "out", [task.name for task in planned().tasks]).complete
    left = [task.name for place, task in enumerate(planned().tasks) if place not in complete]
    assert [row["name"] for row in rows if row["state"] == OPEN] == left
    assert exit_code(rows) is ExitCode.EXPECTED


def test_damage_of_a_stopped_run_is_named_with_what_is_done_again(content: Path) -> None:
    stopped(content / "out", "toy/LEM-3")
    before = {row["name"] for row in check(content / "out") if row["state"] == OPEN}
    (file,) = sorted((content / "out" / "scores").iterdir())[:1]
    file.unlink()
    rows = check(content / "out")
    assert (rows[0]["state"], rows[0]["name"]) == (DAMAGED, str(file))
    assert {row["name"] for row in rows if row["state"] == OPEN} == before | {"toy/a"}
    assert exit_code(rows) is ExitCode.REFUTED


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("seed", range(2))
def test_no_bit_of_a_finished_run_can_change_what_is_read(out: Path, seed: int) -> None:
    before = reading.load_run(out)
    rng = random.Random(seed)
    files = [path for path in out.rglob("*") if path.is_file()]
    unseen = []
    for _ in range(FLIPS):
        path = rng.choice(files)
        data = path.read_bytes()
        changed = bytearray(data)
        place = rng.randrange(8 * len(data))
        changed[place // 8] ^= 1 << place % 8
        path.write_bytes(changed)
        try:
            same = reading.load_run(out) == before
        except ContentError:
            same = True
        seen = DAMAGED in states(out)
        harmless = same and path.name == store.RUN  # space around the digest
        unseen += [] if same and (seen or harmless) else [(path.name, place)]
        path.write_bytes(data)
    assert unseen == []


@pytest.mark.parametrize(
    ("name", "change", "words"),
    [
        (
            store.RUN,
            lambda text: text.replace('"exit_code": 0', '"exit_code": 1'),
            "its digest is not that of",
        ),
        (store.RECORDS, lambda text: "", "its digest is not the one in run.json"),
        (store.RECORDS, lambda text: text[: text.rindex("{")], "its digest is not the one in run.json"),
        (store.RECORDS, lambda text: text + text, "a second verdict with the id"),
        (opinions.FILE, lambda text: text.replace("opinions", "pinions"), "kernel.json is damaged"),
    ],
)
def test_each_file_is_looked_at(out: Path, name: str, change: object, words: str) -> None:
    opinions.keep(out, reading.load_run(out).verdicts, [])
    assert states(out) == [SOUND]
    text = (out / name).read_text(encoding="utf-8")
    (out / name).write_text(change(text), encoding="utf-8")  # type: ignore[operator]
    assert any(words in f"{row['name']} {row['detail']}" for row in check(out) if row["state"] == DAMAGED)


@pytest.mark.deep(keep=3)
@pytest.mark.parametrize("kind", ["pipe", "folder"])
@pytest.mark.parametrize("name", [store.RUN, store.RECORDS, store.TASKS, opinions.FILE, "scores/toy_a.json"])
def test_what_is_no_regular_file_is_damage_and_nobody_waits_for_it(
    content: Path, out: Path, name: str, kind: str
) -> None:
    if name == store.TASKS:
        out = content / "stopped"
        stopped(out, "toy/LEM-3")
    (out / name).unlink(missing_ok=True)
    os.mkfifo(out / name) if kind == "pipe" else (out / name).mkdir()
    assert DAMAGED in states(out)
    if name in (store.RUN, store.RECORDS, opinions.FILE):
        with pytest.raises(ContentError, match=re.escape(name)):
            reading.load_run(out)


def test_an_exit_code_that_is_none_is_damage(out: Path) -> None:
    run_folder.edit(out / store.RUN, lambda text: json.dumps(json.loads(text) | {"exit_code": 77}))
    assert states(out) == [DAMAGED]


def test_where_no_run_began_there_is_nothing_to_check(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"holds no run\.json"):
        check(tmp_path)
