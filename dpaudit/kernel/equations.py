"""Equations in Coq: what is no rational function is brought to the checker's normal form, the rest is left to `field`.

Every root, power, exponential, logarithm and absolute value in the two sides becomes, from the inside to the outside,
a product of powers of few atoms, each with an equation of its own; what is left is an equation of rational functions
in these atoms, with relations such as sqrt(x)^2 = x.
"""

from __future__ import annotations

from dpaudit.kernel.flat import Flat
from dpaudit.kernel.proving import Proving
from dpaudit.kernel.text import NotExported
from dpaudit.recheck.terms import Refused, Term, show


class Equations:
    """Scripts for a = b in one lemma."""

    def __init__(self, prover: Proving) -> None:
        self.prover = prover
        self._open: set[tuple[Term, Term]] = set()

    def find(self, a: Term, b: Term) -> str | None:
        """A script; None where none is known."""
        try:
            return self.prove(a, b)
        except (NotExported, Refused):
            return None

    def prove(self, a: Term, b: Term) -> str:
        """A script for a = b, which hold one value by their normal forms."""
        real = self.prover.text.real
        if real(a) == real(b):
            return "reflexivity"
        if (a, b) in self._open:
            raise NotExported(f"a circle at {show(a)[:60]}")
        self._open.add((a, b))
        try:
            return Flat(self.prover, a, b).script()
        finally:
            self._open.discard((a, b))
