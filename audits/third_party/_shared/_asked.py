"""A library with a Python of its own that is asked one question after the other: auditors and accountants.

The worker reads one line of JSON for each question and prints one line of JSON for each answer, in order. It is started
at the first question and ends with its input.
"""

from __future__ import annotations

import json
import select
import subprocess
import weakref
from collections.abc import Callable, Sequence
from typing import Any

from dpaudit.adapters._processes import environment
from dpaudit.records.errors import ContentError

SECONDS = 300.0
"""The longest that one answer may take."""


class Asked:
    """One worker. Nothing is started before it is asked."""

    def __init__(self, argv: Callable[[], Sequence[str]]) -> None:
        """argv: the program and its arguments; it raises MissingPackageError where there is none."""
        self._argv = argv
        self._child: subprocess.Popen[bytes] | None = None

    def __call__(self, question: Any) -> Any:
        """The answer. ContentError where there is none within SECONDS, or no JSON."""
        child = self._started(list(self._argv()))
        assert child.stdin is not None
        assert child.stdout is not None
        try:
            child.stdin.write(json.dumps(question).encode() + b"\n")
            child.stdin.flush()
        except BrokenPipeError as error:
            raise ContentError(
                f"the worker {child.args[0]!r} ended before it was asked; its errors are above"
            ) from error
        ready = select.select([child.stdout], [], [], SECONDS)[0]
        line = child.stdout.readline() if ready else b""
        if not line:
            how = "ended without an answer" if ready else f"gave no answer within {SECONDS:g} s"
            raise ContentError(f"the worker {child.args[0]!r} {how}; its errors are above")
        return json.loads(line)

    def _started(self, argv: list[str]) -> subprocess.Popen[bytes]:
        """The running worker, or a new one where another program is named now."""
        if self._child is None or self._child.args != argv:
            self._child = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment())
            weakref.finalize(self, _end, self._child)
        return self._child


def _end(child: subprocess.Popen[bytes]) -> None:
    """Close the input, which ends the worker; kill it if that does not."""
    assert child.stdin is not None
    assert child.stdout is not None
    child.stdin.close()
    try:
        child.wait(5)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
    child.stdout.close()
