"""What the walk of an argument found so far, and what it rests on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from dpaudit.claims.engines.rigorous.boxes import BoxProof
from dpaudit.records.claim import Point, Statement
from dpaudit.records.verdict import Evidence, Numbers, Outcome


@dataclass
class Trail:
    """What a walk found. closed: every branch is settled; partial: some branch was left open; refuted:
    the opposite of the statement was shown (`Nowhere`); models: points that a solver proposes;
    dry: only follow the moves to their box goals, which are then noted and not proved; certified: how many boxes an
    accepted certificate shows a goal with, 0 if it does not; reused: whether that settled a goal."""

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
