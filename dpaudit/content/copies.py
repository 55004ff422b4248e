"""Work in copies of this process: whatever it changes there, in dpaudit too, is gone with the copy.

What comes back is data, within the limits that `confinement.forked` sets.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
import traceback
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from dpaudit.confinement import forked
from dpaudit.confinement.limits import Bounds, Limits
from dpaudit.content import faults
from dpaudit.noise import machine_code
from dpaudit.records.errors import ContentError, DpauditError, MissingPackageError
from dpaudit.records.serial import decode, encode

T = TypeVar("T")
Item = TypeVar("Item")
LOADING = Limits().of_loading
"""What a copy may use that loads a file, where nobody says otherwise."""

_VALUE, _MISSING, _INTERRUPTED, _FAULT, _MACHINE = "value", "missing", "interrupted", "fault", "machine"


class FaultThere(ContentError):
    """What was raised in a copy: the sentence on it."""


class _MachineThere(Exception):
    """The number and the words of an OSError that a copy takes for one of the machine."""


class TraceThere(Exception):
    """The lines of its traceback, as the cause of a `FaultThere`."""


def in_copy(path: Path, make: Callable[[], T], bounds: Bounds = LOADING, keep: int = -1) -> T:
    """What `make` gives: plain values and records, which come back as JSON. path: the file whose fault an error is;
    keep: a descriptor that the copy has.

    Raises MissingPackageError and KeyboardInterrupt as they are, FaultThere for whatever else is raised, ContentError
    where the copy is late, or ends without an answer or with one that cannot be read; OSError where the machine has no
    copy to give. What a copy says of the machine the file may have said: it is tried again, and is the file's then.
    Where the system has no fork, `make` is called here.
    """
    [found] = in_copies([path], [make], bounds, keep)
    if isinstance(found, BaseException):
        raise found
    return found


def in_copies(
    paths: Sequence[Path], makers: Sequence[Callable[[], T]], bounds: Bounds = LOADING, keep: int = -1
) -> list[T | ContentError | MissingPackageError]:
    """As `in_copy`, of several files side by side, in their order: what went wrong stands in the place of a value."""
    if not hasattr(os, "fork"):
        return [make() for make in makers]
    found = _asked(paths, makers, bounds, keep)
    again = [place for place, one in enumerate(found) if isinstance(one, _MachineThere)]
    for place, one in zip(again, _asked(_of(paths, again), _of(makers, again), bounds, keep), strict=True):
        found[place] = one
    return [
        FaultThere(faults.describe(OSError(*one.args), path)) if isinstance(one, _MachineThere) else one
        for one, path in zip(found, paths, strict=True)
    ]


def _of(items: Sequence[Item], places: Sequence[int]) -> list[Item]:
    return [items[place] for place in places]


def _asked(
    paths: Sequence[Path], makers: Sequence[Callable[[], T]], bounds: Bounds, keep: int
) -> list[T | ContentError | MissingPackageError | _MachineThere]:
    home = machine_code.home()
    works = [partial(_text, path, make, bounds, home) for path, make in zip(paths, makers, strict=True)]
    given = forked.results(works, paths, bounds, keep)
    return [one if isinstance(one, ContentError) else _read(one) for one in given]


def _read(said: bytes) -> Any:  # of the kind that `make` gives, which the one who asked checks
    """What an answer says; KeyboardInterrupt where it says that."""
    try:
        kind, *told = json.loads(said)
        found = decode(told[0]) if kind == _VALUE else _RAISED[kind](*map(str, told))
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError, DpauditError):
        return ContentError("the process that the file was checked in gave an answer that cannot be read")
    if isinstance(found, KeyboardInterrupt):
        raise found
    return found


def _fault(said: str, trace: str) -> FaultThere:
    error = FaultThere(said)
    error.__cause__ = TraceThere(f"\n{trace}")
    return error


_RAISED: dict[str, Callable[..., BaseException]] = {
    _MISSING: MissingPackageError, _FAULT: _fault,
    _INTERRUPTED: KeyboardInterrupt,
    _MACHINE: lambda number, reason: _MachineThere(int(number), reason),
}  # fmt: skip


def _text(path: Path, make: Callable[[], object], bounds: Bounds, home: str) -> str:
    """In the copy: the answer as JSON. home: where the process that it is a copy of keeps compiled code."""
    machine_code.keep_nothing(home, tempfile.gettempdir())
    try:
        return json.dumps(_answered(path, make, bounds))
    except (MemoryError, RecursionError) as error:
        return json.dumps([_FAULT, f"its answer cannot be told: {type(error).__name__}", ""])


def _answered(path: Path, make: Callable[[], object], bounds: Bounds) -> list[Any]:
    try:
        return [_VALUE, encode(make())]
    except MissingPackageError as error:
        return [_MISSING, error.package, error.extra, error.install]
    except KeyboardInterrupt:
        return [_INTERRUPTED]
    except (Exception, SystemExit) as error:  # whatever the file does, the run goes on
        if isinstance(error, OSError) and faults.machine_failed(error, path):
            return [_MACHINE, error.errno, error.strerror]
        said = faults.describe(error, path)
        return [_FAULT, f"{said}{bounds.memory_words}" if isinstance(error, MemoryError) else said, _trace()]


def _trace() -> str:
    with contextlib.suppress(MemoryError, RecursionError):
        return traceback.format_exc()
    return ""
