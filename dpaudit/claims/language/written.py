"""Statements for the solvers: polynomials over named unknowns, each root and quotient as the statement writes it."""

from __future__ import annotations

from functools import cached_property

import sympy

from dpaudit.claims.language.expression import Expr, names, walk
from dpaudit.claims.language.gram import Translator, gram_name
from dpaudit.records.claim import Symbol, SymbolKind

FACTORIAL = ("factorial", "Gamma", "binomial")


class Written(Translator):
    """Roots, quotients and powers as the statement writes them: each is one unknown, with what it stands for.

    SymPy goes further. It writes sqrt(x*y) as sqrt(x)*sqrt(y) where x >= 0, which has no value at x = 0 > y, and
    x/x as 1. An equation for what it made would say more than the statement. Inside of a mean or under a sum SymPy's
    forms stand, as parts of one unknown number.
    """

    def __init__(self, symbols: tuple[Symbol, ...]) -> None:
        super().__init__(symbols)
        self.roots: dict[sympy.Expr, sympy.Symbol] = {}
        self.inverses: dict[sympy.Expr, sympy.Symbol] = {}

    @cached_property
    def random(self) -> frozenset[str]:
        """The names of gaussian symbols."""
        return frozenset(s.name for s in self.symbols if s.kind is SymbolKind.GAUSSIAN)

    @cached_property
    def _drawn(self) -> frozenset[sympy.Symbol]:
        return frozenset(self.atoms[gram_name(u, v)] for u in self.random for v in self.by_name
                         if gram_name(u, v) in self.atoms)  # fmt: skip

    def scalar_form(self, expr: Expr) -> sympy.Expr:
        """`expr` in SymPy. A factorial or binomial stays one unknown where its usual form fails at some point:
        r! = r Gamma(r) has no value at r = 0, and 1/Gamma is 0 at the poles. Nothing random is hidden in a name."""
        hidden = expr.head == "integral" or (expr.head == "sum" and not all(a.head == "number" for a in expr.args[1:3]))
        odd = hidden and any(node.head in FACTORIAL for node in walk(expr))
        if not self.random & names(expr) and (odd or (expr.head in FACTORIAL and not self._regular(expr))):
            return sympy.Symbol(str(expr), real=True)
        return super().scalar_form(expr)

    def root(self, form: sympy.Expr) -> sympy.Expr:
        """The root as one unknown, of which the equation with its square is known."""
        if form.free_symbols & self._drawn:
            return super().root(form)
        outside, inside = _squares(form)
        if inside.is_Pow and inside.exp.is_Integer and inside.exp % 2 == 0:
            return outside * sympy.Abs(inside.base) ** (inside.exp // 2)
        if inside.is_Rational and sympy.sqrt(inside).is_Rational:
            return outside * sympy.sqrt(inside)
        base = sympy.expand(inside)
        return outside * self.roots.setdefault(base, sympy.Dummy("root", nonnegative=True))

    def quotient(self, above: sympy.Expr, below: sympy.Expr) -> sympy.Expr:
        """above times the inverse of below."""
        if below.free_symbols & self._drawn:
            return super().quotient(above, below)
        return above * self._inverse(below)

    def power(self, base: sympy.Expr, exponent: sympy.Expr) -> sympy.Expr:
        """Products, inverses and roots for a multiple of one half; else one unknown."""
        if base.free_symbols & self._drawn or not exponent.is_Rational or exponent.q > 2:
            return super().power(base, exponent)
        root = base if exponent.is_Integer else self.root(base)
        powered = root ** abs(exponent.p)
        return powered if exponent >= 0 else self._inverse(powered)

    def _inverse(self, form: sympy.Expr) -> sympy.Expr:
        """1/form as one unknown for each factor: where a product has an inverse, so has each factor."""
        form = sympy.expand(form)
        if form.is_Rational and form != 0:
            return 1 / form
        if isinstance(form, sympy.exp):
            return sympy.exp(-form.args[0])
        if form.is_Mul:
            return sympy.Mul(*map(self._inverse, form.args))
        if form.is_Pow and form.exp.is_Integer and form.exp > 0:
            return self._inverse(form.base) ** form.exp
        sign = {"positive": True} if form.is_positive else {"real": True}
        return self.inverses.setdefault(form, sympy.Dummy("inverse", **sign))

    def _regular(self, expr: Expr) -> bool:
        last = self.scalar_form(expr.args[-1])
        if expr.head == "binomial":
            return bool(last.is_Integer)
        shift, rest = (last + int(expr.head == "factorial")).as_coeff_Add()
        # `gram` writes Gamma(rest + 1) and factors: all positive if the least of their arguments is.
        return not shift.is_Integer or bool((rest + min(shift, sympy.Integer(1))).is_positive)


def _squares(form: sympy.Expr) -> tuple[sympy.Expr, sympy.Expr]:
    """outside**2 * inside, with the squares of positive factors outside: one that may vanish stays, for where it does
    the root has a value whatever the rest is."""
    outside, inside = sympy.Integer(1), sympy.Integer(1)
    for factor in sympy.Mul.make_args(form):
        base, exponent = factor.as_base_exp()
        if base.is_positive and exponent.is_Integer:
            outside, inside = outside * base ** (exponent // 2), inside * base ** (exponent % 2)
        else:
            inside *= factor
    return outside, inside
