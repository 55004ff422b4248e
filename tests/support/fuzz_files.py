"""Where inputs of the boundaries lie, and the files that are made of them in a folder that goes with the process."""

from __future__ import annotations

import os
import tempfile
from functools import cache
from pathlib import Path

CORPUS = Path(__file__).parents[1] / "fuzz_corpus"
"""A folder of kept inputs for each boundary."""
BASE = CORPUS / "_base"
"""Files beside those that an input stands for: of a small run, and what a sandbox says of a target."""


class Wrong(Exception):
    """What was read breaks a promise."""


@cache
def home() -> Path:
    """A folder for files that are read; it goes with the process."""
    quick = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # in memory, where Linux has that
    made = tempfile.TemporaryDirectory(prefix="boundaries-", dir=quick)
    _KEPT.append(made)
    return Path(made.name)


_KEPT: list[tempfile.TemporaryDirectory[str]] = []


def put(name: str, data: bytes) -> Path:
    path = home() / name
    if _WRITTEN.get(name) != data:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
        _WRITTEN[name] = data
    return path


_WRITTEN: dict[str, bytes] = {}
"""What the files hold, so that none is written twice."""


def absent(name: str) -> None:
    (home() / name).unlink(missing_ok=True)
    _WRITTEN.pop(name, None)
