"""What the walk of an argument found so far, and what it rests on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from dpaudit.claims.argument import instances
from dpaudit.claims.engines.rigorous.boxes import BoxProof
from dpaudit.claims.grounds import ASSUMED
from dpaudit.claims.language.expression import Relation
from dpaudit.records.claim import Point, Statement
from dpaudit.records.errors import UnknownNameError
from dpaudit.records.verdict import Evidence, Numbers, Outcome


@dataclass
class Trail:
    """What a walk found. closed: every branch is settled; partial: some branch was left open; refuted:
    the opposite of the statement was shown (`Nowhere`); models: points that a solver proposes;
    dry: only follow the moves to their box goals, which are then noted and not proved; certified: how many boxes an
    accepted certificate shows a goal with, 0 if it does not; reused: whether that settled a goal;
    statements: those of the claim and its steps, by id, which a move may rest on."""

    evidence: list[Evidence] = field(default_factory=list)
    assuming: list[str] = field(default_factory=list)
    boxes: list[tuple[Statement, BoxProof]] = field(default_factory=list)
    models: list[Point] = field(default_factory=list)
    closed: bool = True
    partial: bool = False
    refuted: bool = False
    dry: bool = False
    certified: Callable[[Statement], int] = lambda goal: 0
    reused: bool = False
    statements: Mapping[str, Statement] = field(default_factory=dict)

    def note(self, engine: str, holds: bool, detail: str, numbers: Numbers = ()) -> bool:
        """Record one checked move; a move that does not hold leaves the argument open."""
        outcome = Outcome.PROVED if holds else Outcome.INCONCLUSIVE
        self.evidence.append(Evidence(engine, outcome, detail, numbers))
        self.closed = self.closed and holds
        return holds

    def rest_on(self, theorem: str) -> None:
        """Remember a named theorem, once."""
        if theorem not in self.assuming:
            self.assuming.append(theorem)

    def cite(self, ground: str, said: str, used: Relation, goal: Statement, at: instances.Values) -> None:
        """A move that uses `used` rests on a named theorem, or on a statement that it is an instance of.

        A statement that it is not shown to be an instance of is assumed like a theorem: `grounds` keeps it.
        """
        self.rest_on(ground)
        if "/" not in ground:
            self.note("theorem", True, said)
            return
        known = self.statements.get(ground)
        if known is None and _claim(ground) in map(_claim, self.statements):
            raise UnknownNameError("statement", ground, self.statements)
        why = "it stands in another claim" if known is None else instances.missing(used, goal, known, at)
        if not why:
            self.note("argument", True, f"{said}, of which it is an instance")
        else:
            assumed = f"{said}, which is assumed: no instance of it is shown, as {why}"
            self.note("theorem", True, assumed, ((ASSUMED, ground),))


def _claim(name: str) -> str:
    """The id of the claim of a step."""
    return "/".join(name.split("/")[:2])
