"""Goes through the nodes of a proof: each has the name of its rule, what the rule needs, and parts.

A goal is a relation on a domain; it is claimed wherever both of its sides have a value.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dpaudit.recheck import facts, lacking
from dpaudit.recheck.goals import Goal, refuse_mixed
from dpaudit.recheck.signs import Context
from dpaudit.recheck.symbols import Symbol
from dpaudit.recheck.terms import ZERO, Refused, Relation, Term, relation, show

Node = dict[str, Any]


class Proof:
    """Goes through the nodes of a proof. assuming: the named theorems and statements that were used; solvers: how many
    goals rest on the word of solvers alone; writing: fill in what nodes say of themselves instead of comparing it."""

    def __init__(self, grounds: dict[str, Goal], writing: bool = False) -> None:
        self.grounds, self.writing = grounds, writing
        self.assuming: list[str] = []
        self.boxes = self.solvers = self.steps = 0

    def check(self, goal: Goal, node: Any) -> None:
        """Raises Refused unless the node proves the goal."""
        if not isinstance(node, dict) or node.get("by") not in RULES:
            raise Refused(f"no rule is called {node.get('by') if isinstance(node, dict) else node!r}")
        if goal.exists and node["by"] != "exhibit":
            raise Refused("that there is a point is shown by a point alone")
        if goal.constants and node["by"] != "choose":
            raise Refused("that there are constants is shown by values of them")
        needs = Needs(goal, node, self.writing)
        self.steps += 1
        RULES[node["by"]](self, goal, node, needs)
        needs.compare()

    def part(self, goal: Goal, node: Node, key: str) -> None:
        """A part of a node, which proves a goal of its own and says so."""
        inner = node.get(key)
        if not isinstance(inner, dict):
            raise Refused(f"a node has no part {key!r}: {sorted(node)}")
        if self.writing:
            inner["goal"] = show(goal.relation)
        elif relation(inner.get("goal", "")) != goal.relation:
            raise Refused(f"a part says that it proves {inner.get('goal')!r}, needed is {show(goal.relation)}")
        self.check(goal, inner)

    def assume(self, name: str) -> None:
        """Remember a theorem or a statement, once."""
        if name not in self.assuming:
            self.assuming.append(name)


def _says(context: Context, given: Relation, a: Term, b: Term) -> bool:
    """Is left - right of an equation a - b or b - a?"""
    gap = ("-", given.left, given.right)
    return not any(map(context.forms.is_vector, (a, b))) and any(
        context.zero(("-", gap, ("-", *p))) for p in ((a, b), (b, a))
    )


class Needs:
    """The side goals of one node: shown as they come, and listed in the node."""

    def __init__(self, goal: Goal, node: Node, writing: bool) -> None:
        self.goal, self.node, self.writing = goal, node, writing
        self.listed: list[str] = []

    def relation(self, given: Relation, context: Context | None = None) -> None:
        """The relation holds on the whole domain, and both sides have a value there."""
        self.listed.append(show(given))
        self._typed(given.left, given.right)
        if not (context or self.goal.context).shown(given):
            raise Refused(f"{show(given)} is not shown{lacking.fact(context or self.goal.context, given)}")

    def positive(self, node: Term) -> None:
        """0 < node."""
        self.relation(Relation(ZERO, "<", node))

    def nonnegative(self, node: Term) -> None:
        """0 <= node."""
        self.relation(Relation(ZERO, "<=", node))

    def value(self, node: Term, context: Context | None = None) -> None:
        """The term has a value on the whole domain."""
        self.listed.append(f"{show(node)} has a value")
        self._typed(node)
        if not (context or self.goal.context).defined(node):
            why = lacking.value(context or self.goal.context, node)
            raise Refused(f"{show(node)} is not shown to have a value on the whole domain: {why}")

    def equal(self, a: Term, b: Term, context: Context | None = None) -> None:
        """One value wherever both have one: by their forms, or since a condition says so."""
        if a == b:
            return
        self.listed.append(f"{show(a)} is {show(b)}")
        known = context or self.goal.context
        if not (known.equal(a, b) or any(_says(known, c, a, b) for c in known.given if c.sign == "==")):
            left = lacking.difference(context or self.goal.context, ("-", a, b))
            raise Refused(f"{show(a)} and {show(b)} are not shown to be equal: {left} is left")

    def whole(self, node: Term, context: Context | None = None) -> None:
        """The term is an integer."""
        self.listed.append(f"{show(node)} is whole")
        if not (context or self.goal.context).whole(node):
            raise Refused(f"{show(node)} is not shown to be an integer")

    def _typed(self, *terms: Term) -> None:
        """Vectors stand where vectors are wanted, and numbers where numbers are."""
        for node in terms:
            refuse_mixed(node, {s.name: s.kind for s in self.goal.context.symbols})

    def compare(self) -> None:
        """The node lists just these side goals."""
        if self.writing:
            self.node.pop("needs", None)
            if self.listed:
                self.node["needs"] = self.listed
        elif self.node.get("needs", []) != self.listed:
            raise Refused(f"a node by {self.node['by']} lists other side goals than it has: {self.listed}")


Rule = Callable[[Proof, Goal, Node, Needs], None]
RULES: dict[str, Rule] = {}


def rule(function: Rule) -> Rule:
    """Makes a rule known by its name."""
    RULES[function.__name__.strip("_").replace("_", "-")] = function
    return function


def known(needs: Needs, given: Relation) -> None:
    """A condition, an instance of a fact, or shown."""
    context = needs.goal.context
    if given in context.given or facts.instance(context, given):
        needs.listed.append(show(given))
    else:
        needs.relation(given)


def in_range(s: Symbol, value: Term) -> list[Relation]:
    """That a value lies in the range of a symbol."""
    low = [] if s.low is None else [Relation(s.low, "<" if s.low_open else "<=", value)]
    return [*low, *([] if s.high is None else [Relation(value, "<" if s.high_open else "<=", s.high)])]
