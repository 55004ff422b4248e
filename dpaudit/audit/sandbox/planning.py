"""Files of other people before they are played: what targets they hold, asked in a sandbox each, side by side.

Whatever a file does, and whatever its sandbox answers, ends in targets or in an error of this file; the
others are planned.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from functools import partial
from pathlib import Path

from dpaudit.audit.sandbox.isolation import loaded_here, twice
from dpaudit.audit.sandbox.remote_target import Remote, broken, described
from dpaudit.audit.sandbox.session import Session
from dpaudit.confinement.limits import Limits
from dpaudit.content import faults, places
from dpaudit.content import items as content_items
from dpaudit.content.items import TargetItem
from dpaudit.records.context import file_key
from dpaudit.records.errors import ConfigurationError, ContentError, MachineFault, machine_words, of_the_machine

_AT_A_TIME = 4
"""Files that are described side by side; each sandbox imports what its file does."""


def load_targets(paths: Sequence[Path], limits: Limits, isolate: bool = True) -> tuple[TargetItem, ...]:
    """`loading.load_targets`, but files that did not come with dpaudit are loaded in a sandbox each, and described.

    The functions of such a target are called in sandboxes that start when they are first needed; close() ends them.
    """
    files = places.files_of_targets(paths)
    here = {path: loaded_here(path, isolate) for path in files}
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
        places.python_bytes(path)
    except ContentError as error:
        return [broken(path, faults.describe(error, path))]
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
    owners = {file_key(item.name): (item.path, item.name) for item in items if not isinstance(item, Remote)}
    found: list[TargetItem] = []
    for item in items:
        owner, name = owners.setdefault(file_key(item.name), (item.path, item.name))
        if isinstance(item, Remote) and (owner, name) != (item.path, item.name):
            too = "too" if name == item.name else f"and one here {item.name!r}, whose files would have one name"
            said = f"a target of {places.shown(owner)} is called {name!r} {too}; rename one"
            item = broken(item.path, f"{places.shown(item.path)}: {said}")
            taken = owners.setdefault(file_key(item.name), (item.path, item.name))
            if taken != (item.path, item.name) or item.name in {one.name for one in found}:
                continue
        found.append(item)
    return found


def _described(path: Path, limits: Limits, opened: Opened) -> tuple[list[TargetItem], bool]:
    with opened.session(path, limits) as session:
        return list(described(session, path)), False
