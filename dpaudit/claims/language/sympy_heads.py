"""The heads of the statement language in SymPy.

What SymPy must not simplify on its own becomes a function that knows its sign, its
derivative where that is elementary, and little else.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import sympy

MOST_TERMS = 40
"""Longest sum with integer ends that is written out, and largest whole number taken out of an argument."""


class NormalCdf(sympy.Function):  # type: ignore[misc]
    """The normal distribution function."""

    is_positive = True

    def fdiff(self, argindex: int = 1) -> sympy.Expr:
        """The normal density."""
        return sympy.exp(-(self.args[0] ** 2) / 2) / sympy.sqrt(2 * sympy.pi)


class At(sympy.Function):  # type: ignore[misc]
    """The number or the vector of a sequence, a symbol by its name, at an index."""

    is_real = True


class Dot(sympy.Function):  # type: ignore[misc]
    """The product of two vectors, of which one at least is of a sequence at an index."""

    is_real = True

    def _eval_is_nonnegative(self) -> bool | None:
        return True if self.args[0] == self.args[1] else None


class RelativeExponential(sympy.Function):  # type: ignore[misc]
    """(e^y - 1)/y, and 1 at 0."""

    is_positive = True

    @classmethod
    def eval(cls, y: sympy.Expr) -> sympy.Expr | None:
        """1 at 0."""
        return sympy.Integer(1) if y == 0 else None

    def fdiff(self, argindex: int = 1) -> sympy.Expr:
        """The derivative away from 0."""
        y = self.args[0]
        return (sympy.exp(y) - self) / y


class Floor(sympy.Function):  # type: ignore[misc]
    """The greatest integer at most x."""

    is_integer = True

    @classmethod
    def eval(cls, x: sympy.Expr) -> sympy.Expr | None:
        """Integers and rational numbers only."""
        return x if x.is_integer else sympy.floor(x) if x.is_Rational else None


class Ceiling(sympy.Function):  # type: ignore[misc]
    """The least integer at least x."""

    is_integer = True

    @classmethod
    def eval(cls, x: sympy.Expr) -> sympy.Expr | None:
        """Integers and rational numbers only."""
        return x if x.is_integer else sympy.ceiling(x) if x.is_Rational else None


class _Bound(sympy.Function):  # type: ignore[misc]
    """Arguments: the bound variable, both ends, the body."""

    is_real = True

    @property
    def free_symbols(self) -> set[sympy.Symbol]:
        """The bound variable is not free."""
        variable, low, high, body = self.args
        free: set[sympy.Symbol] = low.free_symbols | high.free_symbols | (body.free_symbols - {variable})
        return free

    def _eval_derivative(self, s: sympy.Symbol) -> sympy.Expr:
        return sympy.Derivative(self, s, evaluate=False) if s in self.free_symbols else sympy.Integer(0)


class FiniteSum(_Bound):
    """A finite sum, with the derivative of each term."""

    def _eval_derivative(self, s: sympy.Symbol) -> sympy.Expr:
        variable, low, high, body = self.args
        if s in low.free_symbols | high.free_symbols:
            return super()._eval_derivative(s)
        return self.func(variable, low, high, sympy.diff(body, s))


class ProperIntegral(_Bound):
    """A proper integral; differentiating under it needs a reason, so that is left undone."""


class BetaTail(sympy.Function):  # type: ignore[misc]
    """P(Beta(a, b) > t)."""

    is_nonnegative = True


class GammaTail(sympy.Function):  # type: ignore[misc]
    """P(Gamma(a, 1) > x)."""

    is_nonnegative = True


class BinomialCdf(sympy.Function):  # type: ignore[misc]
    """P(Bin(n, q) <= k)."""

    is_nonnegative = True


OPAQUE = {
    "Phi": NormalCdf,
    "exprel": RelativeExponential,
    "floor": Floor,
    "ceil": Ceiling,
    "beta_tail": BetaTail,
    "gamma_tail": GammaTail,
    "binomial_cdf": BinomialCdf,
}
BOUND = {"sum": FiniteSum, "integral": ProperIntegral}
HEAD = {
    **{function.__name__: head for head, function in (*OPAQUE.items(), *BOUND.items())},
    "At": "at", "Dot": "dot", "Abs": "abs", "Min": "min", "Max": "max", "gamma": "Gamma", "ceiling": "ceil",
}  # fmt: skip
"""The head of the language for the name of a SymPy function; any other keeps its name."""


def _log2(x: sympy.Expr) -> sympy.Expr:
    if x.is_Rational and x.p.bit_count() == x.q.bit_count() == 1 and x > 0:
        return sympy.Integer(x.p.bit_length() - x.q.bit_length())
    return sympy.log(x) / sympy.log(2)


def _binomial(n: sympy.Expr, k: sympy.Expr) -> sympy.Expr:
    """A polynomial for a number k, else Gamma functions: 1/Gamma is entire, so k < 0 and k > n are right, too."""
    if k.is_Integer and 0 <= k <= MOST_TERMS:
        return sympy.Mul(*((n - i) / sympy.Integer(i + 1) for i in range(int(k))))
    return _gamma(n + 1) / (_gamma(k + 1) * _gamma(n - k + 1))


def _gamma(x: sympy.Expr) -> sympy.Expr:
    """Gamma at r + 1, with the other whole numbers taken out of the argument: Gamma(n + 2) is (n + 1) Gamma(n + 1)."""
    shift, rest = x.as_coeff_Add()
    if rest == 0 or not shift.is_Integer or abs(shift) > MOST_TERMS:
        return sympy.gamma(x)
    factors = [rest + i for i in (range(1, int(shift)) if shift > 0 else range(int(shift), 1))]
    return sympy.gamma(rest + 1) * sympy.Mul(*factors) ** (1 if shift > 0 else -1)


def _extreme(kind: Callable[..., sympy.Expr], *forms: sympy.Expr) -> sympy.Expr:
    """The least or the largest; as it stands where SymPy 1.14 fails on a sign, as in max(3, (1/2)**(-n)) for n >= 1."""
    try:
        return kind(*forms)
    except AssertionError:
        return kind(*forms, evaluate=False)


TO_SYMPY: dict[str, Callable[..., sympy.Expr]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "neg": lambda a: -a,
    "exp": sympy.exp,
    "log": sympy.log,
    "log2": _log2,
    "abs": sympy.Abs,
    "min": partial(_extreme, sympy.Min),
    "max": partial(_extreme, sympy.Max),
    "Gamma": _gamma,
    "factorial": lambda n: _gamma(n + 1),
    "binomial": _binomial,
    **OPAQUE,
}


def unfold(form: sympy.Expr) -> sympy.Expr:
    """`form` with exprel(y) as (e^y - 1)/y: two forms that are equal then are equal wherever both are continuous."""
    return form.replace(RelativeExponential, lambda y: (sympy.exp(y) - 1) / y)
