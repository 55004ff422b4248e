"""Forked copies of this process, each with a limit of time, memory and output, and behind walls where they stand.

A copy is a session of its own, and in a control group of its own where some were handed to this user. It is killed
whole when it has ended or is late. What it gives is a text, read only
as far as its limit; where the copy has ended, nothing is waited for, whoever else holds the pipe. Several copies run
side by side, watched by one thread: a fork beside other threads could copy a lock that one of them holds.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import selectors
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from dpaudit.confinement import control_groups, enclosed, namespaces, scratch
from dpaudit.confinement.control_groups import Group
from dpaudit.confinement.enclosed import UNWALLED, Walls
from dpaudit.confinement.limits import Bounds, allow_processor_time, confine
from dpaudit.records.errors import ContentError

AT_A_TIME = 4
"""Copies that run side by side; each may use what the work on one file does."""
_DEATH_SIGNAL = 1  # linux/prctl.h
_PAUSE = 0.1  # seconds between looks at whether a copy has ended
_PIECE = 1 << 16

Result = bytes | ContentError
"""What a copy has written, or why it gave nothing."""


@dataclass(frozen=True)
class _Work:
    """What a copy is to make, of which file, within what and behind what; keep: a descriptor that it has."""

    make: Callable[[], str]
    file: Path
    bounds: Bounds
    kind: Walls | None
    keep: int


@dataclass(frozen=True)
class _Room:
    """What a copy has for itself: its folder, the folders that it does not see, its control group."""

    folder: Path
    away: tuple[str, ...]
    group: Group | None


@dataclass
class _Copy:
    """One that runs: its process, the end of the pipe, when it is late, what came so far, what its end undoes."""

    place: int
    process: int
    reads: int
    deadline: float
    group: Group | None
    undone: contextlib.ExitStack
    pieces: list[bytes] = field(default_factory=list)
    size: int = 0
    open: bool = True
    status: int | None = None


def results(works: Sequence[Callable[[], str]], files: Sequence[Path], bounds: Bounds, keep: int = -1) -> list[Result]:
    """What each work writes in a copy of its own, in their order. files: what each is about, which it can read; keep: a
    descriptor that the copies have, too.

    OSError where the machine has no process, no descriptor or no walls left now.
    """
    _flush()
    kind = enclosed.walls()
    found: dict[int, Result] = {}
    running: list[_Copy] = []
    waiting = list(enumerate(works))
    with selectors.DefaultSelector() as watched:
        try:
            while waiting or running:
                while waiting and len(running) < AT_A_TIME:
                    place, work = waiting.pop(0)
                    running.append(_begun(place, _Work(work, files[place], bounds, kind, keep)))
                    watched.register(running[-1].reads, selectors.EVENT_READ, running[-1])
                for key, _ in watched.select(_pause(running)):
                    _take(key.data, watched, bounds)
                for copy in [copy for copy in running if _over(copy, bounds)]:
                    running.remove(copy)
                    found[copy.place] = _told(copy, watched, bounds, kind)
        finally:
            for copy in running:
                _end(copy)
    return [found[place] for place in range(len(works))]


def _begun(place: int, work: _Work) -> _Copy:
    with contextlib.ExitStack() as undone:
        folder = undone.enter_context(scratch.made(namespaces.FOLDER))
        away = enclosed.hidden(folder, work.file) if work.kind is not None else ()
        group = undone.enter_context(control_groups.made(work.bounds.memory))
        reads, writes = os.pipe()
        undone.callback(os.close, reads)
        try:
            process = _fork()
            if process == 0:
                _copied(work, writes, _Room(folder, away, group))
        finally:
            os.close(writes)
        os.set_blocking(reads, False)
        return _Copy(place, process, reads, time.monotonic() + work.bounds.seconds, group, undone.pop_all())


def _pause(running: Sequence[_Copy]) -> float:
    if all(copy.open for copy in running):
        return max(0.0, min(_PAUSE, min(copy.deadline for copy in running) - time.monotonic()))
    return 0.002  # one has written all, and only ends


def _take(copy: _Copy, watched: selectors.BaseSelector, bounds: Bounds) -> None:
    """Read what is there, at most a little beyond the limit."""
    while copy.open and copy.size <= bounds.answer:
        try:
            piece = os.read(copy.reads, _PIECE)
        except BlockingIOError:
            return
        if not piece:
            copy.open = False
            watched.unregister(copy.reads)
        copy.pieces.append(piece)
        copy.size += len(piece)


def _over(copy: _Copy, bounds: Bounds) -> bool:
    """Has it ended, or has it to be ended?"""
    return time.monotonic() >= copy.deadline or copy.size > bounds.answer or _ended(copy)


def _ended(copy: _Copy) -> bool:
    """Has it? Where the system can say so without forgetting it, its number stays that of its session."""
    if hasattr(os, "waitid"):
        return os.waitid(os.P_PID, copy.process, os.WEXITED | os.WNOWAIT | os.WNOHANG) is not None
    if copy.status is None:
        found, status = os.waitpid(copy.process, os.WNOHANG)
        copy.status = status if found else None
    return copy.status is not None


def _told(copy: _Copy, watched: selectors.BaseSelector, bounds: Bounds, kind: Walls | None) -> Result:
    """What the copy has given; it is ended, with all of its session."""
    ended = _ended(copy)
    if ended:
        _take(copy, watched, bounds)
    if copy.open:
        watched.unregister(copy.reads)
    full = copy.group is not None and copy.group.overrun()
    _end(copy)
    if full:
        return ContentError(f"{bounds.what} needed too much memory{bounds.together_words}")
    if copy.size > bounds.answer:
        return ContentError(f"the answer on it is longer than {bounds.answer >> 20} MiB, the most that is read")
    if not ended or copy.status is None:
        return ContentError(f"{bounds.what} took longer than {bounds.seconds:g} s: {bounds.advice}")
    return _of(copy.status, b"".join(copy.pieces), kind is not None)


def _end(copy: _Copy) -> None:
    with copy.undone:
        _kill(copy.process)
        if copy.status is None:
            copy.status = os.waitpid(copy.process, 0)[1]


def _of(status: int, said: bytes, walled: bool) -> Result:
    code = os.waitstatus_to_exitcode(status)
    if walled and code == UNWALLED:  # without walls anybody may end with it
        number = int(said) if said.isdigit() else errno.EAGAIN
        raise OSError(number, f"no walls could be built around a claim file: {os.strerror(number)}")
    if code:
        number = -code if code < 0 else code - 128
        how = f"signal {number}" if 0 < number <= 64 else f"exit status {code}"
        return ContentError(f"the process that the file was checked in ended early ({how})")
    return said


def _kill(process: int) -> None:
    for end in (os.killpg, os.kill):  # it may not be a session yet
        with contextlib.suppress(ProcessLookupError, PermissionError):
            end(process, signal.SIGKILL)


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):  # what waits there would be written twice
        with contextlib.suppress(OSError, ValueError, AttributeError):
            stream.flush()


def _fork() -> int:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of threads: the copy has none of them, and waits for none
        return os.fork()


def _copied(work: _Work, writes: int, room: _Room) -> NoReturn:
    """In the copy: build the walls, write the text and end."""
    status = 1
    try:
        if room.group is not None:
            room.group.join()
        os.setsid()
        with contextlib.suppress(OSError, AttributeError):  # elsewhere than on Linux
            ctypes.CDLL(None).prctl(_DEATH_SIGNAL, signal.SIGKILL)
        with contextlib.suppress(ValueError):  # not in the first thread, which alone is interrupted
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that it is a copy of decides what that means
        if work.kind is not None:
            _walled(work, work.kind, writes, room)
        enclosed.no_more()
        _let_go({writes, work.keep})
        tempfile.tempdir = os.environ["TMPDIR"] = str(room.folder)
        confine(work.bounds.memory, work.bounds.output)
        allow_processor_time(work.bounds.seconds)
        left = memoryview(work.make().encode())
        while left:
            left = left[os.write(writes, left) :]
        status = 0
    except BaseException:  # before the work, or without memory: what the work raises it tells itself
        traceback.print_exc()
    finally:
        os._exit(status)


def _walled(work: _Work, kind: Walls, writes: int, room: _Room) -> None:
    """Go behind the walls; a copy around which none can be built says why and ends before it does anything."""
    try:
        enclosed.enter(kind, room.folder, work.bounds.memory, room.away, lambda: os.close(writes))
    except OSError as error:
        with contextlib.suppress(OSError):
            os.write(writes, str(error.errno or errno.EIO).encode())
        os._exit(UNWALLED)


def _let_go(kept: set[int]) -> None:
    """Of all descriptors only `kept` stay what they were: the others lead to files and connections of dpaudit."""
    null = os.open(os.devnull, os.O_RDWR)
    for number in _descriptors():
        if number not in {*kept, null}:
            os.dup2(null, number, inheritable=number < 3)  # a number that was free would be taken by another file


def _descriptors() -> Iterator[int]:
    with contextlib.suppress(OSError):
        names = os.listdir("/dev/fd")
        for number in map(int, names):
            with contextlib.suppress(OSError):  # that of the list itself
                os.fstat(number)
                yield number
