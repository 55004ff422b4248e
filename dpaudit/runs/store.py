"""The run folder: run.json and records.jsonl, written so that a killed run keeps what it had.

The verdicts of a task are appended and forced to the disk as they arrive; then a line of tasks.jsonl says that the task
is complete, so that nobody takes half of its verdicts for all of them. At the end the records are rewritten in plan
order through a second file, so that no reader ever sees half of them, and tasks.jsonl goes. Each line and run.json
carry their digest, a line of tasks.jsonl those of its verdicts, run.json at the end that of all records.

What is forced to the disk: the bytes of a file before it gets its name, and the folder in which a name is new. An open
folder is locked: the lock ends with the process, however that ends. Where the system has no such lock (Windows, some
network file systems) it is up to the user not to write one folder twice at a time.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import sys
import time
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO

from dpaudit.records.digests import digest_in, sha256, with_digest
from dpaudit.records.errors import ConfigurationError, ContentError, of_the_machine
from dpaudit.records.hidden import visible
from dpaudit.records.serial import Json, encode
from dpaudit.records.verdict import Verdict

RUN = "run.json"
RECORDS = "records.jsonl"
TASKS = "tasks.jsonl"
"""One line a complete task: its place in the plan, its name, and id and digest of each of its verdicts; only while a
run is unfinished."""
DIGEST = "records"
"""The key of run.json with the SHA-256 of records.jsonl; null while the run goes on."""
PATIENCE = 60  # seconds


@dataclass(frozen=True)
class Complete:
    """All verdicts of the task of this name, which is complete; cached: an earlier run made them."""

    name: str
    verdicts: tuple[Verdict, ...]
    cached: bool = False


def line(verdict: Verdict) -> str:
    """The JSON of one verdict with its digest on one line, without its end."""
    return _text(encode(verdict))


def _text(data: Json, indent: int | None = None) -> str:
    """The JSON of an object with its digest; hidden characters are escapes of JSON, so that the same is read."""
    return with_digest(visible(json.dumps(data, indent=indent, ensure_ascii=False, allow_nan=False)))


class Folder:
    """An open run folder, locked until it is closed; `path` is where it lies."""

    def __init__(self, path: Path, *, existing: bool = False) -> None:
        """Make the folder `path`, or open an `existing` one again.

        ConfigurationError if a new one holds anything already, an existing one is not there, it cannot be written, or
        another process has it open.
        """
        self.path = path
        self._unlock: Callable[[], object] = lambda: None
        try:
            if existing and not path.is_dir():
                raise ConfigurationError(
                    f"no run folder {str(path)!r}; runs lie below runs/ unless --run-dir says else"
                )
            make_folder(path)
            if not existing and any(path.iterdir()):
                raise ConfigurationError(f"the run folder {str(path)!r} is not empty; name another one or remove it")
            if (handle := _locked(path)) is not None:
                self._unlock = weakref.finalize(self, os.close, handle)  # once, and also where nobody closes this
            if not existing:
                (path / RECORDS).touch()
        except OSError as error:
            self.__exit__()
            reason = error.strerror or error
            advice = f"to go on: dpaudit resume {path}" if existing and of_the_machine(error) else "see --run-dir"
            raise ConfigurationError(f"cannot use the run folder {str(path)!r}: {reason}; {advice}") from error
        except MemoryError:
            self.__exit__()
            raise

    def __enter__(self) -> Folder:
        return self

    def __exit__(self, *exception: object) -> None:
        self._unlock()

    def append(self, verdicts: Iterable[Verdict]) -> None:
        """Add verdicts to the records and force them to the disk."""
        self._append(RECORDS, "".join(line(verdict) + "\n" for verdict in verdicts))

    def mark(self, place: int, complete: Complete) -> None:
        """Say that these verdicts, which are appended already, are all those of the task at `place` of the plan."""
        self._append(TASKS, _mark(place, complete))

    def attach(self, files: Mapping[str, str]) -> None:
        """Write the files that go with verdicts, which are appended after them; as `attach` does."""
        for name, text in files.items():
            with self._reported(name):
                attach(self.path, {name: text})

    def rewrite(self, verdicts: Iterable[Verdict]) -> str:
        """Replace the records by `verdicts`, in this order; the digest of the file."""
        text = "".join(line(verdict) + "\n" for verdict in verdicts)
        self._replace(RECORDS, text)
        return sha256(text)

    def keep_only(self, answers: Mapping[int, Complete]) -> None:
        """Drop all records but those of complete tasks, which are given by their place in the plan."""
        self.rewrite(verdict for place in sorted(answers) for verdict in answers[place].verdicts)
        self._replace(TASKS, _marks(answers))

    def write_run(self, data: Json) -> None:
        """Replace run.json by `data`."""
        self._replace(RUN, _text(data, indent=2))

    def finish(self, verdicts: Iterable[Verdict], data: Json, complete: Mapping[int, Complete] | None = None) -> Json:
        """The final records and run.json, whose object is returned; a process that is killed in between has lost
        nothing.

        complete: of a run that was ended early, the tasks that need not be done again, by their place in the plan.
        """
        verdicts = tuple(verdicts)
        if complete is not None:
            self._replace(TASKS, _marks(_as_listed(complete, verdicts)))
        whole = data | {DIGEST: self.rewrite(verdicts)}
        self.write_run(whole)
        if complete is None:
            with self._reported(TASKS):
                (self.path / TASKS).unlink(missing_ok=True)
                force(self.path)
        return whole

    def _append(self, name: str, text: str) -> None:
        with self._reported(name):
            path = self.path / name
            new = not path.exists()
            with path.open("a", encoding="utf-8") as file:
                _write(file, text)
            if new:
                force(self.path)

    def _replace(self, name: str, text: str) -> None:
        with self._reported(name):
            put(self.path / name, text)

    @contextlib.contextmanager
    def _reported(self, name: str) -> Iterator[None]:
        """A disk that is full or read-only is said in words, with the way on."""
        try:
            yield
        except OSError as error:
            reason = error.strerror or error
            advice = f"what is finished is kept; when that is put right: dpaudit resume {self.path}"
            raise ConfigurationError(f"cannot write {self.path / name}: {reason}; {advice}") from error


def attach(folder: Path, files: Mapping[str, str]) -> None:
    """Write texts by their path in the run folder `folder`; ContentError for a path that is not in a folder of it."""
    for name, text in files.items():
        path = Path(name)
        if path.is_absolute() or ".." in path.parts or len(path.parts) < 2:
            raise ContentError(f"a task named the file {name!r}; files of tasks lie in folders of the run folder")
        make_folder((folder / path).parent)
        put(folder / path, text)


def make_folder(path: Path) -> None:
    """Make the folder and those above it that are not there; their names are forced to the disk."""
    missing = [one for one in (path, *path.parents) if not one.exists()]
    path.mkdir(parents=True, exist_ok=True)
    for one in reversed(missing):
        force(one.parent)


def force(folder: Path) -> None:
    """Force the names in a folder to the disk, where the system can."""
    if sys.platform == "win32":
        return
    try:
        handle = os.open(folder, os.O_RDONLY)
    except PermissionError:  # a folder may be written by those who may not list it
        return
    try:
        os.fsync(handle)
    except OSError as error:  # some network file systems force no folders
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(handle)


def put(path: Path, text: str) -> None:
    """Replace a file by `text`; no reader ever sees half of it, and where that fails, nothing is left behind."""
    put_bytes(path, text.encode())


def put_bytes(path: Path, data: bytes) -> None:
    """As `put`, of bytes. A file that is there keeps its rights."""
    draft = path.with_name(f"{path.name}.tmp")
    try:
        draft.unlink(missing_ok=True)
        with draft.open("xb") as file:  # "x" follows no link
            if path.exists() and sys.platform != "win32":
                os.fchmod(file.fileno(), path.stat().st_mode & 0o777)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
        force(path.parent)
    except BaseException:
        with contextlib.suppress(OSError):
            draft.unlink()
        raise


def _write(file: TextIO, text: str) -> None:
    file.write(text)
    file.flush()
    os.fsync(file.fileno())


def _mark(place: int, complete: Complete) -> str:
    verdicts = {verdict.id: digest_in(line(verdict)) for verdict in complete.verdicts}
    data = {"task": place, "name": complete.name, "verdicts": verdicts, "cached": complete.cached}
    return _text(data) + "\n"


def _as_listed(complete: Mapping[int, Complete], verdicts: Iterable[Verdict]) -> dict[int, Complete]:
    """Complete tasks with the verdicts that are written in the end: their grounds and a baseline may change them."""
    final = {verdict.id: verdict for verdict in verdicts}
    return {
        place: replace(found, verdicts=tuple(final[verdict.id] for verdict in found.verdicts))
        for place, found in complete.items()
    }


def _marks(answers: Mapping[int, Complete]) -> str:
    return "".join(_mark(place, answers[place]) for place in sorted(answers))


def _locked(path: Path) -> int | None:
    """A handle that holds the folder `path`; None where the system cannot. ConfigurationError if it is held already."""
    if sys.platform == "win32":
        return None
    import fcntl

    handle = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(handle)
        raise ConfigurationError(f"the run of {str(path)!r} is still going; wait for it, or stop it first") from error
    except OSError:  # this file system has no locks
        os.close(handle)
        return None
    return handle


@contextlib.contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Wait until no other process writes in the folder under this lock; ConfigurationError if that takes a minute."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            handle = _locked(folder)
            break
        except ConfigurationError as error:
            if time.monotonic() > end:
                raise ConfigurationError(f"another process has been writing in {str(folder)!r} for a minute") from error
            time.sleep(0.01)
    try:
        yield
    finally:
        if handle is not None:
            os.close(handle)


def default_folder(command: str, seed: int, now: datetime | None = None) -> Path:
    """runs/<UTC time>-<command>-<seed>, with a number behind it if that is taken."""
    stamp = (now or datetime.now(UTC)).strftime("%Y%m%dT%H%M%SZ")
    first = Path("runs") / f"{stamp}-{command}-{seed}"
    path, number = first, 2
    while path.exists():
        path, number = first.with_name(f"{first.name}-{number}"), number + 1
    return path
