"""A run as JSON lines for programs that read along."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dpaudit.records.serial import Json, encode
from dpaudit.records.verdict import Verdict
from dpaudit.report.formats import text
from dpaudit.report.formats.view import Filing, View, Write
from dpaudit.runs.reading import Run

NAME, PLACE, FILING = "jsonl", 3, Filing.GROWING


def view(write: Write, announce: Write, verbose: bool) -> View:
    """See `Format`."""
    return JsonLines(write)


class JsonLines(View):
    """The seed first, one verdict a line, the run last."""

    def __init__(self, write: Write) -> None:
        self._write = write

    def start(self, header: Json, folder: Path) -> None:
        first = {"type": "Start", "seed": header.get("seed"), "level": header.get("level"), "folder": str(folder)}
        self._write(text.dumps(first | {"error_budget": header.get("error_budget")}))

    def show(self, verdicts: Sequence[Verdict]) -> None:
        for verdict in verdicts:
            self._write(text.dumps(encode(verdict)))

    def end(self, run: Run, notes: Sequence[str] = ()) -> None:
        self._write(text.dumps({"type": "End", **run.header}))
