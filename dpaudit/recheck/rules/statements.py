"""Induction, conditions at one index, and goals that are instances of other statements."""

from __future__ import annotations

from dataclasses import replace

from dpaudit.recheck.goals import SEQUENCES, Goal
from dpaudit.recheck.proof import Needs, Node, Proof, in_range, known, rule
from dpaudit.recheck.rules.variables import exchanged, refuse_random
from dpaudit.recheck.signs import Context
from dpaudit.recheck.symbols import Symbol
from dpaudit.recheck.terms import (
    ONE,
    Every,
    Refused,
    Relation,
    Term,
    everywhere,
    free,
    replaced,
    show,
    substitute,
    term,
)


@rule
def induct(proof: Proof, goal: Goal, node: Node, needs: Needs) -> None:
    """Over an integer from a closed end on: the goal at the end, and at n + 1 with the goal at n as a condition.

    The conditions at n are shown to follow from those at n + 1."""
    name = node["variable"]
    s = goal.context.by_name.get(name)
    if s is None or s.kind != "integer" or s.low is None or s.low_open or s.low.denominator != 1:
        raise Refused("induction needs an integer from a whole closed low end on")
    refuse_random(goal, name)
    others = tuple(old for old in goal.context.symbols if old is not s)
    start, after = {name: s.low}, {name: ("+", name, ONE)}
    at_start = tuple(replaced(c, start) for c in goal.context.given)
    every = tuple(everywhere(one, start) for one in goal.every)
    proof.part(goal.on(others, at_start, replaced(goal.relation, start), every), node, "base")
    shorter = s if s.high is None else replace(s, high=s.high - 1)
    later = tuple(replaced(c, after) for c in goal.context.given)
    before = Context(exchanged(goal, shorter), later)
    for c in goal.context.given:
        if name in free(c.left) | free(c.right):
            needs.relation(c, before)
    for one in goal.every:
        _shorter(one, name, needs, before)
    needs.value(goal.relation.left, before)
    needs.value(goal.relation.right, before)
    every = tuple(everywhere(one, after) for one in goal.every)
    step = goal.on(before.symbols, (*later, goal.relation), replaced(goal.relation, after), every)
    proof.part(step, node, "step")


def _shorter(one: Every, name: str, needs: Needs, context: Context) -> None:
    """A condition at every index says at n no more than at n + 1: it is the same relation on a part of the range."""
    longer = everywhere(one, {name: ("+", name, ONE)})
    if name in free(one.relation.left) | free(one.relation.right):
        raise Refused(f"{show(one)} says something else at {name} + 1")
    _within(one, longer, needs, context)


def _within(one: Every, longer: Every, needs: Needs, context: Context) -> None:
    """The range of one lies in that of the other."""
    for smaller, larger in ((longer.low, one.low), (one.high, longer.high)):
        if smaller != larger:
            needs.relation(Relation(smaller, "<=", larger), context)


@rule
def at_index(proof: Proof, goal: Goal, node: Node, needs: Needs) -> None:
    """A condition at every index holds at this one, a whole number in its range: it is one condition more."""
    of, index = node["of"], term(node["index"])
    if type(of) is not int or not 0 <= of < len(goal.every):
        raise Refused(f"there are {len(goal.every)} conditions at every index")
    variable, low, high, inner = goal.every[of]
    needs.value(index)
    needs.whole(index)
    needs.relation(Relation(low, "<=", index))
    needs.relation(Relation(index, "<=", high))
    proof.part(goal.given(replaced(inner, {variable: index})), node, "then")


@rule
def instance(proof: Proof, goal: Goal, node: Node, needs: Needs) -> None:
    """The goal is another statement at terms of this domain, which meet its ranges and conditions."""
    ground = proof.grounds.get(node["of"])
    if ground is None or ground.exists or ground.constants:
        raise Refused(f"{node['of']!r} is not among the grounds")
    at: dict[Term, Term] = {name: term(text) for name, text in node.get("at", [])}
    for s in ground.context.symbols:
        value = at.get(s.name, s.name)
        _stands_for(goal, s, value, at, needs)
    laws = [at.get(name, name) for name in ground.context.gaussians()]
    if len(set(laws)) < len(laws):
        raise Refused("independent gaussian symbols stand for different ones")
    for c in ground.context.given:
        known(needs, replaced(c, at))
    for one in ground.every:
        _known_everywhere(goal, everywhere(one, at), needs)
    found = replaced(ground.relation, at)
    signs = (goal.relation.sign, found.sign)
    if signs[0] != signs[1] and signs not in (("<=", "<"), ("<=", "==")):
        raise Refused(f"{show(found)} does not say {show(goal.relation)}")
    if signs[1] == "==" and not goal.context.equal(goal.relation.left, found.left):
        found = Relation(found.right, "==", found.left)
    for a, b in ((goal.relation.left, found.left), (goal.relation.right, found.right)):
        if a != b:
            needs.value(b)
            needs.equal(a, b)
    proof.assume(node["of"])


def _known_everywhere(goal: Goal, wanted: Every, needs: Needs) -> None:
    """A condition at every index that the goal has on the same range, or on a longer one."""
    for one in goal.every:
        clash = one.variable != wanted.variable and wanted.variable in free(one.relation.left) | free(
            one.relation.right
        )
        if not clash and replaced(one.relation, {one.variable: wanted.variable}) == wanted.relation:
            needs.listed.append(show(one))
            return _within(wanted, one, needs, goal.context)
    raise Refused(f"{show(wanted)} is none of the conditions")


def _stands_for(goal: Goal, s: Symbol, value: Term, at: dict[Term, Term], needs: Needs) -> None:
    """The value is one that the symbol of a ground may have. at: the values of all of them."""
    here = goal.context.by_name.get(value) if isinstance(value, str) else None
    if s.kind in ("vector", "gaussian"):
        if here is None or here.kind != s.kind:
            raise Refused(f"{s.name} stands for another kind of symbol")
        needs.equal(here.scale, substitute(s.scale, at))
        return
    if s.kind in SEQUENCES:
        if here is None or replace(s, name=here.name) != here:
            raise Refused(f"{s.name} stands for another sequence with the same range")
        return
    needs.value(value)
    if s.kind == "integer":
        needs.whole(value)
    for fact in in_range(s, value):
        needs.relation(fact)
