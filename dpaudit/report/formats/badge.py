"""A run as the JSON of a badge: the form that shields.io reads from an address (shields.io/badges/endpoint-badge)."""

from __future__ import annotations

from collections.abc import Mapping

from dpaudit.records.serial import Json
from dpaudit.records.verdict import ExitCode
from dpaudit.report.formats import text
from dpaudit.report.formats.view import Filing, View, Whole, Write
from dpaudit.runs.reading import Run

NAME, PLACE, FILING = "badge", 9, Filing.WHOLE

COLOURS: Mapping[ExitCode, str] = {
    ExitCode.EXPECTED: "brightgreen",
    ExitCode.INCONCLUSIVE: "yellow",
    ExitCode.NOTHING_COLLECTED: "lightgrey",
}
"""By exit code; red for any other."""


def view(write: Write, announce: Write, verbose: bool) -> View:
    """See `Format`."""
    return Whole(write, document)


def document(run: Run) -> str:
    """The object as text; it holds counts alone, no text of a target."""
    wrong, total = sum(verdict.surprising for verdict in run.verdicts), len(run.verdicts)
    said = f"{wrong} of {total} not as expected" if wrong else f"{total} as expected" if total else "nothing collected"
    finished = run.finished
    badge: Json = {
        "schemaVersion": 1,
        "label": "dpaudit",
        "message": said if finished else f"{said}, not finished",
        "color": COLOURS.get(run.code, "red") if finished else "lightgrey",
        "isError": finished and run.code not in COLOURS,
    }
    return text.dumps(badge, indent=2)
