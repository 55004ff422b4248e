"""Statements with constants, at the values that their argument chooses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from dpaudit.claims.language.expression import (
    parse,
    symbol,
)
from dpaudit.claims.language.sequences import put_in, put_in_condition
from dpaudit.claims.language.statements import parse_goal
from dpaudit.records.claim import Choose, Move, Statement


def chosen(statement: Statement, argument: tuple[Move, ...], data: Mapping[str, Any] | None = None) -> Statement:
    """The statement with the numbers that are chosen for its constants; as it is where none are.

    They are those of the certificate `data`, if there is one: it may choose others than the argument says now.
    """
    values = next((dict(move.values) for move in argument[:1] if isinstance(move, Choose)), {})
    if data is not None and data["proof"]["by"] == "choose":
        values = dict(data["proof"]["values"])
    if not statement.constants or {s.name for s in statement.constants} != set(values):
        return statement
    given = {symbol(name): parse(text) for name, text in values.items()}
    goal, conditions = parse_goal(statement)
    others = tuple(s for s in statement.symbols if s not in statement.constants)
    stated = tuple(str(put_in_condition(one, given)) for one in conditions)
    return replace(statement, expression=str(put_in(goal, given)), symbols=others, conditions=stated)
