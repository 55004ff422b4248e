"""What workers of this machine are handed: functions of a module that they can import."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
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


class Counted:
    """A path for `wait_for`; counts how many of them were pickled in this process."""

    pickled = 0

    def __init__(self, path: Path | None) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Callable[..., Counted], tuple[Path | None]]:
        Counted.pickled += 1
        return Counted, (self.path,)


def wait_for_counted(item: Counted) -> bool:
    return wait_for(item.path)


def patience(item: int) -> tuple[int, float]:
    """How far the worker may grow, in bytes, and how often it looks, in seconds."""
    from joblib.externals.loky import process_executor

    return process_executor._MAX_MEMORY_LEAK_SIZE, process_executor._MEMORY_LEAK_CHECK_DELAY
