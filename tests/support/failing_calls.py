"""Makes one call of the operating system fail, or one function lack memory, the k-th of those that dpaudit makes.

As the tests of SQLite do it: with k from 1 on, until a run comes to its end before its k-th call. Counted are the calls
in this process whose nearest frame of dpaudit lies in one of the chosen modules.
"""

from __future__ import annotations

import builtins
import errno
import fcntl
import inspect
import io
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import pytest

MODULES = ("dpaudit.runs", "dpaudit.audit.sandbox", "dpaudit.content", "dpaudit.records.context")
"""The store of runs, what runs them, the sandboxes, and how files of items are found and read."""
APART = ("dpaudit.runs.provenance", "dpaudit.content.places")
"""Of these the ones that read hundreds of files in the same way, before a run begins."""

CALLS: dict[str, tuple[Any, int]] = {
    "open": (os, errno.EMFILE), "fsync": (os, errno.EIO), "replace": (os, errno.EIO), "mkdir": (os, errno.ENOSPC),
    "unlink": (os, errno.EIO), "rmdir": (os, errno.EIO), "listdir": (os, errno.EMFILE), "scandir": (os, errno.EMFILE),
    "stat": (os, errno.EIO), "lstat": (os, errno.EIO), "fstat": (os, errno.EIO), "pread": (os, errno.EIO),
    "fork": (os, errno.EAGAIN), "pipe": (os, errno.EMFILE),
    "flock": (fcntl, errno.ENOLCK), "socketpair": (socket, errno.EMFILE), "send": (socket.socket, errno.ENOBUFS),
    "recv": (socket.socket, errno.ENOMEM), "recv_into": (socket.socket, errno.ENOMEM),
    "__init__": (subprocess.Popen, errno.EAGAIN),
}  # fmt: skip
"""Calls by their name: where they are looked up, and an error that they may give at any time."""
OF_FILES = {"write": errno.ENOSPC, "flush": errno.ENOSPC, "close": errno.EDQUOT, "read": errno.EIO}
"""The same of open files."""


class Faults:
    """Counts calls, and lets that of number `at` fail; made: their names, in order."""

    def __init__(self, at: int = 0) -> None:
        self.made: list[str] = []
        self._at, self._process = at, os.getpid()

    @contextmanager
    def injected(self) -> Iterator[None]:
        """Calls in this context count."""
        with pytest.MonkeyPatch.context() as patch:
            for name, (home, number) in CALLS.items():
                patch.setattr(home, name, self._counted(getattr(home, name), name, number))
            for home in (io, builtins):
                patch.setattr(home, "open", self._opened(open))
            yield

    @contextmanager
    def starved(self) -> Iterator[None]:
        """Functions of the chosen modules that are called in this context count; the one lacks memory for its frame."""

        ending = sys.is_finalizing

        def called(frame: FrameType, event: str, _: object) -> None:
            if ending():  # nothing of dpaudit is called any more, and names are gone
                return
            # A generator has its frame. What a test calls itself is caught by nothing.
            begins = event == "call" and not frame.f_code.co_flags & inspect.CO_GENERATOR
            if begins and self._counts(frame.f_globals.get("__name__")) and _within(frame.f_back):
                self._next(f"{frame.f_globals['__name__']}.{frame.f_code.co_name}", MemoryError())

        sys.setprofile(called)
        try:
            yield
        finally:
            sys.setprofile(None)

    def _counts(self, module: object) -> bool:
        ours = isinstance(module, str) and module.startswith(MODULES) and not module.startswith(APART)
        return ours and os.getpid() == self._process

    def _next(self, name: str, error: BaseException) -> None:
        self.made.append(name)
        if len(self.made) == self._at:
            raise error

    def _note(self, name: str, number: int) -> None:
        """A call is made: it fails if it is the one."""
        module = caller()
        if self._counts(module):
            self._next(f"{name} by {module}", OSError(number, os.strerror(number)))

    def _counted(self, call: Callable[..., Any], name: str, number: int) -> Callable[..., Any]:
        def counted(*arguments: Any, **more: Any) -> Any:
            self._note("Popen" if name == "__init__" else name, number)
            return call(*arguments, **more)

        return counted

    def _opened(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def opened(*arguments: Any, **more: Any) -> Any:
            self._note("open", errno.EMFILE)
            file = call(*arguments, **more)
            return _File(file, self._note) if self._counts(caller()) else file

        return opened


class _File:
    """An open file whose calls are noted before they are made; one that fails to close is closed all the same."""

    def __init__(self, file: Any, note: Callable[[str, int], None]) -> None:
        self._file, self._note = file, note

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._file, name)
        return self._noted(name, found) if name in OF_FILES else found

    def _noted(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def noted(*arguments: Any) -> Any:
            try:
                self._note(name, OF_FILES[name])
            except BaseException:
                if name == "close":
                    call()
                raise
            return call(*arguments)

        return noted

    def __enter__(self) -> _File:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[Any]:
        return iter(self._file)


def _within(frame: FrameType | None) -> bool:
    return frame is not None and str(frame.f_globals.get("__name__")).startswith("dpaudit.")


def caller() -> str:
    """The module of dpaudit that is nearest above."""
    frame = sys._getframe(1)
    while frame is not None:
        name = frame.f_globals.get("__name__")
        if isinstance(name, str) and name.startswith("dpaudit."):
            return name
        frame = frame.f_back  # type: ignore[assignment]
    return ""
