"""What the parts of a prover see of it: signs, equations, sums and enclosures ask each other through these words."""

from __future__ import annotations

from typing import Protocol

from dpaudit.kernel.domain import Domain
from dpaudit.kernel.text import Text
from dpaudit.recheck.goals import Goal
from dpaudit.recheck.signs import Context
from dpaudit.recheck.terms import Relation, Term


class ProvesSigns(Protocol):
    """Scripts for 0 < t, 0 <= t and t <> 0."""

    def prove(self, node: Term, strict: bool) -> str:
        """A script for the sign of a term; NotExported where none is known."""

    def nonzero(self, node: Term) -> str:
        """A script for node <> 0."""

    def find(self, node: Term, strict: bool) -> str | None:
        """A script for the sign of a term, None where none is known."""


class ProvesEquations(Protocol):
    """Scripts for a = b."""

    def prove(self, a: Term, b: Term) -> str:
        """A script for a = b; NotExported where none is known."""

    def find(self, a: Term, b: Term) -> str | None:
        """The same, None where none is known."""


class Proving(Protocol):
    """What the proof of one lemma knows, and who proves what in it: `prover.Prover`."""

    context: Context
    domain: Domain
    text: Text

    @property
    def signs(self) -> ProvesSigns:
        """Who proves signs."""

    @property
    def equations(self) -> ProvesEquations:
        """Who proves equations."""

    def inner(self, goal: Goal) -> Proving:
        """Who proves something within the proof of this lemma, on a smaller domain."""

    def fresh(self, letter: str) -> str:
        """A name that nothing in the proof has."""

    def name_of(self, written: str) -> str | None:
        """The hypothesis that says a proposition."""

    def relation(self, given: Relation) -> str:
        """A script for a relation that holds on the domain."""

    def enclosed(self, given: Relation, split: bool = False) -> str:
        """A script for a relation by enclosures of both sides; split: with smaller and smaller boxes."""
