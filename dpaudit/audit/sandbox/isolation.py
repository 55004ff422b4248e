"""Targets of other people, played in processes of their own.

A file that did not come with dpaudit is loaded and called in a sandbox only. What comes back are plain values (`wire`),
checked like any other output of a target; estimates and verdicts are made in this process. Attacks of the file are
scored in a second sandbox, which never trains. docs/isolation.md says what this does not protect from.
"""

from __future__ import annotations

import contextlib
import hashlib
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import TypeVar

from dpaudit.audit.sandbox.remote_target import Remote, broken, described
from dpaudit.audit.sandbox.session import Limits, SandboxError, Session
from dpaudit.content import items as content_items
from dpaudit.content import loading, places
from dpaudit.content.audits import Audit
from dpaudit.content.items import Broken, Loaded, TargetItem
from dpaudit.records.context import slug
from dpaudit.records.errors import ConfigurationError, ContentError, MachineFault, machine_words, of_the_machine
from dpaudit.records.target import Target

_AT_A_TIME = 4
"""Files that are described side by side; each sandbox imports what its file does."""
Result = TypeVar("Result")
Found = TypeVar("Found", bound=Loaded[Target, Audit])


def shipped_form(path: Path) -> Path | None:
    """The file of the targets that came with dpaudit whose bytes `path` has, None if there is none.

    A checkout has its own copies of them. It is the shipped file that is loaded then, so that nothing that lies beside
    the copy is ever imported.
    """
    try:
        return _shipped_files().get(_digest(path))
    except OSError:
        return None  # loading it says why


@cache
def _shipped_files() -> dict[str, Path]:
    try:
        folder = places.shipped_folder("audits")
    except ConfigurationError:
        return {}
    return {_digest(path): path for path in places.content_files([folder])}


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _loaded_here(path: Path, isolate: bool) -> tuple[TargetItem, ...] | None:
    """The targets of a file that this process may load, None of one that it may not."""
    shipped = shipped_form(path) if isolate else path
    if shipped is None:
        return None
    return tuple(replace(item, path=path) for item in loading.load_targets([shipped]))


def load_targets(paths: Sequence[Path], limits: Limits, isolate: bool = True) -> tuple[TargetItem, ...]:
    """`loading.load_targets`, but files that did not come with dpaudit are loaded in a sandbox each, and described.

    The functions of such a target are called in sandboxes that start when they are first needed; close() ends them.
    """
    files = places.content_files(paths)
    here = {path: _loaded_here(path, isolate) for path in files}
    apart = _side_by_side([path for path in files if here[path] is None], limits)
    items = [item for path in files for item in (apart[path] if path in apart else here[path] or ())]
    found = with_names_of_their_own(items)
    content_items.refuse_duplicates(found)
    return tuple(found)


def _side_by_side(paths: Sequence[Path], limits: Limits) -> dict[Path, list[TargetItem]]:
    """The targets of each file, or why it has none: one that takes all of its time keeps no other one waiting."""
    opened = Opened()
    with ThreadPoolExecutor(max_workers=min(_AT_A_TIME, len(paths)) or 1) as pool:
        try:
            planned = {path: pool.submit(_planned, path, limits, opened) for path in paths}
            for done in wait(planned.values(), return_when=FIRST_EXCEPTION).done:
                done.result()  # raises what has ended the plan
            return {path: done.result() for path, done in planned.items()}
        except MachineFault as error:
            raise ConfigurationError(str(error)) from error
        finally:  # after an error or Ctrl-C nothing is waited for
            pool.shutdown(wait=False, cancel_futures=True)
            opened.close()


def _planned(path: Path, limits: Limits, opened: Opened) -> list[TargetItem]:
    try:
        return twice(partial(_described, path, limits, opened))
    except ContentError as error:
        return [broken(path, f"{places.shown(path)}: {error}")]
    except Exception as error:  # whatever a sandbox answers, the others are planned
        if of_the_machine(error):
            raise MachineFault(machine_words(error)) from error
        said = f"the sandbox described no target: {type(error).__name__}: {error}"
        return [broken(path, f"{places.shown(path)}: {said}")]


class Opened:
    """The sandboxes in which files are described at the moment, so that all of them can be ended at once."""

    def __init__(self) -> None:
        self._sessions: list[Session] = []
        self._lock, self._closed = threading.Lock(), False

    @contextlib.contextmanager
    def session(self, path: Path, limits: Limits) -> Iterator[Session]:
        """A sandbox that ends here, or sooner by `close`; ContentError after that."""
        with Session(path, limits) as session:
            with self._lock:
                if self._closed:
                    raise ContentError("the plan was given up")
                self._sessions.append(session)
            yield session

    def close(self) -> None:
        """End all of them; no new one begins."""
        with self._lock:
            self._closed = True
            for session in self._sessions:
                session.kill()


def with_names_of_their_own(items: Sequence[TargetItem]) -> list[TargetItem]:
    """The items, those of a file in a sandbox that take the name of another one as a file that is broken: the others
    must be played all the same. What this process has loaded comes first, then what stands first. Names are those of
    files too, where a slash is a line, and capitals may be none."""
    owners = {_file_name(item): (item.path, item.name) for item in items if not isinstance(item, Remote)}
    found: list[TargetItem] = []
    for item in items:
        owner, name = owners.setdefault(_file_name(item), (item.path, item.name))
        if isinstance(item, Remote) and (owner, name) != (item.path, item.name):
            too = "too" if name == item.name else f"and one here {item.name!r}, whose files would have one name"
            said = f"a target of {places.shown(owner)} is called {name!r} {too}; rename one"
            item = broken(item.path, f"{places.shown(item.path)}: {said}")
            taken = owners.setdefault(_file_name(item), (item.path, item.name))
            if taken != (item.path, item.name) or item.name in {one.name for one in found}:
                continue
        found.append(item)
    return found


def _file_name(item: TargetItem) -> str:
    return slug(item.name).casefold()


def _described(path: Path, limits: Limits, opened: Opened) -> tuple[list[TargetItem], bool]:
    with opened.session(path, limits) as session:
        return list(described(session, path)), False


def twice(work: Callable[[], tuple[Result, bool]]) -> Result:
    """What `work` gives; once more, in fresh sandboxes, if it says that one of them was killed.

    A machine that is out of memory kills the process that it finds, which says nothing about the target. One that is
    killed again is a finding about this target: else a file could stop a run that has others to look at.
    """
    try:
        found, killed = work()
    except SandboxError as error:
        if not error.killed:
            raise
        killed = True
    return work()[0] if killed else found


def was_killed(item: Loaded[Target, Audit]) -> bool:
    """Did a signal end a sandbox of a target that was played, one that no limit of a sandbox sends?"""
    return isinstance(item, Remote) and item.remote.killed


@contextlib.contextmanager
def playing(path: Path, name: str, limits: Limits, isolate: bool = True) -> Iterator[Loaded[Target, Audit]]:
    """The target `name` of a file, to be played: in this process if it may be, else in sandboxes that end afterwards.

    Raises ContentError if the file cannot be loaded or holds no such target.
    """
    here = _loaded_here(path, isolate)
    if here is not None:
        item = _found(here, name, path)
        if not (isolate and item.record.isolate):
            yield item
            return
    with Session(path, limits) as session:
        remote = _found(described(session, path), name, path)
        with contextlib.closing(remote.remote):
            remote.remote.play_in(session)
            yield remote


def _found(items: Sequence[Found | Broken], name: str, path: Path) -> Found:
    for item in items:
        if isinstance(item, Broken):
            raise ContentError(item.error)
        if item.name == name:
            return item
    raise ContentError(f"{name} is no longer in {places.shown(path)}: it changed during the run")
