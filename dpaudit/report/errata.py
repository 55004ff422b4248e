"""Tables that are read off verdicts on papers: errata, looseness of constants, mutation scores, the index of claims."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpaudit.records.verdict import Kind, Outcome, Verdict
from dpaudit.report import sections
from dpaudit.report.severity import Erratum, Severity, accusation


@dataclass(frozen=True)
class Looseness:
    """One explicit constant: printed, best value proved here (with the outcome of that proof), a value that fails."""

    statement: str
    constant: str
    printed: str
    proved: str
    refuted: str
    verdict: Verdict

    @property
    def factor(self) -> str:
        """printed / proved, where both are numbers."""
        try:
            ratio = Fraction(self.printed) / Fraction(self.proved)
        except (ValueError, ZeroDivisionError):
            return ""
        return f"{float(ratio):.3g}"

    @property
    def standing(self) -> str:
        """What is known of the statement with the printed value: it "fails", "holds" or is "open"; empty where a value
        is not written as a fraction or the run did not settle it.

        It fails where the value is at least as strong as a refuted one, and holds where a proved one is as strong. That
        accuses nobody: in a step that we added, the paper may not print the value for this statement.
        """
        if self.verdict.outcome is not Outcome.PROVED:
            return ""
        try:
            printed, proved, refuted = map(Fraction, (self.printed, self.proved, self.refuted))
        except (ValueError, ZeroDivisionError):
            return ""
        if proved == refuted:  # no constant is both
            return ""
        stronger = 1 if proved < refuted else -1
        if stronger * printed >= stronger * refuted:
            return "fails"
        return "holds" if stronger * printed <= stronger * proved else "open"


def looseness(verdicts: Iterable[Verdict]) -> list[Looseness]:
    """A row for every constant of the run, in its order."""
    rows = []
    for v in verdicts:
        found = dict(v.numbers)
        if v.kind is Kind.REDUCTION and "constant" in found and "printed" in found:
            constant, printed, proved, refuted = (
                str(found[name]) for name in ("constant", "printed", "proved", "refuted")
            )
            rows.append(Looseness(v.id.rsplit("~best-", 1)[0], constant, printed, proved, refuted, v))
    return rows


@dataclass(frozen=True)
class Score:
    """Mutants of one paper: planted, caught, proved true (slack), neither (escaped); uncounted: other sentences."""

    paper: str
    planted: int
    caught: int
    slack: int
    uncounted: str = ""

    @property
    def escaped(self) -> int:
        """Neither refuted nor proved true."""
        return self.planted - self.caught - self.slack

    def __str__(self) -> str:
        false = self.planted - self.slack
        share = f"{self.caught / false:.3f}" if false else "none planted"
        return (
            f"mutation score of {self.paper}: {share} ({self.caught} of {false} caught, {self.escaped} escaped; "
            f"{self.slack} more are true{f'; {self.uncounted}' if self.uncounted else ''})"
        )


def scores(verdicts: Iterable[Verdict]) -> list[Score]:
    """The mutation score of each paper."""
    papers: dict[str, list[Verdict]] = {}
    for v in verdicts:
        if v.kind is Kind.MUTANT:
            papers.setdefault(sections.paper_of(v), []).append(v)
    return [_score(paper, tried) for paper, tried in papers.items()]


def _score(paper: str, tried: Sequence[Verdict]) -> Score:
    found = [v.outcome for v in sections.mutants(tried)]
    refuted, proved = (found.count(outcome) for outcome in (Outcome.REFUTED, Outcome.PROVED))
    return Score(paper, len(found), refuted, proved, sections.uncounted(tried))


def as_text(errata: Sequence[Erratum]) -> Iterator[str]:
    """Errata for people: what is printed, why it is false, how bad that is, what holds instead."""
    for row in errata:
        v = row.verdict
        yield f"{v.id}  {v.title}"
        fields = (
            ("severity", f"{row.severity}{uses(row)}"),
            ("source", v.source),
            ("reads", f"{accusation(v)}: {v.statement}" if v.statement else ""),
            ("witness", ", ".join(f"{name} = {value}" for name, value in v.witness) or sections.reason(v)),
            ("effect", v.effect),
            ("repair", v.repair),
        )
        yield from (f"  {name + ':':<10} {text}" for name, text in fields if text)
        yield ""
    counts = Counter(row.severity for row in errata)
    yield from (f"{counts[severity]:4}  {severity}" for severity in Severity if counts[severity])
    yield f"{len(errata)} errata"


def uses(row: Erratum) -> str:
    """How many statements use what is false, in words; empty if none does."""
    if row.dependents == 1:
        return " (1 statement uses it)"
    return f" ({row.dependents} statements use it)" if row.dependents else ""


HEADER = """# Claims and proof steps

Made by `dpaudit index RUN` from the records of a run at level {level}, seed {seed}; not written by hand. Outcomes are
explained in ARCHITECTURE.md. An outcome in brackets is the expected one where it differs. Steps named s1, s2, ... are
printed in the paper, the others are ours.
"""


def index(verdicts: Sequence[Verdict], level: str, seed: object) -> str:
    """proofs/INDEX.md: every claim and step with its outcome by engine, what it rests on, tightest ratio, time."""
    lines = [HEADER.format(level=level, seed=seed)]
    for paper in sections.papers(verdicts):
        lines += [
            f"## {paper.name}",
            "",
            "| id | source | outcome | engines | assuming | tightest ratio | mutants | seconds |",
            "| --- | --- | --- | --- | --- | --- | --- | --- |",
        ]
        lines += [_index_row(row) for row in paper.rows]
        lines.append("")
    return "\n".join(lines)


def _index_row(row: sections.Row) -> str:
    v = row.verdict
    expected = "" if v.as_expected else f" [{v.expected.word}]"
    basis = f" ({v.basis})" if v.basis else ""
    engines = dict.fromkeys(f"{e.engine}: {e.outcome.word}" for e in v.evidence if e.engine != "argument")
    ratio = sections.value(v, "largest_ratio")
    cells = (
        v.id,
        v.source.rsplit(", ", 1)[-1] if v.kind is Kind.CLAIM else "",
        f"{v.outcome.word}{basis}{expected}",
        ", ".join(engines),
        ", ".join(v.assuming),
        f"{ratio:.4g}" if isinstance(ratio, float) and ratio else "",
        f"{row.caught}/{row.planted}" if row.planted else "",
        f"{v.duration_s:.1f}",
    )
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
