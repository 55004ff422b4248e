"""Folders for temporary files that are removed also where the process that made them was killed.

A folder is locked as long as its process lives; whoever makes another one removes those that are old and that nobody
locks.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

_OLD = 600  # seconds


@contextlib.contextmanager
def made(prefix: str) -> Iterator[Path]:
    """A new folder whose name begins with `prefix`, locked as long as it is used, and removed then."""
    import fcntl  # not on Windows

    _sweep(prefix)
    with contextlib.ExitStack() as undone:
        folder = Path(tempfile.mkdtemp(prefix=prefix))
        undone.callback(remove, folder)
        lock = os.open(folder, os.O_RDONLY)
        undone.callback(os.close, lock)
        with contextlib.suppress(OSError):  # this file system has no locks
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder


def remove(folder: Path) -> None:
    """Remove a folder of any depth; Python goes into one by recursion. What cannot be removed now is swept later."""
    with contextlib.suppress(RecursionError, OSError, MemoryError):
        shutil.rmtree(folder, ignore_errors=True)
    with contextlib.suppress(OSError, MemoryError):
        if os.path.lexists(folder):
            subprocess.run(["rm", "-rf", "--", str(folder)], capture_output=True)


@cache
def _sweep(prefix: str) -> None:
    """Remove folders that processes left behind which were killed: they are old, and nobody holds their lock."""
    import fcntl

    for folder in Path(tempfile.gettempdir()).glob(f"{prefix}*"):
        with contextlib.suppress(OSError):
            lock = os.open(folder, os.O_RDONLY | os.O_NOFOLLOW)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if time.time() - os.fstat(lock).st_mtime > _OLD and os.fstat(lock).st_uid == os.getuid():
                    remove(folder)
            finally:
                os.close(lock)
