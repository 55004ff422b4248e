"""Vectors by their dot products, valid in every dimension, and means over gaussian vectors."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from dpaudit.recheck.polynomials import HALF, ONE, Mono, Poly, constant, plus, scaled
from dpaudit.recheck.powers import Powers
from dpaudit.recheck.terms import Refused, Term, free, show

Vector = dict[Term, Poly]
"""Coefficients of symbols, and of vectors of a sequence."""
MOST_FACTORS = 8
"""Most factors <xi, v> of one mean."""


class Vectors(Powers):
    """Forms with dot products, norms and means."""

    def vector(self, node: Term) -> Vector:
        """A vector term as a combination of symbols and of vectors of sequences."""
        match node:
            case Fraction() if not node:
                return {}
            case str() if self.signs.kind(node) in ("vector", "gaussian"):
                return {node: constant(1)}
            case ("at", name, index) if self.signs.kind(name) == "vector_sequence":
                return {self._indexed(name, self.form(index)): constant(1)}
            case ("neg", u):
                return {name: scaled(c, -1) for name, c in self.vector(u).items()}
            case ("+" | "-" as head, u, v):
                total = self.vector(u)
                for name, c in self.vector(v).items():
                    total[name] = plus(total.get(name, {}), scaled(c, 1 if head == "+" else -1))
                return {name: c for name, c in total.items() if c}
            case ("*", u, v):
                vector, factor = (u, v) if self.is_vector(u) else (v, u)
                return {name: self.times(c, self.form(factor)) for name, c in self.vector(vector).items()}
            case ("/", u, factor):
                below = self.inverse(self.form(factor))
                return {name: self.times(c, below) for name, c in self.vector(u).items()}
        raise Refused(f"{show(node)[:80]} is not a vector")

    def is_vector(self, node: Term) -> bool:
        """Does the term stand for a vector?"""
        match node:
            case str():
                return self.signs.kind(node) in ("vector", "gaussian")
            case ("at", name, _):
                return self.signs.kind(name) == "vector_sequence"
            case ("neg" | "/", u, *_):
                return self.is_vector(u)
            case ("+" | "-" | "*", u, v):
                return self.is_vector(u) or self.is_vector(v)
        return False

    def dot(self, u: Vector, v: Vector) -> Poly:
        """The dot product, by the products of symbols."""
        return plus(*(self.times(a, b, self._gram(m, n)) for m, a in u.items() for n, b in v.items()))

    def _indexed(self, name: str, index: Poly) -> Term:
        """A vector of a sequence as the term that all terms for it have: that of the first index with this form."""
        return self.atoms[self.atom("at", (name, index), None, ("at", name, self.node(index)))].node

    def _gram(self, m: Term, n: Term) -> Poly:
        m, n = sorted((m, n), key=show)
        return self.one_atom("dot", (m, n), 0 if m == n else None, ("dot", m, n))

    def norm_of(self, node: Term) -> Poly:
        """The norm of a multiple by that of the vector, before factors are written out."""
        match node:
            case ("neg", u):
                return self.norm_of(u)
            case ("*", u, v):
                vector, factor = (u, v) if self.is_vector(u) else (v, u)
                return self.times(self.absolute(self.form(factor)), self.norm_of(vector))
            case ("/", u, factor):
                return self.times(self.inverse(self.absolute(self.form(factor))), self.norm_of(u))
        return self.norm(self.vector(node))

    def norm(self, v: Vector) -> Poly:
        """|v|: factors that all coefficients share come out, so that equal norms look equal."""
        if not v:
            return {}
        all_terms = plus(*(self._tagged(name, c) for name, c in v.items()))
        c, mono, _ = self.content(all_terms)
        outer = tuple((a, e) for a, e in mono if self.atoms[a].head != "tag")
        inner = {name: scaled(self.over(coefficient, outer), 1 / c) for name, coefficient in v.items()}
        root = self.power(self.dot(inner, inner), constant(HALF))
        return self.times(self.absolute(self.reduced(dict(outer), c)), root)

    def _tagged(self, name: Term, coefficient: Poly) -> Poly:
        tag = self.atom("tag", (name,), None, name)
        return self.times(coefficient, {((tag, 1),): ONE})

    def mean(self, form: Poly) -> Poly:
        """The mean over every gaussian symbol; what has no closed form stays a mean.

        E(f + g) is E(f) + E(g) where f is integrable: then one side has a value where the other has. The rest of a sum
        stays together."""
        names = [name for name in self.signs.gaussians() if any(name in self.names(mono) for mono in form)]
        found, left = [], {}
        for mono, c in form.items():
            value = self._means({mono: c}, names)
            if value is not None and self._absolute(mono, names):
                found.append(value)
            elif self.signs.integrable(self.node({mono: c})):
                found.append(self._mean({mono: c}, names) if value is None else value)
            else:
                left[mono] = c
        return plus(*found, self._mean(left, names)) if left else plus(*found)

    def _mean(self, form: Poly, names: list[str]) -> Poly:
        """A mean as one atom, without the factors that are not random."""
        random = frozenset(names)
        c, mono, _ = self.content(form)
        outer = tuple((a, e) for a, e in mono if not self.atoms[a].names & random)
        inner = scaled(self.over(form, outer), 1 / c)
        mean = self.one_atom("E", (inner,), None, ("E", self.node(inner)))
        return self.times(self.reduced(dict(outer), c), mean)

    def _absolute(self, mono: Mono, names: list[str]) -> bool:
        """Has a product a mean, where means over one symbol after another give one? E <xi, v> exp(|eta|^2) is none,
        though 0 over xi. It has where even powers of its factors <xi, v> have one, and the product without them."""
        factors = {a for a, e in mono if self.atoms[a].head == "dot" and e > 0 and e.denominator == 1}
        bare = tuple((a, e) for a, e in mono if a not in factors)
        even = tuple((a, e + e % 2 if a in factors else e) for a, e in mono)
        return all(self._means({one: ONE}, names) is not None for one in (bare, even))

    def _means(self, form: Poly, names: Iterable[str]) -> Poly | None:
        for name in names:
            parts = [self._gaussian(mono, c, name) for mono, c in form.items()]
            if any(part is None for part in parts):
                return None
            form = plus(*(part for part in parts if part is not None))
        return form

    def _gaussian(self, mono: Mono, c: Fraction, name: str) -> Poly | None:
        """E of c <xi, v1> <xi, v2> ... exp(<b, xi>), xi = `name`; None for a product of another shape."""
        fixed = {a: e for a, e in mono if name not in self.atoms[a].names}
        vectors: list[Vector] = []
        tilt: Vector = {}
        for a, e in mono:
            if a in fixed:
                continue
            atom = self.atoms[a]
            other = self._beside(a, name)
            if other is not None and e.denominator == 1 and 0 < e <= MOST_FACTORS:
                vectors += [{other: constant(1)}] * int(e)
            elif atom.head == "power" and atom.args[0] == self.e:
                inside = [b for b, _ in atom.args[1] if name in self.atoms[b].names]
                beside = self._beside(inside[0], name) if len(inside) == 1 else None
                if beside is None or dict(atom.args[1])[inside[0]] != 1:
                    return None
                factor = {tuple(pair for pair in atom.args[1] if pair[0] != inside[0]): Fraction(e)}
                tilt[beside] = plus(tilt.get(beside, {}), factor)
            else:
                return None
        if len(vectors) > MOST_FACTORS:
            return None
        variance = self.whole_power(self.form(self.signs.scale(name)), 2)
        return self.times(self.reduced(fixed, c), self._moment(vectors, tilt, variance))

    def _beside(self, a: int, name: str) -> Term | None:
        """v of an atom dot(xi, v) with v another symbol than xi, or a vector of a sequence."""
        atom = self.atoms[a]
        if atom.head != "dot" or atom.args[0] == atom.args[1]:
            return None
        other: Term = atom.args[1] if atom.args[0] == name else atom.args[0]
        return None if name in free(other) else other

    def _moment(self, vectors: list[Vector], tilt: Vector, variance: Poly) -> Poly:
        """By parts: E <xi, v> g = s^2 E <v, grad g>, and E exp(<b, xi>) = exp(s^2 |b|^2/2)."""
        if not vectors:
            return self.atom_to(self.e, scaled(self.times(variance, self.dot(tilt, tilt)), HALF))
        first, *rest = vectors
        terms = [self.times(self.dot(first, tilt), self._moment(rest, tilt, variance))]
        for i, other in enumerate(rest):
            terms.append(self.times(self.dot(first, other), self._moment([*rest[:i], *rest[i + 1 :]], tilt, variance)))
        return self.times(variance, plus(*terms))
