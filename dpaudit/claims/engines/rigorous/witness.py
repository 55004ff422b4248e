"""Refutation: an exact point of the domain where the original statement fails for certain.

Both sides of the statement itself, never of a relaxation, are enclosed in ball arithmetic
at rational coordinates; mpmath evaluates them a second time with its own code.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

import mpmath

from dpaudit.claims.engines.rigorous.second_opinion import value
from dpaudit.claims.language import enclosures
from dpaudit.claims.language.expression import (
    Expr,
    Relation,
    bound,
    number,
    parse,
    parse_statement,
    rational,
    substitute,
    symbol,
)
from dpaudit.claims.language.gram import gram_name, has_mean, scalar_expr
from dpaudit.records.claim import Point, Statement, Symbol, SymbolKind
from dpaudit.records.errors import ContentError

DIGITS = 50
DIGITS_PER_BIT = 0.25
PRECISIONS = (256, 512, 1024)
"""Bits that are tried in turn where both sides nearly agree."""


@dataclass(frozen=True)
class Witness:
    """A point that refutes: values as exact text, both sides as enclosures."""

    point: Point
    left: enclosures.Interval
    right: enclosures.Interval
    sign: str


def certify(statement: Statement, point: Point) -> Witness | None:
    """The witness if `point` lies in the domain and the statement fails there for certain.

    None: outside the domain, true, undecided, or not evaluable at a point.
    """
    goal, conditions = parse_statement(statement)
    if not _in_ranges(statement, point) or not _met(conditions, statement, point):
        return None
    left, right = _at(goal.left, statement, point), _at(goal.right, statement, point)
    if left is None or right is None:
        return None
    for bits in PRECISIONS:
        with enclosures.precision(bits):
            answer = _holds(goal.sign, left, right)
            if answer:
                return None
            if answer is False and _confirmed(goal.sign, left, right, int(bits * DIGITS_PER_BIT)):
                return Witness(point, enclosures.evaluate(left, {}), enclosures.evaluate(right, {}), goal.sign)
    return None


def inside(statement: Statement, point: Point) -> bool:
    """Is the point in the domain for certain, with a value on both sides (a mean may be left standing)?"""
    goal, conditions = parse_statement(statement)
    if not _in_ranges(statement, point) or not _met(conditions, statement, point):
        return False
    sides = (_at(goal.left, statement, point), _at(goal.right, statement, point))
    return all(side is None or _value(side) is not None for side in sides)


def _met(conditions: tuple[Relation, ...], statement: Statement, point: Point) -> bool:
    """Are all conditions certain at the point?"""
    with enclosures.precision(PRECISIONS[0]):
        return all(_meets(condition, statement, point) for condition in conditions)


def _meets(condition: Relation, statement: Statement, point: Point) -> bool:
    left, right = _at(condition.left, statement, point), _at(condition.right, statement, point)
    if left is None or right is None or _value(left) is None or _value(right) is None:
        return False
    return _holds(condition.sign, left, right) is True


def _in_ranges(statement: Statement, point: Point) -> bool:
    given = dict(point)
    missing = {s.name for s in statement.symbols if s.kind is not SymbolKind.GAUSSIAN} - set(given)
    if missing:
        raise ContentError(f"the point {given} gives no value for {min(missing)!r}")
    for s in statement.symbols:
        if s.kind not in (SymbolKind.REAL, SymbolKind.INTEGER):
            continue
        value = Fraction(given[s.name])
        low, high = bound(s.lower), bound(s.upper)
        if low is not None and (value < low or (value == low and s.lower_open)):
            return False
        if high is not None and (value > high or (value == high and s.upper_open)):
            return False
        if s.kind is SymbolKind.INTEGER and value.denominator != 1:
            return False
    return True


def coordinates(text: str) -> tuple[Fraction, ...]:
    """The coordinates of a vector written as "(3/5, 4/5)"."""
    if not (text.startswith("(") and text.endswith(")")):
        raise ContentError(f"a vector must look like '(3/5, 4/5)', got {text!r}")
    return tuple(Fraction(part.strip()) for part in text[1:-1].split(",") if part.strip())


def _at(expr: Expr, statement: Statement, point: Point) -> Expr | None:
    """`expr` at the point, a constant expression; None if a mean is left that has no closed form."""
    given = dict(point)
    scalars = {symbol(s.name): number(Fraction(given[s.name])) for s in statement.symbols if _is_scalar(s.kind)}
    fixed = scalar_expr(expr, statement.symbols)
    if has_mean(fixed):  # a closed form may exist for these numbers only, for example at an even power
        fixed = scalar_expr(_fold(substitute(expr, scalars)), _with_values(statement, scalars))
    if has_mean(fixed):
        return None
    vectors = [s.name for s in statement.symbols if s.kind is SymbolKind.VECTOR]
    products = {}
    for u in vectors:
        for v in vectors:
            pairs = zip(coordinates(given[u]), coordinates(given[v]), strict=True)
            products[symbol(gram_name(u, v))] = number(sum((a * b for a, b in pairs), Fraction(0)))
    return substitute(fixed, {**scalars, **products})


def _is_scalar(kind: SymbolKind) -> bool:
    return kind in (SymbolKind.REAL, SymbolKind.INTEGER)


def _with_values(statement: Statement, scalars: dict[Expr, Expr]) -> tuple[Symbol, ...]:
    """The symbols with numbers put into the scales of gaussian symbols."""
    return tuple(
        replace(s, scale=str(_fold(substitute(parse(s.scale), scalars)))) if s.scale else s for s in statement.symbols
    )


def _fold(expr: Expr) -> Expr:
    """Constant integer arithmetic done, so that an even power is seen as one."""
    args = tuple(_fold(arg) for arg in expr.args)
    if expr.head in FOLD and all(arg.head == "number" for arg in args):
        a, b = (arg.value for arg in args)
        if expr.head != "/" or b:
            return number(FOLD[expr.head](a, b))
    return Expr(expr.head, args, expr.value, expr.name)


def _holds(sign: str, left: Expr, right: Expr) -> bool | None:
    # Rational numbers decide exactly, and so do the squares of norms at rational points, also on the boundary.
    for exact in (_exact, _exact_square):
        a, b = exact(left), exact(right)
        if a is not None and b is not None:
            return {"<=": a <= b, "<": a < b, "==": a == b}[sign]
    return _compare(sign, enclosures.evaluate(left, {}), enclosures.evaluate(right, {}))


def _exact(expr: Expr) -> Fraction | None:
    """The value of a rational constant, else None."""
    try:
        return rational(expr, {})
    except ContentError:
        return None


def _exact_square(expr: Expr) -> Fraction | None:
    """The square of a constant that is nonnegative and has a rational square, else None."""
    square = _exact(expr.args[0]) if expr.head == "sqrt" else None
    value = _exact(expr)
    if square is None and value is not None and value >= 0:
        square = value * value
    return square if square is not None and square >= 0 else None


def _compare(sign: str, left: enclosures.Interval, right: enclosures.Interval) -> bool | None:
    if sign == "==":
        if left.high < right.low or right.high < left.low:
            return False
        return True if left.low == left.high == right.low == right.high else None
    return (enclosures.below if sign == "<" else enclosures.at_most)(left, right)


def _confirmed(sign: str, left: Expr, right: Expr, digits: int) -> bool:
    """A second opinion with mpmath's own functions: the same side must be larger."""
    a, b = _value(left, digits), _value(right, digits)
    if a is None or b is None:
        return False
    return bool(a != b) if sign == "==" else bool(a > b or (sign == "<" and a == b))


def _value(expr: Expr, digits: int = DIGITS) -> mpmath.mpf | None:
    """The constant `expr` by mpmath; None if it or a part of it is not a real number: 1/0, log(0), sqrt(-1)."""
    try:
        return value(expr, {}, digits)
    except (ArithmeticError, ValueError, TypeError):
        return None


FOLD: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
}


def describe(witness: Witness) -> str:
    """One sentence: the point and what both sides are there."""
    at = ", ".join(f"{name} = {value}" for name, value in witness.point)
    opposite = {"<=": ">", "<": ">=", "==": "!="}[witness.sign]
    return f"at {at}: left {witness.left} {opposite} right {witness.right}"
