"""What a run hands to an engine: seed, level, share of the error budget, device, folder."""

from __future__ import annotations

import json
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path

from dpaudit.records.hidden import visible
from dpaudit.records.serial import record


def slug(name: str) -> str:
    """The name of an item as a file name."""
    return "".join(c if c.isalnum() or c in ".-~" else "_" for c in name)


def file_key(name: str) -> str:
    """Equal for names whose files would be one, also where a file system does not tell capitals."""
    return slug(name).casefold()


class Level(StrEnum):
    """How much work a run may spend."""

    SMOKE = "smoke"
    STANDARD = "standard"
    DEEP = "deep"

    def includes(self, other: Level) -> bool:
        """Does a run at this level do what begins at `other`?"""
        levels = list(Level)
        return levels.index(other) <= levels.index(self)


@record
class Context:
    """seed: of the run; alpha: this item's share of the run's error budget, in (0, 1);
    device: torch device name; folder: for the files that go with verdicts, None when there shall be none;
    mutants: also try the mutants of inequalities by fixed operators; left_out: structural checks that are not made;
    stages: the file in which whoever waits reads
    what the item is at, None if nobody does."""

    seed: int
    level: Level
    alpha: float
    device: str = "cpu"
    folder: str | None = None
    mutants: bool = False
    left_out: tuple[str, ...] = ()
    stages: str | None = None

    def at_work(self, on: str) -> None:
        """Tell whoever waits what the item is at, in a few words."""
        self._tell("at", on)

    def known(self, finding: str) -> None:
        """Tell whoever waits what a part of the item has found, before its verdict is there."""
        self._tell("known", finding)

    def _tell(self, kind: str, said: str) -> None:
        if self.stages is not None:
            with Path(self.stages).open("a", encoding="utf-8", errors="backslashreplace") as file:
                file.write(json.dumps({kind: said}) + "\n")

    def attach(self, name: str, text: str) -> str:
        """Keep `text`, hidden characters as escapes, as the file `name` of the run folder; `name`, "" without one."""
        if self.folder is None:
            return ""
        path = Path(self.folder) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(visible(text), encoding="utf-8")
        return name

    def detach(self, names: Iterable[str]) -> None:
        """Remove files that were attached."""
        for name in names:
            (Path(self.folder or ".") / name).unlink(missing_ok=True)
