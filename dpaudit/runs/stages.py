"""What tasks are at while they are at work: a file each, that the engine writes and the progress of a run reads.

A line is a JSON object: "at", what the task is at, or "known", what a part of it has found already. The files lie in a
folder of this machine that lasts as long as the run; workers of a cluster have none.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path

from dpaudit.runs.task import Task


def stages_of(folder: Path, task: Task) -> Path:
    """The file of a task in the folder of all."""
    return folder / hashlib.sha256(f"{task.part} {task.name}".encode()).hexdigest()[:32]


@dataclass
class Stages:
    """The reader of one file; at: what was said last, "" before; known: what parts have found, in order."""

    path: Path
    at: str = ""
    known: list[str] = field(default_factory=list)
    _read: int = 0

    def look(self) -> None:
        """Take in the lines that are complete and were not read yet; there may be no file yet."""
        try:
            with self.path.open("rb") as file:
                file.seek(self._read)
                fresh = file.read()
        except FileNotFoundError:
            return
        lines = fresh[: fresh.rfind(b"\n") + 1]
        self._read += len(lines)
        for line in lines.splitlines():
            said = json.loads(line)
            self.at = said.get("at", self.at)
            self.known += [said["known"]] if "known" in said else []
