"""Statements with sequences at an exact point: all that a sequence has, and each condition at every index, written out.

What is left is a statement over numbers and vectors, which every engine reads.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import count

from dpaudit.claims.language.expression import (
    BINDERS,
    RESERVED,
    Every,
    Expr,
    Relation,
    bound,
    names,
    number,
    parse,
    parse_condition,
    rational,
    substitute,
    symbol,
    walk,
)
from dpaudit.claims.language.statements import parse_goal
from dpaudit.records.claim import Point, Statement, Symbol, SymbolKind, vector
from dpaudit.records.errors import ContentError
from dpaudit.records.statement import SEQUENCES

MOST_INDICES = 2_000
"""Indices that are written out for one point, those of sums inside of sums together."""
VECTOR, VECTORS = re.compile(r"\([^()]*\)"), re.compile(r"\[\([^()]*\)(, *\([^()]*\))*\]")
"""A vector of a row, and a whole row of them."""
NAME = re.compile(r"[A-Za-z_]\w*")


@lru_cache(maxsize=1024)
def indexed(statement: Statement) -> bool:
    """Has the statement sequences, or conditions at every index?"""
    sequences = any(s.kind in SEQUENCES for s in statement.symbols)
    return sequences or any(isinstance(parse_condition(text), Every) for text in statement.conditions)


def row(text: str) -> tuple[Fraction, ...]:
    """The numbers of a sequence written as "[1, 1/2, 0]"."""
    inside = text[1:-1].strip()
    if not (text.startswith("[") and text.endswith("]") and inside):
        raise ContentError(f"a sequence must look like '[1, 1/2, 0]', got {text!r}")
    return tuple(rational(parse(part.strip()), {}) for part in inside.split(","))


def written_out(statement: Statement, point: Point) -> tuple[Statement, Point] | None:
    """The statement without sequences, and the point without them.

    None where a sequence leaves its range, an index is no whole number, or there are more than MOST_INDICES."""
    goal, conditions = parse_goal(statement)
    given = dict(point)
    sequences = {s.name for s in statement.symbols if s.kind in SEQUENCES}
    if missing := sequences - set(given):
        raise ContentError(f"the point {given} gives no value for {min(missing)!r}")
    numbers = {s.name: row(given[s.name]) for s in statement.symbols if s.kind is SymbolKind.SEQUENCE}
    if not all(_in_range(s, x) for s in statement.symbols if s.name in numbers for x in numbers[s.name]):
        return None
    vectors = _vectors(statement, given)
    rows = {name: tuple(map(number, of)) for name, of in numbers.items()} | {
        name: tuple(symbol(s.name) for s, _ in of) for name, of in vectors.items()
    }
    scalars = (SymbolKind.REAL, SymbolKind.INTEGER)
    values = {s.name: Fraction(given[s.name]) for s in statement.symbols if s.kind in scalars and s.name in given}
    there = _Rows(rows, values, Counter())
    try:
        made = there.relation(goal)
        stated = [there.relation(one) for each in conditions for one in there.each(each)]
    except _NoValueError:
        return None
    kept = tuple(s for s in statement.symbols if s.name not in sequences)
    new = [pair for of in vectors.values() for pair in of]
    plain = Statement(str(made), (*kept, *(s for s, _ in new)), tuple(map(str, stated)), statement.exists)
    found = [(name, value) for name, value in point if name not in sequences]
    return plain, (*found, *((s.name, value) for s, value in new))


def unrolled(
    statement: Statement, integers: Mapping[str, int], length: int
) -> tuple[Statement, dict[str, tuple[str, ...]]] | None:
    """The statement with these values of integers, `length` real symbols in the place of each sequence of numbers, and
    each sum term by term; the names of these symbols. None as in `written_out`, and where an index, or an end of a sum,
    hangs on another symbol."""
    goal, conditions = parse_goal(statement)
    stems = _stems(statement)
    made = {
        s.name: tuple(replace(s, name=f"{stems[s.name]}{k}", kind=SymbolKind.REAL) for k in range(length))
        for s in statement.symbols
        if s.kind is SymbolKind.SEQUENCE
    }
    rows = {name: tuple(symbol(one.name) for one in of) for name, of in made.items()}
    there = _Rows(rows, {name: Fraction(value) for name, value in integers.items()}, Counter(), every_sum=True)
    try:
        plain = there.relation(goal)
        stated = [there.relation(one) for each in conditions for one in there.each(each)]
    except _NoValueError:
        return None
    kept: list[Symbol] = []
    for s in statement.symbols:
        fixed = str(integers[s.name]) if s.name in integers else ""
        here = [replace(s, lower=fixed, upper=fixed, lower_open=False, upper_open=False)] if fixed else [s]
        kept += made.get(s.name, here)
    names_of = {name: tuple(one.name for one in of) for name, of in made.items()}
    return Statement(str(plain), tuple(kept), tuple(map(str, stated)), statement.exists), names_of


def deciding(statement: Statement) -> set[str]:
    """The symbols that indices, and ends of ranges of them, hang on."""
    goal, conditions = parse_goal(statement)
    found = set[str]()
    for one in (goal, *conditions):
        inner = one.relation if isinstance(one, Every) else one
        found |= names(one.low) | names(one.high) if isinstance(one, Every) else set()
        for node in (*walk(inner.left), *walk(inner.right)):
            parts = node.args[1:2] if node.head == "at" else node.args[1:3] if node.head == "sum" else ()
            found |= set[str]().union(*map(names, parts))
    return found & {s.name for s in statement.symbols}


def _vectors(statement: Statement, given: Mapping[str, str]) -> dict[str, tuple[tuple[Symbol, str], ...]]:
    """For each sequence of vectors, symbols with names of their own and their values."""
    stems, rows = _stems(statement), (s.name for s in statement.symbols if s.kind is SymbolKind.VECTOR_SEQUENCE)
    return {
        name: tuple((vector(f"{stems[name]}{k}"), v) for k, v in enumerate(vector_row(given[name]))) for name in rows
    }


def _stems(statement: Statement) -> dict[str, str]:
    """What the names of all that a sequence has begin with, and no other name does."""
    taken = set(RESERVED) | {s.name for s in statement.symbols}
    for text in (statement.expression, *statement.conditions):
        taken |= set(NAME.findall(text))

    def stem(name: str) -> str:
        every = (name + "_" * k for k in count(1))
        return next(one for one in every if not any(other.startswith(one) for other in taken))

    return {s.name: stem(s.name) for s in statement.symbols if s.kind in SEQUENCES}


def vector_row(text: str) -> tuple[str, ...]:
    """The vectors of a sequence written as "[(1, 0), (0, 1)]"."""
    if not VECTORS.fullmatch(text):
        raise ContentError(f"a sequence of vectors must look like '[(1, 0), (0, 1)]', got {text!r}")
    return tuple(VECTOR.findall(text))


def put_in(given: Relation, values: Mapping[Expr, Expr]) -> Relation:
    """A relation with symbols replaced by numbers."""
    return Relation(substitute(given.left, values), given.sign, substitute(given.right, values))


def put_in_condition(one: Relation | Every, values: Mapping[Expr, Expr]) -> Relation | Every:
    """A condition with symbols replaced by numbers."""
    if isinstance(one, Relation):
        return put_in(one, values)
    ends = substitute(one.low, values), substitute(one.high, values)
    return Every(one.variable, *ends, put_in(one.relation, values))


class _NoValueError(Exception):
    """An index is no whole number at the point, or a range of indices is too long."""


@dataclass(frozen=True)
class _Rows:
    """The numbers and the vectors of each sequence, and the values of scalar symbols, which indices and ends hang on.
    written: how many terms and relations were, in all; every_sum: are sums without sequences written out as well?"""

    rows: Mapping[str, tuple[Expr, ...]]
    values: Mapping[str, Fraction]
    written: Counter[str]
    every_sum: bool = False

    def relation(self, given: Relation) -> Relation:
        """Without sequences."""
        return Relation(self.term(given.left), given.sign, self.term(given.right))

    def each(self, one: Relation | Every) -> list[Relation]:
        """A relation at each of its indices."""
        if isinstance(one, Relation):
            return [one]
        first, last = math.ceil(self._number(one.low)), math.floor(self._number(one.high))
        return [put_in(one.relation, {symbol(one.variable): number(k)}) for k in self._range(first, last)]

    def term(self, expr: Expr) -> Expr:
        """Each number of a sequence put in; a sum over them term by term."""
        if not expr.args:
            return expr
        if expr.head == "at":
            terms, k = self.rows[expr.args[0].name], _whole(self._number(expr.args[1]))
            return terms[min(max(k, 0), len(terms) - 1)]
        if expr.head in BINDERS:
            inside = (self.every_sum and expr.head == "sum") or any(node.head == "at" for node in walk(expr))
            return self._bound(expr) if inside else expr
        return Expr(expr.head, tuple(map(self.term, expr.args)), expr.value, expr.name)

    def _bound(self, expr: Expr) -> Expr:
        variable, low, high, body = expr.args
        if expr.head == "integral":
            return Expr("integral", (variable, self.term(low), self.term(high), self.term(body)))
        indices = self._range(_whole(self._number(low)), _whole(self._number(high)))
        return _total([self.term(substitute(body, {variable: number(k)})) for k in indices])

    def _range(self, first: int, last: int) -> range:
        self.written["in all"] += max(last - first, 0)
        if self.written["in all"] > MOST_INDICES:
            raise _NoValueError
        return range(first, last + 1)

    def _number(self, expr: Expr) -> Fraction:
        try:
            return rational(self.term(expr), self.values)
        except ContentError as error:
            raise _NoValueError from error


def _in_range(s: Symbol, value: Fraction) -> bool:
    low, high = bound(s.lower), bound(s.upper)
    above = low is None or (value > low if s.lower_open else value >= low)
    return above and (high is None or (value < high if s.upper_open else value <= high))


def _whole(value: Fraction) -> int:
    if value.denominator != 1:
        raise _NoValueError
    return int(value)


def _total(terms: list[Expr]) -> Expr:
    """The sum, halved again and again, so that it is not deep."""
    if len(terms) < 2:
        return terms[0] if terms else number(0)
    half = len(terms) // 2
    return Expr("+", (_total(terms[:half]), _total(terms[half:])))
