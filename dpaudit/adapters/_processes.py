"""One child process in a group of its own: lines in, lines out, with limits on time and output; always ended."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from types import TracebackType

from dpaudit.records.errors import ContentError

_BLOCK = 1 << 16
_KEPT_ERRORS = 2_000
"""Bytes of what the process last wrote to its standard error that messages quote."""


def environment() -> dict[str, str]:
    """The variables of a command: those of this process, less what only this Python can import.

    A sandbox is told where its Python finds modules; another Python, which a command may be, must not look there.
    """
    own = {os.path.realpath(place) for place in (sys.prefix, sys.base_prefix, sys.exec_prefix)}
    kept = [
        entry
        for entry in os.environ.get("PYTHONPATH", "").split(os.pathsep)
        if entry and not any(os.path.realpath(entry).startswith(place + os.sep) for place in own)
    ]
    others = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return others | ({"PYTHONPATH": os.pathsep.join(kept)} if kept else {})


class Process:
    """A started command, without a shell; use it in a `with` block: the whole process group is killed at its end.

    seconds: the longest that one answer may take; most_bytes: the longest answer line.
    """

    def __init__(self, argv: Sequence[str], seconds: float, most_bytes: int) -> None:
        """Raises ContentError if the command cannot be started."""
        self.name, self._seconds, self._most_bytes = argv[0], seconds, most_bytes
        self._rest, self._errors = bytearray(), bytearray()
        try:
            self._child = subprocess.Popen(
                list(argv),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
                env=environment(),
            )
        except (OSError, ValueError) as error:
            raise ContentError(
                f"the command {argv[0]!r} could not be started ({error}); give the path of a program that can be run"
            ) from error
        pipes = [pipe for pipe in (self._child.stdin, self._child.stdout, self._child.stderr) if pipe is not None]
        for pipe in pipes:
            os.set_blocking(pipe.fileno(), False)
        self._pipes, self._input = pipes, pipes[0]
        self._selector = selectors.DefaultSelector()
        self._selector.register(pipes[1], selectors.EVENT_READ, self._rest)
        self._selector.register(pipes[2], selectors.EVENT_READ, self._errors)

    def __enter__(self) -> Process:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # The group is killed before its leader is reaped: until then nobody else can have its number.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._child.pid, signal.SIGKILL)
        self._child.wait()
        self._selector.close()
        for pipe in self._pipes:
            pipe.close()

    def lines(self, requests: bytes) -> Iterator[bytes]:
        """Every line that the process prints while it reads `requests` and then the end of its input.

        A last line without an end counts too. Raises ContentError for a line that is too long, for silence of more than
        `seconds`, and, after the last line, for an exit code that is not 0.
        """
        pending, deadline = memoryview(requests), self._deadline()
        self._selector.register(self._input, selectors.EVENT_WRITE)
        while len(self._selector.get_map()):
            ready = self._selector.select(max(0.0, deadline - time.monotonic()))
            if not ready:
                raise self._failed(f"gave no answer within {self._seconds:g} s")
            for key, _ in ready:
                if key.fileobj is self._input:
                    pending = self._written(pending)
                elif self._read(key):
                    for line in self._whole_lines():
                        deadline = self._deadline()
                        yield line
        if self._rest:
            yield bytes(self._rest)
        self._check_exit(deadline)

    def _deadline(self) -> float:
        return time.monotonic() + self._seconds

    def _written(self, pending: memoryview) -> memoryview:
        """What is left to write; the input is closed after the last byte, or if nobody reads it."""
        try:
            pending = pending[os.write(self._input.fileno(), pending[:_BLOCK]) if pending else 0 :]
        except BrokenPipeError:
            pending = pending[len(pending) :]
        if not pending:
            self._selector.unregister(self._input)
            self._input.close()
        return pending

    def _read(self, key: selectors.SelectorKey) -> bool:
        """Take in what a pipe has; True if answers came."""
        block = os.read(key.fd, _BLOCK)
        if not block:
            self._selector.unregister(key.fileobj)
        key.data.extend(block)
        del self._errors[:-_KEPT_ERRORS]
        return bool(block) and key.data is self._rest

    def _whole_lines(self) -> list[bytes]:
        *lines, rest = bytes(self._rest).split(b"\n")
        if max(map(len, (*lines, rest))) > self._most_bytes:
            raise self._failed(f"printed an answer of more than {self._most_bytes} bytes; most_bytes allows more")
        self._rest[:] = rest
        return lines

    def _check_exit(self, deadline: float) -> None:
        """Wait for the end without reaping, so that the group can still be killed."""
        while os.waitid(os.P_PID, self._child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            if time.monotonic() > deadline:
                raise self._failed(f"did not end within {self._seconds:g} s after its input did")
            time.sleep(0.001)
        found = os.waitid(os.P_PID, self._child.pid, os.WEXITED | os.WNOWAIT)
        if found is not None and found.si_status:
            how = "exit code" if found.si_code == os.CLD_EXITED else "signal"
            raise self._failed(f"ended with {how} {found.si_status}")

    def _failed(self, what: str) -> ContentError:
        words = self._errors.decode(errors="replace").strip()
        return ContentError(f"the command {self.name!r} {what}" + (f"; its errors: {words}" if words else ""))
