"""Forms of the checker as Coq text: every product of powers in one way of writing, so that `field` sees equal atoms."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Protocol

from dpaudit.kernel.proving import Proving
from dpaudit.kernel.scripts import NUMERIC, known, split
from dpaudit.kernel.text import FUNCTIONS, NotExported, number
from dpaudit.recheck.forms import Forms
from dpaudit.recheck.polynomials import Exponent, Mono, Poly, scaled
from dpaudit.recheck.terms import ONE, Term

EXPONENTIAL = ("e", "power")


class Canonical:
    """The atoms of one equation.

    carry: brings a sign from a term as it is written to its text here; parts: numbers by which the exponents of
    exponentials are divided, so that all powers are whole; setup: facts that scripts need first; relations: names of
    equations g^n = a.
    """

    def __init__(self, prover: Proving, forms: Forms, carry: Callable[[str, Term, str, str], str]) -> None:
        self.prover, self.forms, self.carry = prover, forms, carry
        self.parts: dict[int, int] = {}
        self.setup: list[str] = []
        self.relations: list[str] = []
        self._positive: dict[str, str] = {}
        self._roots: dict[tuple[int, int], str] = {}
        self._logs: dict[str, tuple[str, str]] = {}
        self._seen: set[int] = set()
        self._not_zeros: set[str] = set()

    # Which powers there are ---------------------------------------------------------------------------------------

    def read(self, forms: Iterable[Poly]) -> None:
        """Take note of the exponents in these forms, and in their atoms."""
        for form in forms:
            for mono in form:
                self._read_product(mono)

    def _read_product(self, mono: Mono) -> None:
        for a, e in mono:
            atom = self.forms.atoms[a]
            if atom.head in EXPONENTIAL:
                self.parts[a] = math.lcm(self.parts.get(a, 1), Fraction(e).denominator)
            if a in self._seen:
                continue
            self._seen.add(a)
            for arg in atom.args:
                if isinstance(arg, dict):
                    self.read([arg])
            if atom.head == "power":
                self._read_product(((atom.args[0], ONE),))
                self._read_product(atom.args[1])

    # Text ---------------------------------------------------------------------------------------------------------

    def sum(self, form: Poly) -> str:
        """A sum of products."""
        if not form:
            return "0"
        parts = [self.product(c, mono) for mono, c in form.items()]
        return parts[0] if len(parts) == 1 else "(" + " + ".join(parts) + ")"

    def product(self, c: Fraction, mono: Mono) -> str:
        """A number times powers of atoms."""
        parts = [*([] if c == 1 and mono else [number(c)]), *(self.factor(a, e) for a, e in mono)]
        return parts[0] if len(parts) == 1 else "(" + " * ".join(parts) + ")"

    def factor(self, a: int, e: Exponent) -> str:
        """A power of an atom."""
        base, n = self._base(a, Fraction(e))
        if n < 0:
            self._not_zero(a)
        return base if n == 1 else f"({base} ^ {n})" if n > 0 else f"(/ ({base} ^ {-n}))"

    def _not_zero(self, a: int) -> None:
        """That an atom is not 0, for what stands below a fraction line."""
        if self.forms.atoms[a].head in (*EXPONENTIAL, "prime"):
            return
        if self.forms.atom_sign(a) == 1:
            self.positive(a)
            return
        written, node = self.atom(a), self.forms.atoms[a].node
        if written not in self._not_zeros:
            self._not_zeros.add(written)
            script = self.prover.signs.nonzero(node)
            self.setup.append(known(self.prover.fresh("N"), f"{written} <> 0", self.carry("<>", node, written, script)))

    def _base(self, a: int, e: Fraction) -> tuple[str, int]:
        """What the atom is written as, and its whole exponent."""
        if self.forms.atoms[a].head in EXPONENTIAL:
            d = self.parts.setdefault(a, e.denominator)
            if d % e.denominator:
                raise NotExported("an exponent was not foreseen")
            return self._exponential(a, d), int(e * d)
        if e.denominator == 1:
            return self.atom(a), int(e)
        return self._root(a, e.denominator), e.numerator

    def _exponential(self, a: int, d: int) -> str:
        return f"(exp {self._exponent(a, d)})"

    def _exponent(self, a: int, d: int) -> str:
        """The logarithm of the d-th root of the atom."""
        atom = self.forms.atoms[a]
        if atom.head == "e":
            return f"(1 / {d})" if d > 1 else "1"
        base, mono = atom.args
        made = self.product(ONE, mono)
        made = made if self.forms.atoms[base].head == "e" else f"({made} * (ln {self.atom(base)}))"
        return f"({made} / {d})" if d > 1 else made

    def atom(self, a: int) -> str:
        """The atom itself."""
        atom = self.forms.atoms[a]
        match atom.head, atom.args:
            case "name", _:
                return self.prover.text.real(atom.node)
            case "prime", (p,):
                return number(p)
            case "pi", _:
                return "PI"
            case "poly", (form,):
                return self.sum(form)
            case "sum", _:
                return self.prover.text.real(atom.node)
            case "dot", (u, v):
                return self.prover.text.real(("dot", u, v))
            case (("min" | "max" as head), (first, *rest)):
                made = self.sum(first)
                for other in rest:
                    made = f"(R{head} {made} {self.sum(other)})"
                return made
            case head, (form,) if head in FUNCTIONS:
                written = f"({FUNCTIONS[head]} {self.sum(form)})"
                return written if head not in ("sqrt", "abs") else self._with_square(a, head, atom.node)
        if atom.head in EXPONENTIAL:
            return self.factor(a, 1)
        raise NotExported(f"{atom.head} is not said in Coq yet")

    def under_root(self, a: int) -> tuple[str, int]:
        """The argument of an atom sqrt(f) or abs(f) with whole coefficients, and the number d that the value of f is
        divided by then: squares are rewritten by `ring`, which knows no fractions."""
        form = self.forms.atoms[a].args[0]
        d = math.lcm(*(c.denominator for c in form.values()))
        return self.sum(scaled(form, d * d if self.forms.atoms[a].head == "sqrt" else d)), d

    def _with_square(self, a: int, head: str, node: Term) -> str:
        """A root or an absolute value, and what is known of its square."""
        inner, d = self.under_root(a)
        written = f"({FUNCTIONS[head]} {inner})"
        if (a, 2) not in self._roots:
            self._roots[a, 2] = written
            if head == "abs":
                self._relate(f"{written} ^ 2 = {inner} ^ 2", "apply abs_root")
            elif isinstance(node, tuple) and (script := self.prover.signs.find(node[1], False)) is not None:
                sign = self.carry(
                    "<=", ("*", Fraction(d * d), node[1]), inner, split("apply mul_nonneg", NUMERIC, script)
                )
                self._relate(f"{written} ^ 2 = {inner}", f"apply sqrt_root; {sign}")
        return written if d == 1 else f"({written} / {d})"

    def _root(self, a: int, d: int) -> str:
        if (a, d) not in self._roots:
            self._roots[a, d] = self._new_root(a, d)
        return self._roots[a, d]

    def _new_root(self, a: int, d: int) -> str:
        atom, base = self.forms.atoms[a], self.atom(a)
        if atom.head == "dot" and d == 2:
            u, v = (self.prover.text.vector(u) for u in atom.args)
            if u == v:
                self._relate(f"norm {u} ^ 2 = {base}", "apply norm_root")
                return f"(norm {u})"
        written = f"(sqrt {base})" if d == 2 else f"(pw {base} (1 / {d}))"
        sign = self.nonneg(a)
        self._relate(f"{written} ^ {d} = {base}", f"apply {'sqrt_root' if d == 2 else f'(pw_root {d - 1})'}; {sign}")
        return written

    def _relate(self, equation: str, script: str) -> None:
        name = self.prover.fresh("E")
        self.setup.append(known(name, equation, script))
        self.relations.append(name)

    # Signs and logarithms -----------------------------------------------------------------------------------------

    def nonneg(self, a: int) -> str:
        """A script for 0 <= the atom."""
        node = self.forms.atoms[a].node
        return self.carry("<=", node, self.atom(a), self.prover.signs.prove(node, False))

    def known_sign(self, a: int) -> str:
        """A script that adds 0 <= the atom to what is known, where it does not show by itself; empty there."""
        if self.forms.atoms[a].head in (*EXPONENTIAL, "prime", "dot", "norm", "sqrt", "abs"):
            return ""
        written = self.atom(a)
        return "" if written in self._positive else known(self.prover.fresh("P"), f"0 <= {written}", self.nonneg(a))

    def positive(self, a: int) -> str:
        """The name of the fact that the atom is positive."""
        written = self.atom(a)
        if written not in self._positive:
            node = self.forms.atoms[a].node
            script = self.carry("<", node, written, self.prover.signs.prove(node, True))
            self._positive[written] = name = self.prover.fresh("P")
            self.setup.append(known(name, f"0 < {written}", script))
        return self._positive[written]

    def log(self, c: Fraction, powers: Mono) -> tuple[str, str]:
        """The logarithm of a product, and a proof as a term of Coq."""
        parts = [
            *([] if c == 1 and powers else [self._log_of_number(c)]),
            *(self._log_of_power(a, e) for a, e in powers),
        ]
        value, proof = parts[0]
        for more, other in parts[1:]:
            value, proof = f"({value} + {more})", f"(Lg_mul _ _ _ _ {proof} {other})"
        return value, proof

    def _log_of_power(self, a: int, e: Exponent) -> tuple[str, str]:
        _, n = self._base(a, Fraction(e))
        atom = self.forms.atoms[a]
        if atom.head in EXPONENTIAL:
            inner = self._exponent(a, self.parts[a])
            value, proof = inner, f"(Lg_exp {inner})"
        else:
            value, proof = self._log_of_root(a, Fraction(e).denominator)
        if n != 1:
            value, proof = f"({abs(n)} * {value})", f"(Lg_pow _ _ {abs(n)} {proof})"
        return (value, proof) if n > 0 else (f"(- {value})", f"(Lg_inv _ _ {proof})")

    def _log_of_root(self, a: int, d: int) -> tuple[str, str]:
        atom, written = self.forms.atoms[a], self.atom(a)
        if atom.head == "prime":
            value, proof = self._log_of_number(Fraction(atom.args[0]))
        else:
            value, proof = f"(ln {written})", f"(Lg_atom {written} {self.positive(a)})"
        if d == 1:
            return value, proof
        if d == 2:
            self._root(a, d)
            norm = atom.head == "dot"
            return f"({value} / 2)", f"(Lg_sqrt {'_' if norm else written} _ {proof})"
        return f"((1 / {d}) * {value})", f"(Lg_pw {written} _ (1 / {d}) {proof})"

    def _log_of_number(self, c: Fraction) -> tuple[str, str]:
        """By the prime factors of a number."""
        written = number(c)
        if written not in self._logs:
            self._logs[written] = self._new_log(c, written)
        return self._logs[written]

    def _new_log(self, c: Fraction, written: str) -> tuple[str, str]:
        if c <= 0:
            raise NotExported("the logarithm of a number that is not positive")
        if c == 1:
            return "0", "Lg_one"
        texts, values, proof = [], [], ""
        for p, n in [*_primes(c.numerator, 1), *_primes(c.denominator, -1)]:
            texts.append(f"{p} ^ {n}" if n > 0 else f"/ ({p} ^ {-n})")
            name = self.prover.fresh("P")
            self.setup.append(known(name, f"0 < {p}", "clear; lra"))
            one = f"(Lg_pow _ _ {abs(n)} (Lg_atom {p} {name}))"
            values.append(f"{'' if n > 0 else '- '}({abs(n)} * ln {p})")
            one = one if n > 0 else f"(Lg_inv _ _ {one})"
            proof = f"(Lg_mul _ _ _ _ {proof} {one})" if proof else one
        name, value = self.prover.fresh("P"), "(" + " + ".join(values) + ")"
        together = f"apply (Lg_is _ ({' * '.join(texts)})); [clear; field | exact {proof}]"
        self.setup.append(known(name, f"Lg {written} {value}", together))
        return value, name


def _primes(n: int, sign: int) -> list[tuple[int, int]]:
    """The prime factors of a number, with their exponents times the sign."""
    found, p = [], 2
    while n > 1:
        e = 0
        while n % p == 0:
            n, e = n // p, e + 1
        found += [(p, sign * e)] if e else []
        p = n if p * p > n > 1 else p + 1
    return found


class Flattening(Protocol):
    """One equation that is made rational: `flat.Flat`, as the scripts for single terms see it."""

    prover: Proving
    forms: Forms
    canonical: Canonical

    def real(self, node: Term) -> str:
        """The text of a term as it stands."""

    def flat(self, node: Term) -> str:
        """The text that a term becomes; the equations for it are added to the setup."""

    def rewritten(self, nodes: tuple[Term, ...], where: str = "") -> list[str]:
        """Tactics that bring terms to their text here; where: in which hypothesis, if not in the goal."""

    def carry(self, sign: str, node: Term, written: str, script: str) -> str:
        """A script for the sign of the text, made of one for the term as it stands."""

    def algebra(self) -> str:
        """What closes an equation of rational functions."""
