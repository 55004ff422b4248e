"""Normal forms of terms, by which two of them are shown to be equal: with one form they have one value wherever both
have one."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from dpaudit.recheck.interval import METER
from dpaudit.recheck.polynomials import HALF, NONE, ONE, Poly, Signs, as_number, constant, minus, plus, scaled
from dpaudit.recheck.sums import MOST_SHIFT, MOST_SUM, Sums
from dpaudit.recheck.terms import Refused, Term, show


class Forms(Sums):
    """The normal forms of the terms of one context. gamma: binomial coefficients by Gamma functions where possible."""

    def __init__(self, signs: Signs, gamma: bool = True) -> None:
        super().__init__(signs)
        self.gamma = gamma
        self._made: dict[Term, Poly] = {}

    def form(self, node: Term) -> Poly:
        """The normal form of a scalar term."""
        METER.spend(1)
        if node not in self._made:
            self._made[node] = self._form(node)
        return self._made[node]

    def _form(self, node: Term) -> Poly:
        match node:
            case Fraction():
                return constant(node)
            case str():
                return self.name(node)
            case ("pi",):
                return self.one_atom("pi", (), 1, node)
            case ("dot", u, v):
                return self.dot(self.vector(u), self.vector(v))
            case ("norm", u):
                return self.norm_of(u)
            case ("/", a, b):
                return self.lowest(self.times(self.form(a), self.raised(b, constant(-1))))
            case ("**", a, n):
                return self.raised(a, self.form(n))
            case ("sqrt", a):
                return self.raised(a, constant(HALF))
            case ("log", inner):
                return self.log_of(inner)
            case ("log2", inner):
                return self.times(self.log_of(inner), self.inverse(self.log(constant(2))))
            case ("at", name, index) if self.is_vector(node):
                raise Refused(f"{name}[{show(index)}] is a vector: it stands in dot products and norms alone")
            case ("at", name, index):
                inside = self.form(index)
                return self.one_atom("at", (name, inside), None, ("at", name, self.node(inside)))
            case ("E", inner):
                return self.mean(self.form(inner))
            case ("sum" | "integral", *_):
                return self.bound(node)
        assert isinstance(node, tuple)
        return self._applied(node[0], *map(self.form, node[1:]))

    def _applied(self, head: str, *args: Poly) -> Poly:
        simple: dict[str, Callable[..., Poly]] = {
            "+": plus,
            "-": minus,
            "neg": lambda a: scaled(a, -1),
            "*": self.times,
            "exp": lambda a: self.atom_to(self.e, a),
            "abs": self.absolute,
            "exprel": self._exprel,
            "factorial": lambda n: self._gamma(plus(n, constant(1))),
            "Gamma": self._gamma,
            "binomial": self._binomial,
        }
        if head in ("floor", "ceil") and self.is_whole(args[0]):
            return args[0]
        if head in ("floor", "ceil") and (value := as_number(args[0])) is not None:
            return constant(math.floor(value) if head == "floor" else math.ceil(value))
        if head in ("min", "max"):
            return self._extreme(head, list(args))
        return simple[head](*args) if head in simple else self.opaque(head, *args)

    def _extreme(self, head: str, parts: list[Poly]) -> Poly:
        """The least or largest of several, without those that are shown to be beyond another one."""
        kept: list[Poly] = []
        for i, one in enumerate(parts):
            others = (*kept, *parts[i + 1 :])
            if not any(
                self.sign(minus(one, other) if head == "min" else minus(other, one)) is not None for other in others
            ):
                kept.append(one)
        return kept[0] if len(kept) == 1 else self.opaque(head, *kept)

    def _exprel(self, y: Poly) -> Poly:
        if not y:
            return constant(1)
        if self.sign(y) == 1 or self.sign(scaled(y, -1)) == 1:
            return self.times(minus(self.atom_to(self.e, y), constant(1)), self.inverse(y))
        return self.opaque("exprel", y)

    def _gamma(self, x: Poly) -> Poly:
        """Gamma at r + 1 with the other whole numbers taken out, where r + 1 is positive."""
        shift = x.get((), Fraction(0))
        rest = {mono: c for mono, c in x.items() if mono}
        if shift.denominator != 1 or abs(shift) > MOST_SUM:
            return self.opaque("Gamma", x)
        if not rest:
            return constant(math.factorial(int(shift) - 1)) if shift > 0 else self.opaque("Gamma", x)
        base = plus(rest, constant(min(shift, ONE)))
        if self.sign(base) != 1:
            return self.opaque("Gamma", x)
        more = [plus(rest, constant(i)) for i in (range(1, int(shift)) if shift > 0 else range(int(shift), 1))]
        made = self.times(*more) if shift > 0 else self.times(*map(self.inverse, more))
        return self.times(self.opaque("Gamma", plus(rest, constant(1))), made)

    def _binomial(self, n: Poly, k: Poly) -> Poly:
        """A polynomial for a number k; by Gamma functions where 0 <= k <= n is shown; else for a whole k >= 0 that of
        neighbours, (n, k) = (n, k - 1) (n - k + 1)/k = (n + 1, k) (n + 1 - k)/(n + 1)."""
        number, above = as_number(k), minus(n, k)
        if number is not None and number.denominator == 1 and 0 <= number <= MOST_SUM:
            parts = (scaled(minus(n, constant(i)), Fraction(1, i + 1)) for i in range(int(number)))
            return self.times(*parts)
        if self.gamma and self.sign(k) is not None and self.sign(above) is not None:
            below = self.times(*(self._gamma(plus(part, constant(1))) for part in (k, above)))
            return self.times(self._gamma(plus(n, constant(1))), self.inverse(below))
        if not self.is_whole(k) or self.sign(k) is None:
            return self.opaque("binomial", n, k)
        if (
            self.is_whole(n)
            and self.sign(n) is not None
            and self.sign(plus(scaled(above, -1), constant(-1))) is not None
        ):
            return {}
        factor = constant(1)
        while self.sign(minus(k, constant(1))) is not None and len(factor) < MOST_SUM:
            factor = self.times(factor, plus(n, scaled(k, -1), constant(1)), self.inverse(k))
            k = minus(k, constant(1))
        while n.get((), NONE) < MOST_SHIFT and self.sign(plus(n, constant(1))) == 1 and len(factor) < MOST_SUM:
            n = plus(n, constant(1))
            factor = self.times(factor, minus(n, k), self.inverse(n))
        return self.times(factor, self.opaque("binomial", n, k))
