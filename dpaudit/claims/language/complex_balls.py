"""Values of an expression on complex balls, for integration: analytic continuations of the real functions.

The flag `analytic` asks that the expression be shown analytic on the ball; a value that is
not finite means that it is not shown. Functions with a branch cut are evaluated only where
the real part is certainly on the side where they agree with the real function.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from flint import acb, arb, fmpq

from dpaudit.claims.language import work
from dpaudit.claims.language.expression import Expr, names, number, rational, substitute
from dpaudit.records.errors import ContentError

NOTHING = acb(arb.nan())
MOST_TERMS = 500
"""Most terms of a sum inside an integral."""
SUBSTITUTION = 20
"""Evaluations that a term of a sum counts for beside its own: it is made anew each time."""


def complex_value(expr: Expr, values: Mapping[str, acb], analytic: bool) -> acb:
    """A ball around the values of `expr` when each symbol runs over its ball; not finite if that is not shown."""
    work.spend(expr)
    if expr.head == "number":
        return acb(arb(fmpq(expr.value.numerator, expr.value.denominator)))
    if expr.head == "symbol":
        return values[expr.name]
    if expr.head == "pi":
        return acb.pi()
    if expr.head == "sum":
        return _sum(expr, values, analytic)
    if expr.head in PIECEWISE:
        return PIECEWISE[expr.head](analytic, *(complex_value(arg, values, analytic) for arg in expr.args))
    if expr.head == "**":
        return _power(expr, values, analytic)
    if expr.head not in ANALYTIC:
        return NOTHING
    return ANALYTIC[expr.head](*(complex_value(arg, values, analytic) for arg in expr.args))


def _sum(expr: Expr, values: Mapping[str, acb], analytic: bool) -> acb:
    variable, low, high, body = expr.args
    try:
        first, last = rational(low, {}), rational(high, {})
    except ContentError:
        return NOTHING
    if first.denominator != 1 or last.denominator != 1 or last - first >= MOST_TERMS:
        return NOTHING
    work.spend(expr, SUBSTITUTION * int(last - first + 1))
    terms = (substitute(body, {variable: number(k)}) for k in range(int(first), int(last) + 1))
    return sum((complex_value(term, values, analytic) for term in terms), acb(0))


def _power(expr: Expr, values: Mapping[str, acb], analytic: bool) -> acb:
    base, exponent = (complex_value(arg, values, analytic) for arg in expr.args)
    whole = _integer(expr.args[1], exponent)
    if whole is not None:
        return base**whole
    return base.pow(exponent, analytic=analytic) if base.real > 0 else NOTHING


def _integer(expr: Expr, value: acb) -> int | None:
    """The integer that the exponent is on its whole ball, or None."""
    if names(expr) and not value.is_exact():
        return None
    if value.imag.is_zero() and value.real.is_exact() and value.real.is_integer():
        return int(value.real.unique_fmpz())
    return None


def _right(function: Callable[..., acb]) -> Callable[..., acb]:
    """The function where the first argument has a positive real part, nothing elsewhere."""
    return lambda z, *rest: function(z, *rest) if z.real > 0 else NOTHING


def _exprel(z: acb) -> acb:
    return acb.hypgeom_1f1(z, 1, 2) if z.contains(0) else z.expm1() / z


def _parameter(a: acb) -> bool:
    """Is this a positive number, no function of the variable? Arb is slow at complex parameters."""
    return bool(a.real > 0 and a.imag.is_zero())


def _gamma_tail(a: acb, x: acb) -> acb:
    if not _parameter(a):
        return NOTHING
    if x.real > 0:
        return x.gamma_upper(a, regularized=1)
    return acb(1) if x.real < 0 else NOTHING


def _beta_tail(a: acb, b: acb, t: acb) -> acb:
    if not (_parameter(a) and _parameter(b)):
        return NOTHING
    if t.real > 0 and t.real < 1:  # by the series around the nearer end, which is fast
        near_zero = t.real.mid() < 0.5
        return 1 - t.beta_lower(a, b, regularized=1) if near_zero else (1 - t).beta_lower(b, a, regularized=1)
    return acb(1) if t.real < 0 else acb(0) if t.real > 1 else NOTHING


def _binomial_cdf(k: acb, n: acb, q: acb) -> acb:
    """For numbers k and n: P(Bin(n, q) <= k) is P(Beta(k + 1, n - k) > q)."""
    last = k.real.floor()
    if not (k.is_exact() and k.imag.is_zero() and n.is_exact() and n.imag.is_zero() and n.real.is_integer()):
        return NOTHING
    if last < 0 or last >= n.real >= 0:
        return acb(0) if last < 0 <= n.real else acb(1)
    return _beta_tail(acb(last + 1), n - last, q) if q.real > 0 and q.real < 1 else NOTHING


ANALYTIC: dict[str, Callable[..., acb]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "neg": lambda a: -a,
    "exp": lambda z: z.exp(),
    "log": _right(lambda z: z.log()),
    "log2": _right(lambda z: z.log() / arb.const_log2()),
    "sqrt": _right(lambda z: z.sqrt()),
    "Phi": lambda z: (-z / arb(2).sqrt()).erfc() / 2,
    "exprel": _exprel,
    "Gamma": _right(lambda z: z.gamma()),
    "factorial": lambda z: _right(lambda x: x.gamma())(z + 1),
    "gamma_tail": _gamma_tail,
    "beta_tail": _beta_tail,
    "binomial_cdf": _binomial_cdf,
}
"""Analytic wherever the value is finite."""
PIECEWISE: dict[str, Callable[..., acb]] = {
    "abs": lambda flag, z: z.real_abs(analytic=flag),
    "floor": lambda flag, z: z.real_floor(analytic=flag),
    "ceil": lambda flag, z: z.real_ceil(analytic=flag),
    "min": lambda flag, *z: _fold(lambda a, b: a.real_min(b, analytic=flag), z),
    "max": lambda flag, *z: _fold(lambda a, b: a.real_max(b, analytic=flag), z),
}
"""Analytic on pieces; not finite across a join if the flag asks."""


def _fold(function: Callable[[acb, acb], acb], values: tuple[acb, ...]) -> acb:
    result = values[0]
    for value in values[1:]:
        result = function(result, value)
    return result
