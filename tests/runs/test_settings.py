"""What a user asks of a run."""

from __future__ import annotations

from pathlib import Path

from dpaudit.records.serial import decode, encode
from dpaudit.runs.settings import Part, Settings


def test_names_are_paths_or_ids(workdir: Path) -> None:
    (workdir / "here").mkdir()
    settings = Settings("verify", (Part.VERIFY,), ("toy/LEM-1", "a/b.py", "./toy", "~/x", "here", "there"))
    assert settings.ids == ["toy/LEM-1", "there"]
    assert settings.paths == [Path("a/b.py"), Path("toy"), Path("~/x").expanduser(), Path("here")]


def test_run_json_names_the_parts_by_their_commands() -> None:
    settings = Settings("run", tuple(Part))
    assert encode(settings)["parts"] == ["verify", "agree", "audit"]
    assert decode(encode(settings)) == settings
