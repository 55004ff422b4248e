"""Vectors without coordinates: dot products become Gram symbols, valid in every dimension.

`scalar_form` turns an expression into a SymPy expression in which vectors occur only
through symbols `dot(u, v)`, and Gaussian means only where they could be eliminated by
completing the square. Floats never enter.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import count

import sympy

from dpaudit.claims.language.enclosures import between, evaluate
from dpaudit.claims.language.expression import (
    BINDERS,
    Expr,
    Relation,
    bound,
    is_vector,
    names,
    number,
    parse,
    rational,
    substitute,
    symbol,
)
from dpaudit.claims.language.sympy_heads import BOUND, HEAD, MOST_TERMS, TO_SYMPY, At, Dot
from dpaudit.records.claim import Symbol, SymbolKind
from dpaudit.records.errors import ContentError

Vector = dict[sympy.Expr, sympy.Expr]
"""Coefficients of vectors: symbols, and vectors of a sequence at an index."""
Mean = sympy.Function("E", real=True)


VECTORS = (SymbolKind.VECTOR, SymbolKind.GAUSSIAN, SymbolKind.VECTOR_SEQUENCE)


class NoValueError(ContentError):
    """A term has no value, whatever its symbols are."""


def gram_name(u: str, v: str) -> str:
    """The name of the Gram symbol of two vectors; it does not depend on their order."""
    return f"dot({min(u, v)}, {max(u, v)})"


class Translator:
    """Expressions over `symbols` to SymPy, with the signs that the ranges imply."""

    def __init__(self, symbols: tuple[Symbol, ...]) -> None:
        self.symbols = symbols
        self.by_name = {s.name: s for s in symbols}

    @cached_property
    def atoms(self) -> dict[str, sympy.Symbol]:
        """SymPy symbols of the scalars and of all Gram products."""
        made = {s.name: _scalar(s) for s in self.symbols if s.kind in (SymbolKind.REAL, SymbolKind.INTEGER)}
        vectors = [s.name for s in self._vectors]
        for u in vectors:
            for v in vectors:
                name = gram_name(u, v)
                made[name] = sympy.Symbol(name, nonnegative=True) if u == v else sympy.Symbol(name, real=True)
        return made

    def scalar_form(self, expr: Expr) -> sympy.Expr:
        """`expr` in SymPy; means over gaussian symbols are eliminated where the square completes."""
        if expr.head == "number":
            return sympy.Rational(expr.value.numerator, expr.value.denominator)
        if expr.head == "pi":
            return sympy.pi
        if expr.head == "symbol":
            return self._atom(expr.name)
        if expr.head == "dot":
            return self._dot(self.vector(expr.args[0]), self.vector(expr.args[1]))
        if expr.head == "norm":
            return self._norm(self.vector(expr.args[0]))
        if expr.head == "E":
            return self._mean(self.scalar_form(expr.args[0]))
        if expr.head == "at":
            if is_vector(expr, self.symbols):
                raise ContentError(f"{expr} is a vector: use it inside dot(...) or norm(...)")
            return self._indexed(expr)
        if expr.head in BINDERS:
            return self._bound(expr)
        functions: dict[str, Callable[..., sympy.Expr]] = {
            **TO_SYMPY,
            "sqrt": self.root,
            "/": self.quotient,
            "**": self.power,
        }
        forms = [self.scalar_form(arg) for arg in expr.args]
        try:
            return functions[expr.head](*forms)
        except ValueError as error:  # of min and max
            raise NoValueError(f"{expr} has no value: one of its arguments is no real number") from error

    def _indexed(self, expr: Expr) -> sympy.Expr:
        """What a sequence has at an index."""
        return At(sympy.Symbol(expr.args[0].name), self.scalar_form(expr.args[1]))

    def root(self, form: sympy.Expr) -> sympy.Expr:
        """The square root. SymPy takes it apart where one factor has a sign, which changes where it has a value."""
        return sympy.sqrt(form)

    def quotient(self, above: sympy.Expr, below: sympy.Expr) -> sympy.Expr:
        """above/below. SymPy cancels common factors that may vanish."""
        return above / below

    def power(self, base: sympy.Expr, exponent: sympy.Expr) -> sympy.Expr:
        """base**exponent."""
        return base**exponent

    def _bound(self, expr: Expr) -> sympy.Expr:
        """A sum or integral: a short sum written out, else split into terms, their constant factors outside."""
        variable, low, high, body = expr.args
        ends = self.scalar_form(low), self.scalar_form(high)
        if expr.head == "sum" and all(end.is_Integer for end in ends) and ends[1] - ends[0] < MOST_TERMS:
            terms = (substitute(body, {variable: number(k)}) for k in range(int(ends[0]), int(ends[1]) + 1))
            return sympy.Add(*map(self.scalar_form, terms))
        inner = self._bound_symbol(expr, ends)
        form = Translator((*self.symbols, inner)).scalar_form(substitute(body, {variable: symbol(inner.name)}))
        name, total = _scalar(inner), sympy.Integer(0)
        for term in sympy.Add.make_args(sympy.expand(form)):
            factor, rest = term.as_independent(name, as_Add=False)
            total += factor * BOUND[expr.head](name, *ends, rest)
        return total

    def _bound_symbol(self, expr: Expr, ends: tuple[sympy.Expr, sympy.Expr]) -> Symbol:
        """The bound variable under a name that depends on the nesting only, so that equal sums look equal."""
        name = next(f"{expr.head}_{i}" for i in count(1) if f"{expr.head}_{i}" not in self.by_name)
        kind = SymbolKind.INTEGER if expr.head == "sum" else SymbolKind.REAL
        if not all(end.is_Rational for end in ends):
            positive = expr.head == "sum" and ends[0].is_Integer
            return Symbol(name, kind, *((str(ends[0]), "oo", False, True) if positive else ()))
        low, high = sorted(ends)
        return Symbol(name, kind, str(low), str(high), False, False)

    def _atom(self, name: str) -> sympy.Symbol:
        if name in self.atoms:
            return self.atoms[name]
        raise ContentError(f"{name!r} is a vector: use it inside dot(...) or norm(...)")

    def vector(self, expr: Expr) -> Vector:
        """`expr` as a combination of the base vectors."""
        if expr.head == "symbol":
            return {sympy.Symbol(expr.name): sympy.Integer(1)}
        if expr.head == "at":
            return {self._indexed(expr): sympy.Integer(1)}
        if expr.head == "neg":
            return {name: -c for name, c in self.vector(expr.args[0]).items()}
        left, right = expr.args
        if expr.head in ("+", "-"):
            total = dict(self.vector(left))
            for name, c in self.vector(right).items():
                total[name] = total.get(name, sympy.Integer(0)) + (c if expr.head == "+" else -c)
            return total
        if expr.head == "*" and is_vector(left, self.symbols):
            left, right = right, left
        if expr.head not in ("*", "/"):
            raise ContentError(f"{expr} is not a vector")
        scalar, inner = (left, right) if expr.head == "*" else (right, left)
        factor = self.scalar_form(scalar)
        scaled = self.vector(inner).items()
        return {n: (c * factor if expr.head == "*" else self.quotient(c, factor)) for n, c in scaled}

    def _norm(self, v: Vector) -> sympy.Expr:
        """norm(c * w) = |c| norm(w): a common factor of all coefficients comes out, so that equal norms look equal."""
        coefficients = {n: sympy.factor(c) for n, c in v.items() if sympy.expand(c) != 0}
        if not coefficients:
            return sympy.Integer(0)
        common = sympy.gcd_list(list(coefficients.values()))
        first = min(coefficients, key=str)
        if len(coefficients) == 1 or common == 0:
            common = coefficients[first]
        rest = {n: sympy.cancel(c / common) for n, c in coefficients.items()}
        return self._magnitude(common) * self.root(self._dot(rest, rest))

    def _magnitude(self, c: sympy.Expr) -> sympy.Expr:
        """|c|, without the bars where the ranges of the symbols decide the sign."""
        ranges = {s.name: between(bound(s.lower), bound(s.upper)) for s in self.symbols if s.name in self.atoms}
        if c.has(At) or not {a.name for a in c.free_symbols} <= set(ranges):
            return sympy.Abs(c)
        values = evaluate(to_expr(c), ranges)
        return c if values.low >= 0 else -c if values.high <= 0 else sympy.Abs(c)

    def _dot(self, u: Vector, v: Vector) -> sympy.Expr:
        products = [a * b * self._product(m, n) for m, a in u.items() for n, b in v.items()]
        return sympy.expand(sympy.Add(*products))

    def _product(self, m: sympy.Expr, n: sympy.Expr) -> sympy.Expr:
        """The Gram symbol of two vectors; their product as a term where one is of a sequence."""
        if m.is_Symbol and n.is_Symbol:
            return self._atom(gram_name(m.name, n.name))
        return Dot(*sorted((m, n), key=str))

    def _mean(self, integrand: sympy.Expr) -> sympy.Expr:
        """Mean over every gaussian symbol; what cannot be eliminated stays as E(...)."""
        result = integrand
        if {s.name for s in self.symbols if s.kind is SymbolKind.GAUSSIAN} & {a.name for a in integrand.free_symbols}:
            return Mean(integrand)  # a product with a vector of a sequence
        for s in self.symbols:
            if s.kind is SymbolKind.GAUSSIAN:
                if any(self.by_name[name].kind is SymbolKind.GAUSSIAN for name in names(parse(s.scale))):
                    raise ContentError(f"the scale of {s.name} must not be random, got {s.scale}")
                variance = self.scalar_form(parse(s.scale)) ** 2
                reduced = self._gaussian_mean(result, s.name, variance)
                if reduced is None:
                    return Mean(integrand)
                result = reduced
        return result

    def _gaussian_mean(self, integrand: sympy.Expr, name: str, variance: sympy.Expr) -> sympy.Expr | None:
        """E over xi ~ N(0, variance I) of a sum of c * exp(a + <b, xi>), which is c * exp(a + variance |b|^2/2).

        The square completes because exp(<b,xi> - |xi|^2/(2 variance)) is exp(variance |b|^2/2)
        times the density factor of N(variance b, variance I). None: not of that form.
        """
        products = {self.atoms[gram_name(name, s.name)]: sympy.Symbol(s.name) for s in self._vectors}
        this = sympy.Symbol(name)
        total = sympy.Integer(0)
        for term in sympy.Add.make_args(sympy.expand(integrand, power_exp=False, mul=True)):
            outer, exponential = _split_exponential(term)
            if outer.free_symbols & set(products):
                return None
            exponent = sympy.expand(exponential)
            linear = {n: exponent.coeff(g) for g, n in products.items()}
            rest = sympy.expand(exponent - sum(linear[n] * g for g, n in products.items()))
            unclean = rest.free_symbols | {s for c in linear.values() for s in c.free_symbols}
            if unclean & set(products) or linear[this] != 0:
                return None
            b = {n: c for n, c in linear.items() if n != this}
            total += outer * sympy.exp(rest + variance * self._dot(b, b) / 2)
        return total

    @cached_property
    def _vectors(self) -> list[Symbol]:
        return [s for s in self.symbols if s.kind in (SymbolKind.VECTOR, SymbolKind.GAUSSIAN)]


def _split_exponential(term: sympy.Expr) -> tuple[sympy.Expr, sympy.Expr]:
    """`term` as c * exp(a): the pair (c, a)."""
    outer, exponent = sympy.Integer(1), sympy.Integer(0)
    for factor in sympy.Mul.make_args(sympy.powsimp(term)):
        if isinstance(factor, sympy.exp):
            exponent += factor.args[0]
        else:
            outer *= factor
    return outer, exponent


def _scalar(s: Symbol) -> sympy.Symbol:
    low, high = bound(s.lower), bound(s.upper)
    signs: dict[str, bool] = {"integer": True} if s.kind is SymbolKind.INTEGER else {"real": True}
    if low is not None and (low > 0 or (low == 0 and s.lower_open)):
        signs["positive"] = True
    elif low == 0:
        signs["nonnegative"] = True
    elif high is not None and (high < 0 or (high == 0 and s.upper_open)):
        signs["negative"] = True
    return sympy.Symbol(s.name, **signs)


def to_expr(form: sympy.Expr) -> Expr:
    """A SymPy expression back in the statement language, Gram symbols as symbols."""
    if form.is_Rational:
        return number(Fraction(int(form.p), int(form.q)))
    if form.is_Symbol:
        return symbol(form.name)
    if form is sympy.pi:
        return Expr("pi")
    if form is sympy.E:
        return Expr("exp", (number(1),))
    if form.is_Add or form.is_Mul:
        args = [to_expr(arg) for arg in form.args]
        total = args[0]
        for arg in args[1:]:
            total = Expr("+" if form.is_Add else "*", (total, arg))
        return total
    if form.is_Pow:
        base, exponent = form.args
        if exponent == sympy.Rational(1, 2):
            return Expr("sqrt", (to_expr(base),))
        return Expr("**", (to_expr(base), to_expr(exponent)))
    name = HEAD.get(type(form).__name__, str(form.func))
    return Expr(name, tuple(to_expr(arg) for arg in form.args))


def under(expr: Expr, symbols: tuple[Symbol, ...]) -> tuple[Expr, tuple[Symbol, ...], tuple[Relation, ...]]:
    """The body of a sum or integral, the symbols with its variable among them, and the range of that variable.

    For an integral this supposes that its ends are in order. A variable that has the name of
    a symbol gets a new one.
    """
    variable, low, high, body = expr.args
    taken = {s.name for s in symbols}
    name = (
        variable.name
        if variable.name not in taken
        else next(f"{variable.name}_{i}" for i in count(1) if f"{variable.name}_{i}" not in taken)
    )
    kind = SymbolKind.INTEGER if expr.head == "sum" else SymbolKind.REAL
    known = (Relation(low, "<=", symbol(name)), Relation(symbol(name), "<=", high))
    first, last = (_constant(end) for end in (low, high))
    inner = Symbol(name, kind, first or "-oo", last or "oo", not first, not last)
    return substitute(body, {variable: symbol(name)}), (*symbols, inner), known


def _constant(expr: Expr) -> str:
    """The exact value of a rational constant as text; empty for anything else."""
    try:
        return str(rational(expr, {}))
    except ContentError:
        return ""


@lru_cache(maxsize=1024)
def scalar_expr(expr: Expr, symbols: tuple[Symbol, ...]) -> Expr:
    """`expr` without vectors and, where possible, without means; scalars are left as written."""
    if not any(s.kind in VECTORS for s in symbols):
        return expr
    return to_expr(Translator(symbols).scalar_form(expr))
