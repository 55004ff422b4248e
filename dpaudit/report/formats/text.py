"""What the command line prints of verdicts and records: text for people, JSON for programs, tables of what is no run.

Standard output carries data only; where it goes is the caller's business (`write`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from dpaudit.content.items import Broken, Item, Loaded
from dpaudit.content.places import shown
from dpaudit.records.claim import Claim
from dpaudit.records.hidden import visible
from dpaudit.records.serial import Json, encode
from dpaudit.records.verdict import ExitCode, Kind, Outcome, Verdict
from dpaudit.report import catalogue, deciding, escape, sections
from dpaudit.report import errata as tables
from dpaudit.report.escape_commands import disarm, disarm_json
from dpaudit.report.formats import claim_page
from dpaudit.report.formats import errata as errata_page
from dpaudit.report.formats.view import Filing, View, Write
from dpaudit.report.severity import Erratum, Standing
from dpaudit.runs import budget, spending
from dpaudit.runs.reading import Run

NAME, PLACE, FILING = "text", 1, Filing.GROWING

MEANINGS = {
    ExitCode.EXPECTED: "every outcome is the expected one, or accepted by a baseline",
    ExitCode.REFUTED: "refuted where that was not expected, or an expected refutation did not happen",
    ExitCode.USAGE: "wrong arguments or configuration",
    ExitCode.CRASHED: "a check, a target or dpaudit crashed",
    ExitCode.INCONCLUSIVE: "nothing refuted, but required checks are inconclusive, weaker than expected or not run",
    ExitCode.NOTHING_COLLECTED: "nothing was collected",
    ExitCode.INTERRUPTED: "interrupted",
}
"""Exit codes in words."""

_LINE_ENDS = re.compile(r"\s*[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]\s*")


def view(write: Write, announce: Write, verbose: bool) -> View:
    """See `Format`."""
    return Text(write, verbose)


def one_line(text: str) -> str:
    """`text` without line ends, so that it can pass neither for a line of ours nor for a command to a GitHub runner."""
    return disarm(_LINE_ENDS.sub(" ", text))


def dumps(data: object, indent: int | None = None) -> str:
    """`data` as JSON for programs: never NaN, hidden characters as escapes, no command to a GitHub runner."""
    return disarm_json(visible(json.dumps(data, indent=indent, ensure_ascii=False, allow_nan=False)))


def summary(verdict: Verdict) -> str:
    """One verdict on one line: mark, outcome, id, what matters most."""
    outcome = verdict.outcome
    said = outcome.word
    if verdict.basis is not None:
        said += f" ({verdict.basis})"
    if not verdict.as_expected:
        said += f", expected {verdict.expected.word}"
    elif outcome is Outcome.REFUTED:
        said += " (expected)"
    title = "" if verdict.title == verdict.id else verdict.title
    what = ": ".join(filter(None, (deciding.line(verdict), title)))
    if outcome in (Outcome.NOT_RUN, Outcome.ERROR) and not verdict.surprising:  # of a surprise the details say it
        what = sections.reason(verdict)
    assuming = f" [assuming {', '.join(verdict.assuming)}]" if verdict.assuming else ""
    accepted = f" [accepted {verdict.accepted}]" if verdict.accepted else ""
    name = f"{sections.whose(verdict.kind)}{verdict.id}"
    return one_line(f"{sections.MARKS[outcome]} {said:<26} {name}  {what}{assuming}{accepted}")


def details(verdict: Verdict) -> str:
    """Everything that a reader of an unexpected outcome needs, ending with the line that repeats it."""
    witness = ", ".join(f"{n} = {v:.6g}" if isinstance(v, float) else f"{n} = {v}" for n, v in verdict.witness)
    quiet = sections.quiet(verdict)
    reasons = [row for e in verdict.evidence if e not in quiet for row in _rows(f"{e.engine}: {e.detail}")]
    parts = (
        ("statement", one_line(verdict.statement)),
        ("witness", one_line(witness)),
        ("found", "\n             ".join(reasons)),
        ("also", sections.QUIET.format(len(quiet)) if quiet else ""),
        ("effect", one_line(verdict.effect)),
        ("source", one_line(verdict.source)),
        ("see", one_line(", ".join(verdict.attachments))),
        ("explain", "\n             ".join(deciding.pages(verdict))),
        ("replay", one_line(verdict.replay)),
    )
    lines = [f"  {name + ':':<10} {text}" for name, text in parts if text]
    return "\n".join([summary(verdict), *lines])


def _rows(text: str) -> list[str]:
    """The lines of a text, each safe to show; only those that are indented, as code is, stand below the others."""
    return [one_line(row) for row in re.split(r"\n(?=    )", text)]


def command_name(header: Json) -> str:
    """The command that made a run: `run`, `verify`, `agree`, `audit`, `controls` or `pytest`."""
    return str(header.get("command", "")).partition(" ")[2].partition(" ")[0] or "run"


def budget_sentence(header: Json) -> str:
    """The error budget of a run in words, from the object of run.json."""
    data = header.get("error_budget") or {}
    if "total" not in data:
        return "no error budget is recorded"
    entries = tuple(budget.LedgerEntry(row["name"], row["tests"], row.get("share")) for row in data.get("entries", ()))
    total = data["total"]
    ledger = budget.Ledger(total, data.get("planned", 0), data.get("share", total), entries)
    taken = spending.recorded(header)
    return budget.sentence(ledger) + (f"; {spending.sentence(taken, ledger)}" if taken is not None else "")


def headline(verdicts: Sequence[Verdict], code: ExitCode) -> str:
    """One sentence with the counts, one with the exit code; the counts are those of every other output."""
    wrong = sum(v.surprising for v in verdicts)
    accepted = sum(not v.as_expected for v in verdicts) - wrong
    every = "the one outcome is" if len(verdicts) == 1 else f"all {len(verdicts)} outcomes are"
    every += f" as expected{' or accepted' if accepted else ''}"
    start = sections.unexpected(wrong, len(verdicts)) if wrong else every
    more = "more " if wrong else ""
    known = f" {accepted} {more}{'is' if accepted == 1 else 'are'} accepted by a baseline." if accepted else ""
    counts = f"{start[0].upper()}{start[1:]}: {sections.sentence(verdicts)}.{known}\n" if verdicts else ""
    return f"{counts}Exit code {int(code)}: {MEANINGS[code]}."


def table(rows: Sequence[Sequence[str]]) -> str:
    """Rows of cells as aligned text; the last column is not padded."""
    cells = [[one_line(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return "\n".join("  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in cells)


def listing(rows: Sequence[Json], form: str) -> str:
    """Rows of equal keys in one of the formats text, json, jsonl and markdown."""
    if form == "json":
        return dumps(list(rows), indent=2)
    if form == "jsonl":
        return "\n".join(map(dumps, rows))
    cells = [[str(cell) for cell in row.values()] for row in rows]
    if form == "markdown" and rows:
        head, *escaped = [[escape.text(cell) for cell in row] for row in ([*rows[0]], *cells)]
        return "\n".join(escape.table(head, escaped))
    return table(cells) if rows else ""


def errata(found: Sequence[Erratum], form: str) -> str:
    """Errata in one of the formats text, json, jsonl and markdown."""
    rows = [{**encode(row.verdict), "severity": row.severity.value, "dependents": row.dependents} for row in found]
    if form == "json":
        return dumps(rows, indent=2)
    if form == "jsonl":
        return "\n".join(map(dumps, rows))
    if form == "markdown":
        return errata_page.markdown(found).rstrip("\n")
    return "\n".join(tables.as_text(found))


def shown_item(item: Item, form: str, verdicts: Mapping[str, Verdict], standing: Standing) -> str:
    """All that a claim, algorithm or target states: text, in Markdown as it stands, or JSON.

    Of a claim: with the outcomes that `verdicts` have, by id, and what uses it among all claims.
    """
    place = shown(item.path)
    if isinstance(item, Broken):
        body: Json = {"name": item.name, "path": place, "error": item.error}
    else:
        body = {"path": place, **encode(item.record)}
    if form in ("json", "jsonl"):
        return dumps(body, indent=2 if form == "json" else None)
    record = item.record if isinstance(item, Loaded) else None
    page = claim_page.lines(record, place, verdicts, standing) if isinstance(record, Claim) else _outline(body)
    lines = "\n".join(page)
    return escape.fenced(lines) if form == "markdown" else lines


def _outline(data: Any, depth: int = 0) -> Iterator[str]:
    """Nested data as indented lines; empty fields and the names of record types are left out."""
    pairs = data.items() if isinstance(data, dict) else enumerate(data, start=1)
    for key, value in pairs:
        if key == "type" or value in ("", None, [], {}):
            continue
        nested = isinstance(value, (dict, list))
        head = f"{'  ' * depth}{key}:"
        yield head if nested else f"{head} {value}"
        if nested:
            yield from _outline(value, depth + 1)


class Text(View):
    """One line per verdict, the surprises last and in full, then one sentence; quiet: the last two alone."""

    def __init__(self, write: Write, verbose: bool = False, quiet: bool = False) -> None:
        self._write = write
        self._verbose = verbose
        self._quiet = quiet

    def start(self, header: Json, folder: Path) -> None:
        if self._quiet:
            return
        command, names = command_name(header), ("level", "device", "jobs")
        self._write(f"{command}: {', '.join(f'{name} {header[name]}' for name in names if name in header)}")
        self._write(budget_sentence(header))
        for origin in header.get("content") or ():
            self._write(f"{origin.get('kind')} from {origin.get('folder')} ({origin.get('origin')})")
        if header.get("sandboxes"):
            self._write(f"sandboxes: {header['sandboxes']}")
        self._write(f"run folder {folder}")
        self._write("")

    def show(self, verdicts: Sequence[Verdict]) -> None:
        for verdict in verdicts if not self._quiet else ():
            if verdict.kind is not Kind.MUTANT or not verdict.as_expected or self._verbose:
                self._write(summary(verdict))

    def end(self, run: Run, notes: Sequence[str] = ()) -> None:
        for verdict in run.verdicts:
            if verdict.surprising:
                self._write(details(verdict) + "\n" if self._quiet else "\n" + details(verdict))
        self._write(f"run folder {run.folder}" if self._quiet else "")
        for note in notes:
            self._write(note)
        if not self._quiet:
            self._scores(run)
        self._write(headline(run.verdicts, run.code))

    def _scores(self, run: Run) -> None:
        """What the mutants and the planted bugs came to."""
        if (run.header.get("settings") or {}).get("mutants"):
            for score in tables.scores(run.verdicts):
                self._write(str(score))
        bugs = catalogue.planted(run.verdicts)
        if bugs and command_name(run.header) == "controls":
            self._write(table(catalogue.rows(bugs)) + "\n")
        if bugs:
            self._write(catalogue.score(bugs))
