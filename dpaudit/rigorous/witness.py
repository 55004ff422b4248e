"""Refutation: an exact point of the domain where the original statement fails for certain.

Both sides of the statement itself, never of a relaxation, are enclosed in ball arithmetic
at rational coordinates; mpmath evaluates them a second time with its own code.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

import mpmath

from dpaudit import ball
from dpaudit.claim import Point, Statement, Symbol, SymbolKind
from dpaudit.errors import ContentError
from dpaudit.expression import Expr, Relation, bound, number, parse, parse_statement, rational, substitute, symbol
from dpaudit.gram import gram_name, has_mean, scalar_expr

DIGITS = 50


@dataclass(frozen=True)
class Witness:
    """A point that refutes: values as exact text, both sides as enclosures."""

    point: Point
    left: ball.Interval
    right: ball.Interval
    sign: str


def certify(statement: Statement, point: Point) -> Witness | None:
    """The witness if `point` lies in the domain and the statement fails there for certain.

    None: outside the domain, true, undecided, or not evaluable at a point.
    """
    goal, _ = parse_statement(statement)
    if not inside(statement, point):
        return None
    left, right = _at(goal.left, statement, point), _at(goal.right, statement, point)
    if left is None or right is None:
        return None
    with ball.precision(2 * ball.PRECISION):
        enclosed = ball.evaluate(left, {}), ball.evaluate(right, {})
        if _compare(goal.sign, *enclosed) is not False:
            return None
    if not _confirmed(goal.sign, left, right):
        return None
    return Witness(point, *enclosed, goal.sign)


def inside(statement: Statement, point: Point) -> bool:
    """Is the point in the domain for certain, with a value on both sides (a mean may be left standing)?"""
    goal, conditions = parse_statement(statement)
    missing = {s.name for s in statement.symbols if s.kind is not SymbolKind.GAUSSIAN} - {name for name, _ in point}
    if missing:
        raise ContentError(f"the point {dict(point)} gives no value for {sorted(missing)[0]!r}")
    if not _in_ranges(statement, point):
        return False
    sides = (_at(goal.left, statement, point), _at(goal.right, statement, point))
    with ball.precision(2 * ball.PRECISION):
        met = all(_meets(condition, statement, point) for condition in conditions)
    return met and all(side is None or _value(side) is not None for side in sides)


def _meets(condition: Relation, statement: Statement, point: Point) -> bool:
    """Is the condition certain at the point?"""
    left, right = _at(condition.left, statement, point), _at(condition.right, statement, point)
    if left is None or right is None or _value(left) is None or _value(right) is None:
        return False
    return _holds(condition.sign, left, right) is True


def _in_ranges(statement: Statement, point: Point) -> bool:
    given = dict(point)
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
    a, b = _exact_square(left), _exact_square(right)
    if a is not None and b is not None:
        # Norms at rational points: squares decide exactly, also on the boundary.
        return {"<=": a <= b, "<": a < b, "==": a == b}[sign]
    return _compare(sign, ball.evaluate(left, {}), ball.evaluate(right, {}))


def _exact_square(expr: Expr) -> Fraction | None:
    """The square of a constant that is nonnegative and has a rational square, else None."""
    root = expr.args[0] if expr.head == "sqrt" else None
    try:
        if root is not None:
            square = rational(root, {})
            return square if square >= 0 else None
        value = rational(expr, {})
    except ContentError:
        return None
    return value * value if value >= 0 else None


def _compare(sign: str, left: ball.Interval, right: ball.Interval) -> bool | None:
    if sign == "==":
        if left.high < right.low or right.high < left.low:
            return False
        return True if left.low == left.high == right.low == right.high else None
    return (ball.below if sign == "<" else ball.at_most)(left, right)


def _confirmed(sign: str, left: Expr, right: Expr) -> bool:
    """A second opinion with mpmath's own functions: the same side must be larger."""
    a, b = _value(left), _value(right)
    if a is None or b is None:
        return False
    return bool(a != b) if sign == "==" else bool(a > b or (sign == "<" and a == b))


def _value(expr: Expr) -> mpmath.mpf | None:
    """The constant `expr` by mpmath; None if it or a part of it is not a real number: 1/0, log(0), sqrt(-1)."""
    try:
        with mpmath.workdps(DIGITS):
            return _number(expr)
    except (ArithmeticError, ValueError, TypeError):
        return None


def _number(expr: Expr) -> mpmath.mpf:
    if expr.head == "number":
        return mpmath.mpf(expr.value.numerator) / expr.value.denominator
    if expr.head == "pi":
        return +mpmath.pi
    value = mpmath.mpf(MPMATH[expr.head](*(_number(arg) for arg in expr.args)))  # TypeError if complex
    if not mpmath.isfinite(value):
        raise ValueError(f"{expr} is not a number")
    return value


FOLD: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
}
MPMATH: dict[str, Callable[..., mpmath.mpf]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "**": lambda a, b: a**b,
    "neg": lambda a: -a,
    "exp": mpmath.exp,
    "log": mpmath.log,
    "sqrt": mpmath.sqrt,
    "abs": abs,
    "min": min,
    "max": max,
    "Phi": mpmath.ncdf,
    "beta_tail": lambda a, b, t: 1 if t <= 0 else 0 if t >= 1 else mpmath.betainc(a, b, t, 1, regularized=True),
}


def describe(witness: Witness) -> str:
    """One sentence: the point and what both sides are there."""
    at = ", ".join(f"{name} = {value}" for name, value in witness.point)
    opposite = {"<=": ">", "<": ">=", "==": "!="}[witness.sign]
    return f"at {at}: left {witness.left} {opposite} right {witness.right}"
