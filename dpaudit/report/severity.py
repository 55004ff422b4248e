"""How bad an error of a paper is: computed from what else is proved, not said by whoever found it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from dpaudit.records.claim import Claim, Step, given
from dpaudit.records.reading import Reads
from dpaudit.records.verdict import Kind, Outcome, Verdict
from dpaudit.report.sections import OF_PAPERS, paper_of


class Severity(StrEnum):
    """What becomes of the theorem, gravest first."""

    FALLS = "the statement is false, and no repair of it is proved"
    CHANGES = "the statement is false; it is proved with another constant or condition"
    OPEN = "the printed proof fails here, and the statement is not proved otherwise"
    PROOF = "the statement is proved otherwise; only its printed proof, or one reading of it, fails"
    MISPRINT = "a misprint: a printed line nearby has it right"
    EDGE = "only a boundary case, or one reading of what is printed, fails"
    OURS = "derived from the paper by us; no printed line is accused"
    CODE = "a reduction between algorithms that is printed and false"

    @property
    def statement_falls(self) -> bool:
        """Is what the paper states false, and not only its proof?"""
        return self in (Severity.FALLS, Severity.CHANGES)


@dataclass(frozen=True)
class Entry:
    """What is known of a claim or step: its outcome, what it reads, its repair, what it uses."""

    outcome: Outcome
    reads: Reads | None
    repair: str
    uses: tuple[str, ...]


@dataclass(frozen=True)
class Erratum:
    """A refuted statement of a paper. dependents: how many others use it, also through others."""

    verdict: Verdict
    severity: Severity
    dependents: int


@dataclass(frozen=True)
class Standing:
    """The claims and steps by id, of a run or as they are expected to come out."""

    entries: Mapping[str, Entry]

    @classmethod
    def of_run(cls, verdicts: Iterable[Verdict]) -> Standing:
        """Of the verdicts of a run."""
        rows = (v for v in verdicts if v.kind in OF_PAPERS)
        return cls({v.id: Entry(v.outcome, v.reads, v.repair, (*v.given, *v.rests_on)) for v in rows})

    @classmethod
    def of_claims(cls, claims: Iterable[Claim]) -> Standing:
        """Of claims that are not judged: each comes out as it is expected to."""
        items: list[tuple[str, Claim | Step]] = []
        for claim in claims:
            items += [(claim.id, claim), *((f"{claim.id}/{step.name}", step) for step in claim.steps)]
        return cls({n: Entry(i.expects, i.read_as, i.repair, (*given(i), *i.rests_on)) for n, i in items})

    @cached_property
    def _users(self) -> Mapping[str, set[str]]:
        found: dict[str, set[str]] = {}
        for name, entry in self.entries.items():
            for used in entry.uses:
                found.setdefault(used, set()).add(name)
        return found

    def users(self, name: str) -> tuple[str, ...]:
        """The claims and steps that use `name` themselves."""
        return tuple(sorted(self._users.get(name, ())))

    def dependents(self, name: str) -> int:
        """How many claims and steps use `name`, directly or through others."""
        seen, waiting = {name}, [name]
        for one in waiting:
            waiting += sorted(self._users.get(one, set()) - seen)
            seen |= self._users.get(one, set())
        return len(seen) - 1

    def severity(self, name: str) -> Severity:
        """What the refutation of `name` means for the statement that it belongs to."""
        if name not in self.entries:
            return Severity.CODE
        own, claim = self.entries[name], "/".join(name.split("/")[:2])
        if own.reads in (Reads.BOUNDARY, Reads.READING):
            return Severity.EDGE
        if own.reads is Reads.OURS:
            return Severity.OURS
        near = own.repair.startswith(f"{claim}/") and name != claim and own.reads is Reads.PRINTED
        right = self.entries.get(own.repair)
        if near and right is not None and right.outcome is Outcome.PROVED and right.reads is Reads.PRINTED:
            return Severity.MISPRINT
        return self._fate(claim.partition("~")[0])

    def _fate(self, claim: str) -> Severity:
        """What becomes of a statement of the paper, where something about it is refuted."""
        entry = self.entries.get(claim)
        if entry is None or entry.reads not in (Reads.PRINTED, None):
            return Severity.OPEN
        if entry.outcome is Outcome.REFUTED:
            return Severity.CHANGES if self._repaired(entry) else Severity.FALLS
        return Severity.PROOF if entry.outcome is Outcome.PROVED else Severity.OPEN

    def _repaired(self, entry: Entry) -> bool:
        """Is a repair of it proved, or a repair of that?"""
        seen: set[str] = set()
        while entry.repair in self.entries and entry.repair not in seen:
            seen.add(entry.repair)
            entry = self.entries[entry.repair]
            if entry.outcome is Outcome.PROVED:
                return True
        return False


def ordered(refuted: Sequence[Verdict], standing: Standing) -> list[Erratum]:
    """The errata by paper, in the order of the run; of each the gravest first, then those that more depends on."""
    rows = [Erratum(v, standing.severity(v.id), standing.dependents(v.id)) for v in refuted]
    papers = list(dict.fromkeys(paper_of(v) for v in refuted))
    levels = list(Severity)
    return sorted(rows, key=lambda e: (papers.index(paper_of(e.verdict)), levels.index(e.severity), -e.dependents))


def by_severity(errata: Sequence[Erratum]) -> list[tuple[Severity, list[Erratum]]]:
    """The errata of each severity that occurs, the gravest first."""
    groups = [(severity, [row for row in errata if row.severity is severity]) for severity in Severity]
    return [(severity, rows) for severity, rows in groups if rows]


ACCUSES: Mapping[Reads | None, str] = {
    Reads.PRINTED: "Printed, and false",
    Reads.READING: "One reading of the paper, and false",
    Reads.REASON: "The reason that is given, and false; the conclusion is judged apart",
    Reads.GAP: "Needed by the printed proof, not shown there, and false",
    Reads.BOUNDARY: "False in a boundary case only",
    Reads.OURS: "Derived from the paper, and false",
    None: "Read or derived, and false",
}
"""What a refutation says of the paper, by what the statement reads of it."""


def accusation(verdict: Verdict) -> str:
    """What the refutation says of the paper; records of older runs do not say what they read."""
    older = verdict.reads is None and verdict.kind is Kind.STEP
    return ACCUSES[Reads.PRINTED if older else verdict.reads]
