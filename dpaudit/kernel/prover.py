"""What the proof of one lemma knows: its domain and hypotheses, and who proves signs and equations in it."""

from __future__ import annotations

from itertools import count

from dpaudit.kernel import enclosures
from dpaudit.kernel.domain import Domain, Fact
from dpaudit.kernel.equations import Equations
from dpaudit.kernel.signs import Signs
from dpaudit.kernel.text import NotExported
from dpaudit.recheck.goals import Goal
from dpaudit.recheck.terms import ZERO, Relation


class Prover:
    """Scripts for the goals of one lemma."""

    def __init__(self, goal: Goal) -> None:
        self.goal, self.context = goal, goal.context
        self.domain = Domain(goal)
        self.text = self.domain.text
        self._numbers = count(1)
        self.signs = Signs(self)
        self.equations = Equations(self)

    def inner(self, goal: Goal) -> Prover:
        """Who proves something within the proof of this lemma, on a smaller domain."""
        made = Prover(goal)
        made._numbers = self._numbers
        return made

    def fresh(self, letter: str) -> str:
        """A name that nothing in the proof has."""
        return f"{letter}_{next(self._numbers)}"

    def name_of(self, written: str) -> str | None:
        """The hypothesis that says a proposition."""
        return next((name for name, fact in self.domain.hypotheses.items() if fact.text == written), None)

    def relation(self, given: Relation) -> str:
        """A script for a relation that holds on the domain."""
        written = self.text.relation(given)
        if (name := self.name_of(written)) is not None:
            return f"exact {name}"
        left, sign, right = given
        if sign == "==":
            return self.equations.prove(left, right)
        strict = sign == "<"
        if left == ZERO:
            return self.signs.prove(right, strict)
        return f"apply slack_{'lt' if strict else 'le'}; {self.signs.prove(('-', right, left), strict)}"

    def enclosed(self, given: Relation, split: bool = False) -> str:
        """A script for a relation by enclosures of both sides; split: with smaller and smaller boxes."""
        return enclosures.script(self, given, split)

    def fact(self, fact: Fact) -> str:
        """A script for what a term needs to have a value."""
        if (name := self.name_of(fact.text)) is not None:
            return f"exact {name}"
        if fact.given is not None:
            return self.relation(fact.given)
        assert fact.node is not None
        match fact.kind:
            case "nonzero":
                return self.signs.nonzero(fact.node)
            case "nonneg" | "positive":
                return self.signs.prove(fact.node, fact.kind == "positive")
        raise NotExported(f"{fact.text[:60]} is not shown")
