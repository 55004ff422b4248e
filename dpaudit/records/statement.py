"""A statement as data: symbols with ranges, conditions, one relation in the language of `claims.language`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum

from dpaudit.records.arguments import checked, stated
from dpaudit.records.errors import ContentError


class SymbolKind(StrEnum):
    """What a symbol stands for."""

    REAL = "real"
    INTEGER = "integer"
    VECTOR = "vector"
    GAUSSIAN = "gaussian"
    CONSTANT = "constant"
    SEQUENCE = "sequence"
    VECTOR_SEQUENCE = "vector_sequence"


SEQUENCES = (SymbolKind.SEQUENCE, SymbolKind.VECTOR_SEQUENCE)
"""Kinds that stand with an index alone."""


@stated
class Symbol:
    """A named quantity. lower and upper are exact numbers or -oo, oo; `scale` is the standard
    deviation per coordinate of a gaussian vector (an expression in earlier symbols)."""

    name: str
    kind: SymbolKind
    lower: str = "-oo"
    upper: str = "oo"
    lower_open: bool = True
    upper_open: bool = True
    scale: str = ""
    meaning: str = ""

    def __str__(self) -> str:
        if self.kind is SymbolKind.GAUSSIAN:
            return f"{self.name} ~ N(0, ({self.scale})^2 I)"
        if self.kind is SymbolKind.VECTOR:
            return f"{self.name} a vector"
        if self.kind is SymbolKind.VECTOR_SEQUENCE:
            return f"{self.name} a sequence of vectors"
        ends = f"{'(' if self.lower_open else '['}{self.lower}, {self.upper}{')' if self.upper_open else ']'}"
        kinds = {SymbolKind.INTEGER: "integer ", SymbolKind.SEQUENCE: "a sequence "}
        return f"{self.name} {kinds.get(self.kind, '')}in {ends}"


def _interval(name: str, kind: SymbolKind, interval: str, meaning: str) -> Symbol:
    text = interval.strip()
    inner = text[1:-1].split(",")
    if text[:1] not in "[(" or text[-1:] not in "])" or len(inner) != 2:
        raise ContentError(f"the range of {name} must look like '[0, 1)' or '(0, oo)', got {interval!r}")
    return Symbol(name, kind, inner[0].strip(), inner[1].strip(), text[0] == "(", text[-1] == ")", meaning=meaning)


@checked
def real(name: str, interval: str = "(-oo, oo)", meaning: str = "") -> Symbol:
    """A real number in `interval`, for example real("p", "[2, oo)", "moment order")."""
    return _interval(name, SymbolKind.REAL, interval, meaning)


@checked
def integer(name: str, interval: str, meaning: str = "") -> Symbol:
    """An integer in `interval`, end points included where the bracket is square."""
    return _interval(name, SymbolKind.INTEGER, interval, meaning)


@checked
def vector(name: str, meaning: str = "") -> Symbol:
    """A vector of R^d, in every dimension d at once."""
    return Symbol(name, SymbolKind.VECTOR, meaning=meaning)


@checked
def gaussian(name: str, scale: str = "1", meaning: str = "") -> Symbol:
    """A random vector N(0, scale^2 I_d); E(...) averages over it."""
    return Symbol(name, SymbolKind.GAUSSIAN, scale=scale, meaning=meaning)


@checked
def constant(name: str, interval: str = "(0, oo)", meaning: str = "") -> Symbol:
    """A constant of a statement: there is a value of it in `interval`, the same for all values of the other symbols."""
    return _interval(name, SymbolKind.CONSTANT, interval, meaning)


@checked
def sequence(name: str, interval: str = "(-oo, oo)", meaning: str = "") -> Symbol:
    """Numbers in `interval`, one for each whole index: `e[t]` is the one at t, for example the error after t steps."""
    return _interval(name, SymbolKind.SEQUENCE, interval, meaning)


@checked
def vector_sequence(name: str, meaning: str = "") -> Symbol:
    """Vectors of one R^d, in every dimension d at once: `x[t]` is the one at a whole index t, as an iterate is."""
    return Symbol(name, SymbolKind.VECTOR_SEQUENCE, meaning=meaning)


@stated
class Statement:
    """`left <= right` or `left == right` for all values of the symbols that meet the conditions,
    wherever both sides are real numbers (an argument may bring in no term that is not one on the whole domain).

    A condition is a relation, or `all(t, a, b, relation)`: the relation at each whole number t from a to b.

    exists: there is such a value, instead of for all (non-vacuity: hypotheses that can be met at once). Where symbols
    are constants, the statement is that there are values of these for which it holds for all values of the others."""

    expression: str
    symbols: tuple[Symbol, ...]
    conditions: tuple[str, ...] = ()
    exists: bool = False

    def __str__(self) -> str:
        given = f" with {', '.join(self.conditions)}" if self.conditions else ""
        quantifier = "there are" if self.exists else "for all"
        first = f"there are constants {'; '.join(map(str, self.constants))} so that " if self.constants else ""
        others = "; ".join(str(s) for s in self.symbols if s not in self.constants)
        return f"{first}{quantifier} {others}{given}: {self.expression}"

    @property
    def constants(self) -> tuple[Symbol, ...]:
        """The symbols that are constants."""
        return tuple(s for s in self.symbols if s.kind is SymbolKind.CONSTANT)


Unit = tuple[int, int] | tuple[int, int, int]
"""Powers of the units of the objective and of length; for a sequence, also of the unit of each coordinate."""


def homogeneous(relation: str, symbols: tuple[Symbol, ...], units: Mapping[str, Unit]) -> Statement:
    """That both sides of `relation` change by one factor when the units of the setting are changed.

    units: symbol -> powers of the units of the objective and of length, for example
    `{"L": (1, -1), "r": (0, 1)}`; symbols that are not named have none. A lost square shows here. A third number, for
    a sequence, is the power of a unit that each coordinate has for itself: `{"M": (1, 0, -2)}` for the curvatures M[j].
    """
    left, right = re.split(r"<=|>=|==|<|>", relation)
    if "0" in (left.strip(), right.strip()):
        raise ContentError(f"with 0 on one side {relation!r} is homogeneous whatever the other side is")

    sequences = {s.name for s in symbols if s.kind in SEQUENCES}

    def scaled(text: str) -> str:
        for name, (value, length, *own) in units.items():
            common = f"*value_unit**({value})*length_unit**({length})"
            each = f"*coordinate_unit[\\1]**({own[0]}){common}" if own else common
            if own or name in sequences:
                text = re.sub(rf"\b{name}\[([^\]]+)\]", rf"({name}[\1]{each})", text)
            else:
                text = re.sub(rf"\b{name}\b", f"({name}{common})", text)
        return text

    factors = [real("value_unit", "(0, oo)", "factor of the objective"), real("length_unit", "(0, oo)", "of length")]
    if any(len(unit) == 3 for unit in units.values()):
        factors.append(sequence("coordinate_unit", "(0, oo)", "of length, for each coordinate"))
    return Statement(f"({scaled(left)})*({right}) == ({left})*({scaled(right)})", (*symbols, *factors))


Point = tuple[tuple[str, str], ...]
"""Exact values of symbols: numbers such as "3/5", vectors such as "(3/5, 4/5)", sequences such as "[1, 1/2, 0]" or
"[(1, 0), (0, 1)]": from index 0 on, before it the first one and behind it the last one."""
