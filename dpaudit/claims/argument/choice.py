"""Statements with constants, at the values that their argument chooses."""

from __future__ import annotations

from dataclasses import replace

from dpaudit.claims.language.expression import parse, parse_relation, substitute, symbol
from dpaudit.records.claim import Choose, Move, Statement


def chosen(statement: Statement, argument: tuple[Move, ...]) -> Statement:
    """The statement with the numbers that the argument chooses for its constants; as it is where it chooses none."""
    values = next((dict(move.values) for move in argument[:1] if isinstance(move, Choose)), {})
    if not statement.constants or {s.name for s in statement.constants} != set(values):
        return statement
    given = {symbol(name): parse(text) for name, text in values.items()}
    relations = [parse_relation(text) for text in (statement.expression, *statement.conditions)]
    goal, *conditions = (f"{substitute(r.left, given)} {r.sign} {substitute(r.right, given)}" for r in relations)
    others = tuple(s for s in statement.symbols if s not in statement.constants)
    return replace(statement, expression=goal, symbols=others, conditions=tuple(conditions))
