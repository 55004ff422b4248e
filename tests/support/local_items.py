"""What workers of this machine are handed: functions of a module that they can import."""

from __future__ import annotations

import os
import time
from pathlib import Path


def square(item: int) -> tuple[int, int]:
    return item * item, os.getpid()


def fatal(item: str) -> str:
    if item == "die":
        os._exit(3)
    return item.upper()


def wait_for(path: Path | None) -> bool:
    """True once `path` is there, after 60 s at most."""
    end = time.monotonic() + 60
    while path is not None and not path.exists() and time.monotonic() < end:
        time.sleep(0.01)
    return path is None or path.exists()
