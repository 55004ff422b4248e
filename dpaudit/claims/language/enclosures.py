"""Enclosures of expressions: interval end points evaluated in ball arithmetic, sure to hold.

An `Interval` keeps two exact Arb numbers. The elementary operations are in `arithmetic.intervals`,
special functions in `arithmetic.special`, sums and integrals in `quadrature`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from flint import arb, ctx

from dpaudit.arithmetic import intervals as basic
from dpaudit.arithmetic import special
from dpaudit.arithmetic.intervals import (
    INFINITY,
    PRECISION,
    REALS,
    Interval,
    at_most,
    below,
    between,
    divide,
    exact,
    finite,
    hull,
    precision,
)
from dpaudit.claims.language import quadrature, work
from dpaudit.claims.language.expression import Expr, names, rational
from dpaudit.claims.language.quadrature import panels
from dpaudit.records.errors import ContentError

__all__ = [
    "INFINITY",
    "PRECISION",
    "REALS",
    "Interval",
    "at_most",
    "below",
    "between",
    "ctx",
    "divide",
    "evaluate",
    "exact",
    "finite",
    "panels",
    "precision",
]


def evaluate(expr: Expr, values: Mapping[str, Interval]) -> Interval:
    """An interval that contains every value of `expr` when each symbol runs over its interval.

    A part that has no value somewhere is enclosed by all reals. Raises ContentError for
    vectors and E(...), which must be eliminated first.
    """
    work.spend(expr)
    if expr.head == "number":
        return exact(expr.value)
    if expr.head == "symbol":
        return values[expr.name]
    if expr.head == "pi":
        return hull(arb.pi())
    if expr.head in ("sum", "integral"):
        with work.named(expr):
            return _binder(expr, values)
    if expr.head in INTEGER or (expr.head == "binomial_cdf" and evaluate(expr.args[1], values).high <= MOST_TRIALS):
        return _integer(expr, values)
    if expr.head not in FUNCTIONS:
        raise ContentError(f"{expr} has no enclosure: rewrite {expr.head}(...) first")
    return FUNCTIONS[expr.head](*(evaluate(arg, values) for arg in expr.args))


def _binder(expr: Expr, values: Mapping[str, Interval]) -> Interval:
    if expr.head == "integral":
        return quadrature.integral(evaluate, expr, values)
    return quadrature.total(evaluate, expr, (_integer(expr.args[1], values), _integer(expr.args[2], values)), values)


def _integer(expr: Expr, values: Mapping[str, Interval]) -> Interval:
    """Exact where every symbol has an exact value: the integer next to 3*(1/3) must not hang on a rounding."""
    points = {name: _point(values[name]) for name in names(expr)}
    try:
        return exact(rational(expr, {name: value for name, value in points.items() if value is not None}))
    except ContentError:
        if expr.head not in (*INTEGER, "binomial_cdf"):
            return evaluate(expr, values)
        return FUNCTIONS[expr.head](*(_integer(arg, values) for arg in expr.args))


def _point(a: Interval) -> Fraction | None:
    """The exact value of a symbol that has only one."""
    if not (a.low == a.high and basic.finite(a)):
        return None
    mantissa, exponent = a.low.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


INTEGER = ("floor", "ceil", "factorial", "binomial")
"""Functions whose value is exact at exact arguments."""
MOST_TRIALS = 200
"""Most trials for which a binomial distribution function is evaluated exactly, where its arguments are exact."""
FUNCTIONS: dict[str, Callable[..., Interval]] = {
    "+": basic.add,
    "-": basic.subtract,
    "*": basic.multiply,
    "/": basic.divide,
    "**": basic.power,
    "neg": basic.negate,
    "exp": basic.exp,
    "log": basic.log,
    "sqrt": basic.sqrt,
    "abs": basic.absolute,
    "min": basic.extreme(lambda x, y: bool(x < y)),
    "max": basic.extreme(lambda x, y: bool(x > y)),
    "log2": special.log2,
    "floor": special.floor,
    "ceil": special.ceil,
    "exprel": special.exprel,
    "Phi": special.normal_cdf,
    "beta_tail": special.beta_tail,
    "gamma_tail": special.gamma_tail,
    "binomial_cdf": special.binomial_cdf,
    "Gamma": special.gamma,
    "factorial": special.factorial,
    "binomial": special.binomial,
}
