"""Sums of products of powers of atoms.

An atom is a symbol, a prime number, e, or what is not taken apart, such as log(1 + x). A form has one value wherever
all of its parts have one; what is done to it here keeps that value.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

from dpaudit.recheck.interval import METER
from dpaudit.recheck.terms import Refused, Term, free

Exponent = Fraction | int
Mono = tuple[tuple[int, Exponent], ...]
"""Atoms with their exponents, in the order of the atoms; whole exponents as int, which is quicker."""
Poly = dict[Mono, Fraction]
"""A sum of products; exponents may be negative or broken."""
Powers = Mono
"""The same, in any order."""
MOST_BITS = 100_000
"""Longest number that is written out."""
MOST_POWER = 64
"""Largest whole power of a sum that is written out."""
REDUCED = frozenset(("prime", "sqrt", "abs", "poly", "alternating"))
"""Atoms with rules for their powers."""
NONE, HALF, ONE = Fraction(0), Fraction(1, 2), Fraction(1)


class Signs(Protocol):
    """What is known of terms; `signs.Context` is the one."""

    def sign(self, node: Term) -> int | None:
        """1 where the term is shown to be positive wherever it has a value, 0 where not negative, else None."""

    def sum_sign(self, forms: Algebra, form: Poly) -> int | None:
        """The same of a sum of products, in the atoms of these forms."""

    def defined(self, node: Term) -> bool:
        """Has the term a value on the whole domain?"""

    def integrable(self, node: Term) -> bool:
        """Has the term a value for every draw, and a mean?"""

    def kind(self, name: str) -> str:
        """real, integer, vector, gaussian, sequence or vector_sequence."""

    def scale(self, name: str) -> Term:
        """The standard deviation of a gaussian symbol."""

    def gaussians(self) -> tuple[str, ...]:
        """The gaussian symbols, in their order."""

    def index(self, head: str, low: Term, high: Term, taken: frozenset[str]) -> str:
        """A name for the variable of sums and integrals with these ends, none of `taken`."""


@dataclass(frozen=True)
class Atom:
    """head and args say what it is; known: its sign where that is clear by what it is; names: the symbols in it; node:
    it as a term."""

    head: str
    args: tuple[Any, ...]
    known: int | None
    names: frozenset[str]
    node: Term


def constant(value: Fraction | int) -> Poly:
    """The form of a number."""
    return {(): Fraction(value)} if value else {}


def plus(*terms: Poly) -> Poly:
    """The sum."""
    total: Poly = {}
    for form in terms:
        for mono, c in form.items():
            known = total.get(mono)
            total[mono] = c if known is None else known + c
    return without_zeros(total)


def without_zeros(form: Poly) -> Poly:
    """The form without the terms whose coefficient became 0."""
    return form if all(form.values()) else {mono: c for mono, c in form.items() if c}


def scaled(form: Poly, factor: Fraction | int) -> Poly:
    """The multiple by a number."""
    return {mono: c * factor for mono, c in form.items()} if factor else {}


def minus(a: Poly, b: Poly) -> Poly:
    """The difference."""
    return plus(a, scaled(b, -1))


def as_number(form: Poly) -> Fraction | None:
    """The value of the form of a number; None for another."""
    return form.get((), Fraction(0)) if all(mono == () for mono in form) else None


def lead(form: Poly) -> Mono:
    """The first term in an order that products keep: by the power of the first atom, then of the second, ..."""
    atoms = sorted({a for mono in form for a, _ in mono})
    powers = {mono: dict(mono) for mono in form}
    return max(form, key=lambda mono: [powers[mono].get(a, 0) for a in atoms])


class Algebra:
    """The atoms of one context, and arithmetic with forms in them."""

    def __init__(self, signs: Signs) -> None:
        self.signs = signs
        self.atoms: list[Atom] = []
        self._exact: dict[Any, int] = {}
        self._by_head: dict[tuple[str, int], list[int]] = {}
        self._reduced: set[int] = set()
        self.e = self.atom("e", (), 1, ("exp", ONE))

    # Atoms ----------------------------------------------------------------------------------------------------------

    def atom(self, head: str, args: tuple[Any, ...], known: int | None, node: Term) -> int:
        """The number of an atom; one whose arguments are shown to be equal to those of an older one is that one."""
        key = (head, *(frozenset(a.items()) if isinstance(a, dict) else a for a in args))
        if key in self._exact:
            return self._exact[key]
        for old in self._by_head.get((head, len(args)), ()):  # a minimum may be of two or of three
            pairs = list(zip(self.atoms[old].args, args, strict=True))
            if any(isinstance(a, dict) for a in args) and all(
                self.zero(minus(a, b)) if isinstance(b, dict) else a == b for a, b in pairs
            ):
                self._exact[key] = old
                return old
        self._exact[key] = number = len(self.atoms)
        self._by_head.setdefault((head, len(args)), []).append(number)
        if head in REDUCED:
            self._reduced.add(number)
        self.atoms.append(Atom(head, args, known, free(node), node))
        return number

    def atom_sign(self, a: int) -> int | None:
        """1 where an atom is positive wherever it has a value, 0 where not negative, else None."""
        atom = self.atoms[a]
        if atom.known is not None or atom.head in ("tag", "alternating", "nothing"):
            return atom.known
        if atom.head == "poly":
            return self.sign(atom.args[0])
        return self.atom_sign(atom.args[0]) if atom.head == "power" else self.signs.sign(atom.node)

    def names(self, mono: Mono) -> frozenset[str]:
        """The symbols in a product."""
        return frozenset[str]().union(*(self.atoms[a].names for a, _ in mono))

    def one_atom(self, head: str, args: tuple[Any, ...], known: int | None, node: Term) -> Poly:
        """The form that is one atom."""
        return {((self.atom(head, args, known, node), 1),): ONE}

    def name(self, name: str) -> Poly:
        """The form of a symbol that is a number."""
        if self.signs.kind(name) in ("vector", "gaussian"):
            raise Refused(f"{name!r} is a vector: it stands in dot products and norms alone")
        if self.signs.kind(name) in ("sequence", "vector_sequence"):
            raise Refused(f"{name!r} is a sequence: it stands with an index alone, {name}[t]")
        return self.one_atom("name", (name,), None, name)

    def opaque(self, head: str, *args: Poly) -> Poly:
        """What is not taken apart."""
        node = (head, *map(self.node, args))
        return self.one_atom(head, args, None, node)

    # Arithmetic -----------------------------------------------------------------------------------------------------

    def times(self, *factors: Poly) -> Poly:
        """The product, written out."""
        product = constant(1)
        for factor in factors:
            METER.spend(len(product) * len(factor))
            total: Poly = {}
            for m, c in product.items():
                for n, d in factor.items():
                    for mono, e in self._product(m, n, c * d):
                        known = total.get(mono)
                        total[mono] = e if known is None else known + e
            product = without_zeros(total)
        return product

    def _product(self, m: Mono, n: Mono, c: Fraction) -> Iterable[tuple[Mono, Fraction]]:
        if not (m and n):
            return ((m or n, c),)
        powers = self.merged(m, n)
        if self._reduced.isdisjoint(powers):
            return ((tuple(sorted(powers.items())), c),)
        return self.reduced(powers, c).items()

    def reduced(self, powers: dict[int, Exponent], c: Fraction) -> Poly:
        """c times the product of powers, by the rules of atoms: squares of roots, whole powers of primes and sums."""
        if self._reduced.isdisjoint(powers):
            return {tuple(sorted((a, _lean(e)) for a, e in powers.items() if e)): c}
        rest: dict[int, Exponent] = {}
        more: list[Poly] = []
        for a, e in powers.items():
            atom, whole = self.atoms[a], math.floor(e)
            if atom.head == "prime" and whole:
                if atom.args[0].numerator.bit_length() * abs(whole) > MOST_BITS:
                    raise Refused(f"a number to the power {whole} is too large to be written out")
                c, e = c * Fraction(atom.args[0]) ** whole, e - whole
            elif atom.head in ("sqrt", "abs") and e not in (0, 1) and e.denominator == 1:
                half, e = divmod(whole, 2)
                more.append(self.whole_power(atom.args[0], half * (1 if atom.head == "sqrt" else 2)))
            elif atom.head == "poly" and 0 < whole <= MOST_POWER:
                more.append(self.whole_power(atom.args[0], whole))
                e -= whole
            elif atom.head == "alternating":
                e = whole % 2
            if e:
                rest[a] = _lean(e)
        form: Poly = {tuple(sorted(rest.items())): c}
        return self.times(form, *more) if more else form

    def whole_power(self, base: Poly, n: int) -> Poly:
        """base**n, written out for n >= 0."""
        if n < 0:
            return self.whole_power(self.inverse(base), -n)
        if n > MOST_POWER and len(base) > 1:
            raise Refused(f"a power of {n} of a sum is too large to be written out")
        if len(base) == 1:
            ((mono, c),) = base.items()
            size = max(abs(c.numerator), c.denominator).bit_length()
            if c != 1 and size * n > MOST_BITS:
                raise Refused(f"a number to the power {n} is too large to be written out")
            return self.reduced({a: e * n for a, e in mono}, c**n)
        return self.times(*[base] * n)

    def inverse(self, base: Poly) -> Poly:
        """1/base: each factor to the power -1, a sum as one atom."""
        if not base:
            return self.one_atom("nothing", (), None, ("/", Fraction(1), Fraction(0)))
        c, powers = self.factors(base)
        return self.reduced({a: -e for a, e in powers}, 1 / c)

    def factors(self, base: Poly) -> tuple[Fraction, Powers]:
        """A number and the powers whose product the form is; what is left of a sum is one atom."""
        c, mono, left = self.content(base)
        if left is None:
            return c, mono
        sign = self.sign(left)
        if sign is None and (self.sign(scaled(left, -1)) is not None or left[lead(left)] < 0):
            c, left = -c, scaled(left, -1)
        rest = self.atom("poly", (left,), None, self.node(left))
        return c, tuple(self.merged(mono, ((rest, 1),)).items())

    def content(self, base: Poly) -> tuple[Fraction, Mono, Poly | None]:
        """A positive number and the product that all terms share, and what is left; None where nothing is."""
        first, *others = base
        if not others:
            return base[first], first, None
        shared = dict(first)
        for mono in others:
            powers = dict(mono)
            shared = {a: min(e, powers.get(a, NONE)) for a, e in shared.items()} | {
                a: e for a, e in powers.items() if e < 0 and a not in shared
            }
        mono = tuple(sorted((a, e) for a, e in shared.items() if e))
        left = self.over(base, mono)
        if len(left) == 1:
            ((rest, c),) = left.items()
            return c, tuple(sorted(self.merged(mono, rest).items())), None
        size = abs(left[lead(left)])
        return size, mono, scaled(left, 1 / size)

    def over(self, form: Poly, mono: Mono) -> Poly:
        """Each term divided by a product that is not 0."""
        inverse = tuple((a, -e) for a, e in mono)
        return plus(*(self.reduced(self.merged(one, inverse), c) for one, c in form.items()))

    @staticmethod
    def merged(m: Mono, n: Mono) -> dict[int, Exponent]:
        """The powers of a product."""
        powers: dict[int, Exponent] = dict(m)
        for a, e in n:
            total = powers.get(a, 0) + e
            if total:
                powers[a] = _lean(total)
            else:
                del powers[a]
        return powers

    def zero(self, form: Poly) -> bool:
        """True where the form is 0 wherever it has a value: denominators multiplied out, nothing is left."""
        return not self.cleared(form)[0]

    def cleared(self, form: Poly) -> tuple[Poly, dict[int, int]]:
        """The form without sums below a fraction line, and the powers of the sums that it was multiplied by."""
        by: dict[int, int] = {}
        while form:
            lowest = {a: e for mono in form for a, e in mono if self.atoms[a].head == "poly" and e < 0}
            if not lowest:
                break
            a = max(lowest)  # the youngest may hold older ones
            power = max(math.ceil(-e) for mono in form for b, e in mono if b == a)
            by[a] = by.get(a, 0) + power
            form = plus(*(self.reduced(self.merged(mono, ((a, Fraction(power)),)), c) for mono, c in form.items()))
        return form, by

    def lowest(self, form: Poly) -> Poly:
        """The form without its denominators, where they divide it: (x + x y)/(1 + y) is x."""
        above, by = self.cleared(form)
        if not by or not above:
            return form if above else {}
        below = self.times(*(self.whole_power(self.atoms[a].args[0], power) for a, power in by.items()))
        first, last = lead(above), lead(below)
        factor = self.times({first: above[first] / below[last]}, self.inverse({last: ONE}))
        return form if minus(above, self.times(factor, below)) else factor

    def sign(self, form: Poly) -> int | None:
        """1 where it is shown to be positive wherever it has a value, 0 where not negative, else None."""
        plain = self.plain_sign(form)
        return self.signs.sum_sign(self, form) if plain is None else plain

    def plain_sign(self, form: Poly) -> int | None:
        """The same by the signs of the atoms alone: no term may be negative."""
        found = [self._sign(mono, c) for mono, c in form.items()]
        return None if None in found else max((s for s in found if s is not None), default=0)

    def _sign(self, mono: Mono, c: Fraction) -> int | None:
        if c < 0:
            return None
        signs = [self.atom_sign(a) if self.atom_sign(a) is not None or e % 2 else 0 for a, e in mono]
        return None if None in signs else min((s for s in signs if s is not None), default=1)

    def is_whole(self, form: Poly) -> bool:
        """Is every value of the form an integer?"""
        return all(
            c.denominator == 1
            and all(e.denominator == 1 and e > 0 and self._whole_atom(self.atoms[a]) for a, e in mono)
            for mono, c in form.items()
        )

    def _whole_atom(self, atom: Atom) -> bool:
        whole_name = atom.head == "name" and self.signs.kind(atom.args[0]) == "integer"
        return whole_name or atom.head in ("floor", "ceil") or (atom.head == "poly" and self.is_whole(atom.args[0]))

    # Back to terms --------------------------------------------------------------------------------------------------

    def node(self, form: Poly) -> Term:
        """A term with this form."""
        total: Term | None = None
        for mono, c in form.items():
            part: Term | None = None if c == 1 and mono else c
            for a, e in mono:
                base = self.atoms[a].node
                factor = base if e == 1 else ("**", base, Fraction(e))
                part = factor if part is None else ("*", part, factor)
            total = part if total is None else ("+", total, part)
        return Fraction(0) if total is None else total


class _Broken(Fraction):
    """A broken exponent: one object for each value, whose hash is taken once."""

    code: int

    def __hash__(self) -> int:  # type: ignore[override]  # numbers.Complex leaves it out
        return self.code


_KNOWN: dict[tuple[int, int], _Broken] = {}


def _lean(e: Exponent) -> Exponent:
    if type(e) is int or type(e) is _Broken:
        return e
    if e.denominator == 1:
        return e.numerator
    pair = e.numerator, e.denominator
    if pair not in _KNOWN:
        _KNOWN[pair] = one = _Broken(*pair)
        one.code = hash(e)
    return _KNOWN[pair]
