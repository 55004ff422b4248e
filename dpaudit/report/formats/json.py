"""A run as one JSON object for programs: its header, its verdicts, and what became of the planted bugs."""

from __future__ import annotations

from dpaudit.records.serial import encode
from dpaudit.report import catalogue
from dpaudit.report.formats import text
from dpaudit.report.formats.view import Filing, View, Whole, Write
from dpaudit.runs.reading import Run

NAME, PLACE, FILING = "json", 2, Filing.WHOLE


def view(write: Write, announce: Write, verbose: bool) -> View:
    """See `Format`."""
    return Whole(write, document)


def document(run: Run) -> str:
    """The object as text."""
    data = {
        "run": run.header,
        "folder": str(run.folder),
        "verdicts": encode(run.verdicts),
        "catalogue": catalogue.as_json(catalogue.planted(run.verdicts)),
    }
    return text.dumps(data, indent=2)
