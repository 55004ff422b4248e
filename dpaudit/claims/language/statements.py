"""Statements of records as relations: goal and conditions, every name of which means one thing."""

from __future__ import annotations

from functools import lru_cache

from dpaudit.claims.language.expression import (
    Every,
    Expr,
    Relation,
    bound,
    bound_names,
    has_mean,
    names,
    parse,
    parse_condition,
    parse_relation,
    refuse_name,
    walk,
)
from dpaudit.records.claim import Statement, Symbol, SymbolKind
from dpaudit.records.errors import ContentError, UnknownNameError
from dpaudit.records.statement import SEQUENCES


def parse_statement(statement: Statement) -> tuple[Relation, tuple[Relation, ...]]:
    """Goal and conditions; every free name must be a symbol of the statement, and no bound one may be.

    ContentError for conditions at every index: at a point they are written out first (`sequences`)."""
    goal, conditions = parse_goal(statement)
    for one in conditions:
        if isinstance(one, Every):
            raise ContentError(f"{str(one)!r} is a condition at every index, which is read at a point alone")
    return goal, tuple(one for one in conditions if isinstance(one, Relation))


@lru_cache(maxsize=1024)
def parse_goal(statement: Statement) -> tuple[Relation, tuple[Relation | Every, ...]]:
    """As `parse_statement`, with conditions at every index among the conditions."""
    goal = parse_relation(statement.expression)
    conditions = tuple(map(parse_condition, statement.conditions))
    known = _known(statement.symbols)
    sequences = {s.name for s in statement.symbols if s.kind in SEQUENCES}
    for one in (goal, *conditions):
        if isinstance(one, Relation):
            _refuse_names((one.left, one.right), known, sequences, str(one))
            continue
        if one.variable in known:
            raise ContentError(f"{one.variable!r} is a symbol and the index of a condition in {str(one)!r}")
        _refuse_names((one.low, one.high), known, sequences, str(one))
        _refuse_names((one.relation.left, one.relation.right), known | {one.variable}, sequences, str(one))
    return goal, conditions


def _refuse_names(sides: tuple[Expr, ...], known: set[str], sequences: set[str], said: str) -> None:
    """Refuse a name that is no symbol, a bound one that is, a sequence without an index, an index of something else."""
    for side in sides:
        for name in sorted(names(side) - known):
            raise UnknownNameError(f"symbol in {said!r}", name, known)
        for name in sorted(bound_names(side) & known):
            raise ContentError(f"{name!r} is a symbol and the variable of a sum or integral in {said!r}")
        for node in walk(side):
            inside = [arg.name for arg in node.args[1 if node.head == "at" else 0 :] if arg.head == "symbol"]
            bare = {node.name, *inside} if node is side else {*inside}
            if found := sorted(bare & sequences):
                raise ContentError(f"{found[0]!r} is a sequence: it stands with an index, {found[0]}[t], in {said!r}")
            if node.head == "at" and node.args[0].name not in sequences:
                raise ContentError(f"{node.args[0].name!r} is no sequence, so it has no index, in {said!r}")


def _known(symbols: tuple[Symbol, ...]) -> set[str]:
    """The names of the symbols; a name with two meanings or an empty range would let a statement hold for nothing."""
    known: set[str] = set()
    for s in symbols:
        if s.name in known:
            raise ContentError(f"the name {s.name!r} has two meanings in one statement")
        refuse_name(s.name)
        if s.lower == "oo" or s.upper == "-oo":
            raise ContentError(f"the range of {s.name} runs from a number or -oo to a number or oo, got {s}")
        low, high = bound(s.lower), bound(s.upper)
        if low is not None and high is not None and (low > high or (low == high and (s.lower_open or s.upper_open))):
            raise ContentError(f"the range of {s.name} is empty: from {s.lower} to {s.upper}")
        if s.kind is SymbolKind.GAUSSIAN and any(node.head == "at" for node in walk(parse(s.scale))):
            raise ContentError(
                f"the scale of {s.name} must hold no number of a sequence, got {s.scale}; give it a symbol of its own"
            )
        if s.kind is SymbolKind.GAUSSIAN and has_mean(parse(s.scale)):
            raise ContentError(
                f"the scale of {s.name} must hold no mean, got {s.scale}; give the mean a symbol of its own"
            )
        known.add(s.name)
    return known
