"""The formats of a run, in one table: some come while it goes, the others are functions of the finished run alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from dpaudit.records.serial import encode
from dpaudit.records.verdict import Kind, Verdict
from dpaudit.report import catalogue, ledger
from dpaudit.report.formats import github, in_toto, junit, markdown, sarif, text
from dpaudit.report.formats.text import Write
from dpaudit.runs.reading import Run


def as_json(run: Run) -> str:
    """One object for programs: the run, its verdicts, and what became of the planted bugs."""
    data = {
        "run": run.header,
        "folder": str(run.folder),
        "verdicts": encode(run.verdicts),
        "catalogue": catalogue.as_json(catalogue.planted(run.verdicts)),
    }
    return text.dumps(data, indent=2)


WHOLE: Mapping[str, Callable[[Run], str]] = {
    "json": as_json,
    "markdown": markdown.page,
    "junit": junit.document,
    "sarif": sarif.log,
    "github": github.summary,
    "in-toto": in_toto.statement,
}
"""What needs the whole run: its text as a function of the run."""
STREAMED = ("text", "jsonl")


class View(Protocol):
    """Shows a run: `start` before it, `show` for the verdicts of each task in plan order, `end` after it.

    header: the object of run.json, as far as it is known; notes: what else happened, in words.
    """

    def start(self, header: Mapping[str, Any], folder: Path) -> None: ...
    def show(self, verdicts: Sequence[Verdict]) -> None: ...
    def end(self, run: Run, notes: Sequence[str] = ()) -> None: ...


def view(form: str, write: Write, announce: Write, verbose: bool = False) -> View:
    """The view of the format `form`. announce: takes workflow commands for GitHub; verbose: name every mutant."""
    if form == "text":
        return Text(write, verbose)
    if form == "jsonl":
        return JsonLines(write)
    return Whole(write, WHOLE[form], announce if form == "github" else None)


class Text:
    """For people: one line per verdict, the surprises last and in full, then one sentence."""

    def __init__(self, write: Write, verbose: bool = False) -> None:
        self._write = write
        self._verbose = verbose

    def start(self, header: Mapping[str, Any], folder: Path) -> None:
        command, names = text.command_name(header), ("level", "device", "jobs")
        self._write(f"{command}: {', '.join(f'{name} {header[name]}' for name in names if name in header)}")
        self._write(text.budget_sentence(header))
        for origin in header.get("content") or ():
            self._write(f"{origin.get('kind')} from {origin.get('folder')} ({origin.get('origin')})")
        self._write(f"run folder {folder}")
        self._write("")

    def show(self, verdicts: Sequence[Verdict]) -> None:
        for verdict in verdicts:
            if verdict.kind is not Kind.MUTANT or not verdict.as_expected or self._verbose:
                self._write(text.summary(verdict))

    def end(self, run: Run, notes: Sequence[str] = ()) -> None:
        for verdict in run.verdicts:
            if verdict.surprising:
                self._write("\n" + text.details(verdict))
        self._write("")
        for note in notes:
            self._write(note)
        if (run.header.get("settings") or {}).get("mutants"):
            for score in ledger.scores(run.verdicts):
                self._write(str(score))
        bugs = catalogue.planted(run.verdicts)
        if bugs and text.command_name(run.header) == "controls":
            self._write(text.table(catalogue.rows(bugs)) + "\n")
        if bugs:
            self._write(catalogue.score(bugs))
        self._write(text.headline(run.verdicts, run.code))


class JsonLines:
    """For programs that read along: the seed first, one verdict a line, the run last."""

    def __init__(self, write: Write) -> None:
        self._write = write

    def start(self, header: Mapping[str, Any], folder: Path) -> None:
        first = {"type": "Start", "seed": header.get("seed"), "level": header.get("level"), "folder": str(folder)}
        self._write(text.dumps(first | {"error_budget": header.get("error_budget")}))

    def show(self, verdicts: Sequence[Verdict]) -> None:
        for verdict in verdicts:
            self._write(text.dumps(encode(verdict)))

    def end(self, run: Run, notes: Sequence[str] = ()) -> None:
        self._write(text.dumps({"type": "End", **run.header}))


class Whole:
    """Everything at the end: half an object is no object."""

    def __init__(self, write: Write, render: Callable[[Run], str], announce: Write | None = None) -> None:
        self._write = write
        self._render = render
        self._announce = announce

    def start(self, header: Mapping[str, Any], folder: Path) -> None:
        """Nothing before the end."""

    def show(self, verdicts: Sequence[Verdict]) -> None:
        """Nothing before the end."""

    def end(self, run: Run, notes: Sequence[str] = ()) -> None:
        self._write(self._render(run))
        if self._announce is not None:
            for command in github.commands(run):
                self._announce(command)
