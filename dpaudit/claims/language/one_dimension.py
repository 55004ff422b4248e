"""Statements about vectors in one dimension, where a vector is a number, its norm an absolute value, and what a
condition says of a norm is met by rational numbers."""

from __future__ import annotations

from dataclasses import replace

from dpaudit.claims.language.expression import Every, Expr, Relation
from dpaudit.claims.language.statements import parse_goal
from dpaudit.records.claim import Point, Statement, Symbol, SymbolKind

NUMBERS = {SymbolKind.VECTOR: SymbolKind.REAL, SymbolKind.VECTOR_SEQUENCE: SymbolKind.SEQUENCE}
"""What a symbol is in one dimension."""


def has_vectors(statement: Statement) -> bool:
    """Is a symbol of the statement a vector, or a sequence of them?"""
    return any(s.kind in NUMBERS for s in statement.symbols)


def with_numbers(statement: Statement) -> Statement:
    """The statement with a number for each vector; as it is where there are none."""
    if not has_vectors(statement):
        return statement
    goal, conditions = parse_goal(statement)
    return replace(
        statement,
        expression=str(_relation(goal)),
        symbols=tuple(map(_symbol, statement.symbols)),
        conditions=tuple(str(_condition(one)) for one in conditions),
    )


def with_vectors(statement: Statement, point: Point) -> Point:
    """A point of `with_numbers(statement)` as one of the statement."""
    kinds = {s.name: s.kind for s in statement.symbols}
    return tuple((name, _vector(kinds[name], value)) for name, value in point)


def _vector(kind: SymbolKind, value: str) -> str:
    if kind is SymbolKind.VECTOR:
        return f"({value},)"
    if kind is SymbolKind.VECTOR_SEQUENCE:
        return f"[{', '.join(f'({one.strip()},)' for one in value[1:-1].split(','))}]"
    return value


def _symbol(s: Symbol) -> Symbol:
    return replace(s, kind=NUMBERS[s.kind], lower="-oo", upper="oo") if s.kind in NUMBERS else s


def _condition(one: Relation | Every) -> Relation | Every:
    return replace(one, relation=_relation(one.relation)) if isinstance(one, Every) else _relation(one)


def _relation(given: Relation) -> Relation:
    return Relation(_term(given.left), given.sign, _term(given.right))


def _term(expr: Expr) -> Expr:
    head = {"norm": "abs", "dot": "*"}.get(expr.head, expr.head)
    return replace(expr, head=head, args=tuple(map(_term, expr.args))) if expr.args else expr
