"""Faults as those of `failing_calls`, in other processes than the one that runs: in a worker of `--jobs`, in a sandbox.

    python -m failing_processes DESCRIPTOR dpaudit.audit.sandbox.server WAY NUMBER LOG

is the inside of a sandbox in which the call of that number fails; 0 for none. LOG: a file that is told the name of each
call, "" for none.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from failing_calls import Faults
from joblib.externals.loky import get_reusable_executor
from killed_sandboxes import SERVER

from dpaudit.confinement import namespaces
from dpaudit.runs.executors import local

INJECTED, STARVED = "injected", "starved"
"""A call of the operating system fails, or a function lacks memory; the names of the methods of Faults."""
ORDER = "DPAUDIT_TEST_FAULT"
"""The variable that says to workers what fails, and where they keep what they share."""
_OPEN = os.open
_LASTING: list[Any] = []


class _Told(Faults):
    """As Faults; each name goes to a file at once, and of several processes with one `flag` one alone fails."""

    def __init__(self, at: int, log: str, flag: str = "") -> None:
        super().__init__(at)
        self._flag, self._log = flag, _OPEN(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND) if log else None

    def _next(self, name: str, error: BaseException) -> None:
        if self._log is not None:
            os.write(self._log, f"{name}\n".encode())
        try:
            super()._next(name, error)
        except type(error):
            if self._flag:
                with contextlib.suppress(FileExistsError):
                    os.close(_OPEN(self._flag, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
                    raise
                return
            raise


@contextlib.contextmanager
def in_workers(way: str, at: int, shared: Path) -> Iterator[None]:
    """Workers that are started here have a fault, the first of them that comes so far; shared: an empty folder."""
    get_reusable_executor().shutdown(wait=True, kill_workers=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(local, "_begin", begin)
        patch.setenv(ORDER, f"{way}:{at}:{shared}")
        try:
            yield
        finally:
            get_reusable_executor().shutdown(wait=True, kill_workers=True)


_BEGIN = local._begin


def begin(parent: int) -> None:
    """As a worker begins; then its calls count until it ends."""
    _BEGIN(parent)
    way, at, shared = os.environ[ORDER].split(":")
    context = getattr(_Told(int(at), f"{shared}/made-{os.getpid()}", f"{shared}/failed"), way)()
    context.__enter__()
    _LASTING.append(context)


@contextlib.contextmanager
def in_sandbox(number: int, way: str, at: int, log: str = "") -> Iterator[list[int]]:
    """The sandbox of that number that is started here, from 1 on, has a fault; all that are started, one entry each.

    log: only where nothing is kept apart, since a sandbox may write in its own folder alone.
    """
    started: list[int] = []
    begun = subprocess.Popen.__init__

    def start(self: Any, words: Any, *more: Any, **named: Any) -> None:
        if SERVER in words:
            started.append(len(started) + 1)
            if started[-1] == number:
                at_server = words.index(SERVER)
                own = [__name__, words[at_server + 1], SERVER, way, str(at), log]
                words = [*words[:at_server], *own]
        begun(self, words, *more, **named)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subprocess.Popen, "__init__", start)
        if log:
            patch.setattr(namespaces, "command", lambda *_: [])
        yield started


def main(descriptor: str, _: str, way: str, at: str, log: str) -> None:
    """The inside of a sandbox, with a fault."""
    from dpaudit.audit.sandbox import server

    with getattr(_Told(int(at), log), way)():
        server.main(int(descriptor))


if __name__ == "__main__":
    main(*sys.argv[1:])
