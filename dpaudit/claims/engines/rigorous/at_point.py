"""A term at an exact point, as the statement writes it: no root is taken apart, nothing is cancelled, but that the
square of a norm is a dot product.

Vectors are their coordinates there. Only means need another form, a closed one from `gram`. It stands for the mean
where everything inside of the mean has a value, whatever the draw.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import mpmath

from dpaudit.claims.engines.rigorous.second_opinion import value
from dpaudit.claims.language.expression import (
    BINDERS,
    Expr,
    has_mean,
    is_vector,
    names,
    number,
    parse,
    rational,
    substitute,
    symbol,
)
from dpaudit.claims.language.gram import gram_name, scalar_expr
from dpaudit.records.claim import Point, Symbol, SymbolKind
from dpaudit.records.errors import ContentError

DIGITS = 50
TWO = number(Fraction(2))
NOWHERE = parse("0/0")
"""Stands for a mean of something that has no value at the point."""
TOTAL = ("+", "-", "*", "neg", "exp", "abs", "min", "max", "Phi", "exprel", "floor", "ceil", "dot", "norm", "E")
"""Heads with a value wherever their arguments have one."""


def coordinates(text: str) -> tuple[Fraction, ...]:
    """The coordinates of a vector written as "(3/5, 4/5)"."""
    if not (text.startswith("(") and text.endswith(")")):
        raise ContentError(f"a vector must look like '(3/5, 4/5)', got {text!r}")
    return tuple(Fraction(part.strip()) for part in text[1:-1].split(",") if part.strip())


def constant(expr: Expr, digits: int = DIGITS) -> mpmath.mpf | None:
    """The constant `expr` by mpmath; None if it or a part of it is not a real number: 1/0, log(0), sqrt(-1)."""
    try:
        return value(expr, {}, digits)
    except (ArithmeticError, ValueError, TypeError):
        return None


@dataclass(frozen=True)
class Place:
    """A point of the symbols of a statement, exact values of all but the gaussian ones."""

    symbols: tuple[Symbol, ...]
    point: Point

    def term(self, expr: Expr) -> Expr | None:
        """`expr` there, a constant expression; None if a mean is left that has no closed form."""
        made = self._fixed(expr)
        return None if has_mean(made) else made

    def meets(self, s: Symbol) -> bool:
        """Is the standard deviation of a gaussian symbol a real number there, and not negative?"""
        scale = constant(self._fixed(parse(s.scale)))
        return scale is not None and bool(scale >= 0)

    def rational(self, expr: Expr) -> Fraction | None:
        """The exact value of `expr` there, None where it has none that is rational."""
        try:
            made = self._fixed(expr) if _of_vectors(expr) else expr
            return rational(made, self._values)
        except ContentError:
            return None

    def vector(self, expr: Expr) -> tuple[float, ...]:
        """The coordinates of a vector term there, in floating point."""
        found = [value(one, {}, DIGITS) for one in self._coordinates(expr)]
        return tuple(map(float, found))

    @cached_property
    def _values(self) -> dict[str, Fraction]:
        given = dict(self.point)
        return {
            s.name: Fraction(given[s.name]) for s in self.symbols if s.kind in (SymbolKind.REAL, SymbolKind.INTEGER)
        }

    @cached_property
    def _scalars(self) -> dict[Expr, Expr]:
        return {symbol(name): number(value) for name, value in self._values.items()}

    @cached_property
    def _vectors(self) -> dict[str, tuple[Expr, ...]]:
        given = dict(self.point)
        vectors = {s.name: coordinates(given[s.name]) for s in self.symbols if s.kind is SymbolKind.VECTOR}
        if len(sizes := {len(v) for v in vectors.values()}) > 1:
            raise ContentError(f"vectors of one point have one dimension, got {sorted(sizes)} in {given}")
        return {name: tuple(map(number, vector)) for name, vector in vectors.items()}

    @cached_property
    def _random(self) -> frozenset[str]:
        return frozenset(s.name for s in self.symbols if s.kind is SymbolKind.GAUSSIAN)

    def _fixed(self, expr: Expr, loose: frozenset[str] = frozenset()) -> Expr:
        """The term with numbers in it; loose: variables of sums and integrals around it, which stay."""
        if expr.head == "E":
            return self._mean(expr, loose)
        if expr.head == "**" and expr.args[0].head == "norm" and expr.args[1] == TWO:
            (vector,) = expr.args[0].args
            return self._fixed(Expr("dot", (vector, vector)), loose)
        if expr.head in ("dot", "norm"):
            sides = [self._coordinates(arg, loose) for arg in expr.args]
            total = _total(Expr("*", pair) for pair in zip(sides[0], sides[-1], strict=True))
            return total if expr.head == "dot" else Expr("sqrt", (total,))
        if expr.head in BINDERS:
            variable, low, high, body = expr.args
            ends = self._fixed(low, loose), self._fixed(high, loose)
            return Expr(expr.head, (variable, *ends, self._fixed(body, loose | {variable.name})))
        if expr.head == "symbol":
            return self._scalars.get(expr, expr)
        return Expr(expr.head, tuple(self._fixed(arg, loose) for arg in expr.args), expr.value, expr.name)

    def _coordinates(self, expr: Expr, loose: frozenset[str] = frozenset()) -> tuple[Expr, ...]:
        """The coordinates of a vector term."""
        if expr.head == "symbol":
            if expr.name in self._random:
                raise ContentError(f"{expr.name} is random: use it inside of E(...) only")
            return self._vectors[expr.name]
        if expr.head == "neg":
            return tuple(Expr("neg", (c,)) for c in self._coordinates(expr.args[0], loose))
        left, right = expr.args
        if expr.head in ("+", "-"):
            pairs = zip(self._coordinates(left, loose), self._coordinates(right, loose), strict=True)
            return tuple(Expr(expr.head, pair) for pair in pairs)
        if expr.head == "*" and is_vector(left, self.symbols):
            left, right = right, left
        if expr.head not in ("*", "/"):
            raise ContentError(f"{expr} is not a vector")
        scalar, vector = (left, right) if expr.head == "*" else (right, left)
        factor = self._fixed(scalar, loose)
        scaled = ((factor, c) if expr.head == "*" else (c, factor) for c in self._coordinates(vector, loose))
        return tuple(Expr(expr.head, pair) for pair in scaled)

    def _mean(self, expr: Expr, loose: frozenset[str]) -> Expr:
        """The closed form of a mean; the mean itself where there is none, and NOWHERE where it has no value."""
        if not self._has_value(expr.args[0], loose):
            return NOWHERE
        made = scalar_expr(expr, self.symbols)
        if has_mean(made):  # a closed form may exist for these numbers only, for example at an even power
            made = scalar_expr(_fold(substitute(expr, self._scalars)), self._with_values())
        vectors = self._vectors
        products = {
            symbol(gram_name(u, v)): _total(Expr("*", pair) for pair in zip(vectors[u], vectors[v], strict=True))
            for u in vectors
            for v in vectors
        }
        return substitute(made, {**self._scalars, **products})

    def _has_value(self, expr: Expr, loose: frozenset[str]) -> bool:
        """Has a part of a mean a value, whatever the draw? False where that is not seen."""
        unknown = self._random | loose
        if not names(expr) & unknown:
            vectorial = is_vector(expr, self.symbols)
            parts = self._coordinates(expr) if vectorial else (self._fixed(expr),)
            return all(constant(part) is not None for part in parts)
        if expr.head in BINDERS:
            variable, low, high, body = expr.args
            fixed = not (names(low) | names(high)) & unknown
            return fixed and self._has_value(body, loose | {variable.name})
        if not all(self._has_value(arg, loose) for arg in expr.args):
            return False
        if expr.head in (*TOTAL, "symbol"):
            return True
        last = expr.args[-1]
        if names(last) & unknown:
            return False
        if expr.head == "/":
            return constant(self._fixed(Expr("/", (number(1), last)))) is not None
        return expr.head == "**" and _raised(expr.args[0], constant(self._fixed(last)))

    def _with_values(self) -> tuple[Symbol, ...]:
        """The symbols with numbers put into the scales of gaussian symbols."""
        return tuple(
            replace(s, scale=str(_fold(substitute(parse(s.scale), self._scalars)))) if s.scale else s
            for s in self.symbols
        )


def _raised(base: Expr, power: mpmath.mpf | None) -> bool:
    """Has base**power a value whatever a random base is, as far as its head tells its sign?"""
    if power is None:
        return False
    return base.head == "exp" or bool(power >= 0 and (base.head in ("abs", "norm") or mpmath.isint(power)))


def _total(terms: Iterable[Expr]) -> Expr:
    first, *rest = [*terms] or [number(0)]
    for term in rest:
        first = Expr("+", (first, term))
    return first


def _fold(expr: Expr) -> Expr:
    """Constant integer arithmetic done, so that an even power is seen as one."""
    args = tuple(_fold(arg) for arg in expr.args)
    if expr.head in FOLD and all(arg.head == "number" for arg in args):
        a, b = (arg.value for arg in args)
        if expr.head != "/" or b:
            return number(FOLD[expr.head](a, b))
    return Expr(expr.head, args, expr.value, expr.name)


FOLD: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
}


def _of_vectors(expr: Expr) -> bool:
    return expr.head in ("dot", "norm") or any(map(_of_vectors, expr.args))
