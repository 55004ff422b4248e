"""Finite sums and proper integrals."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpaudit.recheck.polynomials import NONE, ONE, Mono, Poly, as_number, constant, minus, plus, scaled
from dpaudit.recheck.terms import BINDERS, Refused, Term, free, show, substitute
from dpaudit.recheck.vectors import Vectors

MOST_SUM, MOST_SHIFT = 40, 3
"""Longest sum that is written out; most last terms that are taken from a sum."""


class Sums(Vectors):
    """Forms with sums and integrals."""

    def bound(self, node: Any) -> Poly:
        head, variable, low, high, body = node
        ends = self.form(low), self.form(high)
        if head == "sum":
            return self._sum(variable, *ends, body)
        if self.sign(minus(ends[1], ends[0])) is None:
            raise Refused(f"the ends of an integral are not shown to be in order: {show(node)[:80]}")
        name = self.signs.index(head, self.node(ends[0]), self.node(ends[1]), free(body))
        inner = self.form(substitute(body, {variable: name}))
        if not inner:
            return {}
        c, mono, _ = self.content(inner)
        outer = tuple((a, e) for a, e in mono if name not in self.atoms[a].names)
        left = scaled(self.over(inner, outer), 1 / c)
        return self.times(self.reduced(dict(outer), c), self._binder(head, name, *ends, left))

    def _sum(self, variable: str, low: Poly, high: Poly, body: Term) -> Poly:
        """Term by term between numbers; the last terms of a sum to n + 2 apart; else one atom for each product."""
        first, last = as_number(low), as_number(high)
        if first is not None and last is not None and last - first < MOST_SUM:
            if first.denominator != 1 or last.denominator != 1:
                raise Refused("a sum has ends that are no whole numbers")
            return plus(
                *(self.form(substitute(body, {variable: Fraction(k)})) for k in range(int(first), int(last) + 1))
            )
        shift = high.get((), NONE)
        if shift and abs(shift) <= MOST_SHIFT and shift.denominator == 1 and last is None:
            moved = self._moved(variable, low, minus(high, constant(shift)), int(shift), body)
            if moved is not None:
                return moved
        name = self.signs.index("sum", self.node(low), self.node(high), free(body))
        inner = self.form(substitute(body, {variable: name}))
        return plus(*(self._summed(name, low, high, mono, c) for mono, c in inner.items()))

    def _moved(self, variable: str, low: Poly, high: Poly, shift: int, body: Term) -> Poly | None:
        """A sum to high + shift as one to high and the terms between; None where that may not be so."""
        shorter = plus(high, constant(min(shift, 0)))
        between = [
            self.node(plus(high, constant(i))) for i in (range(1, shift + 1) if shift > 0 else range(shift + 1, 1))
        ]
        more = [substitute(body, {variable: k}) for k in between]
        if self.sign(plus(minus(shorter, low), constant(1))) is None or not all(map(self.signs.defined, more)):
            return None
        total = scaled(plus(*map(self.form, more)), 1 if shift > 0 else -1)
        return plus(self._sum(variable, low, high, body), total)

    def _summed(self, name: str, low: Poly, high: Poly, mono: Mono, c: Fraction) -> Poly:
        length = plus(high, scaled(low, -1), constant(1))
        some = self.sign(length) == 1
        # A sum of nothing is 0 even where a factor such as 1/x has no value.
        outer = {a: e for a, e in mono if name not in self.atoms[a].names and (e > 0 or some or self.atom_sign(a) == 1)}
        left = self.reduced({a: e for a, e in mono if a not in outer}, ONE)
        counted = left == constant(1) and self.sign(length) is not None
        return self.times(self.reduced(outer, c), length if counted else self._binder("sum", name, low, high, left))

    def _binder(self, head: str, name: str, low: Poly, high: Poly, body: Poly) -> Poly:
        assert head in BINDERS
        ends = self.node(low), self.node(high)
        first = self.signs.index(head, *ends, free(self.node(body)) - {name})
        if first != name:
            return self._binder(head, first, low, high, self.form(substitute(self.node(body), {name: first})))
        node = (head, name, *ends, self.node(body))
        return self.one_atom(head, (name, low, high, body), None, node)
