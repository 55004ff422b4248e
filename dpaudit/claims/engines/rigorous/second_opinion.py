"""The value of a constant expression by mpmath's own functions: a second opinion, which alone proves nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import mpmath
from mpmath.libmp import NoConvergence

from dpaudit.claims.language import work
from dpaudit.claims.language.expression import Expr, rational
from dpaudit.records.errors import ContentError

MOST_TERMS = 5_000
TERMWISE = 2_000
"""Most trials for which a binomial distribution function is summed term by term."""


def value(expr: Expr, names: Mapping[str, mpmath.mpf], digits: int) -> mpmath.mpf:
    """`expr` with the given values of its symbols, computed with `digits` digits.

    Raises ArithmeticError, ValueError or TypeError if it or a part of it is not a real
    number: 1/0, log(0), sqrt(-1), the factorial of -1; or if mpmath gives up.
    """
    try:
        with mpmath.workdps(digits):
            return _value(expr, names)
    except NoConvergence as error:
        raise ValueError(f"mpmath finds no value of {expr}") from error


def _value(expr: Expr, names: Mapping[str, mpmath.mpf]) -> mpmath.mpf:
    work.spend(expr)
    if expr.head == "number":
        return mpmath.mpf(expr.value.numerator) / expr.value.denominator
    if expr.head == "symbol":
        return names[expr.name]
    if expr.head == "pi":
        return +mpmath.pi
    if expr.head == "sum":
        found = _sum(expr, names)
    elif expr.head == "integral":
        found = _integral(expr, names)
    elif expr.head in EXACT:
        found = EXACT[expr.head](*_tractable(expr, [_exact(arg, names) for arg in expr.args]))
    else:
        found = MPMATH[expr.head](*_tractable(expr, [_value(arg, names) for arg in expr.args]))
    found = mpmath.mpf(found)  # TypeError if complex
    if not mpmath.isfinite(found):
        raise ValueError(f"{expr} is not a number")
    return found


def _exact(expr: Expr, names: Mapping[str, mpmath.mpf]) -> mpmath.mpf:
    """The value, without rounding where it is rational: floor(3*(1/3)) is 1."""
    try:
        exact = rational(expr, {})
    except ContentError:
        return _value(expr, names)
    return mpmath.mpf(exact.numerator) / exact.denominator


def _whole(x: mpmath.mpf, least: int | None = None) -> int:
    if not mpmath.isint(x) or (least is not None and x < least):
        raise ValueError(f"{x} is not an integer in the range of the function")
    return int(x)


def _sum(expr: Expr, names: Mapping[str, mpmath.mpf]) -> mpmath.mpf:
    variable, low, high, body = expr.args
    first, last = _whole(_exact(low, names)), _whole(_exact(high, names))
    if last - first >= MOST_TERMS:
        raise ValueError(f"{expr} has too many terms")
    return mpmath.fsum(_value(body, {**names, variable.name: mpmath.mpf(k)}) for k in range(first, last + 1))


def _integral(expr: Expr, names: Mapping[str, mpmath.mpf]) -> mpmath.mpf:
    variable, low, high, body = expr.args
    ends = _value(low, names), _value(high, names)
    return mpmath.quad(lambda z: _value(body, {**names, variable.name: z}), mpmath.linspace(*ends, 5))


def _binomial_cdf(k: mpmath.mpf, n: mpmath.mpf, q: mpmath.mpf) -> mpmath.mpf:
    trials, last = _whole(n, 0), int(mpmath.floor(k))
    if not 0 <= q <= 1:
        raise ValueError(f"{q} is not a probability")
    if last < 0 or last >= trials:
        return mpmath.mpf(0 if last < 0 else 1)
    if trials > TERMWISE:
        return mpmath.betainc(trials - last, last + 1, 0, 1 - q, regularized=True)
    return mpmath.fsum(mpmath.binomial(trials, i) * q**i * (1 - q) ** (trials - i) for i in range(last + 1))


def _beta_tail(a: mpmath.mpf, b: mpmath.mpf, t: mpmath.mpf) -> mpmath.mpf:
    """By the series around the end that is further out in the tail: the other one converges slowly or cancels."""
    if t <= 0 or t >= 1:
        return mpmath.mpf(1 if t <= 0 else 0)
    if t * (a + b) < a:
        return 1 - mpmath.betainc(a, b, 0, t, regularized=True)
    return mpmath.betainc(b, a, 0, 1 - t, regularized=True)


def _tail(positive: tuple[mpmath.mpf, ...], found: Callable[[], mpmath.mpf]) -> mpmath.mpf:
    if not all(x > 0 for x in positive):
        raise ValueError("the parameters of a distribution must be positive")
    return found()


def _tractable(expr: Expr, values: list[mpmath.mpf]) -> list[mpmath.mpf]:
    """The arguments of a function; ValueError where one is so large that mpmath would write out all its digits."""
    large = values[1:] if expr.head == "**" else () if expr.head in ELEMENTARY else values
    if any(x and mpmath.mag(x) > MOST_BITS for x in large):
        raise ValueError(f"an argument of {expr} is too large")
    return values


ELEMENTARY = ("+", "-", "*", "/", "neg", "abs", "min", "max", "sqrt", "log", "log2")
"""Functions that take numbers of any size."""
MOST_BITS = 10_000
"""Of an argument of any other function, before the point."""
EXACT: dict[str, Callable[..., mpmath.mpf]] = {
    "floor": mpmath.floor,
    "ceil": mpmath.ceil,
    "factorial": mpmath.factorial,
    "binomial": mpmath.binomial,
    "binomial_cdf": _binomial_cdf,
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
    "log2": lambda x: mpmath.log(x, 2),
    "sqrt": mpmath.sqrt,
    "abs": abs,
    "min": min,
    "max": max,
    "Gamma": mpmath.gamma,
    "Phi": mpmath.ncdf,
    "exprel": lambda y: mpmath.expm1(y) / y if y else mpmath.mpf(1),
    "beta_tail": lambda a, b, t: _tail((a, b), lambda: _beta_tail(a, b, t)),
    "gamma_tail": lambda a, x: _tail((a,), lambda: 1 if x <= 0 else mpmath.gammainc(a, x, regularized=True)),
}
