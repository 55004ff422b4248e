"""The checker as a program: which files it reads."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from dpaudit.recheck import __main__ as program


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (os.mkfifo, "it is no regular file"),
        (lambda path: path.symlink_to("/dev/zero"), "it is no regular file"),
        (lambda path: path.write_text("[" + " " * 64 + "]"), "it is longer than 64 bytes"),
        (lambda path: path.write_text("[]"), ""),
    ],
    ids=["pipe", "device", "long", "list"],
)
def test_what_is_no_file_of_a_certificate_is_refused_at_once(
    make: Callable[[Path], object], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program, "MOST", 64)
    make(tmp_path / "file")
    found = program.examine(str(tmp_path / "file"))
    assert found["accepted"] is False
    assert said in str(found["reason"])
