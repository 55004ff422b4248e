"""What every flow of dpaudit has in common: from content to tasks, from a task to verdicts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dpaudit.content import items as content_items
from dpaudit.content import places
from dpaudit.content.items import Broken, Carrier, Loaded, Record, Selected
from dpaudit.records.context import Context
from dpaudit.records.errors import ContentError
from dpaudit.records.verdict import Kind, Outcome, Verdict
from dpaudit.runs import provenance
from dpaudit.runs.keyword import chooser
from dpaudit.runs.settings import Part, Settings
from dpaudit.runs.task import Task


@dataclass(frozen=True)
class Origin:
    """Where content came from: `proofs` or `audits`, folder, origin in words, digest of its files."""

    kind: str
    folder: str
    origin: str
    digest: str


@dataclass(frozen=True)
class Collected:
    """The tasks of one flow in plan order, and the folders that were searched for them.

    names: of all items that -k could choose from.
    """

    tasks: tuple[Task, ...]
    origins: tuple[Origin, ...] = ()
    names: tuple[str, ...] = ()


class Flow(ABC):
    """One of the things that a run does with content; `dpaudit.runs.flows.FLOWS` lists them all.

    part: its name; kinds: of its verdicts; content: the kind of folder that holds its items, which is also the setting
    and the flag that name another one, "" if they come with the package; prefix: how the ids of its verdicts begin,
    before the name of the task; alone: flags by which one item is repeated, without others
    and from nothing that was kept; variables: the names that
    a Python file binds if it holds an item.
    """

    part: Part
    kinds: tuple[Kind, ...]
    content: str = ""
    prefix: str = ""
    alone: tuple[str, ...] = ()
    variables: frozenset[str] = frozenset()

    @abstractmethod
    def collect(self, settings: Settings) -> Collected:
        """The tasks that `settings` ask for; ConfigurationError for unknown names, missing paths and duplicates."""

    @abstractmethod
    def perform(self, task: Task, settings: Settings, context: Context) -> Sequence[Verdict]:
        """The verdicts of a task whose file could be loaded; may raise anything."""

    def decides(self, task: Task, settings: Settings) -> tuple[str | Path, ...] | None:
        """What decides the verdicts of `task` beside its file, dpaudit and the context, texts and files; None if that
        is not known, so that they may not be kept."""
        return None

    def verdicts(self, task: Task, context: Context) -> dict[str, Kind]:
        """The ids of the verdicts that `task` will give, its own first, and what they are about."""
        return {task.name: task.kind}

    def files(self, task: Task) -> list[Path]:
        """What the verdicts of `task` rest on beside its own file."""
        return []

    def command(self, task: Task, settings: Settings) -> str:
        """The command that repeats the verdicts of `task`, which the user did not name by path."""
        return self.part.value

    def words(self, settings: Settings) -> list[str]:
        """The flags of `settings` that concern this flow alone, its folder left out."""
        return []

    def named_folder(self, settings: Settings) -> Path | None:
        """The content folder that the user named, if any."""
        named: Path | None = getattr(settings, self.content) if self.content else None
        return named

    def searched(self, settings: Settings) -> tuple[Path, Origin]:
        """The content folder of a run and where it comes from."""
        named = self.named_folder(settings)
        folder, words = places.content_folder(self.content) if named is None else (named, "named by the user")
        return folder, origin(self.content, folder, words)

    def broken(self, item: Broken, kind: Kind, expected: Outcome) -> Task:
        """The task of a file that could not be loaded."""
        title = "a file that could not be loaded"
        return Task(self.part, item.name, str(item.path), title, kind, expected, error=item.error, missing=item.missing)


def origin(kind: str, folder: Path, words: str) -> Origin:
    """`folder` with the digest of its content; words: where it comes from."""
    found = places.files_of(kind, [folder])
    parts = (part for file in found for part in (places.claim_files(file) if kind == "proofs" else (file,)))
    digest = provenance.content_digest(parts)
    return Origin(kind, places.shown(folder), words, digest)


LIMITS = {"--load-limit": "load_limit", "--time-limit": "time_limit", "--memory-limit": "memory_limit"}
"""Flags of the limits of what other people's code may use, and the settings that they give."""


def limit_words(settings: Settings) -> list[str]:
    """Those of LIMITS that are not the default, with their values."""
    asked = ((flag, getattr(settings, name), getattr(Settings, name)) for flag, name in LIMITS.items())
    return [word for flag, value, default in asked if value != default for word in (flag, f"{value:g}")]


def unique(items: Sequence[Selected]) -> list[Selected]:
    """`items` without those named twice by the user."""
    return list({(item.name, item.path): item for item in items}.values())


def once(items: Sequence[Selected]) -> list[Selected]:
    """`items` without those named twice by the user; ConfigurationError for two files of one name."""
    listed = unique(items)
    content_items.refuse_duplicates(listed)
    return listed


def chosen(items: Sequence[Selected], settings: Settings) -> list[Selected]:
    """The items that -k chooses by their names; all of them without it."""
    wanted = chooser(settings.keyword) if settings.keyword else None
    return [item for item in items if wanted is None or wanted(item.name)]


def find(items: Sequence[Loaded[Record, Carrier] | Broken], task: Task) -> Loaded[Record, Carrier]:
    """The item that the plan saw in this file; ContentError if the file changed since."""
    for item in items:
        if item.name == task.name and isinstance(item, Loaded):
            return item
        if isinstance(item, Broken) and str(item.path) == task.path:
            raise ContentError(item.error)
    raise ContentError(f"{task.name} is no longer in {places.shown(Path(task.path))}: it changed during the run")
