"""A certificate as lemmas: one for each node of its proof, which says the node's goal on the node's domain."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from dpaudit.kernel.domain import SPACE, Domain, Fact, said
from dpaudit.kernel.prover import Prover
from dpaudit.kernel.scripts import split
from dpaudit.kernel.text import NotExported, Text, identifier
from dpaudit.recheck.goals import Goal
from dpaudit.recheck.proof import Node, Proof
from dpaudit.recheck.terms import Term, replaced, show, substitute

NOTHING: Mapping[Term, Term] = MappingProxyType({})
NO_SCRIPTS: Mapping[str, str] = MappingProxyType({})


@dataclass
class Step:
    """A node with its goal, and its parts by name; lemma: the name of its lemma; domain: that of its lemma."""

    goal: Goal
    node: Node
    parts: dict[str, Step] = field(default_factory=dict)
    lemma: str = ""
    domain: Domain | None = None


class Recorder(Proof):
    """Goes through a proof as the checker does, and notes which goal each node has."""

    def __init__(self, grounds: dict[str, Goal]) -> None:
        super().__init__(grounds)
        self.root: Step | None = None
        self._open: list[Step] = []
        self._keys: list[str] = []

    def check(self, goal: Goal, node: Any) -> None:
        """As the checker does."""
        step = Step(goal, node)
        if self._open:
            parts = self._open[-1].parts
            key = self._keys[-1]
            parts[key if key not in parts else f"{key} {len(parts)}"] = step
        else:
            self.root = step
        self._open.append(step)
        super().check(goal, node)
        self._open.pop()

    def part(self, goal: Goal, node: Node, key: str) -> None:
        """As the checker does."""
        self._keys.append(key)
        super().part(goal, node, key)
        self._keys.pop()


@dataclass(frozen=True)
class Axiom:
    """What a named theorem, or another statement, is taken to say. of: its name among what is assumed."""

    name: str
    of: str
    statement: str


@dataclass(frozen=True)
class Lemma:
    """One lemma; script: one tactic, after the names of the domain are introduced."""

    name: str
    statement: str
    intros: str
    script: str

    @property
    def text(self) -> str:
        """The lemma with its proof."""
        return f"Lemma {self.name} : {self.statement}.\nProof.\n{self.intros}{self.script}.\nQed."


class Writer:
    """Makes the lemmas of one certificate. lemmas: parts before what uses them."""

    def __init__(self, grounds: Mapping[str, Goal]) -> None:
        self.grounds = grounds
        self.lemmas: list[Lemma] = []
        self.axioms: list[Axiom] = []

    def write(self, step: Step) -> str:
        """The lemmas of a node and its parts; the name of the lemma of the node."""
        for part in step.parts.values():
            self.write(part)
        prover = Prover(step.goal)
        step.domain = prover.domain
        by = step.node["by"]
        if by not in RULES:
            raise NotExported(f"the rule {by}")
        script = RULES[by](Here(self, step, prover))
        step.lemma = f"node_{len(self.lemmas) + 1}"
        self.add(step.lemma, prover.domain, script)
        return step.lemma

    def add(self, name: str, domain: Domain, script: str) -> None:
        """One more lemma."""
        names = [*(name for name, _ in domain.binders), *domain.hypotheses]
        self.lemmas.append(Lemma(name, domain.statement, f"intros {' '.join(names)}; " if names else "", script))


@dataclass(frozen=True)
class Here:
    """What the script of a rule is made of."""

    writer: Writer
    step: Step
    prover: Prover

    @property
    def goal(self) -> Goal:
        """The goal of the node."""
        return self.step.goal

    @property
    def node(self) -> Node:
        """The node."""
        return self.step.node

    @property
    def suffix(self) -> str:
        """How lemmas for this sign end."""
        return {"<=": "le", "<": "lt", "==": "eq"}[self.goal.relation.sign]

    def part(self, key: str, values: Mapping[Term, Term] = NOTHING, shown: Mapping[str, str] = NO_SCRIPTS) -> str:
        """A script that applies the lemma of a part. values: what stands for symbols that are new there; shown:
        scripts for hypotheses by name."""
        step = self.step.parts[key]
        assert step.domain is not None
        head, scripts = self.applied(step.lemma, step.domain, values, shown)
        return split(f"refine {head}", *scripts) if scripts else f"exact {head}"

    def applied(
        self, lemma: str, domain: Domain, values: Mapping[Term, Term], shown: Mapping[str, str] = NO_SCRIPTS
    ) -> tuple[str, list[str]]:
        """A lemma with what it is applied to, and scripts for what is left open in it."""
        given, scripts = [lemma, *self._arguments(domain, values)], []
        for name, fact in domain.hypotheses.items():
            here = replaced_in(fact, values, self.prover.text)
            own = None if name in shown else self.prover.name_of(here.text)
            given.append(own or "_")
            if own is None:
                scripts.append(shown[name] if name in shown else self.prover.fact(here))
        return f"({' '.join(given)})", scripts

    def _arguments(self, domain: Domain, values: Mapping[Term, Term]) -> Iterator[str]:
        if domain.vectors:
            yield SPACE
        for s in domain.goal.context.symbols:
            value = values.get(s.name)
            if value is None:
                yield identifier(s.name)
            elif s.kind == "real":
                yield self.prover.text.real(value)
            elif s.kind == "vector":
                yield self.prover.text.vector(value)
            elif (whole := self.prover.text.whole(value)) is not None:
                yield f"{whole}%Z"
            else:
                raise NotExported(f"the whole number {show(value)[:60]} is not built as one")


def replaced_in(fact: Fact, values: Mapping[Term, Term], text: Text) -> Fact:
    """A fact with terms in the place of symbols."""
    if not values:
        return fact
    if fact.given is not None:
        given = replaced(fact.given, values)
        return Fact(fact.kind, text.relation(given), given=given)
    if fact.node is None:
        raise NotExported(f"{fact.text[:60]} with other symbols")
    return said(text, fact.kind, substitute(fact.node, values))


Rule = Callable[[Here], str]
RULES: dict[str, Rule] = {}


def rule(function: Rule) -> Rule:
    """Makes the script of a rule known by the name of the rule."""
    RULES[function.__name__.strip("_").replace("_", "-")] = function
    return function


def refused(here: Here, why: str) -> NotExported:
    """What a rule raises where it has no script."""
    return NotExported(f"{here.node['by']}: {why} ({show(here.goal.relation)[:60]})")
