"""The README of an archive says what the run was, and nothing that is not there."""

from __future__ import annotations

from pathlib import Path

import run_folder

from dpaudit.report.archive import readme
from dpaudit.runs.reading import load_run

WITH = ("run/certificates/a.json", "run/certificates/b.json", "content/proofs/a.py", "checker/__main__.py")


def page(folder: Path, names: tuple[str, ...] = WITH, ours: bool = True, **changes: object) -> str:
    return readme.text(load_run(run_folder.write(folder, **changes)), ours, names)  # type: ignore[arg-type]


def test_command_seed_versions_and_commit_are_those_of_the_run(tmp_path: Path) -> None:
    text = page(tmp_path, command="dpaudit run --seed 8", seed=7)
    assert "```text\ndpaudit run --seed 8\ndpaudit diff ../run" in text
    assert "seed: 7\n" in text
    assert "python: 3.11.2\n" in text
    assert "torch" not in text, "which was absent"
    assert f"commit: {'0123456789abcdef' * 2}, with changes that are not in it\n" in text


def test_the_certificates_are_counted_and_their_absence_is_said(tmp_path: Path) -> None:
    assert "There are 2. Python" in page(tmp_path / "a")
    without = page(tmp_path / "b", ("checker/__main__.py",))
    assert "The run has no certificates" in without
    assert "`content/` |" not in without


def test_content_of_others_has_no_licence(tmp_path: Path) -> None:
    assert "A licence for all of it" in page(tmp_path / "a", ours=False)
    assert "A licence for all of it" not in page(tmp_path / "b")


def test_a_signature_is_told_of(tmp_path: Path) -> None:
    assert "says by whom" in page(tmp_path / "a", (*WITH, "run/run.json.sig"))
    assert "says by whom" not in page(tmp_path / "b")


def test_words_of_a_run_end_no_block_and_show_what_they_hide(tmp_path: Path) -> None:
    text = page(tmp_path, command="dpaudit verify ```\u202e")
    assert "````text\ndpaudit verify ```\\u202e\n" in text
