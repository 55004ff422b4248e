"""The command `check`, as it is typed."""

from __future__ import annotations

import json
from pathlib import Path

import run_folder
from click.testing import CliRunner

from dpaudit.cli.main import program


def test_a_sound_run_and_a_damaged_one(tmp_path: Path) -> None:
    folder = run_folder.write(tmp_path / "run", run_folder.games())
    done = CliRunner().invoke(program, ["check", str(folder)])
    assert done.exit_code == 0, done.output
    assert "files are as they were written" in done.stdout
    path = folder / "records.jsonl"
    path.write_text(path.read_text(encoding="utf-8").replace("REFUTED", "PROVED", 1), encoding="utf-8")
    done = CliRunner().invoke(program, ["check", str(folder), "--format", "json"])
    assert done.exit_code == 1
    (row,) = json.loads(done.stdout)
    assert row["state"] == "damaged"
    assert row["name"].startswith(f"{path}, line ")
    assert "mends a run that was stopped, start others anew" in done.stderr


def test_a_folder_without_a_run_is_a_wrong_argument(tmp_path: Path) -> None:
    done = CliRunner().invoke(program, ["check", str(tmp_path)])
    assert done.exit_code == 2
    assert "no run began there" in done.stderr
