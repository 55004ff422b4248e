"""Derivatives in Coq, by the same rules as in `recheck.calculus`: a term, and a proof that it is the derivative."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpaudit.kernel.proving import Proving
from dpaudit.kernel.text import NotExported, identifier
from dpaudit.recheck.terms import ONE, Term, free, show

Slope = tuple[Term, str]
"""A term, and a proof of Coq that it is the derivative of another one."""
TWO = Fraction(2)


class Derivatives:
    """Derivatives in one symbol, at each point of a domain."""

    def __init__(self, prover: Proving, name: str) -> None:
        self.prover, self.name, self.at = prover, name, identifier(name)

    def function(self, node: Term) -> str:
        """The term as a function of the symbol."""
        return f"(fun {self.at} : R => {self.prover.text.real(node)})"

    def claim(self, node: Term, slope: Term) -> str:
        """That the second is the derivative of the first."""
        return f"Derived {self.function(node)} {self.at} {self.prover.text.real(slope)}"

    def of(self, node: Any) -> Slope:
        """The derivative of a term."""
        if self.name not in free(node):
            return Fraction(0), f"(D_const {self.prover.text.real(node)} {self.at})"
        match node:
            case str():
                return ONE, f"(D_name {self.at})"
            case ("neg", a):
                slope, proof = self.of(a)
                return ("neg", slope), f"(D_neg {self.function(a)} {self.at} _ {proof})"
            case ("+" | "-" as sign, a, b):
                (left, first), (right, second) = self.of(a), self.of(b)
                return (sign, left, right), self._two("D_add" if sign == "+" else "D_sub", a, b, first, second)
            case ("*", a, b):
                (left, first), (right, second) = self.of(a), self.of(b)
                return ("+", ("*", left, b), ("*", a, right)), self._two("D_mul", a, b, first, second)
            case ("/", a, b):
                (left, first), (right, second) = self.of(a), self.of(b)
                above = ("-", ("*", left, b), ("*", a, right))
                proof = self._two("D_div", a, b, first, f"{second} {self._nonzero(b)}")
                return ("/", above, ("**", b, TWO)), proof
            case ("**", a, n):
                return self._power(node, a, n)
            case ("exp" | "log" | "log2" | "sqrt" as head, a):
                return self._applied(head, node, a)
        raise NotExported(f"the derivative of {show(node)[:60]}")

    def _two(self, lemma: str, a: Term, b: Term, first: str, second: str) -> str:
        return f"({lemma} {self.function(a)} {self.function(b)} {self.at} _ _ {first} {second})"

    def _applied(self, head: str, node: Term, a: Term) -> Slope:
        inner, proof = self.of(a)
        slopes: dict[str, Term] = {
            "exp": ("*", node, inner),
            "log": ("/", inner, a),
            "log2": ("/", inner, ("*", a, ("log", TWO))),
            "sqrt": ("/", inner, ("*", TWO, node)),
        }
        lemma = {"log": "D_ln"}.get(head, f"D_{head}")
        positive = "" if head == "exp" else f" {self._positive(a)}"
        return slopes[head], f"({lemma} {self.function(a)} {self.at} _ {proof}{positive})"

    def _power(self, node: Term, a: Term, n: Term) -> Slope:
        if self.name in free(n):
            return self._both(node, a, n)
        inner, proof = self.of(a)
        start = f"{self.function(a)} {self.at} _"
        if isinstance(n, Fraction) and n.denominator == 1:
            return self._whole(a, int(n), inner, proof, start)
        slope = ("*", ("*", n, ("**", a, ("-", n, ONE))), inner)
        whole = self.prover.text.whole(n)
        if whole is None:
            return slope, f"(D_pw_number {start} {self.prover.text.real(n)} {proof} {self._positive(a)})"
        index = f"{self.prover.text.real(n)} {proof} {self._positive(a)} ltac:(symmetry; whole)"
        return slope, f"(D_zpow {start} ({whole})%Z {index})"

    def _whole(self, a: Term, n: int, inner: Term, proof: str, start: str) -> Slope:
        slope: Term = ("*", ("*", Fraction(n), ("**", a, Fraction(n - 1))), inner)
        size = f"(eq_sym (INR_IZR_INZ {abs(n)}))"
        if n > 0:
            return slope, f"(D_pow {start} {n} {n - 1} {n} {proof} eq_refl {size})"
        if n == 0:
            raise NotExported("the derivative of a power with exponent 0")
        return slope, f"(D_inv_pow {start} {-n} (-{-n}) {proof} {self._nonzero(a)} (f_equal Ropp {size}))"

    def _both(self, node: Term, a: Term, n: Term) -> Slope:
        (left, first), (right, second) = self.of(a), self.of(n)
        if self.prover.text.whole(n) is not None:
            raise NotExported("the derivative in a whole exponent")
        slope = ("*", node, ("+", ("*", right, ("log", a)), ("*", n, ("/", left, a))))
        return slope, self._two("D_pw", a, n, first, f"{second} {self._positive(a)}")

    def _positive(self, node: Term) -> str:
        return f"ltac:({self.prover.signs.prove(node, True)})"

    def _nonzero(self, node: Term) -> str:
        return f"ltac:({self.prover.signs.nonzero(node)})"
