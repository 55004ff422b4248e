"""A run for GitHub Actions: a step summary in Markdown, and annotations of the worst outcomes at their files.

Ids, titles and messages come from files of other people. In the summary every character of theirs that Markdown or HTML
could take for structure becomes a numeric entity; in workflow commands `%`, line ends, `:` and `,` are escaped as the
documentation of GitHub asks for ("Workflow commands for GitHub Actions", "Adding a job summary").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from dpaudit import budget, registry, sections
from dpaudit.export import MEANINGS, Write, headline, printable, summary
from dpaudit.plan import Plan
from dpaudit.run import Result
from dpaudit.verdict import ExitCode, Kind, Outcome, Verdict, count, exit_code

MOST_BYTES = 1_000_000
"""Of one summary; GitHub drops one of more than 1 MiB."""
MOST_ANNOTATIONS = 10
"""GitHub shows so many errors of a step."""

_MOST_CHARACTERS = 1_500
_STRUCTURE = re.compile(r"[^\w .,;=()%/+]|_")
_WORST = (Outcome.REFUTED, Outcome.ERROR, Outcome.CONSISTENT, Outcome.PROVED, Outcome.INCONCLUSIVE, Outcome.NOT_RUN)


class GitHub:
    """The summary goes to `write`, the annotations to `announce`; both when the run has ended."""

    def __init__(self, write: Write, announce: Write) -> None:
        self._write = write
        self._announce = announce
        self._plan: Plan | None = None
        self._files: dict[str, str] = {}

    def start(self, plan: Plan, folder: Path) -> None:
        """Note what was planned, and which file holds what."""
        self._plan = plan
        self._files = {task.name: registry.shown(Path(task.path)) for task in plan.tasks}

    def show(self, verdicts: Sequence[Verdict]) -> None:
        """Nothing before the end."""

    def end(self, result: Result, notes: Sequence[str]) -> None:
        """The summary, then the annotations."""
        assert self._plan is not None
        wrong = sorted((v for v in result.verdicts if not v.as_expected), key=lambda v: _WORST.index(v.outcome))
        self._write("\n".join(markdown(result, wrong, self._plan, notes)))
        for verdict in wrong[:MOST_ANNOTATIONS]:
            tolerated = exit_code([verdict], self._plan.settings.allow_inconclusive) is ExitCode.EXPECTED
            self._announce(annotation(verdict, self._file(verdict.id), "warning" if tolerated else "error"))
        self._announce(headline(result.verdicts, result.code))

    def _file(self, name: str) -> str:
        """The file of the task that gave the verdict `name`: a step, constant or mutant bears the name of its claim."""
        owners = [task for task in self._files if name == task or name.startswith((f"{task}/", f"{task}~"))]
        return self._files[max(owners, key=len)] if owners else ""


def markdown(result: Result, wrong: Sequence[Verdict], plan: Plan, notes: Sequence[str]) -> Iterator[str]:
    """The lines of the summary; `wrong`: what is not as expected, worst first."""
    verdicts, settings = result.verdicts, plan.settings
    good = "everything is as expected" if verdicts else "nothing was collected"
    yield f"## dpaudit: {f'{len(wrong)} of {len(verdicts)} outcomes are not as expected' if wrong else good}"
    yield ""
    yield f"{sections.sentence(verdicts)}. Exit code {int(result.code)}: {MEANINGS[result.code]}."
    yield ""
    head = [f"Command {code(result.header['command'])}", f"level {settings.level}", budget.sentence(plan.ledger)]
    yield "; ".join(head) + f". Run folder {code(str(result.folder))}."
    yield from _table(wrong)
    yield from _counts(verdicts)
    yield ""
    yield controls(verdicts)
    yield from (f"\n{text(note)}" for note in notes)


def _table(wrong: Sequence[Verdict]) -> Iterator[str]:
    """What is not as expected, as far as it fits."""
    if not wrong:
        return
    yield from ("", "| outcome | what | found | effect | repeat |", "| --- | --- | --- | --- | --- |")
    left = MOST_BYTES - 50_000  # for everything around the table
    for place, verdict in enumerate(wrong):
        row = _row(verdict)
        left -= len(row.encode()) + 1
        if left < 0:
            yield ""
            yield f"{len(wrong) - place} more do not fit here; all are in records.jsonl and report.html of the run."
            return
        yield row


def _row(verdict: Verdict) -> str:
    witness = ", ".join(f"{name} = {value}" for name, value in verdict.witness)
    said = f"{sections.word(verdict.outcome)}, expected {sections.word(verdict.expected)}"
    found = text(sections.reason(verdict)) + (f"<br>witness: {code(witness)}" if witness else "")
    cells = (text(said), f"{code(verdict.id)}<br>{text(verdict.title)}", found, text(verdict.effect),
             code(verdict.replay))  # fmt: skip
    return f"| {' | '.join(cells)} |"


def _counts(verdicts: Sequence[Verdict]) -> Iterator[str]:
    """How many of each kind have each outcome."""
    if not verdicts:
        return
    yield from ("", f"| | {' | '.join(map(sections.word, Outcome))} |", "| --- |" + " ---: |" * len(Outcome))
    for kind in Kind:
        numbers = count(verdict for verdict in verdicts if verdict.kind is kind)
        if numbers:
            yield f"| {kind} | {' | '.join(str(numbers[outcome]) for outcome in Outcome)} |"


def controls(verdicts: Sequence[Verdict]) -> str:
    """Whether the auditor showed that it finds planted bugs and leaves harmless releases alone."""
    listed = [verdict for verdict in verdicts if verdict.kind is Kind.CONTROL]
    if not listed:
        return "No control ran, so that nothing here shows that a planted bug would have been found."
    planted = [verdict.as_expected for verdict in listed if verdict.expected is Outcome.REFUTED]
    harmless = [verdict.as_expected for verdict in listed if verdict.expected is not Outcome.REFUTED]
    return (f"Controls: {sum(planted)} of {len(planted)} planted bugs were found, "
            f"{sum(harmless)} of {len(harmless)} harmless releases had the outcome that they must have.")  # fmt: skip


def annotation(verdict: Verdict, file: str, level: str) -> str:
    """The workflow command that shows a verdict at its file; level: error or warning."""
    place = f"file={_property(file)}," if file else ""
    title = _property(
        _clipped(f"{verdict.id}: {sections.word(verdict.outcome)}, not {sections.word(verdict.expected)}")
    )
    parts = (summary(verdict), sections.reason(verdict), verdict.effect, verdict.replay)
    return f"::{level} {place}title={title}::{_data(_clipped(chr(10).join(part for part in parts if part)))}"


def text(value: str) -> str:
    """Text of others for Markdown: one line, nothing in it is structure, a link or a mention."""
    line = " ".join(printable(_clipped(value)).split())
    return _STRUCTURE.sub(lambda found: f"&#{ord(found[0])};", line).replace("&#64;", "&#64;&#8203;")


def code(value: str) -> str:
    """`text` in the font of code; empty stays empty."""
    return f"<code>{text(value)}</code>" if value else ""


def _clipped(value: str) -> str:
    return value if len(value) <= _MOST_CHARACTERS else value[:_MOST_CHARACTERS] + " ... (cut)"


def _data(value: str) -> str:
    return printable(value.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))


def _property(value: str) -> str:
    return _data(value).replace(":", "%3A").replace(",", "%2C")
