"""The command `diff`: what got better or worse between two runs, as text, JSON, JSON lines or Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import click

from dpaudit.cli import options
from dpaudit.cli.output import writer
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.serial import Json, encode
from dpaudit.records.verdict import Verdict
from dpaudit.report import escape
from dpaudit.report.formats import text as export
from dpaudit.runs.compare import Change, Diff, Direction, What, bounds, diff
from dpaudit.runs.differences import Difference
from dpaudit.runs.reading import load_run

_MOST = 6
"""Differences of one verdict that text and Markdown name; JSON has all."""
_NAMES = {
    What.OUTCOME: "outcome changed",
    What.EXPECTED: "expectation changed",
    What.ACCEPTED: "accepted by one baseline only",
    What.GONE: "gone",
    What.NEW: "new",
    What.BOUND: "same outcome, bounds moved",
    What.EVIDENCE: "same outcome, other evidence",
}


@click.command(name="diff")
@click.argument("old", metavar="OLD", type=click.Path(path_type=Path))
@click.argument("new", metavar="NEW", type=click.Path(path_type=Path))
@click.option("--ignore-missing", is_flag=True, help="Ignore verdicts that only one of the runs has.")
@options.listing_options
@options.verbose_option
@click.pass_context
def command(context: click.Context, old: Path, new: Path, ignore_missing: bool, form: str, output: Path | None) -> None:
    """Show what got better or worse from one run to another.

    The exit code is 1 if anything is worse in NEW than in OLD.
    """
    runs = load_run(old), load_run(new)
    for run in runs:
        if not run.finished:
            raise ConfigurationError(f"the run of {str(run.folder)!r} did not finish: dpaudit resume {run.folder}")
    found = diff(*runs, ignore_missing=ignore_missing)
    with writer(output) as write:
        write(rendered(found, form, verbose=options.is_verbose(context)))
    context.exit(int(found.exit_code))


def rendered(found: Diff, form: str, *, verbose: bool = False) -> str:
    """The comparison in one of the formats text, json, jsonl and markdown; verbose: name evidence that moved too."""
    if form == "json":
        return export.dumps(_as_json(found), indent=2)
    if form == "jsonl":
        whole = _as_json(found)
        rows = [{"type": "Change", **row} for row in whole.pop("changes")]
        return "\n".join(map(export.dumps, [*rows, {"type": "End", **whole}]))
    return "\n".join(_markdown(found, verbose) if form == "markdown" else _text(found, verbose)).lstrip("\n")


def _text(found: Diff, verbose: bool) -> Iterator[str]:
    for row in found.context:
        yield export.one_line(f"{row.what}: was {row.before}, is {row.after}")
    for heading, changes in _groups(found):
        yield f"\n{heading}"
        for change in _named(changes, verbose):
            yield export.one_line(f"  {change.verdict.id}  {_words(change)}")
            yield from (export.one_line(f"      {said}") for said in _details(change))
    yield from ("", *_closing(found))


def _markdown(found: Diff, verbose: bool) -> Iterator[str]:
    yield from ("# What changed", "", *map(escape.text, _closing(found)))
    if found.context:
        rows = ([escape.text(str(cell)) for cell in (row.what, row.before, row.after)] for row in found.context)
        yield from ("", "## Made with", "", *escape.table(("", "old", "new"), rows))
    for heading, changes in _groups(found):
        cells = [_cells(change) for change in _named(changes, verbose)]
        yield from ("", f"## {heading}")
        if cells:
            yield from ("", *escape.table(("id", "change", "differences"), cells))


def _cells(change: Change) -> list[str]:
    """A row of Markdown: id, what happened, which values moved."""
    details = "<br>".join(map(escape.text, _details(change)))
    return [escape.code(change.verdict.id), escape.text(_words(change)), details]


def _groups(found: Diff) -> Iterator[tuple[str, list[Change]]]:
    """The changes of each sort under their heading, worse ones first."""
    for (direction, what), changes in groupby(found.changes, key=lambda change: (change.direction, change.what)):
        listed = list(changes)
        yield f"{direction.capitalize()}: {_NAMES[what]} ({len(listed)})", listed


def _named(changes: list[Change], verbose: bool) -> list[Change]:
    """Evidence that moved under the same outcome is counted, and named only if that is asked for."""
    return [change for change in changes if verbose or change.what is not What.EVIDENCE]


def _words(change: Change) -> str:
    """What happened to a verdict, in one line."""
    was, now = change.before, change.after
    if was is None or now is None:
        return f"{'is' if was is None else 'was'} {_judged(change.verdict)}"
    if change.what in (What.BOUND, What.EVIDENCE):
        return now.outcome.word
    return f"was {_judged(was)}; is {_judged(now)}"


def _judged(verdict: Verdict) -> str:
    said = verdict.outcome.word
    if not verdict.as_expected:
        said += f", expected {verdict.expected.word}"
    elif verdict.outcome is not verdict.expected or verdict.outcome.name == "REFUTED":
        said += " (as expected)"
    return f"{said} [accepted {verdict.accepted}]" if verdict.accepted else said


def _details(change: Change) -> list[str]:
    """The values that differ: bounds that moved, else what the verdict says; the last line counts what is left out."""
    rows = bounds(change.differences) if change.what is What.BOUND else change.differences
    shown = [row for row in rows if row.what not in ("outcome", "expected")]
    said = [f"{row.what}: {_cut(row.before)} -> {_cut(row.after)}" for row in shown[:_MOST]]
    return [*said, f"and {len(shown) - _MOST} more"] if len(shown) > _MOST else said


def _cut(value: object) -> str:
    text = f"{value:.6g}" if isinstance(value, float) else str(value)
    return text if len(text) <= 160 else f"{text[:160]} ..."


def _closing(found: Diff) -> Iterator[str]:
    """The counts of outcomes that moved, the counts of changes, the exit code."""
    moved = [f"{outcome.word} {was} -> {now}" for outcome, was, now in found.counts if was != now]
    if moved:
        yield f"{', '.join(moved)}."
    directions = [change.direction for change in found.changes]
    counts = ", ".join(f"{directions.count(direction)} {direction}" for direction in Direction)
    code = found.exit_code
    yield f"{counts}, {found.same} the same. Exit code {int(code)}: {'something' if code else 'nothing'} is worse."


def _as_json(found: Diff) -> Json:
    return {
        "context": [_difference(row) for row in found.context],
        "counts": {outcome.value: {"before": was, "after": now} for outcome, was, now in found.counts},
        "same": found.same,
        "exit_code": int(found.exit_code),
        "changes": [_change(change) for change in found.changes],
    }


def _change(change: Change) -> Json:
    sides = {"before": change.before, "after": change.after}
    return {
        "direction": change.direction.value,
        "what": change.what.value,
        "id": change.verdict.id,
        "kind": change.verdict.kind.value,
        **{name: _side(verdict) for name, verdict in sides.items()},
        "differences": [_difference(row) for row in change.differences],
    }


def _side(verdict: Verdict | None) -> dict[str, str] | None:
    if verdict is None:
        return None
    return {"outcome": verdict.outcome.value, "expected": verdict.expected.value, "accepted": verdict.accepted}


def _difference(row: Difference) -> Json:
    return {"what": row.what, "before": encode(row.before), "after": encode(row.after)}
