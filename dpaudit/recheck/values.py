"""Where terms have a value on a domain, at every point and for every draw of what is random."""

from __future__ import annotations

from abc import ABC, abstractmethod

from dpaudit.recheck.forms import Forms
from dpaudit.recheck.growth import growth
from dpaudit.recheck.symbols import Symbol
from dpaudit.recheck.terms import ONE, Term, args, walk


class Values(ABC):
    """What is asked of a domain where a term is read; the signs of terms are asked of the domain."""

    symbols: tuple[Symbol, ...]
    by_name: dict[str, Symbol]
    forms: Forms
    _values: dict[Term, bool]

    @abstractmethod
    def gaussians(self) -> tuple[str, ...]:
        """The gaussian symbols, in their order."""

    @abstractmethod
    def sign(self, node: Term) -> int | None:
        """1 where the term is shown to be positive wherever it has a value, 0 where not negative, else None."""

    @abstractmethod
    def body(self, node: Term) -> Term:
        """The body of a sum or integral in terms of the name that is kept for such ends."""

    @abstractmethod
    def positive(self, node: Term) -> bool:
        """0 < node, wherever it has a value."""

    @abstractmethod
    def nonnegative(self, node: Term) -> bool:
        """0 <= node, wherever it has a value."""

    @abstractmethod
    def nonzero(self, node: Term) -> bool:
        """node != 0, wherever it has a value."""

    @abstractmethod
    def whole(self, node: Term) -> bool:
        """Is every value of the term an integer?"""

    def defined(self, node: Term) -> bool:
        """Has the term a value at every point of the domain?"""
        return not self.random(node) and self.valued(node)

    def random(self, node: Term) -> bool:
        """Is a gaussian symbol there outside of a mean?"""
        if isinstance(node, tuple) and node[0] == "E":
            return False
        return node in self.gaussians() if isinstance(node, str) else any(map(self.random, args(node)))

    def valued(self, node: Term) -> bool:
        """Has the term a value at every point of the domain, for every draw of the gaussian symbols?"""
        if node not in self._values:
            self._values[node] = self._has_value(node)
        return self._values[node]

    def _has_value(self, node: Term) -> bool:
        match node:
            case ("sum" | "integral" as head, _, low, high, _):
                if not (self.valued(low) and self.valued(high)):
                    return False
                fits = self.whole(low) and self.whole(high) if head == "sum" else self.nonnegative(("-", high, low))
                return fits and self.valued(self.body(node))
            case ("E", inner):
                return self.drawn() and self.valued(inner) and (self.integrable(inner) or self.closed(node) is not None)
            case ("at", _, index):
                return self.valued(index) and self.whole(index)
        if isinstance(node, str):
            return node in self.by_name
        if not all(map(self.valued, args(node))):
            return False
        match node:
            case ("/", _, b):
                return self.nonzero(b)
            case ("sqrt" | "factorial", a):
                return self.nonnegative(a)
            case ("log" | "log2" | "Gamma" | "gamma_tail", a, *_):
                return self.positive(a)
            case ("binomial", n, k):
                return self.nonnegative(k) and (self.whole(k) or self.nonnegative(("-", n, k)))
            case ("binomial_cdf", _, n, q):
                rate = self.nonnegative(q) and self.nonnegative(("-", ONE, q))
                return rate and self.nonnegative(n) and self.whole(n)
            case ("beta_tail", a, b, _):
                return self.positive(a) and self.positive(b)
            case ("**", a, n):
                if self.sign(a) is not None:
                    return self.positive(a) or self.nonnegative(n)
                return self.whole(n) and (self.nonnegative(n) or self.nonzero(a))
        return True

    def drawn(self) -> bool:
        """Has every gaussian symbol a law?"""
        scales = (s.scale for s in self.symbols if s.kind == "gaussian")
        return all(self.valued(scale) and self.nonnegative(scale) for scale in scales)

    def integrable(self, node: Term) -> bool:
        """Has the term a value for every draw, and a mean, because it does not grow too fast?"""
        return self.drawn() and self.valued(node) and growth(self, node) is not None

    def closed(self, node: Term) -> Term | None:
        """A term without means that is equal to a mean, where the integrand has a closed form for every draw."""
        found = self.forms.node(self.forms.form(node))
        return None if any(isinstance(part, tuple) and part[0] == "E" for part in walk(found)) else found
