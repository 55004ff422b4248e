"""Folders for temporary files: none is left, and none that is used is taken away."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from dpaudit.audit.sandbox import scratch
from dpaudit.runs import worker


def test_folders_that_killed_processes_left_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scratch.tempfile, "tempdir", str(tmp_path))
    old, young = tmp_path / "dpaudit-sandbox-old", tmp_path / "dpaudit-sandbox-young"
    with scratch.made("dpaudit-sandbox-") as used:
        for folder in (old, young):
            folder.mkdir()
        long_ago = time.time() - 10_000
        for folder in (old, used):
            os.utime(folder, (long_ago, long_ago))
        scratch._sweep.__wrapped__("dpaudit-sandbox-")
        assert (old.exists(), young.exists(), used.exists()) == (False, True, True)


def test_the_folder_of_a_task_that_was_killed_is_swept_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scratch.tempfile, "tempdir", str(tmp_path))
    left = tmp_path / "dpaudit-task-left"
    (left / "scores").mkdir(parents=True)
    os.utime(left, (1, 1))
    scratch._sweep.cache_clear()
    with worker._folder() as folder:
        assert folder.is_dir()
    assert list(tmp_path.iterdir()) == []
