"""Slow trials played on the processors that are idle, in forked copies of a sandbox.

A row hangs on the seed of its trial alone, so that it is the same whichever process plays it. What a copy does not
give, for whatever reason, this process plays itself; it makes no copies from then on. So they decide how long a game
takes and never what comes out of it.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator

import numpy as np

from dpaudit.arithmetic.arrays import Array, Integers

Row = Callable[[int], Array]
"""From the seed of a trial to its numbers, as many for every seed."""

_FEWEST = 5
"""Trials of one process, at least: a copy has to pay for itself."""
_PATIENCE, _GRACE = 5.0, 10.0
"""A copy may take so many times as long for a row as this process took, and so many seconds more."""
_LOOKS = 3
"""At a machine, a millisecond apart, for processors that are idle: who only prints a line is not counted."""
_NOT_FORKED = ("jax", "tensorflow", "ray", "dask")
"""Packages with threads of their own, on which a copy would wait for ever."""


class _Copies:
    """May this process make copies of itself? Only a sandbox is told that it may."""

    allowed = False


def allow() -> None:
    """From now on `rows` may make copies of this process."""
    _Copies.allowed = sys.platform == "linux"


def rows(row: Row, seeds: Integers, repeatable: bool = True) -> Array:
    """row(seed) of every seed, (seeds, numbers); whatever `row` raises.

    repeatable: all that a row draws hangs on its seed; else no copy is made, whose noise would be that of this process.
    """
    copies = min(_idle(), len(seeds) // _FEWEST - 1) if repeatable and _Copies.allowed and _may_fork() else 0
    own, *others = np.array_split(seeds, max(copies, 0) + 1)
    with contextlib.ExitStack() as ended:
        asked = [(part, ended.enter_context(_copy(row, part))) for part in others]
        started = time.monotonic()
        found = [_played(row, own)]
        patience = _PATIENCE * (time.monotonic() - started) / max(len(own), 1) + _GRACE
        for part, pipe in asked:
            given = _answer(pipe, (len(part), found[0].shape[1]), patience)
            found.append(given)
            if len(given) < len(part):
                _Copies.allowed = False
                found.append(_played(row, part[len(given) :]))
    return np.concatenate(found)


def _played(row: Row, seeds: Integers) -> Array:
    return np.stack([np.asarray(row(int(seed)), dtype=np.float64) for seed in seeds])


def _idle() -> int:
    """Processors that nothing runs on: the fewest processes that ran at some moments are counted."""
    looks = []
    for _ in range(_LOOKS):
        try:
            with open("/proc/loadavg") as file:
                looks.append(int(file.read().split()[3].partition("/")[0]))
        except (OSError, ValueError, IndexError):
            return 0
        time.sleep(0.001)
    return len(os.sched_getaffinity(0)) - max(min(looks), 1)


def _may_fork() -> bool:
    """Has this process no threads, and no GPU, that a copy would lack?"""
    torch = sys.modules.get("torch")
    shares = torch is not None and (torch.cuda.is_initialized() or torch.get_num_threads() > 1)
    return threading.active_count() == 1 and not shares and not any(name in sys.modules for name in _NOT_FORKED)


@contextlib.contextmanager
def _copy(row: Row, seeds: Integers) -> Iterator[int]:
    """A copy of this process that plays these trials; the end of the pipe that it writes them to."""
    reads, writes = os.pipe()
    with tempfile.TemporaryDirectory() as folder:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of threads that Python does not know
            child = os.fork()
        if child == 0:
            _give(row, seeds, writes, folder)
        os.close(writes)
        try:
            yield reads
        finally:
            os.close(reads)
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


def _give(row: Row, seeds: Integers, writes: int, folder: str) -> None:
    """In the copy: play, write row by row, end; in a folder of its own, where checkpoints of two processes do not
    meet."""
    status = 1
    try:
        os.chdir(folder)
        os.environ["TMPDIR"] = tempfile.tempdir = folder
        for seed in seeds:
            left = memoryview(_played(row, seed[None]).tobytes())
            while left:
                left = left[os.write(writes, left) :]
        status = 0
    except BaseException:
        pass  # the process that it is a copy of plays these trials too, and raises what there is to raise
    finally:
        os._exit(status)


def _answer(pipe: int, shape: tuple[int, int], patience: float) -> Array:
    """The first rows of so many that a copy wrote, none for which it took longer than `patience` seconds."""
    (number, width), got = shape, bytearray()
    with selectors.DefaultSelector() as selector:
        selector.register(pipe, selectors.EVENT_READ)
        while selector.select(patience) and (block := os.read(pipe, 1 << 16)):
            got += block
    whole = min(len(got) // (8 * width), number) if width else 0
    return np.frombuffer(bytes(got[: 8 * width * whole]), dtype=np.float64).reshape(whole, width).copy()
