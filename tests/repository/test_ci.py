"""The scripts that say whether a change may be merged fail when any part of them fails."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FAKE = """#!/bin/sh
printf '%s\\n' "$*" >>"$CALLS"
case "$*" in *"$FAILS"*) exit 1 ;; esac
"""
"""Of every program: it fails where its words have those that are to fail."""

LANES = (
    "tox run-parallel",
    "tox run -e suite",
    "tox run -e lint,types,docs",
    "dpaudit diff",
    "dpaudit controls",
    "dpaudit audit",
    "tox run -e kernel",
    "pytest --collect-only",
    "tox run -e test",
    "pytest tests/repository/browser",
)


def played(folder: Path, script: str, fails: str, programs: tuple[str, ...]) -> tuple[int, list[str]]:
    """The exit status of a script of .ci among false programs, and what they were called with, in order."""
    shutil.copytree(ROOT / ".ci", folder / ".ci")
    for program in programs:
        file = folder / "bin" / program
        file.parent.mkdir(exist_ok=True)
        file.write_text(FAKE, encoding="utf-8")
        file.chmod(0o755)
    calls = folder / "calls"
    calls.touch()
    path = f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
    others = {name: value for name, value in os.environ.items() if not name.startswith(("DPAUDIT", "PIP"))}
    done = subprocess.run(
        ["bash", str(folder / ".ci" / script)],
        env=others | {"PATH": path, "CALLS": str(calls), "FAILS": fails},
        capture_output=True,
        timeout=60,
        check=False,
    )
    return done.returncode, calls.read_text(encoding="utf-8").splitlines()


def test_nothing_fails(tmp_path: Path) -> None:
    status, calls = played(tmp_path, "run", "nothing at all", ("python3", "chromium"))
    assert status == 0
    assert [lane for lane in LANES if not any(lane in call for call in calls)] == []


@pytest.mark.parametrize("lane", LANES)
def test_a_part_that_fails_ends_the_whole(tmp_path: Path, lane: str) -> None:
    status, calls = played(tmp_path, "run", lane, ("python3", "chromium"))
    assert any(lane in call for call in calls)
    assert status != 0


@pytest.mark.parametrize("round_that_fails", ["tests/runs tests/cli", "tests --ignore=tests/runs"])
def test_both_rounds_of_tests_are_run_and_either_may_fail(tmp_path: Path, round_that_fails: str) -> None:
    assert played(tmp_path / "right", "tests", "nothing at all", ("pytest",))[0] == 0
    status, calls = played(tmp_path / "wrong", "tests", round_that_fails, ("pytest",))
    assert len(calls) == 2
    assert status != 0


def test_each_folder_of_tests_is_in_one_round(tmp_path: Path) -> None:
    """The first round names folders that are there, and the second leaves out those and the browser's alone."""
    _, (first, second) = played(tmp_path, "tests", "nothing at all", ("pytest",))
    named = [word for word in first.split() if word.startswith("tests/")]
    left_out = [word.partition("=")[2] for word in second.split() if word.startswith("--ignore=")]
    assert named
    assert all((ROOT / folder).is_dir() for folder in named)
    assert sorted(left_out) == sorted([*named, "tests/repository/browser"])
    assert "tests" in second.split()
