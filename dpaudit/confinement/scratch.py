"""Folders for temporary files that are removed also where the process that made them was killed.

All of a user lie in one folder, which sandboxes do not see but for their own. One is locked as long as its process
lives; whoever makes another one removes those that are old and that nobody locks.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import stat
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
        folder = Path(tempfile.mkdtemp(prefix=prefix, dir=home()))
        undone.callback(remove, folder)
        lock = os.open(folder, os.O_RDONLY)
        undone.callback(os.close, lock)
        with contextlib.suppress(OSError):  # this file system has no locks
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield folder


def home() -> Path:
    """The folder of all of them; OSError if somebody else has one of its name."""
    folder = Path(tempfile.gettempdir()).resolve() / f"dpaudit-{os.geteuid()}"
    with contextlib.suppress(FileExistsError):
        folder.mkdir(0o700)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o077:
        said = "it is not a folder of this user alone; remove it, or set TMPDIR"
        raise PermissionError(errno.EPERM, said, str(folder))
    return folder


def remove(folder: Path) -> None:
    """Remove a folder of any depth; Python goes into one by recursion. What cannot be removed now is swept later."""
    with contextlib.suppress(RecursionError, OSError, MemoryError):
        shutil.rmtree(folder, ignore_errors=True)
    with contextlib.suppress(OSError, MemoryError):
        if os.path.lexists(folder):
            for words in (["chmod", "-R", "u+rwX"], ["rm", "-rf"]):  # a folder may forbid its owner to look into it
                subprocess.run([*words, "--", str(folder)], capture_output=True)


@cache
def _sweep(prefix: str) -> None:
    """Remove folders that processes left behind which were killed: they are old, and nobody holds their lock."""
    import fcntl

    for folder in home().glob(f"{prefix}*"):
        with contextlib.suppress(OSError):
            lock = os.open(folder, os.O_RDONLY | os.O_NOFOLLOW)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if time.time() - os.fstat(lock).st_mtime > _OLD and os.fstat(lock).st_uid == os.geteuid():
                    remove(folder)
            finally:
                os.close(lock)
