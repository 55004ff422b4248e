"""The run folder keeps what was finished, whatever happens next."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpaudit.records.errors import ConfigurationError, ContentError
from dpaudit.records.lines import read_object
from dpaudit.records.verdict import Kind, Outcome, Verdict
from dpaudit.runs import reading, store


def verdict(name: str) -> Verdict:
    """A verdict with an id."""
    return Verdict(name, Kind.CLAIM, Outcome.PROVED, Outcome.PROVED, "title", (), "here", 1)


def ids(folder: Path) -> list[str]:
    """Ids of the records on disk, in their order."""
    text = (folder / store.RECORDS).read_text(encoding="utf-8")
    return [json.loads(row)["id"] for row in text.splitlines()]


def test_records_are_on_disk_as_soon_as_they_are_appended(tmp_path: Path) -> None:
    folder = store.Folder(tmp_path / "run")
    assert ids(folder.path) == []
    folder.append([verdict("b")])
    assert ids(folder.path) == ["b"]
    folder.append([verdict("a"), verdict("c")])
    assert ids(folder.path) == ["b", "a", "c"]
    folder.rewrite([verdict("a"), verdict("b"), verdict("c")])
    assert ids(folder.path) == ["a", "b", "c"]
    assert sorted(path.name for path in folder.path.iterdir()) == [store.RECORDS]


@given(st.text(max_size=20))
def test_a_record_is_one_line_whatever_its_text(text: str) -> None:
    row = store.line(verdict(text))
    assert "\n" not in row
    assert reading.read_verdict(row, "here").id == text


def test_what_is_hidden_is_an_escape_in_all_files_and_read_as_it_was(tmp_path: Path) -> None:
    hidden = verdict("x\u202e\x9b\u200bé")
    with store.Folder(tmp_path / "run") as keep:
        keep.append([hidden])
        keep.mark(0, store.Complete(hidden.id, (hidden,)))
        keep.write_run({"command": hidden.id})
    for name in (store.RECORDS, store.TASKS, store.RUN):
        text = (tmp_path / "run" / name).read_text(encoding="utf-8")
        assert "\\u202e\\u009b\\u200bé" in text
        assert not set("\u202e\x9b\u200b") & set(text)
    assert ids(tmp_path / "run") == [hidden.id]


def test_a_folder_in_use_is_refused(tmp_path: Path) -> None:
    (tmp_path / "old").write_text("x")
    with pytest.raises(ConfigurationError, match="is not empty; name another one or remove it"):
        store.Folder(tmp_path)


def test_a_place_that_is_no_folder_is_a_wrong_argument(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(ConfigurationError, match=r"cannot use the run folder .*see --run-dir"):
        store.Folder(tmp_path / "file" / "run")


def test_run_json_is_replaced_whole(tmp_path: Path) -> None:
    folder = store.Folder(tmp_path / "run")
    folder.write_run({"seed": 1, "long": "x" * 5000})
    folder.write_run({"seed": 2})
    assert read_object((folder.path / store.RUN).read_text(encoding="utf-8"), store.RUN) == {"seed": 2}


def test_a_number_that_json_lacks_never_reaches_the_file(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        store.Folder(tmp_path / "run").write_run({"seed": float("nan")})


def test_default_folders_do_not_collide(workdir: Path) -> None:
    now = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    first = store.default_folder("audit", 7, now)
    assert first == Path("runs/20260102T030405Z-audit-7")
    store.Folder(first)
    assert store.default_folder("audit", 7, now).name == "20260102T030405Z-audit-7-2"


def test_files_of_tasks_are_written_below_the_folder_and_nowhere_else(tmp_path: Path) -> None:
    with store.Folder(tmp_path / "run") as keep:
        keep.attach({"scores/a.json": "{}", "certificates/deep/b.json": "[]"})
        for name in ("/tmp/x/a", "../a/b", "scores/../../a", "run.json", ""):
            with pytest.raises(ContentError, match="lie in folders of the run folder"):
                keep.attach({name: "stolen"})
    assert (tmp_path / "run" / "scores" / "a.json").read_text() == "{}"
    found = sorted(p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*") if p.is_file())
    assert found == ["run/certificates/deep/b.json", "run/records.jsonl", "run/scores/a.json"]


def test_a_file_that_cannot_be_written_says_how_to_go_on(tmp_path: Path) -> None:
    with store.Folder(tmp_path / "run") as keep:
        (tmp_path / "run" / "scores").write_text("in the way")
        with pytest.raises(ConfigurationError, match=r"cannot write .*a\.json: .*dpaudit resume"):
            keep.attach({"scores/a.json": "{}"})


def test_a_link_in_the_place_of_the_draft_is_not_followed(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("mine")
    (tmp_path / "page.tmp").symlink_to(victim)
    store.put(tmp_path / "page", "new")
    assert (victim.read_text(), (tmp_path / "page").read_text()) == ("mine", "new")
    assert not (tmp_path / "page.tmp").is_symlink()


def test_a_folder_that_may_be_written_and_not_listed_is_no_reason_to_stop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = os.open

    def refuse(path: object, *more: object) -> int:
        if path == tmp_path:
            raise PermissionError(13, "Permission denied")
        return opened(path, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(store.os, "open", refuse)
    store.put(tmp_path / "file", "text")
    assert (tmp_path / "file").read_text() == "text"
