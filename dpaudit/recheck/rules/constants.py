"""Statements that there is a constant, the same for all points: shown by a value, refuted for every value at once."""

from __future__ import annotations

from typing import Any

from dpaudit.recheck.goals import Goal, refuse_without_value
from dpaudit.recheck.proof import Needs, Node, Proof, in_range, rule
from dpaudit.recheck.signs import Context
from dpaudit.recheck.symbols import Symbol
from dpaudit.recheck.terms import Refused, Relation, Term, everywhere, free, replaced, show, term


@rule
def choose(proof: Proof, goal: Goal, node: Node, needs: Needs) -> None:
    """Each constant has a value, a number in its range; with these the relation holds at all points."""
    values = _values(node["values"], goal.constants)
    for s in goal.constants:
        if free(values[s.name]):
            raise Refused(f"{show(values[s.name])} is no number: a constant is chosen before all symbols")
        _in_range(s, values[s.name], needs)
    conditions = tuple(replaced(c, values) for c in goal.context.given)
    every = tuple(everywhere(one, values) for one in goal.every)
    chosen = Goal(Context(goal.context.symbols, conditions), replaced(goal.relation, values), every=every)
    refuse_without_value(chosen)
    proof.part(chosen, node, "then")


def for_every(proof: Proof, goal: Goal, node: Node) -> None:
    """Refutes a goal with constants: a point that is a function of them is in the domain and fails, whatever they are.

    This is no rule, for it shows that the goal is false.
    """
    if not isinstance(node, dict) or node.get("by") != "for-every":
        raise Refused("that there are constants is refuted by a point that is a function of them")
    if goal.every:
        raise Refused("a condition at every index is not shown at a point that is a function of the constants")
    domain = Goal(Context(goal.constants, ()), goal.relation)
    needs = Needs(domain, node, proof.writing)
    at = _values(node["at"], goal.context.symbols)
    for s in goal.context.symbols:
        if s.kind not in ("real", "integer") or not free(at[s.name]) <= {c.name for c in goal.constants}:
            raise Refused(f"{s.name} is a number, and at the point a function of the constants alone")
        if s.kind == "integer":
            needs.whole(at[s.name])
        _in_range(s, at[s.name], needs)
    met, parts = [replaced(c, at) for c in goal.context.given], node["conditions"]
    if not isinstance(parts, list) or len(parts) != len(met):
        raise Refused("each condition is shown at the point")
    needs.compare()
    for condition, part in zip(met, parts, strict=True):
        _shown(proof, domain.with_relation(condition), part, "proof")
    _shown(proof, domain.with_relation(_opposite(replaced(goal.relation, at))), node, "then")


def _shown(proof: Proof, goal: Goal, node: Node, key: str) -> None:
    refuse_without_value(goal)
    proof.part(goal, node, key)


def _opposite(given: Relation) -> Relation:
    if given.sign == "==":
        raise Refused("an equation is refuted for every constant as one of its two inequalities")
    return Relation(given.right, "<" if given.sign == "<=" else "<=", given.left)


def _values(rows: Any, symbols: tuple[Symbol, ...]) -> dict[Term, Term]:
    """The value of each symbol, each given once."""
    pairs = isinstance(rows, list) and all(isinstance(row, list) and len(row) == 2 for row in rows)
    if not pairs or not all(isinstance(part, str) for row in rows for part in row):
        raise Refused("values are rows of two texts: a name and a term")
    listed = [(name, term(text)) for name, text in rows]
    if sorted(name for name, _ in listed) != sorted(s.name for s in symbols):
        raise Refused(f"one value for each of {', '.join(s.name for s in symbols)}")
    return dict(listed)


def _in_range(s: Symbol, value: Term, needs: Needs) -> None:
    needs.value(value)
    for fact in in_range(s, value):
        needs.relation(fact)
