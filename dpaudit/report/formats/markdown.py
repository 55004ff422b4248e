"""A run as a whole report in GitHub-flavoured Markdown, the sections of the page in the same order.

It has no pictures: the numbers behind them are in its tables and in the files of the run folder.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from dpaudit.records.verdict import Kind, Outcome, Verdict
from dpaudit.report import catalogue, errata, scope, sections, wording
from dpaudit.report.escape import code, finding, judged, table, text
from dpaudit.report.formats import text as export
from dpaudit.report.formats.view import Filing, View, Whole, Write
from dpaudit.report.severity import Standing, ordered
from dpaudit.runs.reading import Run

NAME, PLACE, FILING = "markdown", 4, Filing.WHOLE

_MEASURED = (
    ("claimed epsilon", "epsilon_claimed"),
    ("measured, at least", "epsilon_lower_95"),
    ("exact", "epsilon_exact"),
    ("tightness", "tightness"),
    ("delta", "delta"),
    ("trials per side", "trials_per_side"),
    ("caught in 9 of 10", "smallest_violation_at_90"),
    ("largest bound possible", "limit_of_detection"),
)
_UNSETTLED = {
    Outcome.INCONCLUSIVE: "Inconclusive: what would settle it",
    Outcome.NOT_RUN: "Not run",
    Outcome.ERROR: "Crashed or broke its contract",
}


def view(write: Write, announce: Write, verbose: bool) -> View:
    """See `Format`."""
    return Whole(write, page)


def page(run: Run) -> str:
    """The report; the same records give the same text, dates and durations in the last section apart."""
    parts = (_headline(run), _scope(run), _surprises(run), _refutations(run), _constants(run), _claims(run),
             _agreement(run), _audits(run), _controls(run), _provenance(run))  # fmt: skip
    return "\n".join(line for part in parts for line in part)


def _headline(run: Run) -> Iterator[str]:
    strength = scope.strength(run.verdicts)
    first, last = export.headline(run.verdicts, run.code).rpartition("\n")[::2]
    yield "# dpaudit report"
    yield from ("", first or "Nothing was checked: the run has no outcome.", "", last)
    if not run.finished:
        yield from ("", "**This run did not finish. What follows is what it had when it stopped.**")
    yield from ("", f"Checked: {text(sections.subject(run.verdicts))}. {_certainty(run, strength)}")
    facts = [f"{name} {text(str(run.header[name]))}" for name in ("seed", "level", "device") if name in run.header]
    yield from ("", f"Command {code(str(run.header.get('command', '')))}; {', '.join(facts)}.", "")
    for first, tallies in (
        ("kind", sections.tallies(run.verdicts)),
        ("reads of its paper", sections.reading_tallies(run.verdicts)),
    ):
        rows = [[t.label, *map(str, t.counts), str(t.total), str(t.unexpected)] for t in tallies]
        head = [first, *(f"{text(sections.MARKS[o])} {o.word}" for o in Outcome), "total", "not as expected"]
        yield from (*table(head, rows, range(1, len(head))), "") if rows else ()


def _certainty(run: Run, strength: scope.Strength) -> str:
    total = (run.header.get("error_budget") or {}).get("total")
    budget = f"; the probability that any of these is a false alarm is at most {wording.number(total)}" if total else ""
    return (f"{strength.proved} proved, {strength.unconditional} of them without assumptions; {strength.consistent} "
            "only consistent, which is not a proof; "
            f"{strength.statistical} refutations rest on sampling{budget}.")  # fmt: skip


def _scope(run: Run) -> Iterator[str]:
    """What the run can carry, and what it left out."""
    verdicts, strength = run.verdicts, scope.strength(run.verdicts)
    theorems = ", ".join(f"{code(name)} ({number})" for name, number in strength.theorems)
    yield from ("", "## What this does and does not show", "")
    resting = f"{strength.proved - strength.unconditional} on named theorems or claims that this run did not prove"
    yield (f"- **Proved** ({strength.proved}): they hold on the whole stated domain. {strength.checked} have a "
           f"certificate that the checker accepted; {strength.two_solvers} have a part that rests on the word of two "
           f"solvers. {strength.unconditional} rest on "
           f"nothing but the checks, {resting}{f': {theorems}' if theorems else ''}. "
           f"{scope.second_opinion(verdicts)}".rstrip())  # fmt: skip
    bases = ", ".join(f"{number} by {name}" for name, number in strength.bases)
    yield f"- **Consistent** ({strength.consistent}) does not mean proved: no violation was found. {bases}."
    if any(v.kind is Kind.AUDIT for v in verdicts):
        seen = text(scope.views(verdicts))
        yield f"- **Audits** cover the adversary that was simulated and no stronger one: {seen}."
        yield f"- {_power(verdicts)}"
    else:
        yield "- **No implementation was audited** in this run, so it says nothing about running code."
    yield from (f"- {words}" for words in scope.untouched(verdicts))
    for outcome, group in sections.unsettled(verdicts):
        yield from ("", f"### {_UNSETTLED[outcome]} ({len(group)})", "")
        for reason, alike in sections.by_reason(group):
            yield f"- {', '.join(code(v.id) for v in alike)}: {text(reason)}"


def _power(verdicts: Sequence[Verdict]) -> str:
    found = scope.hardest(verdicts)
    if found is None:
        return "No audit ended without a finding and with a known power, so no smallest violation can be stated."
    verdict, epsilon = found
    if math.isinf(epsilon):
        return f"At least one audit without a finding had too few trials to catch any violation: {code(verdict.id)}."
    return (f"Every audit without a finding would have caught an epsilon of {wording.number(epsilon)} in at least 9 of "
            f"10 runs; the least powerful is {code(verdict.id)}.")  # fmt: skip


def _surprises(run: Run) -> Iterator[str]:
    wrong = sections.surprises(run.verdicts)
    accepted = [v for v in run.verdicts if not v.as_expected and not v.surprising]
    yield from _findings("Unexpected outcomes", wrong)
    yield from _findings("Accepted by a baseline", accepted)


def _refutations(run: Run) -> Iterator[str]:
    found = sections.refutations(run.verdicts)
    listed = ordered(found.errata, Standing.of_run(run.verdicts))
    yield from _findings(
        "Errata: statements, readings and proof steps that are false, as expected",
        [row.verdict for row in listed],
    )
    yield from _findings("Reductions and implementations that are refuted, as expected", found.implementations)


def _findings(title: str, verdicts: Sequence[Verdict]) -> Iterator[str]:
    if verdicts:
        yield from ("", f"## {title} ({len(verdicts)})")
    for verdict in verdicts:
        yield ""
        yield from finding(verdict)


def _constants(run: Run) -> Iterator[str]:
    rows = [[code(row.statement), code(row.constant), code(row.printed), code(row.proved), judged(row.verdict),
             row.factor, code(row.refuted)] for row in errata.looseness(run.verdicts)]  # fmt: skip
    if rows:
        yield from ("", "## Constants", "", "How loose the printed constants are: the best value proved here, and one "
                    "that fails.", "")  # fmt: skip
        yield from table(["statement", "constant", "printed", "best", "that is", "printed / best", "fails"], rows)


def _claims(run: Run) -> Iterator[str]:
    columns = sections.engines(run.verdicts)
    yield from ("", "## Claims")
    papers = sections.papers(run.verdicts)
    if not papers:
        yield from ("", "No claim was checked in this run.")
    for paper in papers:
        yield from ("", f"### {text(paper.name)}", "")
        yield from table(["claim", "title", "statement", "printed proof", *columns, "mutants"], map(_claim, paper.rows))
        if paper.planted:
            more = f"; {paper.uncounted}" if paper.uncounted else ""
            yield from ("", f"Mutants: {paper.caught} of {paper.planted} caught{more}.")
        if paper.survivors:
            yield ""
            yield from (f"- {code(v.id)}: {judged(v)}, {text(v.title)}" for v in paper.survivors)


def _claim(row: sections.Row) -> list[str]:
    """A claim, or with a bullet a step of one, by engine."""
    name = code(row.name) if row.verdict.kind is Kind.CLAIM else f"&#8226; {code(row.name)}"
    proof = f"{row.proof.word}, {row.settled}/{row.steps} steps" if row.proof else ""
    cells = [found.word + (f" x {times}" if times > 1 else "") if found else "" for found, times in row.cells]
    mutants = f"{row.caught}/{row.planted}" if row.planted else ""
    return [name, text(row.verdict.title), judged(row.verdict), proof, *cells, mutants]


def _agreement(run: Run) -> Iterator[str]:
    listed = [v for v in run.verdicts if v.kind is Kind.AGREEMENT]
    yield from ("", "## Agreement of backends", "")
    if not listed:
        yield "No backend was compared in this run."
        return
    rows = [[*map(code, sections.agreement_parts(v)), judged(v), wording.number(sections.value(v, "deviation")),
             wording.number(sections.value(v, "bound"))] for v in listed]  # fmt: skip
    yield from table(["algorithm", "backend", "dtype, or reduction", "outcome", "deviation", "bound"], rows, (4, 5))


def _audits(run: Run) -> Iterator[str]:
    listed = [v for v in run.verdicts if v.kind is Kind.AUDIT]
    yield from ("", "## Audits: claimed and measured epsilon", "")
    if not listed:
        yield "No implementation was audited in this run."
        return
    yield ("Measured: the lower bound on epsilon at 95 % for this target alone. It can refute a guarantee, but never "
           "establish one.")  # fmt: skip
    yield from ("", *_games(listed))


def _games(verdicts: Iterable[Verdict]) -> Iterator[str]:
    rows = [[code(v.id), judged(v), *(text(wording.number(sections.value(v, name))) for _, name in _MEASURED)]
            for v in verdicts]  # fmt: skip
    head = ["target", "outcome", *(label for label, _ in _MEASURED)]
    yield from table(head, rows, range(2, len(head)))


def _controls(run: Run) -> Iterator[str]:
    listed = [v for v in run.verdicts if v.kind is Kind.CONTROL]
    yield from ("", "## Controls", "")
    if not listed:
        yield "No control was run, so nothing shows here that the auditor can find a planted bug."
        return
    bugs = catalogue.planted(run.verdicts)
    if bugs:
        head, *rows = catalogue.rows(bugs)
        yield f"{catalogue.score(bugs).capitalize()}."
        yield from ("", *table(head, [[text(cell) for cell in row] for row in rows]))
    others = [v for v in listed if v not in [bug.verdict for bug in bugs]]
    if others:
        yield from ("", "Other controls, which must have the expected outcome:", "", *_games(others))


def _provenance(run: Run) -> Iterator[str]:
    """The object of run.json; the plan and the error budget by their sizes, since both are long and in that file."""
    yield from ("", "## Provenance", "")
    short = {name: value for name, value in run.header.items() if name not in ("plan", "error_budget")}
    rows = [[code(name), text(value)] for name, value in wording.plain(short)]
    yield from table(["field", "value"], [*rows, [code("error_budget"), text(export.budget_sentence(run.header))]])
    yield from ("", "Time of the checks in seconds; checks may have run in parallel:", "")
    times = [[label, str(number), f"{seconds:.2f}", f"{code(longest.id)}, {longest.duration_s:.2f} s"]
             for label, number, seconds, longest in sections.durations(run.verdicts)]  # fmt: skip
    yield from table(["kind", "checks", "seconds", "longest"], times, (1, 2))
