"""Refutation: an exact point of the domain where the original statement fails for certain.

Both sides of the statement itself, never of a relaxation, are enclosed in ball arithmetic
at rational coordinates; mpmath evaluates them a second time with its own code.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from dpaudit.claims.engines.rigorous.at_point import Place, constant
from dpaudit.claims.language import enclosures
from dpaudit.claims.language.expression import (
    Expr,
    Relation,
    bound,
    names,
    rational,
)
from dpaudit.claims.language.sequences import indexed, written_out
from dpaudit.claims.language.statements import parse_statement
from dpaudit.records.claim import Point, Statement, Symbol, SymbolKind
from dpaudit.records.errors import ContentError

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
    if indexed(statement):
        made = written_out(statement, point)
        found = None if made is None else certify(*made)
        return None if found is None else replace(found, point=point)
    goal, conditions = parse_statement(statement)
    if not _in_ranges(statement, point) or not _met(conditions, statement, point):
        return None
    at = Place(statement.symbols, point)
    left, right = at.term(goal.left), at.term(goal.right)
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
    if indexed(statement):
        made = written_out(statement, point)
        return made is not None and inside(*made)
    goal, conditions = parse_statement(statement)
    if not _in_ranges(statement, point) or not _met(conditions, statement, point):
        return False
    sides = map(Place(statement.symbols, point).term, (goal.left, goal.right))
    return all(side is None or constant(side) is not None for side in sides)


def met(statement: Statement, part: Point) -> bool:
    """Are the conditions certain that speak of no other symbols than those of this part of a point?"""
    known = {name for name, _ in part}
    symbols = tuple(s for s in statement.symbols if s.name in known)
    _, conditions = parse_statement(statement)
    here = tuple(c for c in conditions if names(c.left) | names(c.right) <= known)
    return _met(here, replace(statement, symbols=symbols), part)


def _met(conditions: tuple[Relation, ...], statement: Statement, point: Point) -> bool:
    """Are all conditions certain at the point?"""
    at = Place(statement.symbols, point)
    with enclosures.precision(PRECISIONS[0]):
        return all(_meets(condition, at) for condition in conditions)


def _meets(condition: Relation, at: Place) -> bool:
    a, b = at.rational(condition.left), at.rational(condition.right)
    if a is not None and b is not None:
        return _ordered(condition.sign, a, b)
    left, right = at.term(condition.left), at.term(condition.right)
    if left is None or right is None or constant(left) is None or constant(right) is None:
        return False
    return _holds(condition.sign, left, right) is True


def _in_ranges(statement: Statement, point: Point) -> bool:
    given = dict(point)
    missing = {s.name for s in statement.symbols if s.kind is not SymbolKind.GAUSSIAN} - set(given)
    if missing:
        raise ContentError(f"the point {given} gives no value for {min(missing)!r}")
    at = Place(statement.symbols, point)
    return all(at.meets(s) if s.kind is SymbolKind.GAUSSIAN else _in_range(s, given[s.name]) for s in statement.symbols)


@lru_cache(maxsize=4096)
def _in_range(s: Symbol, text: str) -> bool:
    if s.kind not in (SymbolKind.REAL, SymbolKind.INTEGER):
        return True
    value, low, high = Fraction(text), bound(s.lower), bound(s.upper)
    if low is not None and (value < low or (value == low and s.lower_open)):
        return False
    if high is not None and (value > high or (value == high and s.upper_open)):
        return False
    return s.kind is SymbolKind.REAL or value.denominator == 1


def _holds(sign: str, left: Expr, right: Expr) -> bool | None:
    # Rational numbers decide exactly, and so do the squares of norms at rational points, also on the boundary.
    for exact in (_exact, _exact_square):
        a, b = exact(left), exact(right)
        if a is not None and b is not None:
            return _ordered(sign, a, b)
    return _compare(sign, enclosures.evaluate(left, {}), enclosures.evaluate(right, {}))


def _ordered(sign: str, a: Fraction, b: Fraction) -> bool:
    return {"<=": a <= b, "<": a < b, "==": a == b}[sign]


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
    a, b = constant(left, digits), constant(right, digits)
    if a is None or b is None:
        return False
    return bool(a != b) if sign == "==" else bool(a > b or (sign == "<" and a == b))


def describe(witness: Witness) -> str:
    """One sentence: the point and what both sides are there."""
    at = ", ".join(f"{name} = {value}" for name, value in witness.point)
    opposite = {"<=": ">", "<": ">=", "==": "!="}[witness.sign]
    return f"at {at}: left {witness.left} {opposite} right {witness.right}"
