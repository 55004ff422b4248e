"""Whose a name is: ids are unique in a run, and a file that gives one of another file must not stop the session."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from dpaudit.content import places
from dpaudit.content.apart import came_with_dpaudit
from dpaudit.content.items import Broken
from dpaudit.records.context import file_key
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.verdict import Kind
from dpaudit.runs.flows import flow_of
from dpaudit.runs.settings import Part, Settings
from dpaudit.runs.task import Task


@dataclass(frozen=True)
class Entry:
    """One verdict to come: id and kind, the task that gives it, the settings that repeat this task alone."""

    name: str
    kind: Kind
    task: Task
    settings: Settings


@dataclass(frozen=True)
class Clash:
    """task: that of the later file, as one that could not be loaded; other: that of the file before it; said: why."""

    task: Task
    other: Task
    said: str

    def broken(self, entries: Mapping[str, Entry]) -> dict[str, Entry]:
        """The entries of the file before, where it must not have the name either: two claims of others."""
        if self.other.part is not Part.VERIFY or came_with_dpaudit(Path(self.other.path)):
            return {}
        task = replace(self.other, error=self.said, tests=0)
        return {name: replace(one, task=task) for name, one in entries.items() if one.task.name == task.name}


class Owners:
    """The tasks that were collected, by the names of what they give. Names are those of files too, where a slash is a
    line, and capitals may be none."""

    def __init__(self) -> None:
        self._owners: dict[str, Task] = {}

    def clash(self, task: Task, names: Iterable[str]) -> Clash | None:
        """None if `names` were free or the task's own: they are now. ConfigurationError if its file has no name left
        that could stand for it."""
        taken = next(((name, one) for name in names if (one := self._other(name, task)) is not None), None)
        if taken is None:
            self._owners |= {file_key(name): task for name in names}
            return None
        name, other = taken
        said = f"{places.shown(Path(task.path))}: {name!r} is also in {places.shown(Path(other.path))}; rename one"
        own = places.shown(Path(task.path)).removesuffix(".py")
        if self._other(own, task) is not None:
            raise ConfigurationError(said)
        broken = flow_of(task.part).broken(Broken(own, Path(task.path), said), task.kind, task.expected)
        self._owners[file_key(own)] = broken
        return Clash(broken, other, said)

    def _other(self, name: str, task: Task) -> Task | None:
        """The task of another file that has the name."""
        found = self._owners.get(file_key(name))
        return None if found is None or found.path == task.path else found
