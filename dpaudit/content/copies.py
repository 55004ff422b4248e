"""Work in a copy of this process: whatever it changes there, in dpaudit too, is gone with the copy."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import signal
import sys
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from dpaudit.content import faults
from dpaudit.records.errors import ContentError, DpauditError, MissingPackageError
from dpaudit.records.serial import decode, encode

T = TypeVar("T")

_VALUE, _MISSING, _INTERRUPTED, _FAULT, _MACHINE = "value", "missing", "interrupted", "fault", "machine"
_ENDS_WITH_PARENT = 1
"""The number of the call of Linux's prctl that says so."""


class FaultThere(ContentError):
    """What was raised in a copy: the sentence on it."""


class _MachineThere(Exception):
    """The number and the words of an OSError that a copy takes for one of the machine."""


class TraceThere(Exception):
    """The lines of its traceback, as the cause of a `FaultThere`."""


def in_copy(path: Path, make: Callable[[], T]) -> T:
    """What `make` gives: plain values and records, which come back as JSON. path: the file whose fault an error is.

    Raises MissingPackageError and KeyboardInterrupt as they are, FaultThere for whatever else is raised, ContentError
    where the copy ends without an answer or with one that cannot be read. What a copy says of the machine the file may
    have said: it is tried again, and is the file's then. Where the system has no fork, `make` is called here.
    """
    if not hasattr(os, "fork"):
        return make()
    with contextlib.suppress(_MachineThere):
        return _once(path, make)
    try:
        return _once(path, make)
    except _MachineThere as error:
        raise FaultThere(faults.describe(OSError(*error.args), path)) from error


def _once(path: Path, make: Callable[[], T]) -> T:
    text = _text(lambda: json.dumps(_answered(path, make)))
    try:
        kind, *told = json.loads(text)
        if kind == _VALUE:
            found: T = decode(told[0])
            return found
        error = _RAISED[kind](*map(str, told))
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError, DpauditError) as wrong:
        raise ContentError("the process that the file was checked in gave an answer that cannot be read") from wrong
    raise error


def _fault(said: str, trace: str) -> FaultThere:
    error = FaultThere(said)
    error.__cause__ = TraceThere(f"\n{trace}")
    return error


_RAISED: dict[str, Callable[..., BaseException]] = {
    _MISSING: MissingPackageError, _FAULT: _fault,
    _INTERRUPTED: KeyboardInterrupt,
    _MACHINE: lambda number, reason: _MachineThere(int(number), reason),
}  # fmt: skip


def _answered(path: Path, make: Callable[[], object]) -> list[Any]:
    try:
        return [_VALUE, encode(make())]
    except MissingPackageError as error:
        return [_MISSING, error.package, error.extra, error.install]
    except KeyboardInterrupt:
        return [_INTERRUPTED]
    except (Exception, SystemExit) as error:  # whatever the file does, the run goes on
        if isinstance(error, OSError) and faults.machine_failed(error, path):
            return [_MACHINE, error.errno, error.strerror]
        return [_FAULT, faults.describe(error, path), traceback.format_exc()]


def _text(make: Callable[[], str]) -> str:
    """The text that `make` gives in the copy; ContentError where that ends without it."""
    for stream in (sys.stdout, sys.stderr):  # what waits there would be written twice
        with contextlib.suppress(OSError, ValueError, AttributeError):
            stream.flush()
    reads, writes = os.pipe()
    try:
        try:
            child = _fork()
            if child == 0:
                _give(make, writes)
        finally:
            os.close(writes)
        got, status = _read(child, reads)
    finally:
        os.close(reads)
    if status:
        how = f"signal {status & 0x7F}" if status & 0x7F else f"exit status {status >> 8}"
        raise ContentError(f"the process that the file was checked in ended early ({how})")
    return got.decode()


def _fork() -> int:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of threads: the copy has none of them, and waits for none
        return os.fork()


def _read(child: int, reads: int) -> tuple[bytes, int]:
    """All that the copy writes, and how it ended; where it cannot be read, the copy is ended."""
    ended = False
    try:
        with open(reads, "rb", closefd=False) as pipe:
            got = pipe.read()
        _, status = os.waitpid(child, 0)
        ended = True
    finally:
        if not ended:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
    return got, status


def _give(make: Callable[[], str], writes: int) -> None:
    """In the copy: write the text and end."""
    status = 1
    try:
        with contextlib.suppress(OSError, AttributeError):  # elsewhere than on Linux
            ctypes.CDLL(None).prctl(_ENDS_WITH_PARENT, signal.SIGKILL)
        with contextlib.suppress(ValueError):  # not in the first thread, which alone is interrupted
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that it is a copy of decides what that means
        left = memoryview(make().encode())
        while left:
            left = left[os.write(writes, left) :]
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)
