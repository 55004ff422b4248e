"""What may lie on a disk after a loss of power at any moment of a run, by a model of what a file system promises.

A file keeps the bytes that it had when it was last forced to the disk, a folder the names. What came later may be there
or not, in any order: all of it, none of it, cut at 512 bytes, or as zeros of the right length; new names without the
bytes of their files, bytes under the old names. A name that moves from one file to another does so at once.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

SECTOR = 512
Names = dict[str, int]
"""The files of all folders by their path, each by its number on the disk."""


@dataclass(frozen=True)
class Moment:
    """names and data as a program sees them, and those that were forced to the disk; promised: how many tasks had been
    shown as complete."""

    names: Names
    data: dict[int, bytes]
    forced_names: Names
    forced_data: dict[int, bytes]
    promised: int


@dataclass
class Disk:
    """Watches a folder: a moment before each call that changes names or forces something, and one at the end."""

    folder: Path
    moments: list[Moment] = field(default_factory=list)
    promised: int = 0
    _names: Names = field(default_factory=dict)
    _data: dict[int, bytes] = field(default_factory=dict)
    _seen: dict[int, bytes] = field(default_factory=dict)
    _open: ExitStack = field(default_factory=ExitStack)

    @contextmanager
    def watched(self, patch: pytest.MonkeyPatch) -> Iterator[None]:
        with self._open, patch.context() as patched:
            for name in ("fsync", "replace", "unlink", "mkdir"):
                patched.setattr(os, name, self._noted(getattr(os, name)))
            yield
            self.note()

    def _noted(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def noted(*arguments: Any, **more: Any) -> Any:
            self.note()
            found = call(*arguments, **more)
            if call.__name__ == "fsync":
                self._forced(Path(os.readlink(f"/proc/self/fd/{arguments[0]}")), os.fstat(arguments[0]).st_ino)
            return found

        return noted

    def note(self) -> None:
        """Keep what is there now."""
        names = self._listed()
        for name, number in names.items():
            if number not in self._seen:  # what is open keeps its number, which a new file could have else
                self._open.enter_context((self.folder / name).open("rb"))
        self._seen |= {number: (self.folder / name).read_bytes() for name, number in names.items()}
        self.moments.append(Moment(names, dict(self._seen), dict(self._names), dict(self._data), self.promised))

    def promise(self) -> None:
        """A task is shown as complete: what it gave must not be lost any more."""
        self.promised += 1

    def _listed(self) -> Names:
        files = (path for path in self.folder.rglob("*") if path.is_file())
        return {path.relative_to(self.folder).as_posix(): path.stat().st_ino for path in files}

    def _forced(self, path: Path, number: int) -> None:
        if path.is_file() and path.is_relative_to(self.folder):
            self._data[number] = path.read_bytes()
        elif path == self.folder or path.is_relative_to(self.folder):
            here = "" if path == self.folder else f"{path.relative_to(self.folder).as_posix()}/"
            kept = {name: one for name, one in self._names.items() if _above(name) != here}
            self._names = kept | {name: one for name, one in self._listed().items() if _above(name) == here}


def _above(name: str) -> str:
    """The folder of a path, with a slash behind it; "" at the top."""
    return name[: name.rfind("/") + 1]


def possible(moments: list[Moment], rng: random.Random) -> list[tuple[dict[str, bytes], int]]:
    """The states of the disk after a loss of power at any of these moments, each once, in the order in which they are
    met, with the most tasks that had been shown as complete where it may be met."""
    found: dict[tuple[tuple[str, bytes], ...], int] = {}
    for moment in moments:
        for state in _states(moment, rng):
            key = tuple(sorted(state.items()))
            found[key] = max(moment.promised, found.get(key, 0))
    return [(dict(key), promised) for key, promised in found.items()]


def _states(moment: Moment, rng: random.Random) -> Iterator[dict[str, bytes]]:
    every = {**moment.names, **moment.forced_names}
    changed = [name for name in every if moment.names.get(name) != moment.forced_names.get(name)]
    some = rng.sample(changed, rng.randint(0, len(changed)))
    for lost in ([], changed, some):
        numbers = {name: (moment.forced_names if name in lost else moment.names).get(name) for name in every}
        there = {name: number for name, number in numbers.items() if number is not None}
        for loss in (_all, _none, _cut, _zeros):
            yield {name: loss(moment.data.get(number, b""), moment.forced_data.get(number, b""), rng)
                   for name, number in there.items()}  # fmt: skip


def _all(now: bytes, forced: bytes, rng: random.Random) -> bytes:
    return now


def _none(now: bytes, forced: bytes, rng: random.Random) -> bytes:
    return forced


def _cut(now: bytes, forced: bytes, rng: random.Random) -> bytes:
    """A part of what came later, in whole sectors."""
    sectors = range(-(-len(forced) // SECTOR), len(now) // SECTOR + 1)
    return now[: max(len(forced), SECTOR * rng.choice(sectors))] if sectors else forced


def _zeros(now: bytes, forced: bytes, rng: random.Random) -> bytes:
    """The length is there, the bytes are not, or those of some sectors are."""
    rest = bytearray(now[len(forced) :])
    for place in range(0, len(rest), SECTOR):
        if rng.random() < 0.5:
            rest[place : place + SECTOR] = bytes(len(rest[place : place + SECTOR]))
    return forced + bytes(rest)


def put(folder: Path, state: dict[str, bytes]) -> None:
    """Make a folder that holds this."""
    folder.mkdir()
    for name, data in state.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
