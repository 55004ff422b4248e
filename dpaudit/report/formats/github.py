"""A run for GitHub Actions: a step summary in Markdown, and annotations of the worst outcomes at their files.

Ids, titles and messages come from files of other people. `markdown_text` escapes them for the summary; in workflow
commands `%`, line ends, `:` and `,` are escaped as the documentation of GitHub asks for ("Workflow commands for GitHub
Actions", "Adding a job summary").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dpaudit.records.hidden import visible
from dpaudit.records.verdict import ExitCode, Kind, Outcome, Verdict, count, exit_code
from dpaudit.report import deciding, sections
from dpaudit.report.escape import clipped, code, judged, table, text, witness
from dpaudit.report.formats import text as export
from dpaudit.report.formats.view import Filing, View, Whole, Write
from dpaudit.report.locations import Files
from dpaudit.runs import baseline
from dpaudit.runs.reading import Run

NAME, PLACE, FILING = "github", 7, Filing.ADDED

MOST_BYTES = 1_000_000
"""Of one summary; GitHub drops one of more than 1 MiB."""
MOST_ANNOTATIONS = 10
"""GitHub shows so many errors of a step."""

_AROUND = 50_000
"""Bytes kept for everything around the table."""


def view(write: Write, announce: Write, verbose: bool) -> View:
    """See `Format`."""
    return Summary(write, announce)


class Summary(Whole):
    """The step summary, then the workflow commands, which go to standard output whatever the summary goes to."""

    def __init__(self, write: Write, announce: Write) -> None:
        super().__init__(write, summary)
        self._announce = announce

    def end(self, run: Run, notes: Sequence[str] = ()) -> None:
        super().end(run, notes)
        for command in commands(run):
            self._announce(command)


def summary(run: Run) -> str:
    """The step summary: counts, what is not as expected, worst first, and whether the controls did what they must."""
    wrong = sections.surprises(run.verdicts)
    accepted = [v for v in run.verdicts if not v.as_expected and not v.surprising]
    every = f"everything is as expected{' or accepted' if accepted else ''}"
    good = every if run.verdicts else "nothing was collected"
    found = sections.unexpected(len(wrong), len(run.verdicts)) if wrong else good
    head = (f"Command {code(str(run.header.get('command', '')))}", f"level {text(str(run.header.get('level', '')))}",
            export.budget_sentence(run.header))  # fmt: skip
    lines = [
        f"## dpaudit: {found}",
        "",
        f"{sections.sentence(run.verdicts)}. Exit code {int(run.code)}: {export.MEANINGS[run.code]}.",
        "",
        f"{'; '.join(head)}. Run folder {code(str(run.folder))}.",
        *_table(wrong, MOST_BYTES - _AROUND),
        *_accepted(accepted),
        *_counts(run.verdicts),
        "",
        controls(run.verdicts),
        *_notes(run),
    ]
    return "\n".join(lines)


def commands(run: Run) -> list[str]:
    """The workflow commands for the worst outcomes."""
    files = Files(run)
    made = []
    for verdict in sections.surprises(run.verdicts)[:MOST_ANNOTATIONS]:
        tolerated = exit_code([verdict], run.allow_inconclusive) is ExitCode.EXPECTED
        made.append(annotation(verdict, files.of(verdict), "warning" if tolerated else "error"))
    return made


def _table(wrong: Sequence[Verdict], most_bytes: int) -> Iterator[str]:
    """What is not as expected, as far as it fits."""
    if not wrong:
        return
    rows: list[Sequence[str]] = []
    left = most_bytes
    for verdict in wrong:
        row = _row(verdict)
        left -= sum(len(cell.encode()) + 3 for cell in row) + 2
        if left < 0:
            break
        rows.append(row)
    yield ""
    yield from table(["outcome", "what", "found", "effect", "repeat"], rows)
    if len(rows) < len(wrong):
        yield ""
        yield f"{len(wrong) - len(rows)} more do not fit here; all are in records.jsonl and report.html of the run."


def _row(verdict: Verdict) -> Sequence[str]:
    seen = witness(verdict)
    found = text(sections.reason(verdict)) + (f"<br>witness: {seen}" if seen else "")
    what = f"{sections.whose(verdict.kind)}{code(verdict.id)}<br>{text(verdict.title)}"
    return (judged(verdict), what, found, text(verdict.effect), code(verdict.replay))


def _accepted(accepted: Sequence[Verdict]) -> Iterator[str]:
    """What a baseline lets pass, the first few by id."""
    if not accepted:
        return
    yield ""
    yield f"Not as expected, but accepted by a baseline ({len(accepted)}):"
    yield ""
    yield from (f"- {code(v.id)}: {v.outcome.word}, accepted {text(v.accepted)}"
                for v in accepted[:MOST_ANNOTATIONS])  # fmt: skip
    if len(accepted) > MOST_ANNOTATIONS:
        yield f"- and {len(accepted) - MOST_ANNOTATIONS} more"


def _notes(run: Run) -> Iterator[str]:
    """What the user must know of the baseline, the first few."""
    notes = baseline.notes(run.header) if run.finished else []
    yield from (f"\n- {text(note)}" for note in notes[:MOST_ANNOTATIONS])
    if len(notes) > MOST_ANNOTATIONS:
        yield f"\n- and {len(notes) - MOST_ANNOTATIONS} more"


def _counts(verdicts: Sequence[Verdict]) -> Iterator[str]:
    """How many of each kind have each outcome."""
    if not verdicts:
        return
    rows = []
    for kind in Kind:
        numbers = count(verdict for verdict in verdicts if verdict.kind is kind)
        if numbers:
            rows.append([kind.value, *(str(numbers[outcome]) for outcome in Outcome)])
    yield ""
    yield from table(["", *(outcome.word for outcome in Outcome)], rows, range(1, len(Outcome) + 1))


def controls(verdicts: Sequence[Verdict]) -> str:
    """Whether the auditor showed that it finds planted bugs and leaves harmless releases alone."""
    listed = [verdict for verdict in verdicts if verdict.kind is Kind.CONTROL]
    if not listed:
        return "No control was run, so nothing here shows that a planted bug would have been found."
    planted = [verdict.as_expected for verdict in listed if verdict.expected is Outcome.REFUTED]
    harmless = [verdict.as_expected for verdict in listed if verdict.expected is not Outcome.REFUTED]
    return (f"Controls: {sum(planted)} of {len(planted)} planted bugs were found, "
            f"{sum(harmless)} of {len(harmless)} harmless releases had the expected outcome.")  # fmt: skip


def annotation(verdict: Verdict, file: str, level: str) -> str:
    """The workflow command that shows a verdict at its file; level: error or warning."""
    place = f"file={_property(file)}," if file else ""
    said = f"{verdict.id}: {verdict.outcome.word}, not {verdict.expected.word}"
    explained = (f"explained: {page}" for page in deciding.pages(verdict))
    parts = (export.summary(verdict), sections.reason(verdict), verdict.effect, *explained, verdict.replay)
    body = clipped("\n".join(part for part in parts if part))
    return f"::{level} {place}title={_property(clipped(said))}::{_data(body)}"


def _data(value: str) -> str:
    return visible(value.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))


def _property(value: str) -> str:
    return _data(value).replace(":", "%3A").replace(",", "%2C")
