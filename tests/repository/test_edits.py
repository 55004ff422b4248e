"""Files that others have edited: every command that reads one ends in order, with a message."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

import edited_files
import pytest
from depth import repeats
from edited_files import Edit

SEED = 5


@pytest.fixture(scope="module")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The home that is edited, and its settings for as long as these tests go."""
    with pytest.MonkeyPatch.context() as patch:
        yield edited_files.home(tmp_path_factory.mktemp("edits") / "home", patch)


@pytest.fixture(autouse=True)
def own_cache(pristine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The kept verdicts are those of the home; in the place of the fixture of all tests."""
    monkeypatch.setenv("DPAUDIT_CACHE", edited_files.CACHE)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(pristine))


def crashes(pristine: Path, folder: Path, edits: Iterable[Edit]) -> list[str]:
    """What is wrong after each edit, of one command that reads its file."""
    rng = random.Random(SEED)

    def one(file: str) -> list[list[str]]:
        return [rng.choice(edited_files.commands(file))]

    return [crash for edit in edits for crash in edited_files.tried(pristine, folder / "copy", edit, one)]


@pytest.mark.deep
def test_values_of_another_kind_end_no_command_in_a_crash(pristine: Path, tmp_path: Path) -> None:
    edits = islice(edited_files.structured(pristine, random.Random(SEED)), 55)
    assert crashes(pristine, tmp_path, edits) == []


def test_other_bytes_end_no_command_in_a_crash(pristine: Path, tmp_path: Path) -> None:
    assert (
        crashes(pristine, tmp_path, islice(edited_files.damaged(pristine, random.Random(SEED)), repeats(6, 11))) == []
    )


@pytest.mark.deep
def test_what_is_no_regular_file_is_refused_at_once(pristine: Path, tmp_path: Path) -> None:
    edits = [edit for name in edited_files.read_files(pristine) for edit in edited_files.special(name)]
    assert crashes(pristine, tmp_path, edits) == []
