"""A run as text, JSON or JSON lines: what the command line prints while and after it runs.

Standard output carries data only; where it goes is the caller's business (`write`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

from dpaudit import budget, catalogue, ledger, sections
from dpaudit.claim import Claim, Step
from dpaudit.plan import Plan
from dpaudit.registry import Broken, Item, Loaded, shown
from dpaudit.run import Result
from dpaudit.serial import encode
from dpaudit.store import line
from dpaudit.verdict import ExitCode, Kind, Outcome, Verdict

Write = Callable[[str], None]

MEANINGS = {
    ExitCode.EXPECTED: "everything ran, every outcome is the expected one",
    ExitCode.REFUTED: "refuted where that was not expected, or an expected refutation did not happen",
    ExitCode.USAGE: "wrong arguments or configuration",
    ExitCode.CRASHED: "a check, a target or dpaudit crashed",
    ExitCode.INCONCLUSIVE: "nothing refuted, but required checks are inconclusive, weaker than expected or not run",
    ExitCode.NOTHING_COLLECTED: "nothing was collected",
    ExitCode.INTERRUPTED: "interrupted",
}
"""Exit codes in words."""


_CONTROL_CHARACTERS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def printable(text: str) -> str:
    """`text` with its control characters replaced: titles and messages come from files of other people."""
    return _CONTROL_CHARACTERS.sub("\ufffd", text)


class View(Protocol):
    """Shows a run: `start` before it, `show` for the verdicts of each task in plan order, `end` after it."""

    def start(self, plan: Plan, folder: Path) -> None: ...
    def show(self, verdicts: Sequence[Verdict]) -> None: ...
    def end(self, result: Result, notes: Sequence[str]) -> None: ...


class Text:
    """For people: one line per verdict, the unexpected ones last and in full, then one sentence."""

    def __init__(self, write: Write, verbose: bool = False) -> None:
        self._write = write
        self._verbose = verbose
        self._mutants = self._controls = False

    def start(self, plan: Plan, folder: Path) -> None:
        settings = plan.settings
        self._mutants, self._controls = settings.mutants, settings.command == "controls"
        self._write(f"{settings.command}: level {settings.level}, device {settings.device}, jobs {settings.jobs}")
        self._write(budget.sentence(plan.ledger))
        for origin in plan.origins:
            self._write(f"{origin.kind} from {origin.folder} ({origin.origin})")
        self._write(f"run folder {folder}")
        self._write("")

    def show(self, verdicts: Sequence[Verdict]) -> None:
        for verdict in verdicts:
            if verdict.kind is not Kind.MUTANT or not verdict.as_expected or self._verbose:
                self._write(summary(verdict))

    def end(self, result: Result, notes: Sequence[str]) -> None:
        for verdict in result.verdicts:
            if not verdict.as_expected:
                self._write("\n" + details(verdict))
        self._write("")
        for note in notes:
            self._write(note)
        if self._mutants:
            for score in ledger.scores(result.verdicts):
                self._write(str(score))
        bugs = catalogue.planted(result.verdicts)
        if bugs and self._controls:
            self._write(table(catalogue.rows(bugs)) + "\n")
        if bugs:
            self._write(catalogue.score(bugs))
        self._write(headline(result.verdicts, result.code))


class Json:
    """For programs: one object at the end, with the run and every verdict."""

    def __init__(self, write: Write) -> None:
        self._write = write

    def start(self, plan: Plan, folder: Path) -> None:
        """Nothing before the end: half an object is no object."""

    def show(self, verdicts: Sequence[Verdict]) -> None:
        """Nothing before the end."""

    def end(self, result: Result, notes: Sequence[str]) -> None:
        data = {
            "run": result.header,
            "folder": str(result.folder),
            "verdicts": encode(result.verdicts),
            "catalogue": catalogue.as_json(catalogue.planted(result.verdicts)),
        }
        self._write(json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False))


class JsonLines:
    """For programs that read along: the seed first, one verdict a line, the run last."""

    def __init__(self, write: Write) -> None:
        self._write = write

    def start(self, plan: Plan, folder: Path) -> None:
        first = {"type": "Start", "seed": plan.settings.seed, "level": plan.settings.level, "folder": str(folder)}
        self._write(json.dumps(first | {"error_budget": encode(plan.ledger)}))

    def show(self, verdicts: Sequence[Verdict]) -> None:
        for verdict in verdicts:
            self._write(line(verdict))

    def end(self, result: Result, notes: Sequence[str]) -> None:
        self._write(json.dumps({"type": "End", **result.header}, ensure_ascii=False, allow_nan=False))


def summary(verdict: Verdict) -> str:
    """One verdict on one line: mark, outcome, id, what matters most."""
    outcome = verdict.outcome
    said = sections.word(outcome)
    if verdict.basis is not None:
        said += f" ({verdict.basis})"
    if not verdict.as_expected:
        said += f", expected {sections.word(verdict.expected)}"
    elif outcome is Outcome.REFUTED:
        said += " (expected)"
    what = verdict.title
    measured = sections.value(verdict, "epsilon_lower_95")
    claimed = sections.value(verdict, "epsilon_claimed")
    if isinstance(measured, float) and isinstance(claimed, float):
        what = f"epsilon at least {measured:.3g}, claimed {claimed:.3g}: {what}"
    if outcome in (Outcome.NOT_RUN, Outcome.ERROR):
        what = sections.reason(verdict)
    assuming = f" [assuming {', '.join(verdict.assuming)}]" if verdict.assuming else ""
    return f"{sections.MARKS[outcome]} {said:<26} {verdict.id}  {what}{assuming}"


def details(verdict: Verdict) -> str:
    """Everything that a reader of an unexpected outcome needs, ending with the line that repeats it."""
    witness = ", ".join(f"{n} = {v:.6g}" if isinstance(v, float) else f"{n} = {v}" for n, v in verdict.witness)
    quiet = sections.quiet(verdict)
    reasons = "\n             ".join(f"{e.engine}: {e.detail}" for e in verdict.evidence if e not in quiet)
    parts = (
        ("statement", verdict.statement),
        ("witness", witness),
        ("found", reasons),
        ("also", sections.QUIET.format(len(quiet)) if quiet else ""),
        ("effect", verdict.effect),
        ("source", verdict.source),
        ("see", ", ".join(verdict.attachments)),
        ("replay", verdict.replay),
    )
    lines = [f"  {name + ':':<10} {text}" for name, text in parts if text]
    return "\n".join([summary(verdict), *lines])


def headline(verdicts: Sequence[Verdict], code: ExitCode) -> str:
    """One sentence with the counts, one with the exit code; the counts are those of every other output."""
    wrong = sum(not v.as_expected for v in verdicts)
    every = f"all {len(verdicts)} outcomes are as expected"
    start = f"{wrong} of {len(verdicts)} outcomes are not as expected" if wrong else every
    counts = f"{start[0].upper()}{start[1:]}: {sections.sentence(verdicts)}.\n" if verdicts else ""
    return f"{counts}Exit code {int(code)}: {MEANINGS[code]}."


def table(rows: Sequence[Sequence[str]]) -> str:
    """Rows of cells as aligned text; the last column is not padded."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in rows)


def listing(rows: Sequence[dict[str, Any]], form: str) -> str:
    """Rows of equal keys in one of the formats text, json and jsonl."""
    if form == "json":
        return json.dumps(list(rows), indent=2, ensure_ascii=False)
    if form == "jsonl":
        return "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    return table([[str(cell) for cell in row.values()] for row in rows]) if rows else ""


def errata(found: Sequence[Verdict], form: str) -> str:
    """The ledger of errata in one of the formats text, json and jsonl."""
    if form == "json":
        return json.dumps(encode(tuple(found)), indent=2, ensure_ascii=False, allow_nan=False)
    return "\n".join(map(line, found) if form == "jsonl" else ledger.errata_text(found))


def shown_item(item: Item, form: str) -> str:
    """All that a claim, algorithm or target states, as indented text or JSON."""
    place = shown(item.path)
    if isinstance(item, Broken):
        body: dict[str, Any] = {"name": item.name, "path": place, "error": item.error}
    else:
        body = {"path": place, **encode(item.record)}
    if form not in ("json", "jsonl"):
        record = item.record if isinstance(item, Loaded) else None
        return "\n".join(_claim(record, place) if isinstance(record, Claim) else _outline(body))
    return json.dumps(body, indent=2 if form == "json" else None, ensure_ascii=False)


def _claim(claim: Claim, place: str) -> Iterator[str]:
    """A claim as a reader of the paper would note it down: statement, argument, steps, what is wrong."""
    yield f"{claim.id}: {claim.title} ({claim.kind}, expected {claim.expects})"
    yield f"  file:      {place}; {claim.place}"
    yield f"  words:     {claim.words}"
    items: list[Claim | Step] = [claim, *claim.steps]
    for item in items:
        if isinstance(item, Step):
            yield f"step {item.name} (expected {item.expects}): {item.words}"
        fields = (
            ("statement", str(item.statement or "not encoded yet")),
            ("argument", " -> ".join(type(move).__name__ for move in item.argument)),
            ("sampling", ", ".join(check.function for check in item.empirical)),
            ("rests on", ", ".join(item.rests_on)),
            ("mutants", ", ".join(f"{mutant.name} ({mutant.change})" for mutant in item.mutants)),
            ("finding", item.finding),
            ("repair", item.repair),
        )
        yield from (f"  {name + ':':<10} {text}" for name, text in fields if text)


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
