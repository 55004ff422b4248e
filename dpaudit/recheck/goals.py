"""Statements as they stand in files, and goals: a relation on a domain."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from dpaudit.recheck import lacking
from dpaudit.recheck.signs import Context
from dpaudit.recheck.symbols import Symbol
from dpaudit.recheck.terms import (
    Every,
    Refused,
    Relation,
    Term,
    bound_names,
    condition,
    free,
    number,
    refuse_name,
    relation,
    show,
    term,
    walk,
)

KINDS = ("real", "integer", "vector", "gaussian", "constant", "sequence", "vector_sequence")
SEQUENCES = ("sequence", "vector_sequence")
STATEMENT = {"symbols", "conditions", "goal", "exists"}


@dataclass(frozen=True)
class Goal:
    """`relation` wherever both sides have a value; exists: at one point, instead of at all; constants: there are values
    of these, none of them a symbol of the context, with which it holds at all points; every: conditions at each index
    of a range, which no rule uses but those that name them: to leave them out is to show more."""

    context: Context
    relation: Relation
    exists: bool = False
    constants: tuple[Symbol, ...] = ()
    every: tuple[Every, ...] = ()

    def with_relation(self, given: Relation) -> Goal:
        """Another relation on the same domain."""
        return replace(self, relation=given)

    def with_sides(self, left: Term, right: Term) -> Goal:
        """The same sign between other terms."""
        return self.with_relation(Relation(left, self.relation.sign, right))

    def on(
        self,
        symbols: tuple[Symbol, ...],
        conditions: tuple[Relation, ...],
        given: Relation,
        every: tuple[Every, ...] = (),
    ) -> Goal:
        """A goal on another domain, with these conditions and no others."""
        return Goal(Context(symbols, conditions), given, self.exists, every=every)

    def given(self, *more: Relation) -> Goal:
        """The same with more conditions."""
        return self.on(self.context.symbols, (*self.context.given, *more), self.relation, self.every)


def read_statement(data: Any) -> Goal:
    """The goal that a statement of a file is."""
    if not isinstance(data, dict) or set(data) != STATEMENT or type(data["exists"]) is not bool:
        raise Refused(f"a statement has the fields {', '.join(sorted(STATEMENT))}")
    if not isinstance(data["symbols"], list) or not isinstance(data["conditions"], list):
        raise Refused("symbols and conditions are lists")
    symbols = tuple(map(read_symbol, data["symbols"]))
    known: set[str] = set()
    for s in symbols:
        if s.name in known or not free(s.scale) <= known or bound_names(s.scale) & known:
            raise Refused(f"{s.name!r} has two meanings, or a spread that hangs on later symbols")
        if any(isinstance(part, tuple) and part[0] in ("E", "at") for part in walk(s.scale)):
            raise Refused(f"the spread of {s.name!r} is a mean, or one of a sequence: {show(s.scale)}")
        refuse_mixed(s.scale, {one.name: one.kind for one in symbols})
        known.add(s.name)
    kinds = {s.name: s.kind for s in symbols}
    goal, stated = relation(data["goal"]), tuple(map(condition, data["conditions"]))
    conditions = tuple(c for c in stated if isinstance(c, Relation))
    every = tuple(c for c in stated if isinstance(c, Every))
    for given in (goal, *conditions):
        _readable((given.left, given.right), kinds, show(given))
    for one in every:
        if one.variable in known:
            raise Refused(f"{show(one)} has a symbol as its index")
        _readable((one.low, one.high), kinds, show(one))
        _readable((one.relation.left, one.relation.right), {**kinds, one.variable: "integer"}, show(one))
    constants = tuple(replace(s, kind="real") for s in symbols if s.kind == "constant")
    if constants and (data["exists"] or any(free(s.scale) & {c.name for c in constants} for s in symbols)):
        raise Refused("constants stand in a statement for all points, and in the law of no symbol")
    others = tuple(s for s in symbols if s.kind != "constant")
    return Goal(Context(others, conditions), goal, data["exists"], constants, every)


def _readable(sides: Iterable[Term], kinds: Mapping[str, str], said: str) -> None:
    """Refused where a name is no symbol, a symbol is bound, or something of another kind is wanted."""
    for side in sides:
        if not free(side) <= set(kinds) or bound_names(side) & set(kinds):
            raise Refused(f"{said} has a name that is no symbol, or a symbol as the variable of a sum")
        refuse_mixed(side, kinds)


def refuse_without_value(goal: Goal) -> None:
    """Refused unless both sides of a statement for all points have a value at each of them."""
    for side in () if goal.exists else (goal.relation.left, goal.relation.right):
        if not goal.context.defined(side):
            why = lacking.value(goal.context, side)
            raise Refused(f"a side of the statement is not shown to have a value on its whole domain: {why}")


def refuse_mixed(node: Term, kinds: Mapping[str, str], vector: bool = False, drawn: bool = False) -> None:
    """Refused where a vector stands in the place of a number, a number in that of a vector, or something random outside
    of a mean. vector: which of the two is wanted; drawn: is a mean around it?"""
    match node:
        case str() if kinds.get(node) in SEQUENCES:
            raise Refused(f"{node} is a sequence: it stands with an index alone, {node}[t]")
        case ("at", name, index) if kinds.get(name) == SEQUENCES[vector]:
            return refuse_mixed(index, kinds)
        case ("at", name, _):
            wanted = "a vector" if vector else "a number"
            raise Refused(f"{show(node)} is not one of a sequence: {name} is none, or {wanted} is wanted")
        case str() if (kinds.get(node) in ("vector", "gaussian")) == vector and (
            drawn or kinds.get(node) != "gaussian"
        ):
            return
        case ("dot" | "norm", *parts) if not vector:
            return _each(parts, kinds, True, drawn)
        case ("E", inner) if not vector:
            return refuse_mixed(inner, kinds, drawn=True)
        case ("sum" | "integral", _, *parts) if not vector:
            return _each(parts, kinds, False, drawn)
        case ("neg", a):
            return refuse_mixed(a, kinds, vector, drawn)
        case ("+" | "-", a, b):
            return _each((a, b), kinds, vector, drawn)
        case ("*" | "/" as head, a, b) if vector:
            first = head == "/" or is_vector(a, kinds)
            refuse_mixed(a, kinds, first, drawn)
            return refuse_mixed(b, kinds, not first, drawn)
        case Fraction() if not vector:
            return
        case tuple() if not vector:
            return _each(node[1:], kinds, False, drawn)
    if vector and isinstance(node, str) and kinds.get(node) == "gaussian":
        raise Refused(f"{node} is random: it stands inside of a mean, E(...), alone")
    raise Refused(f"{show(node)[:80]} stands where {'a vector' if vector else 'a number'} is wanted")


def _each(parts: Iterable[Term], kinds: Mapping[str, str], vector: bool, drawn: bool) -> None:
    for part in parts:
        refuse_mixed(part, kinds, vector, drawn)


def is_vector(node: Term, kinds: Mapping[str, str]) -> bool:
    """Does the term stand for a vector, by the names in it?"""
    match node:
        case str():
            return kinds.get(node) in ("vector", "gaussian")
        case ("at", name, _):
            return kinds.get(name) == "vector_sequence"
        case ("neg", a):
            return is_vector(a, kinds)
        case ("+" | "-" | "*" | "/", a, b):
            return is_vector(a, kinds) or is_vector(b, kinds)
    return False


def read_symbol(row: Any) -> Symbol:
    """A symbol of a row: name, kind, and its range, or the standard deviation of a gaussian one."""
    if not isinstance(row, list) or len(row) != 3 or not all(isinstance(part, str) for part in row):
        raise Refused("a symbol is a row of three texts: name, kind, range")
    name, kind, text = row
    refuse_name(name)
    if kind not in KINDS:
        raise Refused(f"a symbol is one of {', '.join(KINDS)}, not {kind!r}")
    if kind == "gaussian":
        return Symbol(name, kind, scale=term(text))
    if kind in ("vector", "vector_sequence"):
        return Symbol(name, kind)
    ends = text[1:-1].split(",")
    if text[:1] not in ("[", "(") or text[-1:] not in ("]", ")") or len(ends) != 2:
        raise Refused(f"a range looks like [0, 1) or (0, oo), got {text[:80]!r}")
    low, high = (
        None if end.strip() == infinite else number(end) for end, infinite in zip(ends, ("-oo", "oo"), strict=True)
    )
    open_ends = text[0] == "(", text[-1] == ")"
    if (low is None and not open_ends[0]) or (high is None and not open_ends[1]):
        raise Refused("an end at infinity is open")
    if low is not None and high is not None and (low > high or (low == high and any(open_ends))):
        raise Refused(f"the range of {name} is empty, so nothing is shown")
    return Symbol(name, kind, low, high, *open_ends)
