"""Which files of a folder are collected, for targets and for claims."""

from __future__ import annotations

from pathlib import Path

import pytest
from no_python_files import NO_FILES, made_in, said_of
from small_content import claim_text, target_text, write

from dpaudit.content import loading, places
from dpaudit.content.items import Broken
from dpaudit.records.errors import ConfigurationError, ContentError


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """Targets beside a file called claim.py, and where claims have other files."""
    write(tmp_path / "claim.py", target_text("mine/first"))
    write(tmp_path / "bad.py", target_text("mine/bad"))
    (tmp_path / places.THEOREMS).mkdir()
    write(tmp_path / places.THEOREMS / "more.py", target_text("mine/more"))
    write(tmp_path / "_part.py", "X = 1")
    return tmp_path


def test_a_target_is_played_whatever_the_file_beside_it_is_called(mixed: Path) -> None:
    assert [item.name for item in loading.load_targets([mixed])] == ["mine/more", "mine/bad", "mine/first"]
    assert [item.name for item in loading.load_targets([mixed / "bad.py"])] == ["mine/bad"]
    assert places.files_of_claims([mixed]) == (mixed / "claim.py",)


def test_content_is_of_one_kind_or_the_other(mixed: Path) -> None:
    assert places.files_of("audits", [mixed]) == places.files_of_targets([mixed])
    assert places.files_of("proofs", [mixed]) == places.files_of_claims([mixed])


@pytest.mark.timeout(60)
def test_what_is_no_file_is_refused_and_keeps_nobody_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(made_in(tmp_path) / "honest.py", claim_text())
    found = loading.load_claims([Path()])
    said_of([item.error for item in found if isinstance(item, Broken)], tmp_path)
    assert len(found) == len(NO_FILES) + 1
    for name in NO_FILES:
        with pytest.raises(ContentError):
            places.python_bytes(tmp_path / name)


def test_a_file_that_is_not_there_and_one_of_another_kind_are_named(tmp_path: Path) -> None:
    (tmp_path / "data.txt").touch()
    for collect in (places.files_of_targets, places.files_of_claims):
        with pytest.raises(ConfigurationError, match="no file or folder"):
            collect([tmp_path / "absent.py"])
        with pytest.raises(ConfigurationError, match="are Python files"):
            collect([tmp_path / "data.txt"])
