"""The run folder: run.json and records.jsonl, written so that a killed run keeps what it had.

Each verdict is appended and flushed as it arrives; at the end the records are rewritten
in plan order through a second file, so that no reader ever sees half of them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from dpaudit.errors import ConfigurationError
from dpaudit.serial import encode
from dpaudit.verdict import Verdict

RUN = "run.json"
RECORDS = "records.jsonl"


def line(verdict: Verdict) -> str:
    """The JSON of one verdict on one line, without its end."""
    return json.dumps(encode(verdict), ensure_ascii=False, allow_nan=False)


class Folder:
    """An open run folder; `path` is where it lies."""

    def __init__(self, path: Path) -> None:
        """Make the folder `path`; ConfigurationError if it holds anything already or cannot be written."""
        self.path = path
        try:
            path.mkdir(parents=True, exist_ok=True)
            if any(path.iterdir()):
                raise ConfigurationError(f"the run folder {str(path)!r} is not empty; name another one or remove it")
            (path / RECORDS).touch()
        except OSError as error:
            reason = error.strerror or error
            raise ConfigurationError(f"cannot use the run folder {str(path)!r}: {reason}; see --run-dir") from error

    def append(self, verdicts: Iterable[Verdict]) -> None:
        """Add verdicts to the records and hand them to the operating system at once."""
        with (self.path / RECORDS).open("a", encoding="utf-8") as file:
            file.writelines(line(verdict) + "\n" for verdict in verdicts)
            file.flush()
            os.fsync(file.fileno())

    def rewrite(self, verdicts: Iterable[Verdict]) -> None:
        """Replace the records by `verdicts`, in this order."""
        self._replace(RECORDS, "".join(line(verdict) + "\n" for verdict in verdicts))

    def write_run(self, data: dict[str, Any]) -> None:
        """Replace run.json by `data`."""
        self._replace(RUN, json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False) + "\n")

    def _replace(self, name: str, text: str) -> None:
        draft = self.path / f"{name}.tmp"
        draft.write_text(text, encoding="utf-8")
        os.replace(draft, self.path / name)


def default_folder(command: str, seed: int, now: datetime | None = None) -> Path:
    """runs/<UTC time>-<command>-<seed>, with a number behind it if that is taken."""
    stamp = (now or datetime.now(UTC)).strftime("%Y%m%dT%H%M%SZ")
    first = Path("runs") / f"{stamp}-{command}-{seed}"
    path, number = first, 2
    while path.exists():
        path, number = first.with_name(f"{first.name}-{number}"), number + 1
    return path
