"""Targets of other people, played in processes of their own.

A file that did not come with dpaudit is loaded and called in a sandbox only. What comes back are plain values (`wire`),
checked like any other output of a target; estimates and verdicts are made in this process. Attacks of the file are
scored in a second sandbox, which never trains. docs/isolation.md says what this does not protect from.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TypeVar

from dpaudit.audit.sandbox.remote_target import Remote, described
from dpaudit.audit.sandbox.session import SandboxError, Session
from dpaudit.confinement.limits import Limits
from dpaudit.content import loading, places
from dpaudit.content.audits import Audit
from dpaudit.content.items import Broken, Loaded, TargetItem
from dpaudit.records.errors import ConfigurationError, ContentError
from dpaudit.records.target import Target

Result = TypeVar("Result")
Found = TypeVar("Found", bound=Loaded[Target, Audit])


def shipped_form(path: Path) -> Path | None:
    """The file of the targets that came with dpaudit whose bytes `path` has, None if there is none.

    A checkout has its own copies of them. It is the shipped file that is loaded then, so that nothing that lies beside
    the copy is ever imported.
    """
    try:
        return _shipped_files().get(_digest(path))
    except (OSError, ContentError):
        return None  # loading it says why


@cache
def _shipped_files() -> dict[str, Path]:
    try:
        folder = places.shipped_folder("audits")
    except ConfigurationError:
        return {}
    return {_digest(path): path for path in places.files_of_targets([folder])}


def _digest(path: Path) -> str:
    return hashlib.sha256(places.python_bytes(path)).hexdigest()


def loaded_here(path: Path, isolate: bool) -> tuple[TargetItem, ...] | None:
    """The targets of a file that this process may load, None of one that it may not."""
    shipped = shipped_form(path) if isolate else path
    if shipped is None:
        return None
    return tuple(replace(item, path=path) for item in loading.load_targets([shipped]))


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
    here = loaded_here(path, isolate)
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


@contextlib.contextmanager
def all_playing(path: Path, limits: Limits, isolate: bool = True) -> Iterator[tuple[Loaded[Target, Audit], ...]]:
    """All targets of a file in one sandbox, which ends afterwards; in this process unless `isolate`.

    Raises ContentError if the file cannot be loaded.
    """
    if not isolate:
        yield tuple(_whole(item) for item in loading.load_targets([path]))
        return
    with Session(path, limits) as session:
        items = tuple(_whole(item) for item in described(session, path))
        for item in items:
            item.remote.play_in(session)
        yield items


def _whole(item: Found | Broken) -> Found:
    if isinstance(item, Broken):
        raise ContentError(item.error)
    return item


def _found(items: Sequence[Found | Broken], name: str, path: Path) -> Found:
    for one in items:
        item = _whole(one)
        if item.name == name:
            return item
    raise ContentError(f"{name} is no longer in {places.shown(path)}: it changed during the run")
