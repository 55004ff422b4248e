"""The file of a baseline is written whole, by one at a time, and stays what it was beside its entries."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path

import pytest

from dpaudit.records.errors import ConfigurationError
from dpaudit.records.verdict import Outcome
from dpaudit.runs import baseline_file, store
from dpaudit.runs.baseline import Entry

WRITERS, EACH = 4, 10


def entry(name: str) -> Entry:
    return Entry(name, Outcome.REFUTED, "known", date(2400, 1, 1))


def test_four_that_write_at_a_time_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "baseline.toml"

    def write(writer: int) -> None:
        for number in range(EACH):
            baseline_file.extend(path, [entry(f"toy/{writer}-{number}")])

    with ThreadPoolExecutor(WRITERS) as pool:
        list(pool.map(write, range(WRITERS)))
    assert len(baseline_file.read(path).entries) == WRITERS * EACH
    assert [one.name for one in tmp_path.iterdir()] == ["baseline.toml"]


def test_a_link_in_the_place_of_the_draft_is_not_followed(tmp_path: Path) -> None:
    path, other = tmp_path / "baseline.toml", tmp_path / "other"
    other.write_text("mine")
    (tmp_path / "baseline.toml.tmp").symlink_to(other)
    baseline_file.extend(path, [entry("toy/a")])
    assert other.read_text() == "mine"
    assert list(baseline_file.read(path).entries) == ["toy/a"]


@pytest.mark.parametrize("mode", [0o600, 0o664])
def test_the_rights_of_the_file_stay(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "baseline.toml"
    baseline_file.extend(path, [entry("toy/a")])
    path.chmod(mode)
    baseline_file.extend(path, [entry("toy/b")])
    assert path.stat().st_mode & 0o777 == mode


def test_a_folder_that_is_locked_too_long_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "PATIENCE", 0)
    with store.alone(tmp_path), pytest.raises(ConfigurationError, match="another process has been writing in"):
        baseline_file.extend(tmp_path / "baseline.toml", [entry("toy/a")])


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"cannot write .*/no/baseline\.toml: No such file"):
        baseline_file.extend(tmp_path / "no" / "baseline.toml", [entry("toy/a")])


def test_what_is_no_regular_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "baseline.toml"
    path.symlink_to(path.name)
    with pytest.raises(ConfigurationError, match=r"baseline\.toml is a link that leads to itself; put the file itself"):
        baseline_file.read(path)
