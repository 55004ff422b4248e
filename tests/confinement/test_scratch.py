"""Folders for temporary files: none is left, and none that is used is taken away."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import dpaudit
from dpaudit.confinement import scratch
from dpaudit.runs import worker


def test_folders_that_killed_processes_left_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scratch.tempfile, "tempdir", str(tmp_path))
    old, young = scratch.home() / "s-old", scratch.home() / "s-young"
    with scratch.made("s-") as used:
        for folder in (old, young):
            folder.mkdir()
        long_ago = time.time() - 10_000
        for folder in (old, used):
            os.utime(folder, (long_ago, long_ago))
        scratch._sweep.__wrapped__("s-")
        assert (old.exists(), young.exists(), used.exists()) == (False, True, True)


def test_the_folder_of_a_task_that_was_killed_is_swept_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scratch.tempfile, "tempdir", str(tmp_path))
    left = scratch.home() / "dpaudit-task-left"
    (left / "scores").mkdir(parents=True)
    os.utime(left, (1, 1))
    scratch._sweep.cache_clear()
    with worker._folder() as folder:
        assert folder.is_dir()
    assert list(scratch.home().iterdir()) == []


@pytest.mark.parametrize("what", ["open to all", "a link", "a file"])
def test_a_home_that_is_not_of_this_user_alone_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    monkeypatch.setattr(scratch.tempfile, "tempdir", str(tmp_path))
    home = scratch.home()
    home.rmdir()
    if what == "a link":
        home.symlink_to(tmp_path)
    elif what == "a file":
        home.touch(0o600)
    else:
        home.mkdir()
        home.chmod(0o777)
    with pytest.raises(PermissionError, match="it is not a folder of this user alone; remove it, or set TMPDIR"):
        scratch.home()


def test_nobody_waits_for_a_folder_that_another_process_has_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scratch.tempfile, "tempdir", str(tmp_path))
    make = scratch.tempfile.mkdtemp
    locked = []

    def made(**given: Any) -> str:
        found = make(**given)
        locked.append(os.open(found, os.O_RDONLY))
        fcntl.flock(locked[0], fcntl.LOCK_EX)
        return str(found)

    monkeypatch.setattr(scratch.tempfile, "mkdtemp", made)
    with scratch.made("s-") as folder:
        assert folder.is_dir()
    os.close(locked[0])


def test_a_folder_that_forbids_to_look_into_it_is_removed(tmp_path: Path) -> None:
    folder = tmp_path / "s-closed"
    (folder / "a" / "b").mkdir(parents=True)
    (folder / "a" / "b").chmod(0)
    (folder / "a").chmod(0)
    code = f"from pathlib import Path; from dpaudit.confinement import scratch; scratch.remove(Path({str(folder)!r}))"
    # as a user: who may override rights has nothing to overcome
    words = ["setpriv", "--bounding-set=-all", "--inh-caps=-all", sys.executable, "-c", code]
    subprocess.run(words if os.getuid() == 0 else words[3:], check=True, cwd=Path(dpaudit.__file__).parents[1])
    assert not folder.exists()
