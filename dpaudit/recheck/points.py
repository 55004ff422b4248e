"""Statements at one exact point: both sides without symbols, compared exactly or by enclosures."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from dpaudit.recheck.interval import METER
from dpaudit.recheck.polynomials import as_number, minus
from dpaudit.recheck.signs import Context
from dpaudit.recheck.symbols import Symbol
from dpaudit.recheck.terms import (
    BINDERS,
    Every,
    Refused,
    Relation,
    Term,
    args,
    free,
    number,
    replaced,
    show,
    substitute,
    walk,
)

Values = Mapping[str, str]
MOST_INDICES = 2_000
"""Longest range of an index that is gone through at a point."""
VECTOR, VECTORS = re.compile(r"\(([^()]*)\)"), re.compile(r"\[\([^()]*\)(, *\([^()]*\))*\]")
"""A vector of a row, and a whole row of them."""


class Point:
    """A point of a domain: a number for each scalar symbol, coordinates for each vector; gaussian ones stay random.

    A sequence is a row of numbers or of vectors, from index 0 on: before it stands the first one, behind it the last
    one."""

    def __init__(self, context: Context, given: Values) -> None:
        self.symbols = context.symbols
        wanted = {s.name for s in self.symbols if s.kind != "gaussian"}
        if set(given) != wanted:
            raise Refused(f"a point gives a value to each of {sorted(wanted)}, got {sorted(given)}")
        kinds = {s.name: s.kind for s in self.symbols}
        self.scalars: dict[Term, Term] = {n: number(v) for n, v in given.items() if kinds[n] in ("real", "integer")}
        self.vectors = {n: _coordinates(v) for n, v in given.items() if kinds[n] == "vector"}
        self.rows = {n: _row(v) for n, v in given.items() if kinds[n] == "sequence"}
        self.vector_rows = {n: _vector_row(v) for n, v in given.items() if kinds[n] == "vector_sequence"}
        if len({len(v) for row in (self.vectors.values(), *self.vector_rows.values()) for v in row}) > 1:
            raise Refused("the vectors of a point have one dimension")
        scales = tuple(
            Symbol(s.name, s.kind, scale=self._fixed(s.scale)) if s.kind == "gaussian" else Symbol(s.name, s.kind)
            for s in self.symbols
            if s.kind in ("vector", "gaussian", "vector_sequence")
        )
        self.there = Context(scales, ())
        """The symbols that are no numbers at the point."""

    def inside(self) -> bool:
        """Is each value in its range, and the spread of each gaussian symbol a number that is not negative?"""
        return all(map(self._in_range, self.symbols))

    def _in_range(self, s: Symbol) -> bool:
        if s.kind == "gaussian":
            scale = self._fixed(s.scale)
            return self.there.defined(scale) and self.there.nonnegative(scale)
        if s.kind == "sequence":
            return all(_between(s, value) for value in self.rows[s.name])
        value = self.scalars.get(s.name)
        if not isinstance(value, Fraction):
            return True
        return _between(s, value) and not (s.kind == "integer" and value.denominator != 1)

    def holds(self, given: Relation) -> bool | None:
        """Does the relation hold at the point? None where a side has no value there, or nothing is certain."""
        left, right = self.value(given.left), self.value(given.right)
        if left is None or right is None:
            return None
        difference = minus(self.there.forms.form(right), self.there.forms.form(left))
        if self.there.forms.zero(difference):
            return given.sign != "<"
        low, high = self.there.enclosure(("-", right, left))
        if low > 0 or high < 0:
            return bool(low > 0) and given.sign != "=="
        return None

    def holds_at_every(self, given: Every) -> bool | None:
        """Does the relation hold at each index? None where it has too many, no range, or nothing is certain."""
        ends = self._number(given.low), self._number(given.high)
        if ends[0] is None or ends[1] is None or ends[1] - ends[0] > MOST_INDICES:
            return None
        indices = range(math.ceil(ends[0]), math.floor(ends[1]) + 1)
        found = [self.holds(replaced(given.relation, {given.variable: Fraction(k)})) for k in indices]
        return False if False in found else None if None in found else True

    def _number(self, node: Term) -> Fraction | None:
        """The rational value of a term at the point, where it is one."""
        value = self.value(node)
        return None if value is None else self._constant(value)

    def value(self, node: Term) -> Term | None:
        """The term without symbols; None where it has no value at the point, or a mean that has no closed form."""
        fixed = self._fixed(node)
        if any(isinstance(part, tuple) and part[0] == "E" for part in walk(fixed)) or free(fixed):
            return None
        return fixed if self.there.defined(fixed) else None

    def _fixed(self, node: Term) -> Term:
        return self._plain(substitute(node, self.scalars))

    def _plain(self, node: Term) -> Term:
        """Means in closed form, dot products and norms in coordinates."""
        match node:
            case ("E", inner):
                return self._mean(node) if self.there.valued(inner) else node
            case ("dot", u, v):
                return _total(("*", a, b) for a, b in zip(self._vector(u), self._vector(v), strict=True))
            case ("norm", u):
                return "sqrt", _total(("**", a, Fraction(2)) for a in self._vector(u))
            case ("at", name, index):
                return self._of_row(name, self._plain(index))
            case ("sum", variable, low, high, body) if (self.rows or self.vector_rows) and _indexed(body):
                return self._written_out(variable, self._plain(low), self._plain(high), body)
            case (head, variable, *rest) if head in BINDERS:
                return head, variable, *map(self._plain, rest)
            case tuple():
                return node[0], *map(self._plain, args(node))
        return node

    def _of_row(self, name: Any, index: Term) -> Term:
        """A number of a sequence; as it is where its index is no whole number."""
        k = self._constant(index)
        return ("at", name, index) if k is None or k.denominator != 1 else _nearest(self.rows[name], int(k))

    def _written_out(self, variable: str, low: Term, high: Term, body: Term) -> Term:
        """A sum over numbers of a sequence, term by term; as it is where its range is none of whole numbers."""
        first, last = self._constant(low), self._constant(high)
        if (
            first is None
            or last is None
            or not first.denominator == last.denominator == 1
            or last - first > MOST_INDICES
        ):
            return "sum", variable, low, high, body
        indices = range(int(first), int(last) + 1)
        METER.spend(len(indices))
        return _total(self._plain(substitute(body, {variable: Fraction(k)})) for k in indices)

    def _constant(self, node: Term) -> Fraction | None:
        """The value of a term without symbols, where it is rational."""
        fits = not free(node) and self.there.defined(node)
        return as_number(self.there.forms.form(node)) if fits else None

    def _mean(self, node: Term) -> Term:
        """The closed form, with the products of vectors as numbers."""
        closed = self.there.closed(node)
        return node if closed is None else self._plain(closed)

    def _vector(self, node: Term) -> list[Term]:
        match node:
            case str() if node in self.vectors:
                return list(self.vectors[node])
            case ("at", name, index) if name in self.vector_rows:
                k = self._constant(self._plain(index))
                if k is None or k.denominator != 1:
                    raise Refused(f"the index of {show(node)[:80]} is no whole number at a point")
                return list(_nearest(self.vector_rows[name], int(k)))
            case ("neg", u):
                return [("neg", c) for c in self._vector(u)]
            case ("+" | "-" as sign, u, v):
                return [(sign, a, b) for a, b in zip(self._vector(u), self._vector(v), strict=True)]
            case ("*", u, v) if self.there.forms.is_vector(u):
                return [("*", c, self._plain(v)) for c in self._vector(u)]
            case ("*", u, v):
                return [("*", self._plain(u), c) for c in self._vector(v)]
            case ("/", u, v):
                return [("/", c, self._plain(v)) for c in self._vector(u)]
        raise Refused(f"{show(node)[:80]} is no vector at a point")


def _coordinates(text: str) -> tuple[Fraction, ...]:
    if not (isinstance(text, str) and text.startswith("(") and text.endswith(")")):
        raise Refused(f"a vector looks like (3/5, 4/5), got {str(text)[:80]!r}")
    return tuple(number(part.strip()) for part in text[1:-1].split(",") if part.strip())


def _vector_row(text: str) -> tuple[tuple[Fraction, ...], ...]:
    if not (isinstance(text, str) and VECTORS.fullmatch(text)):
        raise Refused(f"a sequence of vectors looks like [(1, 0), (0, 1)], got {str(text)[:80]!r}")
    return tuple(_coordinates(f"({part})") for part in VECTOR.findall(text))


def _nearest(row: Sequence[Any], k: int) -> Any:
    """What a row has at an index; its first one before it, its last one behind it."""
    return row[min(max(k, 0), len(row) - 1)]


def _row(text: str) -> tuple[Fraction, ...]:
    if not (isinstance(text, str) and text.startswith("[") and text.endswith("]") and text[1:-1].strip()):
        raise Refused(f"a sequence looks like [1, 1/2, 0], got {str(text)[:80]!r}")
    return tuple(number(part.strip()) for part in text[1:-1].split(","))


def _between(s: Symbol, value: Fraction) -> bool:
    """Is the number in the range of the symbol?"""
    low = s.low is None or (value > s.low if s.low_open else value >= s.low)
    return low and (s.high is None or (value < s.high if s.high_open else value <= s.high))


def _indexed(node: Term) -> bool:
    return any(isinstance(part, tuple) and part[0] == "at" for part in walk(node))


def _total(parts: Iterable[Term]) -> Term:
    """The sum, halved again and again, so that it is not deep."""
    terms = list(parts)
    while len(terms) > 1:
        pairs = zip(terms[::2], terms[1::2], strict=False)
        terms = [*(("+", a, b) for a, b in pairs), *(terms[-1:] if len(terms) % 2 else ())]
    return terms[0] if terms else Fraction(0)
