"""What is open: statements that are neither proved nor refuted, and constants between what holds and what fails."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from dpaudit.claims.citations import items_of
from dpaudit.content import places
from dpaudit.content.apart import load_claims
from dpaudit.content.items import Loaded
from dpaudit.records.claim import Claim, Statement, Step, Tightness
from dpaudit.records.errors import UnknownNameError
from dpaudit.records.verdict import Outcome

_LONGEST = 300
"""Characters of a constant."""


@dataclass(frozen=True)
class Unsettled:
    """Something that is open. name: of the statement, or of the row of a constant; item: the claim or step that has the
    statement; constant: the row, None where the statement itself is open; file: where the claim stands."""

    name: str
    claim: Claim
    item: Claim | Step
    statement: Statement
    constant: Tightness | None
    file: Path

    @property
    def what(self) -> str:
        """What is open, in words."""
        if self.constant is None:
            return f"the statement is {self.item.expects.word}: a proof, or a witness against it"
        row = self.constant
        return f"{row.name}: {row.proved} is proved, {row.refuted} refuted: a value between them that is either"


def unsettled(proofs: Path | None = None) -> tuple[Unsettled, ...]:
    """Everything that is open in the folder of claims, in its order; without one, in that of the package."""
    folder = proofs or places.content_folder("proofs")[0]
    loaded = (item for item in load_claims([folder]) if isinstance(item, Loaded))
    return tuple(found for item in loaded for found in _of_claim(item.record, item.path))


def find(name: str, proofs: Path | None = None) -> Unsettled:
    """What is open under this id; UnknownNameError, with the nearest ids, where nothing is."""
    found = {one.name: one for one in unsettled(proofs)}
    if name not in found:
        raise UnknownNameError("open statement or constant", name, tuple(found), see="dpaudit challenge")
    return found[name]


def _of_claim(claim: Claim, file: Path) -> Iterator[Unsettled]:
    for name, item in items_of(claim).items():
        if item.statement is None:
            continue
        if item.expects is Outcome.CONSISTENT:
            yield Unsettled(name, claim, item, item.statement, None, file)
        for row in _loose(item.tightness):
            yield Unsettled(row.best_id(name), claim, item, item.statement, row, file)


def _loose(rows: Iterable[Tightness]) -> Iterator[Tightness]:
    """The rows whose best constant is not known: it lies between one that is proved and one that is refuted."""
    for row in rows:
        ends = as_number(row.proved), as_number(row.refuted)
        if None not in ends and ends[0] != ends[1]:
            yield row


def as_number(text: str) -> Fraction | None:
    """The value of a constant, None where it is not written as a fraction or a decimal of a length that is read."""
    if len(text) > _LONGEST or "e" in text.lower():  # an exponent says in few digits what no memory holds
        return None
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        return None
