"""What a stopped run has kept: what is damaged is named and done again, and nothing else is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import run_folder
from resumed_runs import files, planned, silent, stopped

from dpaudit.records.digests import with_digest, without_digest
from dpaudit.runs import resume, store
from dpaudit.runs.kept import Kept, kept


def found(folder: Path) -> Kept:
    return kept(folder, [task.name for task in planned().tasks])


def told(folder: Path) -> list[str]:
    """Go on with the run; what is said to be damaged."""
    said: list[str] = []
    with store.Folder(folder, existing=True) as keep:
        resume.resume(resume.planned(resume.header(folder)), keep, silent, tell=said.append)
    return said


def changed(path: Path, place: int, change: object) -> None:
    """Put another text in the place of a line."""
    lines = path.read_text(encoding="utf-8").split("\n")
    lines[place] = change(lines[place])  # type: ignore[operator]
    path.write_text("\n".join(lines), encoding="utf-8")


def forged(line: str, before: str, after: str) -> str:
    """A line that says something else, with the digest that belongs to it."""
    return with_digest((without_digest(line) or "").replace(before, after))


def marked(line: str, **changes: object) -> str:
    """A mark that says something else, with the digest that belongs to it."""
    return with_digest(json.dumps(json.loads(without_digest(line) or "") | changes))


def test_what_is_whole_has_no_damage(content: Path) -> None:
    stopped(content / "out", "toy/LEM-3")
    assert found(content / "out").damage == ()
    assert len(found(content / "out").complete) >= 3


@pytest.mark.deep(keep=2)
@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda line: line.replace('"PROVED"', '"REFUTED"'), "its digest is not that of the text"),
        (lambda line: line.replace('"type"', '"tpye"', 1), "its digest is not that of the text"),
        (lambda line: line.replace('"schema": 1', '"schema": 7'), "schema 7, this version reads 1"),
        (lambda line: line[:50], "not valid JSON"),
        (lambda line: "", "not valid JSON"),
        (
            lambda line: forged(line, '"PROVED"', '"CONSISTENT"'),
            "as it was written",
        ),
    ],
)
def test_a_damaged_record_is_named_and_its_task_done_again(
    content: Path, whole: dict[str, str], change: object, words: str
) -> None:
    out = content / "out"
    stopped(out, "toy/LEM-3")
    before = found(out).complete
    place = next(i for i, line in enumerate((out / store.RECORDS).read_text().split("\n")) if "toy/LEM-1" in line)
    changed(out / store.RECORDS, place, change)
    lost = {place for place in before if place not in found(out).complete}
    assert [before[place].name for place in lost] == ["toy/LEM-1"]
    said = told(out)
    assert words in said[0]
    assert any(f"line {place + 1}: " in line for line in said) or words == "as it was written"
    assert files(out) == whole


@pytest.mark.deep(keep=3)
@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda line: line.replace('"cached": false', '"cached": true'), "its digest is not that of the text"),
        (lambda line: marked(line, verdicts={}), "a mark has the place of a task and the digests"),
        (lambda line: marked(line, verdicts=["toy/LEM-1"]), "a mark has the place of a task and the digests"),
        (lambda line: marked(line, task=99), "the plan has no task 'toy/a' at 99; the mark is of another run"),
        (lambda line: marked(line, name="toy/x"), "the plan has no task 'toy/x' at 3; the mark is of another run"),
        (lambda line: marked(line, verdicts={"toy/x": "0" * 64}), "'toy/x' is not in records.jsonl as it was written"),
        (lambda line: with_digest('{"task": 0}'), "a mark has the place of a task and the digests"),
        (lambda line: "\x00" * 40, "not valid JSON"),
    ],
)
def test_a_mark_that_is_empty_or_of_another_run_is_named_and_makes_nothing_vanish(
    content: Path, whole: dict[str, str], change: object, words: str
) -> None:
    out = content / "out"
    stopped(out, "toy/LEM-3")
    changed(out / store.TASKS, 0, change)
    assert [where for where, _ in found(out).damage] == [f"{out / store.TASKS}, line 1"]
    assert words in told(out)[0]
    assert files(out) == whole


def first_ids(out: Path, name: str) -> dict[str, str]:
    """The digests of all verdicts by the mark of the task `name`."""
    rows = [json.loads(line) for line in (out / store.TASKS).read_text(encoding="utf-8").splitlines()]
    return dict(next(row["verdicts"] for row in rows if row["name"] == name))


@pytest.mark.parametrize("foreign", [False, True])
def test_a_mark_names_the_verdicts_of_its_task_and_no_others(
    content: Path, whole: dict[str, str], foreign: bool
) -> None:
    out = content / "out"
    stopped(out, "toy/LEM-3")
    own, other = first_ids(out, "toy/LEM-1"), first_ids(out, "toy/a")
    place = next(i for i, line in enumerate((out / store.TASKS).read_text().split("\n")) if '"toy/LEM-1", "v' in line)
    assert len(own) > 1
    given = own | other if foreign else {name: own[name] for name in own if name != "toy/LEM-1"}
    changed(out / store.TASKS, place, lambda line: marked(line, verdicts=given))
    said = "'toy/a' is no verdict of toy/LEM-1" if foreign else "leaves out 'toy/LEM-1', a verdict of toy/LEM-1"
    assert said in told(out)[0]
    assert files(out) == whole


@pytest.mark.parametrize(
    "change", [Path.unlink, lambda path: path.write_bytes(path.read_bytes().replace(b"1", b"2", 1))]
)
def test_a_task_whose_file_is_gone_or_damaged_is_done_again(
    content: Path, whole: dict[str, str], change: object
) -> None:
    out = content / "out"
    stopped(out, "toy/LEM-3")
    (file,) = sorted((out / "scores").iterdir())[:1]
    change(file)  # type: ignore[operator]
    assert [where for where, _ in found(out).damage] == [str(file)]
    assert str(file) in told(out)[0]
    assert files(out) == whole


def test_bytes_that_are_no_text_are_damage(content: Path, whole: dict[str, str]) -> None:
    out = content / "out"
    stopped(out, "toy/LEM-3")
    path = out / store.RECORDS
    path.write_bytes(path.read_bytes().replace(b"toy/LEM-1", b"toy/\xff\xfe-1", 1))
    assert any("not UTF-8 text" in line for line in told(out))
    assert files(out) == whole


def test_a_forged_record_of_another_seed_is_refused(content: Path) -> None:
    stopped(content / "out", "toy/LEM-3")
    seed = resume.header(content / "out")["seed"]
    run_folder.edit(content / "out" / store.RECORDS, lambda line: line.replace(f'"seed": {seed}', '"seed": 1'))
    with pytest.raises(Exception, match="belongs to another run"):
        told(content / "out")
